"""How often tests reject where there is no difference, and where there is one:
`python -m tests.coverage.sizes`.

Writes `sizes.json` beside this file, with the number of simulations of each cell; the docs show its
tables and a test compares them. What is interrupted goes on where it stopped. `--simulations N` and
`--only PART` make a quick look of it.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
import warnings
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np

import precall as pc
from tests.coverage import cohorts, laws, lists, tops
from tests.coverage.full import alone, sources

RECORD = Path(__file__).with_name("sizes.json")
PAGE = Path(__file__).resolve().parents[2] / "docs" / "why" / "tests.md"
LEVELS = (0.05, 0.01)
#: Standard deviations that the mean is moved by for the power, over the root of the topics.
SHIFT = 2.8
TESTS = ("randomization", "t", "wilcoxon", "sign", "bootstrap")
Draw = Callable[[np.random.Generator, int], np.ndarray]


def _difficult(rng: np.random.Generator, topics: int) -> np.ndarray:
    """Bounded and skewed: two Beta values of one topic's difficulty, exchangeable."""
    hard = rng.beta(0.8, 2.0, topics)
    a, b = rng.beta(6 * hard + 0.05, 6 * (1 - hard) + 0.05, (2, topics))
    return np.asarray(a - b)


def _tenths(rng: np.random.Generator, topics: int) -> np.ndarray:
    """P@10: tenths, many of them equal."""
    hard = rng.beta(0.8, 2.0, topics)
    a, b = rng.binomial(10, hard, (2, topics))
    return np.asarray((a - b) / 10)


def _losses(rng: np.random.Generator, topics: int) -> np.ndarray:
    """Four of five topics equal; of the others most lose a little and few win three times as
    much.
    """
    return rng.choice([0.0, -1 / 6, 1 / 2], topics, p=[0.8, 0.15, 0.05])


#: Laws of differences with mean 0. The last two are not symmetric: equal means, and yet not
#: exchangeable.
LAWS: dict[str, Draw] = {
    "normal": lambda rng, topics: rng.normal(size=topics),
    "bounded": _difficult,
    "tenths": _tenths,
    "skewed": lambda rng, topics: rng.exponential(size=topics) - 1.0,
    "skewed, mostly equal": _losses,
}
TOPICS = (10, 25, 50, 100)


@dataclass(frozen=True)
class Trial:
    """One test in one situation: `draw` gives a p where there is no difference, and one where there
    is.
    """

    part: str
    where: str
    test: str
    draw: Callable[[np.random.Generator, int], tuple[float, float]]


def simulated(trial: Trial, simulations: int) -> dict[str, Any]:
    """Shares of rejections; an undefined p rejects nothing. Tests of one situation are given the
    same data.
    """
    rng = np.random.default_rng(zlib.crc32(f"{trial.part}, {trial.where}".encode()))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pc.PrecallWarning)
        null, shifted = np.array([trial.draw(rng, i) for i in range(simulations)]).T
    sizes = [float((null <= level).mean()) for level in LEVELS]
    return {
        "part": trial.part,
        "where": trial.where,
        "test": trial.test,
        "size5": sizes[0],
        "size1": sizes[1],
        "power": float((shifted <= LEVELS[0]).mean()),
        "simulations": simulations,
    }


def of_test(law: str, topics: int, test: str, part: str = "topics") -> Trial:
    """One paired test of differences of one law."""
    law_of = LAWS[law] if part == "topics" else laws.differences()[law]
    spread = float(np.std(law_of(np.random.default_rng(0), 200_000)))

    def draw(rng: np.random.Generator, i: int) -> tuple[float, float]:
        apart = law_of(rng, topics)
        moved = (apart + shift * spread / topics**0.5 for shift in (0.0, SHIFT))
        null, shifted = (
            pc.compare.paired(one, np.zeros(topics), test=test, resamples=999, rng=i).p
            for one in moved
        )
        return null, shifted

    return Trial(part, f"{law}, {topics} topics", test, draw)


