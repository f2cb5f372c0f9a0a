"""Coverage of intervals of one table and of two tests on the same patients, and sizes of tests.

`python -m tests.coverage.clinical` writes tests/coverage/records/clinical.json and its table in
docs/why/intervals.md. Patients have lesions; a patient's chances that a test finds a lesion, and
that it takes healthy tissue for one, have beta distributions with the same rank, so that lesions of
a patient are alike and finds go with false alarms.
"""

from __future__ import annotations

import zlib
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from precall.core.counts import Counts
from precall.core.notes import collect_notes
from precall.core.notes.of_intervals import FewGroupsOfAKind
from precall.hard_decisions.membership import memberships
from precall.hard_decisions.two_systems import TwoSystems
from precall.measures.registry import of_counts
from precall.stats.intervals import grouped_tables, of_tables
from tests.coverage.judges import write_table
from tests.peers import peer

RECORD = Path(__file__).with_name("records") / "clinical.json"
PAGE = Path(__file__).parents[2] / "docs" / "why" / "intervals.md"
MARK = "coverage of tables"
DRAWS = 800
LEVEL = 0.95
Floats = Any


class Situation(NamedTuple):
    """Patients, lesions of each, and how often a test, or two, is right."""

    kind: str
    """ "one" table, the "difference" of two tests, or the "size" of a test of no difference."""
    measure: str
    patients: int
    lesions: int = 1
    recall: float = 0.9
    specificity: float = 0.8
    alike: float = 0.0
    """Correlation of the lesions of a patient."""
    relevant: float = 0.4
    prevalence: float | None = None
    second: tuple[float, float] = (0.8, 0.8)
    """Recall and specificity of the second test."""
    agree: float = 0.5
    """Share of items that both tests judge by the same chance."""
    method: str = ""


def _one() -> list[Situation]:
    good = {"recall": 0.97, "specificity": 0.97}
    found = [
        Situation("one", measure, patients, lesions, alike=alike, **quality)
        for patients, lesions, alike, quality in (
            (15, 2, 0.2, {}),
            (15, 5, 0.3, {}),
            (30, 3, 0.3, {}),
            (30, 3, 0.2, good),
            (60, 4, 0.3, {}),
            (100, 5, 0.1, good),
        )
        for measure in ("R", "Specificity", "P", "F", "YoudenJ", "LR+")
    ]
    return found + [
        Situation("one", measure, patients, lesions, alike=alike, prevalence=0.02, **quality)
        for patients, lesions, alike, quality in (
            (40, 1, 0.0, {}),
            (100, 1, 0.0, good),
            (30, 3, 0.3, {}),
        )
        for measure in ("P", "NPV")
    ]


def _differences() -> list[Situation]:
    alone = [
        Situation("difference", measure, patients, second=second, recall=recall, agree=agree)
        for patients, recall, second, agree in (
            (30, 0.9, (0.8, 0.8), 0.5),
            (50, 0.9, (0.9, 0.7), 0.8),
            (100, 0.97, (0.95, 0.8), 0.5),
            (200, 0.9, (0.8, 0.9), 0.3),
        )
        for measure in (
            "R",
            "Specificity",
            "P",
            "NPV",
            "F",
            *(("YoudenJ", "LR+") * (patients < 50)),
        )
    ]
    # Nearly alike: all items that differ are of one kind.
    alone += [
        Situation("difference", measure, patients, second=(0.85, 0.8), agree=1.0)
        for patients in (30, 100)
        for measure in ("P", "F", "YoudenJ", "NetBenefit(threshold=0.5)")
    ]
    newcombe = [
        Situation("difference", "R", patients, second=(0.8, 0.8), method="mover")
        for patients in (30, 100)
    ]
    grouped = [
        Situation("difference", measure, patients, lesions, alike=alike, agree=agree)
        for patients, lesions, alike, agree in (
            (15, 4, 0.2, 0.5),
            (30, 3, 0.3, 0.5),
            (60, 4, 0.2, 0.7),
            (100, 2, 0.3, 0.3),
        )
        for measure in ("R", "P", "F", "YoudenJ", "LR+")
    ]
    return alone + newcombe + grouped


def _sizes() -> list[Situation]:
    return [
        Situation("size", measure, patients, lesions, alike=alike, second=(0.9, 0.8), method=test)
        for measure, test, lesions, alike in (
            ("R", "mcnemar-chi2", 1, 0.0),
            ("R", "mcnemar", 1, 0.0),
            ("YoudenJ", "mcnemar-both", 1, 0.0),
            ("P", "wgs", 1, 0.0),
            ("NPV", "wgs", 1, 0.0),
            ("R", "obuchowski", 4, 0.3),
        )
        for patients in (30, 100)
    ]


SITUATIONS = (*_one(), *_differences(), *_sizes())


def _chances(rng: np.random.Generator, of: Situation, mean: float, rank: Floats) -> Floats:
    if not of.alike:
        return np.full(of.patients, mean)
    size = 1 / of.alike - 1
    return peer("scipy.stats").beta.ppf(rank, mean * size, (1 - mean) * size)


def draw(rng: np.random.Generator, of: Situation) -> tuple[Floats, Floats, Floats, Floats]:
    """The truth, decisions of both tests, and the patient of each lesion."""
    member = np.repeat(np.arange(of.patients), of.lesions)
    truth = rng.random(len(member)) < of.relevant
    rank, own, coin = rng.random((3, of.patients))
    shared, luck = rng.random(len(member)), rng.random((2, len(member)))
    agree = rng.random(len(member)) < of.agree
    decisions = []
    for test, (recall, specificity) in enumerate(((of.recall, of.specificity), of.second)):
        finds = _chances(rng, of, recall, rank if test == 0 else np.where(coin < 0.5, rank, own))
        alarms = _chances(rng, of, 1 - specificity, rank)
        chance = np.where(truth, finds[member], alarms[member])
        decisions.append(np.where(agree, shared, luck[test]) < chance)
    return truth, decisions[0], decisions[1], member


