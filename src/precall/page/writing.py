"""`pc.report`: writes the page of a result to a file, completely or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, NoReturn

from precall.core.arguments import check_choice, check_kind, check_path
from precall.core.errors import Kind, UsageError
from precall.core.rng import Rng, check_passed_on, seed_of, suggest_our_names
from precall.core.text import as_text

# `import precall` creates `precall.report`; the modules of pages are imported when the first is
# made.
if TYPE_CHECKING:
    from pathlib import Path

    from precall.cases.table import CaseTable
    from precall.hard_decisions import Status, Thresholds
    from precall.page.sections import File, Page, SectionPart
    from precall.results.sheets import Sheet

ALLOWED = (
    "a Report (of evaluate), a Curve, {name: Curve}, what compare or judge returned, Status, "
    "Decisions, or a list of such"
)


class Pages:
    """Write a page about a result: one file of HTML that people can open, print and pass on.

    It needs no network, shows its charts without scripts, and holds its numbers as JSON.

    `report(result, path)` takes a result. Its functions take the inputs of results, and show more:

    - `report.runs(qrels, runs, path)`: also where the hits are, 11-point curves, and random
      selection;
    - `report.cases(relevant, scores, path)`: also whether the scores differ, each with each;
    - `report.categories(status, path)`: also what a policy decides.

    Examples
    --------
    >>> import tempfile, precall
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     made = report(precall.curve([1, 0, 1, 0] * 9, list(range(36))), f"{folder}/page.html")
    ...     made.name, made.read_text()[:15]
    ('page.html', '<!doctype html>')
    """

    def __repr__(self) -> str:
        return "<precall.report: runs, cases, categories>"

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> NoReturn:
            raise AttributeError(
                f"precall.report has no function {name!r}; "
                "write precall.report(result, 'page.html')"
            )

    @suggest_our_names
    def __call__(
        self,
        given: object,
        path: str | os.PathLike[str],
        *,
        title: str | None = None,
        level: float = 0.95,
        rng: Rng = 0,
    ) -> Path:
        """Write a page about a result.

        Parameters
        ----------
        given : what `evaluate` returned (averages with intervals, comparisons, topics); a `Curve`
            or {name: Curve} (curves with bands, a threshold to choose, random selection); what
            `compare` or one of its functions returned; `Status` or `Decisions` of categories; or a
            list of such.
        path : of the file; an existing one is replaced once the new one is complete.
        title : of the page; None: derived from the result.
        level : of intervals and bands, in (0, 1); the significance level is 1 - level.
        rng : seed, Generator or SeedSequence for everything drawn at random (None: a fresh seed);
            the page states the seed.

        Returns
        -------
        Path
            The path of the page.

        Raises
        ------
        UsageError
            There is no page for such an object.
        OSError
            The file cannot be written.

        Notes
        -----
        Undefined values are shown as "undef". If a curve has more operating points than a page
        holds, those are left out whose absence moves no area of the curve by more than the bound
        that the page states. A curve does not keep its cases, nor a report its rankings:
        `report.cases` and `report.runs` take these.
        """
        return write(page_about(given, title, level, rng), path)

    @suggest_our_names
    def runs(
        self,
        qrels: object,
        runs: object,
        path: str | os.PathLike[str],
        measures: object = None,
        *,
        title: str | None = None,
        chance: str = "best",
        test: str = "randomization",
        correction: str = "holm",
        baseline: str | None = None,
        worse: str | Sequence[str] | Mapping[str, float | None] | None = None,
        level: float = 0.95,
        rng: Rng = 0,
        resamples: int = 100_000,
        unpaired: str = "error",
        threads: int | None = None,
        memory: int | None = None,
        by: object = None,
        topic_weights: object = None,
        **conventions: Any,
    ) -> Path:
        """Write the page of `precall report QRELS RUN...`.

        Parameters
        ----------
        qrels, measures, threads, memory, by, topic_weights : as `evaluate` takes them. Groups of
            topics have their averages on the page.
        runs : {name: run, ...} or a list of paths, each as `evaluate` takes it.
        conventions : other keywords of `evaluate`, such as ties="expected" or topics="qrels".
        chance : the runs that are tested against random selection: the "best", "all" or "none".
        test, correction, baseline, resamples, unpaired : as `compare` takes them.
        worse : measures that are gates, as `compare.gates` takes them: "any", names, or {name:
            margin}. Their verdict stands first on the page; the baseline is the first run, if no
            other is named.
        path, title, level, rng : as for `report`.

        Examples
        --------
        >>> import tempfile
        >>> qrels, run = (
        ...     {"q1": {"a": 1}, "q2": {"c": 1}},
        ...     {"q1": {"a": 2.0, "b": 1.0}, "q2": {"d": 2.0, "c": 1.0}},
        ... )
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     report.runs(qrels, run, f"{folder}/page.html", ["AP"]).name
        'page.html'
        """
        from precall.core.conventions import Conventions
        from precall.core.saving import refuse_inputs
        from precall.page.record import page_of
        from precall.page.runs import CHANCE, read_runs

        check_passed_on(
            conventions, self.runs, Conventions.__init__, "which qrels and runs do not take"
        )
        check_choice("chance", chance, CHANCE)
        several = runs.values() if isinstance(runs, Mapping) else runs
        refuse_inputs(
            path, [qrels, runs, topic_weights, *(several if isinstance(several, Iterable) else ())]
        )
        sections = read_runs(
            Conventions(**conventions),
            qrels,
            runs,
            measures,
            threads=threads,
            chance=chance,
            level=level,
            rng=seed_of(rng),
            test=test,
            correction=correction,
            baseline=baseline,
            worse=worse,
            resamples=resamples,
            unpaired=unpaired,
            memory=memory,
            by=by,
            topic_weights=topic_weights,
        )
        return write(page_of(sections, title), path)

    @suggest_our_names
    def cases(
        self,
        relevant: object,
        scores: Mapping[str, object],
        path: str | os.PathLike[str],
        *,
        title: str | None = None,
        missed: int = 0,
        weights: object = None,
        positive: object = None,
        groups: object = None,
        higher_is_better: bool = True,
        correction: str = "holm",
        level: float = 0.95,
        rng: Rng = 0,
    ) -> Path:
        """Write the page of `precall report FILE --label`: curves of several scores of the same
        cases, and their differences.

        Parameters
        ----------
        relevant, missed, weights, positive, higher_is_better : as `curve` takes them.
        scores : name → a number for each case.
        groups : the group of each case; each group has its own curves, which are not compared.
        correction : of p, for the pairs of one measure.
        path, title, level, rng : as for `report`.

        Examples
        --------
        >>> import tempfile
        >>> y, a = [1, 0, 1, 0, 0] * 8, list(range(40))
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     report.cases(y, {"a": a, "b": a[::-1]}, f"{folder}/page.html").name
        'page.html'
        """
        from precall.page.record import page_of
        from precall.page.scored import section_of_cases

        section = section_of_cases(
            _case_table(relevant, scores, missed, weights, positive, groups, higher_is_better),
            correction=correction,
            level=level,
            rng=seed_of(rng),
        )
        return write(page_of([section], title), path)

    @suggest_our_names
    def categories(
        self,
        status: Status,
        path: str | os.PathLike[str],
        *,
        title: str | None = None,
        policy: str | Thresholds | None = None,
        undefined: str = "zero",
        level: float = 0.95,
        rng: Rng = 0,
    ) -> Path:
        """Write the page of `precall report FILE --truth`: scores of many categories, and the
        decisions of a policy.

        Parameters
        ----------
        status : what `categorize` returned.
        policy : of decisions, as `Status.thresholds` takes it, or what that learned from others
            (default: "rank:1" where each item has one category).
        undefined : what averages do about undefined values: "zero", "omit" or "error".
        path, title, level, rng : as for `report`.

        Examples
        --------
        >>> import tempfile, precall
        >>> status = precall.categorize(["a", "b"] * 4, [[0.9, 0.1], [0.2, 0.8]] * 4)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     report.categories(status, f"{folder}/page.html").name
        'page.html'
        """
        from precall.page.record import page_of
        from precall.page.scored import section_of_categories

        section = section_of_categories(status, policy, undefined, level=level, rng=seed_of(rng))
        return write(page_of([section], title), path)


report: Pages = Pages()


def _case_table(
    relevant: object,
    scores: Mapping[str, object],
    missed: int,
    weights: object,
    positive: object,
    groups: object,
    higher_is_better: bool,
) -> CaseTable:
    """Cases as arrays; see `Pages.cases`."""
    from precall.cases.case_batches import rows_of_groups
    from precall.cases.scored_cases import check_cases, group_indexes, weight
    from precall.cases.table import CaseTable
    from precall.core.notes import run_and_warn

    if not check_kind("scores", scores, Mapping, "{name: a number for each case}"):
        raise UsageError(
            argument="scores", allowed="{name: a number for each case}, with one name at least"
        )
    columns, notes = run_and_warn(
        lambda: {
            as_text(name): check_cases(relevant, score, positive) for name, score in scores.items()
        }
    )
    truth = next(iter(columns.values()))[0]
    heavy = None if weights is None else weight(weights, len(truth))
    numbers = {name: score for name, (_, score) in columns.items()}
    rows = None if groups is None else rows_of_groups(*group_indexes(groups, len(truth)))
    return replace(
        CaseTable.of("", truth, numbers, heavy, rows, missed, higher_is_better), notes=notes
    )


def write(page: Page, path: str | os.PathLike[str]) -> Path:
    """Write a page."""
    from pathlib import Path

    from precall.core.saving import save
    from precall.core.text import encode_utf8
    from precall.page.document import html
    from precall.results.forms import check_ending

    check_ending(check_path(path), pages=True)
    save(encode_utf8(html(page)), path)
    return Path(path)


def page_about(given: object, title: str | None = None, level: float = 0.95, rng: Rng = 0) -> Page:
    """The page about a result."""
    from precall.core.notes import run_and_collect
    from precall.evaluation.report import Report
    from precall.page.record import page_of
    from precall.page.runs import section_of_groups

    # All parts of the page use one seed, which the page states.
    seed = seed_of(rng)
    several = list(given) if isinstance(given, list | tuple) else [given]
    if not several:
        raise UsageError(argument="report", what=f"the list is empty; give {ALLOWED}")
    parts = []
    for result in several:
        section, remarks = run_and_collect(partial(_part, result, level, seed))
        parts.append(section._replace(notes=[*section.notes, *remarks]))
        parts += section_of_groups(result, section) if isinstance(result, Report) else []
    return page_of(parts, title)


def page_of_sheet(
    sheet: Sheet,
    section: SectionPart[Any] | None = None,
    command: str = "",
    files: Sequence[File] = (),
) -> str:
    """The page of a sheet, as text: the section of its result, as `pc.report` has it, and the
    tables that the sheet has besides; if no page is about such a result, all its tables.

    Parameters
    ----------
    section : the section of the result, if it is made already.
    command, files : the command line and the files that were read.
    """
    from precall.cases.table import MeasuredCases
    from precall.core.notes import run_and_collect
    from precall.evaluation.report import Report
    from precall.page.document import html
    from precall.page.record import page_of
    from precall.page.tables import tables_beside
    from precall.stats.tests.comparisons import Comparisons

    if section is None and sheet.source is not None:
        (section, remarks) = run_and_collect(partial(_section, sheet.source, 0.95, 0))
        if section is not None:
            section = section._replace(notes=[*section.notes, *remarks])
    parts = [] if section is None else [section]
    # Measured cases have no other sheet; that of others may have been asked for more.
    has_usual = section is not None and not isinstance(sheet.source, MeasuredCases)
    usual = sheet.source.sheet().blocks if has_usual and sheet.source is not None else ()
    if isinstance(sheet.source, Report):
        # The section of runs has averages, but not their bounds, nor those of groups.
        usual = replace(sheet.source, groups={}).sheet(bounds=False).blocks
    if isinstance(sheet.source, Comparisons) and section is not None:
        usual = replace(sheet.source, groups={}).sheet().blocks
    if (more := tables_beside(sheet, section, usual)) is not None:
        parts.append(more)
    return html(page_of(parts, None, command=command, files=files)).rstrip("\n") + "\n"


def _part(given: object, level: float, rng: int) -> SectionPart[Any]:
    """The section of any result; results without one are refused."""
    from precall.results.sheets import Presented

    section = _section(given, level, rng)
    if section is None:
        remedy = (
            "result.save('page.html') writes its tables" if isinstance(given, Presented) else ""
        )
        raise UsageError(argument="report", got=Kind(given), allowed=[ALLOWED], remedy=remedy)
    return section


def _section(given: object, level: float, rng: int) -> SectionPart[Any] | None:
    """The section of any result; None if there is none about such a result."""
    from precall.cases import Curve
    from precall.cases.table import CaseTable, MeasuredCases
    from precall.evaluation.report import Report
    from precall.hard_decisions import Decisions, Status
    from precall.judges.results import Judged, JudgedValue
    from precall.page import runs, scored
    from precall.results.sheets import curve_in
    from precall.stats.tests.comparisons import Comparison, Comparisons

    given = curve_in(given)
    if isinstance(given, Report):
        return runs.section_of_runs(given, level=level, rng=rng, compared=given.comparable)
    if isinstance(given, CaseTable):
        return scored.section_of_cases(given, level=level, rng=rng)
    if isinstance(given, MeasuredCases):
        return scored.of_measured(given, level, rng)
    if isinstance(given, Curve):
        return scored.of_curves({"score": given}, level, rng)
    if (
        isinstance(given, Mapping)
        and given
        and all(isinstance(curve, Curve) for curve in given.values())
    ):
        named = {as_text(name): curve for name, curve in given.items()}
        if len(named) < len(given):
            raise UsageError(
                argument="report",
                what="two curves have the same name as text; give them different ones",
            )
        return scored.of_curves(named, level, rng)
    if isinstance(given, Comparison | Comparisons):
        return runs.section_of_comparisons(given)
    if isinstance(given, Judged | JudgedValue):
        from precall.page.judged import section_of_judged

        return section_of_judged(given)
    if isinstance(given, Status):
        return scored.section_of_categories(given, level=level, rng=rng)
    # Spans are decisions, too, but have no table with true negatives.
    if type(given) is Decisions:
        return scored.decisions_section(given, level=level, rng=rng)
    return None