def of_topics() -> Iterator[Trial]:
    """Paired tests of two systems."""
    for law in LAWS:
        for topics in TOPICS:
            for test in TESTS:
                yield of_test(law, topics, test)


def of_fresh() -> Iterator[Trial]:
    """The same of laws that nothing was chosen with."""
    for law in laws.differences():
        for topics in (15, 60):
            for test in ("randomization", "t", "wilcoxon", "sign"):
                yield of_test(law, topics, test, "fresh")


def scored(
    rng: np.random.Generator, positive: int, negative: int, gap: float
) -> tuple[Any, Any, Any]:
    """Labels and two scores of one hidden quality; `gap` makes the first better."""
    relevant = np.arange(positive + negative) < positive
    hidden = rng.normal(size=len(relevant)) * 0.7
    noise = rng.normal(size=(2, len(relevant))) * 0.7
    return relevant, hidden + noise[0] + (1.5 + gap) * relevant, hidden + noise[1] + 1.5 * relevant


def of_items() -> Iterator[Trial]:
    """Two scored lists of the same items."""
    cells = ((20, 180, 0.6), (50, 450, 0.4), (20, 1980, 0.7))
    tests = (
        ("AP", "permutation"),
        ("AP", "influence"),
        ("AP", "bootstrap"),
        ("AUC", "delong"),
        ("AUC", "permutation"),
    )
    for positive, negative, gap in cells:
        for measure, test in tests:

            def draw(
                rng: np.random.Generator,
                i: int,
                given: Any = (positive, negative, gap, measure, test),
            ) -> tuple[float, float]:
                data = (scored(rng, *given[:2], by) for by in (0.0, given[2]))
                options = {"test": given[4], "resamples": 499, "rng": i}
                null, shifted = (pc.compare.cases(*one, given[3], **options).p for one in data)
                return null, shifted

            yield Trial("items", f"{measure}, {positive} of {positive + negative}", test, draw)


def decided(rng: np.random.Generator, items: int, gap: float) -> tuple[Any, Any, Any]:
    """Truth and two systems' decisions, the first right more often by `gap`."""
    truth = rng.random(items) < 0.3
    easy = rng.beta(3, 1, items)
    right = rng.random((2, items)) < np.stack((np.minimum(easy + gap, 1.0), easy))
    return truth, np.where(right[0], truth, ~truth), np.where(right[1], truth, ~truth)


def of_tops() -> Iterator[Trial]:
    """Precision and recall at k, and recall at a threshold, of two scored lists."""
    cells = (
        (20, 180, 0.6, "P@10"),
        (50, 450, 0.4, "P@10"),
        (50, 450, 0.4, "R@50"),
        (20, 1980, 0.7, "P@20"),
    )
    for positive, negative, gap, measure in cells:
        for test in ("permutation", "fisher", "influence"):
            yield _of_lists("tops", positive, negative, gap, measure, test)
    for positive, negative, gap in ((20, 180, 0.6), (50, 450, 0.4)):
        for test in ("permutation", "t"):
            yield _of_lists("tops", positive, negative, gap, "R", test, 1.5)
    for cases, share, out, size in (
        (2000, 0.05, 0.4, 1),
        (1000, 0.2, 0.3, 4),
        (6000, 0.05, 0.4, 1),
    ):
        rank = round(cases * share * out)
        names = (f"EF@{rank / cases:.0%}",) if cases > 5000 else (f"P@{rank}", f"R@{rank}")
        for measure in names:
            for test in ("permutation", "influence"):
                yield _of_unlike_tops(
                    tops.Situation(
                        "", cases, share, (0.8, 0.8), rank, (out, out), False, size=size
                    ),
                    measure,
                    test,
                )


