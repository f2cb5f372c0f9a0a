"""`pc.report`: the page of a result, written to a file, whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from precall.errors import UsageError
from precall.notes import noted, together
from precall.rng import Rng, by_seed, seed_of
from precall.text import encoded

if TYPE_CHECKING:
    from pathlib import Path

    from precall.curves import Curve
    from precall.page.record import Record
    from precall.results import Report

_ALLOWED = "a Report (of evaluate), a Curve, {name: Curve}, what compare returned, Status, Decisions, or a list of such"


@by_seed
def report(
    given: Any, path: str | os.PathLike[str], *, title: str | None = None, level: float = 0.95, rng: Rng = 0,
    higher_is_better: bool = True,
) -> Path:  # fmt: skip
    """Write a page about a result: one file of HTML that people can open, print and pass on.

    It asks the network for nothing, shows its charts without scripts, and holds its numbers as JSON.

    Parameters
    ----------
    given : what `evaluate` returned (averages with intervals, comparisons, topics); a `Curve` or {name: Curve}
        (curves with bands, a threshold to choose, the law under random selection); what `compare` or one of
        its functions returned; `Status` or `Decisions` of categories; or a list of such.
    path : of the file; an existing one is replaced once the new one is complete.
    title : of the page (default: told from what is given).
    level : of intervals and bands; 1 - level is the significance.
    rng : seed, Generator or SeedSequence of what is drawn at random (None: a fresh seed); the seed is told
        on the page.
    higher_is_better : False for curves that were made so.

    Returns
    -------
    Path
        Where the page is.

    Raises
    ------
    UsageError
        There is no page of what is given.
    OSError
        The file cannot be written.

    Notes
    -----
    What is undefined is shown as "undef". Of curves with more operating points than a page holds, those are
    left out whose absence moves no area of the curve by more than the bound that the page states. Nothing that
    only a library knows is on the page: a report does not keep where its hits are, so the strips of hits are
    on the page of `precall report QRELS RUN...`.

    Examples
    --------
    >>> import tempfile, precall
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     made = report(precall.curve([1, 0, 1, 0] * 9, list(range(36))), f"{folder}/page.html")
    ...     made.name, made.read_text()[:15]
    ('page.html', '<!doctype html>')
    """
    return write(record_of(given, title, level, rng, higher_is_better), path)


def write(record: Record, path: str | os.PathLike[str]) -> Path:
    """Write the page of a record."""
    from pathlib import Path

    from precall.page.document import html
    from precall.saving import save

    save(encoded(html(record)), path)
    return Path(path)


def record_of(
    given: Any, title: str | None = None, level: float = 0.95, rng: Rng = 0, higher_is_better: bool = True
) -> Record:
    """What is known of a result, as a record."""
    from precall.page.record import record

    # One seed for every part of the page, which tells it.
    seed = seed_of(rng)
    several = list(given) if isinstance(given, list | tuple) else [given]
    if not several:
        raise UsageError(f"report: the list is empty; give {_ALLOWED}")
    sections: list[dict[str, Any]] = []
    headline: list[str] = []
    notes: list[str] = []
    for one in several:
        (part, said, known), more = noted(partial(_section, one, level, seed, higher_is_better))
        sections.append(part)
        headline += said
        notes += [*known, *more]
    return record(title or title_of(sections), headline, notes, sections)


def title_of(sections: list[dict[str, Any]]) -> str:
    """What a page is called whose title nobody gave: its systems."""
    first = sections[0]
    if first["kind"] == "categories":
        return f"{first['of']} categories"
    names = [one if isinstance(one, str) else one["name"] for one in first.get("systems", [])]
    if not names or names == [""]:
        return str(first.get("title") or "Evaluation")
    return ", ".join(names[:4]) + (f" and {len(names) - 4} more" if len(names) > 4 else "")


def _section(
    given: Any, level: float, rng: int, higher_is_better: bool
) -> tuple[dict[str, Any], list[str], list[str]]:
    from precall.contingency import Decisions, Status
    from precall.curves import Curve
    from precall.infer.compare.comparisons import Comparison, Comparisons
    from precall.page.categories import decided, scored_categories
    from precall.results import Report

    if isinstance(given, Report):
        return _of_report(given, level, rng)
    if isinstance(given, Curve):
        return of_curves({"score": given}, level, rng, higher_is_better)
    if isinstance(given, Mapping) and given and all(isinstance(one, Curve) for one in given.values()):
        named = {str(name): one for name, one in given.items()}
        if len(named) < len(given):
            raise UsageError("report: two curves have the same name as text; give them different ones")
        return of_curves(named, level, rng, higher_is_better)
    if isinstance(given, Comparison | Comparisons):
        return _of_comparisons(given)
    if isinstance(given, Status):
        return scored_categories(given, level=level, rng=rng)
    if isinstance(given, Decisions):
        return decided(given, level=level, rng=rng)
    raise UsageError(f"report: got {type(given).__name__}, allowed are {_ALLOWED}")


def _of_report(given: Report, level: float, rng: int) -> tuple[dict[str, Any], list[str], list[str]]:
    from precall.comparison import compare
    from precall.intervals.reports import of_report
    from precall.page.systems import Systems

    report = replace(given, intervals=of_report(given, level=level, rng=rng))
    pairs = None
    if len(given.runs) > 1 and given.comparable:
        pairs = compare(given, level=level, rng=rng)
    systems = Systems(report, pairs)
    return systems.section(), systems.headline(), systems.warnings()


def of_curves(
    curves: Mapping[str, Curve],
    level: float,
    rng: int,
    higher_is_better: bool,
    chance: bool = True,
    **more: Any,
) -> tuple[dict[str, Any], list[str], list[str]]:
    """The section of some curves: intervals, bands and laws are of the curves themselves.

    Without `chance` there are no laws: what is weighted is not drawn at random case by case.
    """
    from precall.page.scored import Scored
    from precall.page.uncertainty import bands_of, intervals_of, laws_of

    conventions = more.pop("conventions", None) or _conventions(level, rng, higher_is_better)
    intervals, bands, laws, notes = {}, {}, [], []
    for name, one in curves.items():
        intervals[name], own = noted(partial(intervals_of, one, level, rng))
        bands[name], of_bands = noted(partial(bands_of, one, level, rng))
        found, of_laws = noted(partial(laws_of, name, one)) if chance else ([], ())
        laws += found
        notes += [(name, said) for said in (*own, *of_bands, *of_laws)]
    scored = Scored(curves, higher_is_better, intervals, bands, laws=laws, conventions=conventions, **more)
    return scored.section(), scored.headline(), [*scored.warnings(), *together(notes)]


def _conventions(level: float, rng: int, higher_is_better: bool) -> dict[str, str]:
    from precall.native import kernel_name
    from precall.version import __version__

    return {
        "precall": __version__, "good": "high scores" if higher_is_better else "low scores", "ties": "block",
        "level": f"{level:g}", "seed": str(rng),
        "kernel": kernel_name(),
    }  # fmt: skip


def _of_comparisons(given: Any) -> tuple[dict[str, Any], list[str], list[str]]:
    from precall.infer.compare.comparisons import Comparison
    from precall.page.blocks import blocks_of
    from precall.sheet.comparisons import compare_sheet, pairs_block
    from precall.sheet.sheets import Sheet
    from precall.sheet.verdicts import sentence

    section: dict[str, Any] = {"kind": "sheet", "title": "Comparisons"}
    if isinstance(given, Comparison):
        section["blocks"] = blocks_of(Sheet("", {}, (pairs_block(given.measure, [given]),), (), {}, (), ()))
        section["signature"] = (
            f"test {given.test} | level {given.level:g} | seed {'none' if given.seed is None else given.seed}"
        )
        said = sentence(given, given.names[0], f"{given.size} pairs")
        return section | {"pairs": [given.to_dict()]}, [said], list(given.notes)
    sheet = compare_sheet(given)
    section |= {"blocks": blocks_of(sheet), "pairs": [one.to_dict() for one in given.pairs]}
    section["signature"] = " | ".join(f"{name} {text}" for name, text in given.conventions.items())
    best = min(given.pairs, key=lambda one: one.adjusted if one.adjusted == one.adjusted else 2.0)
    return section, [sentence(best, best.names[0], f"{best.size} pairs")], list(sheet.notes)
