"""How often tests reject where there is no difference, and where there is one: `python -m tests.coverage.sizes`.

Writes `sizes.json` beside this file, with the number of simulations of each cell; the docs show its tables
and a test compares them. `--simulations N` and `--only PART` make a quick look of it.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

import precall as pc
from tests.coverage import laws

RECORD = Path(__file__).with_name("sizes.json")
PAGE = Path(__file__).resolve().parents[2] / "docs" / "comparing.md"
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


#: Laws of differences with mean 0. The last is not symmetric: equal means, and yet not exchangeable.
LAWS: dict[str, Draw] = {
    "normal": lambda rng, topics: rng.normal(size=topics),
    "bounded": _difficult,
    "tenths": _tenths,
    "skewed": lambda rng, topics: rng.exponential(size=topics) - 1.0,
}
TOPICS = (10, 25, 50, 100)


def of_test(law: str, topics: int, test: str, simulations: int, part: str = "topics") -> dict[str, Any]:
    """One paired test of differences of one law."""
    draw = LAWS[law] if part == "topics" else laws.differences()[law]
    spread = float(np.std(draw(np.random.default_rng(0), 200_000)))
    rng = np.random.default_rng([1, topics])
    p = np.empty((2, simulations))
    for i in range(simulations):
        apart = draw(rng, topics)
        for row, shift in enumerate((0.0, SHIFT * spread / topics**0.5)):
            choices = {"test": test, "resamples": 999, "rng": i}
            p[row, i] = pc.compare.paired(apart + shift, np.zeros(topics), **choices).p
    return cell(part, f"{law}, {topics} topics", test, p[0], p[1])


def of_topics(simulations: int) -> Iterator[dict[str, Any]]:
    """Paired tests of two systems."""
    for law in LAWS:
        for topics in TOPICS:
            for test in TESTS:
                yield of_test(law, topics, test, simulations)


def of_fresh(simulations: int) -> Iterator[dict[str, Any]]:
    """The same of laws that nothing was chosen with."""
    for law in laws.differences():
        for topics in (15, 60):
            for test in ("randomization", "t", "wilcoxon", "sign"):
                yield of_test(law, topics, test, simulations, "fresh")


def scored(rng: np.random.Generator, positive: int, negative: int, gap: float) -> tuple[Any, Any, Any]:
    """Labels and two scores of one hidden quality; `gap` makes the first better."""
    relevant = np.arange(positive + negative) < positive
    hidden = rng.normal(size=len(relevant)) * 0.7
    noise = rng.normal(size=(2, len(relevant))) * 0.7
    return relevant, hidden + noise[0] + (1.5 + gap) * relevant, hidden + noise[1] + 1.5 * relevant


def of_items(simulations: int) -> Iterator[dict[str, Any]]:
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
            rng = np.random.default_rng([2, positive, negative])
            p = np.empty((2, simulations))
            for i in range(simulations):
                for row, by in enumerate((0.0, gap)):
                    data = scored(rng, positive, negative, by)
                    p[row, i] = pc.compare.cases(*data, measure, test=test, resamples=499, rng=i).p
            yield cell("items", f"{measure}, {positive} of {positive + negative}", test, p[0], p[1])


def decided(rng: np.random.Generator, items: int, gap: float) -> tuple[Any, Any, Any]:
    """Truth and two systems' decisions, the first right more often by `gap`."""
    truth = rng.random(items) < 0.3
    easy = rng.beta(3, 1, items)
    right = rng.random((2, items)) < np.stack((np.minimum(easy + gap, 1.0), easy))
    return truth, np.where(right[0], truth, ~truth), np.where(right[1], truth, ~truth)


def of_decisions(simulations: int) -> Iterator[dict[str, Any]]:
    """Yeh's randomization of hard decisions."""
    for items, gap in ((50, 0.18), (200, 0.1), (1000, 0.05)):
        for measure in ("F", "P", "R", "accuracy"):
            rng = np.random.default_rng([3, items])
            p = np.empty((2, simulations))
            for i in range(simulations):
                for row, by in enumerate((0.0, gap)):
                    p[row, i] = pc.compare.decisions(
                        *decided(rng, items, by), measure, rng=i, resamples=999
                    ).p
            yield cell("decisions", f"{measure}, {items} items", "randomization", p[0], p[1])