def _of_unlike_tops(of: tops.Situation, measure: str, test: str) -> Trial:
    """Different cases stand out by each score, about as many as there are ranks; power: by the
    first one more of them.
    """
    out = of.stands_out[0]

    def draw(rng: np.random.Generator, i: int) -> tuple[float, float]:
        options: dict[str, Any] = {"test": test, "resamples": 199, "rng": i}
        found = []
        for first in (out, out + 0.1):
            *data, groups = tops.draw(of._replace(stands_out=(first, out)), rng)
            found.append(pc.compare.cases(*data, measure, groups=groups, **options).p)
        return found[0], found[1]

    where = f"{measure}, {out:.0%} of {of.cases * of.share:.0f} of {of.cases} stand out"
    return Trial("tops", where + f", groups of {of.size}" * (of.size > 1), test, draw)


#: Other measures of a list that two lists are compared by.
NUMBERS = (
    "BEP",
    "EF@10%",
    "BEDROC",
    "MaxF",
    "KS",
    "IAP",
    "AP@30",
    "AUPRG",
    "PAtRecall(recall=0.5)",
    "KAtRecall(recall=0.5)",
    "RAtPrecision(precision=0.5)",
)


def of_numbers() -> Iterator[Trial]:
    """Other numbers of two scored lists."""
    for measure in NUMBERS:
        yield _of_lists("numbers", 50, 250, 0.4, measure, "influence")
    for measure in ("BEP", "KS"):
        yield _of_lists("numbers", 50, 250, 0.4, measure, "permutation")


def _of_lists(
    part: str,
    positive: int,
    negative: int,
    gap: float,
    measure: str,
    test: str,
    threshold: float | None = None,
) -> Trial:
    def draw(rng: np.random.Generator, i: int) -> tuple[float, float]:
        data = (scored(rng, positive, negative, by) for by in (0.0, gap))
        options: dict[str, Any] = {"test": test, "resamples": 499, "rng": i, "threshold": threshold}
        null, shifted = (pc.compare.cases(*one, measure, **options).p for one in data)
        return null, shifted

    at = "" if threshold is None else f" at {threshold:g}"
    return Trial(part, f"{measure}{at}, {positive} of {positive + negative}", test, draw)


def of_decisions() -> Iterator[Trial]:
    """Yeh's tests of hard decisions."""
    for items, gap in ((50, 0.18), (200, 0.1), (1000, 0.05)):
        for measure in ("F", "P", "R", "accuracy"):
            for test in ("randomization", "t", "wilcoxon", "sign"):

                def draw(
                    rng: np.random.Generator, i: int, given: Any = (items, gap, measure, test)
                ) -> tuple[float, float]:
                    data = (decided(rng, given[0], by) for by in (0.0, given[1]))
                    options = {"test": given[3], "rng": i, "resamples": 999}
                    null, shifted = (
                        pc.compare.decisions(*one, given[2], **options).p for one in data
                    )
                    return null, shifted

                yield Trial("decisions", f"{measure}, {items} items", test, draw)


#: Values of topics x systems without a difference: how they are drawn, and how many topics and
#: systems there are.
FAMILIES: dict[str, tuple[Callable[[np.random.Generator, int, int], np.ndarray], int, int]] = {
    "normal": (lambda rng, topics, systems: rng.normal(size=(topics, systems)), 25, 6),
    "bounded": (lambda rng, topics, systems: _of_difficulty(rng, topics, systems), 25, 6),
    "two of 4 times the spread": (
        lambda rng, topics, systems: _unlike(rng.normal(size=(topics, systems))),
        50,
        8,
    ),
    "two of 4 times the spread, few": (
        lambda rng, topics, systems: _unlike(rng.normal(size=(topics, systems))),
        10,
        8,
    ),
    "skewed": (lambda rng, topics, systems: rng.exponential(size=(topics, systems)) - 1, 50, 6),
    "skewed, two of 4 times the spread": (
        lambda rng, topics, systems: _unlike(rng.exponential(size=(topics, systems)) - 1),
        50,
        6,
    ),
}


def _of_difficulty(rng: np.random.Generator, topics: int, systems: int) -> np.ndarray:
    hard = rng.beta(0.8, 2.0, (topics, 1))
    return rng.beta(6 * hard + 0.05, 6 * (1 - hard) + 0.05, (topics, systems))


