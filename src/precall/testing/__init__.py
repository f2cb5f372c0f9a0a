"""Tests of quality: `assert_not_worse` compares a report with a baseline, a file beside the tests.

pytest has the fixture `assert_not_worse` as soon as precall is installed; this function does the
same for other runners. Nothing heavy is imported before it is called.

Examples
--------
The first run writes the baseline; later runs are compared with it:

>>> import pathlib, tempfile
>>> import precall
>>> file = pathlib.Path(tempfile.mkdtemp()) / "base.json"
>>> topics = [f"q{i}" for i in range(8)]
>>> report = precall.evaluate({q: {"a": 1} for q in topics}, {q: {"a": 0.5} for q in topics}, "AP")
>>> assert_not_worse(report, file, update=True).passed, assert_not_worse(report, file).passed
(True, True)
"""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from precall.core.errors import Among, Kind, UsageError

if TYPE_CHECKING:
    from precall.core.rng import Rng
    from precall.evaluation.report import Report
    from precall.stats.tests.equivalence import Gate
    from precall.stats.tests.gating import Gates

__all__ = ["assert_not_worse"]

#: The most topics with a loss that are listed.
LISTED = 10


def assert_not_worse(
    report: object,
    baseline: str | os.PathLike[str] = "base.json",
    margin: float | Mapping[str, float] | None = None,
    *,
    measures: str | Sequence[str] | None = None,
    level: float = 0.95,
    test: str = "randomization",
    resamples: int = 100_000,
    rng: Rng = 0,
    update: bool = False,
) -> Gates:
    """Fail if a report is worse than the baseline that an earlier report left.

    Every measure of every run is a gate of its own, without correction for the number of gates. The
    run is compared with its own values in the baseline, topic by topic, as
    `precall compare --fail-if-worse` does.

    Without a margin a gate fails if the mean is lower (or higher, for measures where low is good)
    and the two-sided paired test has p <= 1 - level. The probability of a false alarm is therefore
    (1 - level)/2, 2.5 % for the default. A loss that is not significant passes. With a margin the
    burden of proof is reversed: the gate passes only if the one-sided test at 1 - level shows that
    the run loses less than the margin (non-inferiority). A run whose values equal those of the
    baseline in every topic passes in both cases.

    Parameters
    ----------
    report : the result of `evaluate` for one run or several; or {topic: value}, where high values
        are good, such as 1 for each right decision and 0 for the others. Topics are paired by name.
    baseline : a file. If it does not exist, it is written and nothing fails; but if `CI` is set in
        the environment, this is an error, because a gate that makes its own baseline tests nothing.
    margin : the loss that does not matter, > 0; or {measure: margin}; measures that it lacks have
        no margin.
    measures : the measures that are gates (default: all for which high or low is good).
    level, test, resamples, rng : see `precall.compare`; t, wilcoxon, sign and bootstrap need SciPy.
    update : write the baseline anew.

    Returns
    -------
    Gates
        `.passed`, `.gates` and all forms of a result, including JUnit XML.

    Raises
    ------
    AssertionError
        A gate failed. The message says which one, why, and which topics lost most.
        UsageError, DataError
        Conventions, measures, runs or topics differ from those of the baseline; the message names
        them. Or there is no baseline, and this is CI; or the file is not a baseline.

    Examples
    --------
    >>> import tempfile, pathlib, precall
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "base.json"
    >>> qrels = {f"q{i}": {"x": 1} for i in range(8)}
    >>> good = {f"q{i}": {"x": 2.0, "y": 1.0} for i in range(8)}
    >>> bad = {f"q{i}": {"y": 2.0, "x": 1.0} for i in range(8)}
    >>> print(assert_not_worse(precall.evaluate(qrels, good, "AP"), file, update=True).verdict)
    Passed: 1 gate.
    >>> assert_not_worse(precall.evaluate(qrels, bad, "AP"), file)
    Traceback (most recent call last):
        ...
    AssertionError: AP of run is worse than its baseline: 0.5000, was 1.0000 (-0.5000, 8 topics)
    ...
    """
    from precall.comparison import baselines
    from precall.core.arguments import check_path
    from precall.core.rng import seed_of
    from precall.core.text import printable

    baseline = os.fsdecode(check_path(baseline, "baseline"))
    current, label = _report(report), printable(baseline)
    margins = _margins(current, baselines.judged_measures(current, measures), margin)
    # What is refused is refused before a baseline is written.
    baselines.check_choices(current, margins, level=level, test=test, resamples=resamples)
    seed = seed_of(rng)
    earlier = _baseline_of(current, baseline, label, update)
    judged = baselines.gates_of(
        current,
        earlier,
        margins,
        level=level,
        test=test,
        resamples=resamples,
        rng=seed,
    )
    _warn_of_few(label, judged)
    return _require_gates(judged, margins, current, earlier, label)