def of_families(simulations: int) -> Iterator[dict[str, Any]]:
    """Any false alarm among all pairs of six systems; power: of the best against the worst."""
    for law in ("normal", "bounded"):
        for correction in ("none", "holm", "hochberg", "bh", "tukey"):
            rng = np.random.default_rng([4, len(law)])
            p = np.empty((2, simulations))
            for i in range(simulations):
                hard = rng.beta(0.8, 2.0, (25, 1))
                normal = rng.normal(size=(25, 6))
                values = (
                    normal if law == "normal" else rng.beta(6 * hard + 0.05, 6 * (1 - hard) + 0.05, (25, 6))
                )
                moved = values.copy()
                moved[:, 0] += 2**0.5 * values.std() * SHIFT / 5 * 1.3
                choices = {"correction": correction, "test": "t", "resamples": 999, "rng": i}
                p[0, i] = min(one.adjusted for one in pc.compare.many(values, **choices).pairs)
                p[1, i] = pc.compare.many(moved, **choices).pairs[0].adjusted
            yield cell("families", f"{law}, 6 systems, 25 topics", correction, p[0], p[1])


def of_margins(simulations: int) -> Iterator[dict[str, Any]]:
    """Equivalence claimed where the difference is just the margin; power: where it is 0."""
    for law in ("normal", "bounded"):
        draw = LAWS[law]
        spread = float(np.std(draw(np.random.default_rng(0), 200_000)))
        for topics in (10, 25, 50):
            for test in ("t", "randomization"):
                rng = np.random.default_rng([5, topics])
                margin = 3 * spread / topics**0.5
                p = np.empty((2, simulations))
                for i in range(simulations):
                    apart = draw(rng, topics)
                    for row, shift in enumerate((-margin, 0.0)):
                        given = {"test": test, "resamples": 999, "rng": i}
                        p[row, i] = pc.compare.equivalence(apart + shift, np.zeros(topics), margin, **given).p
                yield cell("margins", f"{law}, {topics} topics", f"TOST, {test}", p[0], p[1])


def cell(part: str, where: str, test: str, null: np.ndarray, shifted: np.ndarray) -> dict[str, Any]:
    """Shares of rejections; an undefined p rejects nothing."""
    sizes = [float((null <= level).mean()) for level in LEVELS]
    power = float((shifted <= LEVELS[0]).mean())
    return {
        "part": part, "where": where, "test": test, "size5": sizes[0], "size1": sizes[1], "power": power,
        "simulations": len(null),
    }  # fmt: skip


PARTS = {
    "topics": of_topics,
    "fresh": of_fresh,
    "items": of_items,
    "decisions": of_decisions,
    "families": of_families,
    "margins": of_margins,
}
#: Simulations of a cell relative to --simulations: lists of items take long.
SHARE = {"topics": 1.0, "fresh": 1.0, "items": 0.25, "decisions": 0.5, "families": 0.25, "margins": 0.5}


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
    said = f"At 5 %, at 1 % (power at 5 %), in percent; standard error of a true 5.0: {100 * most:.1f}."
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


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--simulations", type=int, default=4000)
    parser.add_argument("--only", action="append", choices=list(PARTS))
    options = parser.parse_args()
    warnings.simplefilter("ignore", pc.PrecallWarning)
    kept = json.loads(RECORD.read_text(encoding="utf-8"))["cells"] if RECORD.exists() else []
    for part in options.only or PARTS:
        begin = time.perf_counter()
        cells: list[dict[str, Any]] = []
        # Written after every cell: what is interrupted has not been for nothing.
        for one in PARTS[part](max(1, int(options.simulations * SHARE[part]))):
            cells.append(one)
            record(kept, part, cells)
        kept = record(kept, part, cells)
        page = PAGE.read_text(encoding="utf-8")
        PAGE.write_text(documented(page, kept), encoding="utf-8")
        sys.stdout.write(f"{part}: {time.perf_counter() - begin:.0f} s\n\n{table(cells, part)}\n\n")
        sys.stdout.flush()


def record(kept: list[dict[str, Any]], part: str, cells: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Write the cells of one part in the place of those that were there; returns all."""
    new = [one for one in kept if one["part"] != part] + cells
    new.sort(key=lambda one: list(PARTS).index(one["part"]))
    whole = {"precall": pc.__version__, "date": time.strftime("%Y-%m-%d"), "shift": SHIFT, "cells": new}
    RECORD.write_text(json.dumps(whole, indent=1) + "\n", encoding="utf-8")
    return new


if __name__ == "__main__":
    main()