def _unlike(values: np.ndarray) -> np.ndarray:
    return values * np.where(np.arange(values.shape[1]) < 2, 4.0, 1.0)


def of_families() -> Iterator[Trial]:
    """Any false alarm among all pairs of several systems; power: of the first against the last."""
    for law, (drawn, topics, systems) in FAMILIES.items():
        for correction in ("none", "holm", "hochberg", "bh", "tukey"):

            def draw(
                rng: np.random.Generator, i: int, given: Any = (drawn, topics, systems, correction)
            ) -> tuple[float, float]:
                drawn, topics, systems, correction = given
                values = drawn(rng, topics, systems)
                moved = values.copy()
                spread = np.hypot(values[:, 0].std(), values[:, -1].std())
                moved[:, 0] += spread * SHIFT / topics**0.5 * 1.3
                choices = {"correction": correction, "test": "t", "resamples": 999, "rng": i}
                least = min(one.adjusted for one in pc.compare.many(values, **choices).pairs)
                shifted = pc.compare.many(moved, **choices).pairs
                last = next(one for one in shifted if one.names == ("1", str(systems)))
                return least, last.adjusted

            yield Trial("families", f"{law}, {systems} systems, {topics} topics", correction, draw)


def of_margins() -> Iterator[Trial]:
    """Equivalence claimed where the difference is just the margin; power: where it is 0."""
    for law in ("normal", "bounded"):
        spread = float(np.std(LAWS[law](np.random.default_rng(0), 200_000)))
        for topics in (10, 25, 50):
            for test in ("t", "randomization"):

                def draw(
                    rng: np.random.Generator, i: int, given: Any = (law, topics, test, spread)
                ) -> tuple[float, float]:
                    law, topics, test, spread = given
                    apart, margin = LAWS[law](rng, topics), 3 * spread / topics**0.5
                    options = {"test": test, "resamples": 999, "rng": i}
                    null, shifted = (
                        pc.compare.equivalence(apart + shift, np.zeros(topics), margin, **options).p
                        for shift in (-margin, 0.0)
                    )
                    return null, shifted

                yield Trial("margins", f"{law}, {topics} topics", f"TOST, {test}", draw)


def of_cases(part: str) -> Iterator[Trial]:
    """Two scores of cases in groups, with weights, with missed items; and parts of areas."""
    for situation in lists.every():
        if situation.part == part:
            for test in situation.tests:
                yield Trial(part, situation.where, test, partial(lists.p_of, situation, test))


def of_area_margins() -> Iterator[Trial]:
    """Areas of which the first is worse by the margin; power: both are equal."""
    for where, test, draw in cohorts.margins():
        yield Trial("area margins", where, test, draw)


def of_cohorts() -> Iterator[Trial]:
    """Areas of two cohorts, which are equal; power: one separates its cases less."""
    for pair in cohorts.EQUAL:
        for test in ("delong", "mover"):
            where = f"{pair[0]}, {pair[1]}"
            yield Trial("cohorts", where, test, partial(cohorts.p_of_cohorts, pair, test))


PARTS = {
    "topics": of_topics,
    "fresh": of_fresh,
    "items": of_items,
    "tops": of_tops,
    "numbers": of_numbers,
    "decisions": of_decisions,
    "families": of_families,
    "margins": of_margins,
    "area margins": of_area_margins,
    "cohorts": of_cohorts,
    **{part: partial(of_cases, part) for part in ("groups", "weights", "missed", "parts")},
}
#: Simulations of a cell relative to --simulations: lists of items take long.
SHARE = {
    "topics": 1.0,
    "fresh": 1.0,
    "items": 0.25,
    "tops": 0.5,
    "numbers": 0.4,
    "decisions": 0.5,
    "families": 0.25,
    "margins": 0.5,
    "area margins": 0.75,
    "cohorts": 0.5,
    **dict.fromkeys(("groups", "weights", "missed", "parts"), 0.5),
}