def truth_of(of: Situation) -> float:
    """The measure, or the difference, in the population."""

    def value(recall: float, specificity: float) -> float:
        share = of.relevant if of.prevalence is None else of.prevalence
        cells = (
            share * recall,
            (1 - share) * (1 - specificity),
            share * (1 - recall),
            (1 - share) * specificity,
        )
        table = Counts(*(np.array([1e6 * cell]) for cell in cells))
        return float(of_counts(of.measure).of_table(table)[0])

    first = value(of.recall, of.specificity)
    return first if of.kind == "one" else first - value(*of.second)


def tables(truth: Floats, decided: Floats, member: Floats) -> Floats:
    """The table of each patient, patients x cells."""
    cells = (truth & decided, ~truth & decided, truth & ~decided, ~truth & ~decided)
    size = int(member.max()) + 1
    return np.stack([np.bincount(member, cell, size) for cell in cells], axis=1)


def _bounds(rng: np.random.Generator, of: Situation) -> tuple[Any, Any]:
    truth, first, second, member = draw(rng, of)
    measure = of_counts(of.measure)
    if of.kind == "one":
        table = tables(truth, first, member)
        if of.lesions > 1:
            found = grouped_tables.of_groups(measure, of.measure, table, of.prevalence)
        else:
            cells = table.sum(axis=0).astype(int).tolist()
            found = of_tables.of_cells(measure, of.measure, cells, of.prevalence)
        return found.low, found.high
    columns = {"truth": truth, "a": first, "b": second}
    true, *predicted = memberships(columns, None, positive=None)
    both = TwoSystems.of(true, predicted, of.measure, 1.0, None)
    groups = member if of.lesions > 1 else None
    if of.kind == "size":
        changes = both.changes(groups)
        if of.method == "mcnemar":
            rights = both.rights(changes)
            wins, losses = (int(np.count_nonzero(side)) for side in (rights > 0, rights < 0))
            tail = peer("scipy.stats").binom.cdf(min(wins, losses), wins + losses, 0.5)
            return min(2 * tail, 1.0), None
        return both.result(of.method, changes).p, None
    method = both.interval_method(of.method or None, groups)
    found = both.interval(method, LEVEL, 0, groups=groups)
    return found.low, found.high


def simulate(of: Situation, draws: int = DRAWS) -> dict[str, Any]:
    """Shares of intervals that hold the truth; those without bounds count as a miss, if they have
    none for another reason than an infinite or undefined value. For sizes, how often p is at most
    5 %.
    """
    rng, truth = np.random.default_rng(zlib.crc32(repr(of).encode())), truth_of(of)
    held, above, below, without, noted, widths, rejected = 0, 0, 0, 0, 0, [], 0
    for _ in range(draws):
        with collect_notes() as notes:
            low, high = _bounds(rng, of)
        if of.kind == "size":
            rejected += low <= 0.05
            continue
        noted += any(isinstance(note, FewGroupsOfAKind) for note in notes)
        if low is None or low != low:
            without += 1
            continue
        held += low <= truth <= high
        above += low > truth
        below += high < truth
        widths.append(high - low)
    if of.kind == "size":
        return {**of._asdict(), "draws": draws, "rejected": rejected / draws}
    known = max(draws - without, 1)
    return {
        **of._asdict(),
        "draws": draws,
        "held": held / known,
        "above": above / known,
        "below": below / known,
        "without": without / draws,
        "noted": noted / draws,
        "width": float(np.median(widths)) if widths else None,
    }


def table(cells: list[dict[str, Any]]) -> list[str]:
    """The record as tables of the page: a row for each situation, a column for each measure."""
    lines: list[str] = []
    for kind in ("one", "difference"):
        chosen = [cell for cell in cells if cell["kind"] == kind and not cell["method"]]
        names = list(dict.fromkeys(cell["measure"] for cell in chosen))
        head = "difference of two tests" if kind == "difference" else "one table"
        lines += [
            f"| {head} | {' | '.join(names)} |",
            f"|:--|{'--:|' * len(names)}",
        ]
        rows: dict[str, dict[str, str]] = {}
        for cell in chosen:
            held = f"{cell['held']:.1%}" if cell["without"] < 0.5 else ""
            rows.setdefault(_name(cell), {})[cell["measure"]] = held
        for name, row in rows.items():
            lines.append(f"| {name} | {' | '.join(row.get(each, '') for each in names)} |")
        lines.append("")
    lines += ["| size at 5 % | measure | patients x lesions | rejected |", "|:--|:--|--:|--:|"]
    for cell in cells:
        if cell["kind"] == "size":
            sizes = f"{cell['patients']} x {cell['lesions']}"
            lines.append(
                f"| {cell['method']} | {cell['measure']} | {sizes} | {cell['rejected']:.1%} |"
            )
    return lines


def _name(cell: dict[str, Any]) -> str:
    name = f"{cell['patients']} x {cell['lesions']}, recall {cell['recall']:g}"
    if cell["kind"] == "one":
        name += f", specificity {cell['specificity']:g}"
    else:
        name += f" and {cell['second'][0]:g}, specificity {cell['specificity']:g} and "
        name += f"{cell['second'][1]:g}"
    name += f", alike {cell['alike']:g}" * (cell["lesions"] > 1)
    return name + ("" if cell["prevalence"] is None else f", at {cell['prevalence']:g}")


def main() -> None:
    write_table(RECORD, MARK, [simulate(situation) for situation in SITUATIONS], table, PAGE)


if __name__ == "__main__":
    main()