def _baseline_of(
    given: Report, baseline: str | os.PathLike[str], label: str, update: bool
) -> Report:
    """The baseline, which is written if needed; raises if it does not fit the report."""
    from precall.comparison import baselines
    from precall.core.text import file_name, printable
    from precall.read.folders import refuse_no_files

    path = Path(file_name(baseline))
    if path.exists():
        refuse_no_files([str(path)], "name a file, baseline=...")
    if update or not path.exists():
        if not update and in_ci():
            remedy = "run this once outside of CI, or with --precall-update, and commit the file"
            raise UsageError(
                argument=label,
                what="there is no such baseline, and in CI (CI is set) none is written",
                remedy=remedy,
            )
        if not (folder := path.parent).is_dir():
            raise UsageError(
                argument=label,
                what=f"there is no folder {printable(str(folder))}",
                remedy="create it first",
            )
        baselines.write_baseline(given, baseline)
    earlier = baselines.read_baseline(baseline)
    if unlike := baselines.differences_between(given, earlier):
        remedy = "if that is meant, write the baseline anew: --precall-update (update=True)"
        head = f"{label}: is not of the same evaluation, nothing was compared; {remedy}"
        raise UsageError("\n".join([head, *unlike]))
    return earlier


def _require_gates(
    judged: Sequence[Gate], measures: Collection[str], given: Report, known: Report, label: str
) -> Gates:
    """The gates as one result; raises if one failed."""
    from precall.comparison.baselines import notes_of_baseline
    from precall.comparison.reports import notes_of_report
    from precall.core.notes import Severity, warn_all
    from precall.stats.tests.gating import Gates

    own, of_baseline = notes_of_report(given, measures), notes_of_baseline(known, measures)
    facts = [(type(note), note.values) for note in own]
    # Only notes that say the baseline's values are wrong, and that are not also notes of the run.
    warn_all(
        note
        for note in of_baseline
        if note.severity == Severity.WRONG and (type(note), note.values) not in facts
    )
    gates = Gates(tuple(judged), given.conventions, tuple(dict.fromkeys((*own, *of_baseline))))
    if not gates.passed:
        from precall.testing.lost_topics import message

        raise AssertionError(message(gates, given, known, label, LISTED))
    return gates


def _warn_of_few(label: str, judged: Sequence[Gate]) -> None:
    """Warn of gates that could not have failed, with the baseline as subject."""
    from precall.core.notes import warn_all
    from precall.core.notes.of_comparisons import NeverFails
    from precall.stats.tests.gating import Gates

    warn_all(
        NeverFails(**{**note.facts, "subject": label}).in_words_of(note.vocabulary)
        for _, note in Gates(tuple(judged)).idle
    )


def in_ci() -> bool:
    """Whether this is continuous integration: all services set the variable CI."""
    return os.environ.get("CI", "").lower() not in ("", "0", "false", "no")


def _report(given: object) -> Report:
    """A report with values by topic."""
    from precall.comparison.baselines import report_of_values
    from precall.evaluation.report import Report, refuse_weights

    if isinstance(given, Report):
        refuse_weights(given, "a baseline")
        return given
    if (
        isinstance(given, Mapping)
        and given
        and all(isinstance(value, int | float) for value in given.values())
    ):
        return report_of_values(given)
    remedy = (
        "give what pc.evaluate returned; or {item: value}, such as 1.0 for each item that was "
        "decided rightly and 0.0 for the others: curves and tables of decisions do not say which "
        "item is which, so two of them cannot be paired"
    )
    raise UsageError(
        argument="report",
        got=Kind(given),
        why="which has no values by topic",
        remedy=remedy,
    )


def _margins(report: Report, chosen: Sequence[str], margin: Any) -> dict[str, float | None]:
    """The margin of each measure that is a gate, by its canonical name."""
    if not isinstance(margin, Mapping):
        return dict.fromkeys(chosen, margin)
    named = {report.name_of(name): value for name, value in margin.items()}
    for name in named:
        if name not in chosen:
            raise UsageError(
                "{got} is no gate",
                argument="margin",
                got=name,
                allowed=Among("those are", chosen),
            )
    return {name: named.get(name) for name in chosen}