def error(share: float, simulations: int) -> float:
    """Monte Carlo standard error of a share, not 0 where none was seen."""
    held = min(max(share, 1 / simulations), 1 - 1 / simulations)
    return float((held * (1 - held) / simulations) ** 0.5)


def table(cells: list[dict[str, Any]], part: str) -> str:
    """A part of the record in Markdown: percent at 5 %, at 1 %, and in brackets the power."""
    own = [one for one in cells if one["part"] == part]
    tests = list(dict.fromkeys(one["test"] for one in own))
    found = {(one["where"], one["test"]): one for one in own}
    lines = [["", *tests], [":--", *["--:"] * len(tests)]]
    places = dict.fromkeys(one["where"] for one in own)
    lines += [[where, *(_shown(found.get((where, test))) for test in tests)] for where in places]
    most = max(error(0.05, one["simulations"]) for one in own)
    said = (
        "At 5 %, at 1 % (power at 5 %), in percent; standard error of a true 5.0: "
        f"{100 * most:.1f}."
    )
    return "\n".join([said, "", *("| " + " | ".join(line) + " |" for line in lines)])


def _shown(one: dict[str, Any] | None) -> str:
    if one is None:
        return ""
    return f"{100 * one['size5']:.1f}, {100 * one['size1']:.1f} ({100 * one['power']:.0f})"


def documented(text: str, cells: list[dict[str, Any]]) -> str:
    """The page with the tables of the record between its marks."""
    for part in PARTS:
        begin, end = f"<!-- sizes: {part} -->\n", "<!-- end -->"
        if begin in text and any(one["part"] == part for one in cells):
            head, _, tail = text.partition(begin)
            text = f"{head}{begin}{table(cells, part)}\n{end}{tail.partition(end)[2]}"
    return text


@cache
def every() -> list[Trial]:
    """All that is simulated."""
    return [trial for part in PARTS.values() for trial in part()]


def one(place: int, simulations: int) -> dict[str, Any]:
    """Trial number `place`."""
    return simulated(every()[place], simulations)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("--simulations", type=int, default=2000)
    parser.add_argument("--only", action="append", choices=list(PARTS))
    parser.add_argument("--missing", action="store_true", help="Only what was never simulated.")
    options = parser.parse_args()
    state = sources("infer", "native")
    kept = json.loads(RECORD.read_text(encoding="utf-8"))["cells"] if RECORD.exists() else []
    known = {_name(cell): cell for cell in kept}
    counts = [max(1, int(options.simulations * SHARE[trial.part])) for trial in every()]

    def is_due(place: int) -> bool:
        found = known.get(_name(vars(every()[place])), {})
        same = (found.get("sources"), found.get("simulations")) == (state, counts[place])
        kept = bool(found) if options.missing else same
        return every()[place].part in (options.only or PARTS) and not kept

    due = [place for place in range(len(counts)) if is_due(place)]
    with alone() as pool:
        for done, found in enumerate(pool.map(one, due, [counts[place] for place in due]), 1):
            known[_name(found)] = found | {"sources": state}
            record([known[_name(vars(trial))] for trial in every() if _name(vars(trial)) in known])
            sys.stdout.write(
                f"{time.strftime('%H:%M:%S')} {done}/{len(due)} {', '.join(_name(found))}\n"
            )
            sys.stdout.flush()


def _name(cell: dict[str, Any]) -> tuple[str, ...]:
    return tuple(cell[name] for name in ("part", "where", "test"))


def record(cells: list[dict[str, Any]]) -> None:
    """Write the cells, and the tables of them: after every cell, so that what is interrupted goes
    on there.
    """
    whole = {
        "precall": pc.__version__,
        "date": time.strftime("%Y-%m-%d"),
        "shift": SHIFT,
        "cells": cells,
    }
    RECORD.write_text(json.dumps(whole, indent=1) + "\n", encoding="utf-8")
    PAGE.write_text(documented(PAGE.read_text(encoding="utf-8"), cells), encoding="utf-8")


if __name__ == "__main__":
    main()
