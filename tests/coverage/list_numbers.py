"""Coverage of the numbers of one scored list other than its areas: `pc.interval(curve, "P@10")`.

`python -m tests.coverage.list_numbers` writes tests/coverage/records/list_numbers.json and a table
in docs/why/intervals.md. Truths are computed from the normal distribution, without the package.
"""

from __future__ import annotations

import json
import math
import sys
import warnings
import zlib
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import precall as pc
from precall.core.notes.facts import Severity
from tests.coverage.drawn import grouped
from tests.coverage.grid import normal_tail

RECORD = Path(__file__).with_name("records") / "list_numbers.json"
PAGE = Path(__file__).resolve().parents[2] / "docs" / "why" / "intervals.md"
DRAWS = 1000
BEGIN, END = "<!-- list numbers -->", "<!-- end of list numbers -->"
Floats = Any
#: Where cases that stand out have their scores: mean and standard deviation.
_OUT, _SPREAD = 6.0, 0.5


class Situation(NamedTuple):
    """Normal scores of cases whose kinds are `apart`; ranks are cut at a share of the list.

    Scores are rounded to multiples of `width`; so many cases are in each of the `groups`; of the
    relevant cases a share is `missed`; another one `stands_out`, six above the other
    cases. Of the other cases this share is `kept`, with real weights.
    """

    cases: int
    share: float
    apart: float
    top: float
    width: float = 0.0
    groups: int = 0
    missed: float = 0.0
    stands_out: float = 0.0
    kept: float = 1.0

    @property
    def name(self) -> str:
        """In words."""
        words = [f"{self.cases:,} cases, {self.share:.1%} relevant, d' = {self.apart}"]
        words += [f"tied to {self.width}"] if self.width else []
        words += [f"{self.groups} groups"] if self.groups else []
        words += [f"{self.missed:.0%} missed"] if self.missed else []
        words += [f"{self.stands_out:.0%} stand out"] if self.stands_out else []
        words += ["ranks cut there"] if self.is_cut_there else []
        words += [f"{self.kept:.0%} of the others kept"] if self.kept < 1 else []
        return ", ".join(words)

    @property
    def is_cut_there(self) -> bool:
        """Whether about as many cases stand out as there are ranks."""
        return bool(self.stands_out) and self.top < 1.1 * self.share * self.stands_out


SITUATIONS = (
    Situation(50, 0.1, 1.5, 0.2),
    Situation(100, 0.1, 1.5, 0.1),
    Situation(40, 0.5, 1.0, 0.25),
    Situation(60, 0.5, 2.0, 0.2),
    Situation(200, 0.2, 1.5, 0.1),
    Situation(400, 0.05, 2.0, 0.05),
    Situation(20000, 0.001, 3.0, 0.002),
    Situation(2000, 0.01, 2.0, 0.02),
    Situation(1000, 0.05, 1.0, 0.1),
    Situation(1000, 0.1, 0.5, 0.1),
    Situation(1000, 0.1, 2.5, 0.1),
    Situation(5000, 0.02, 1.5, 0.01),
    Situation(1000, 0.2, 1.0, 0.05),
    Situation(400, 0.5, 1.5, 0.1),
    Situation(1000, 0.3, 2.5, 0.1),
    Situation(2000, 0.5, 1.0, 0.01),
    Situation(500, 0.2, 1.5, 0.1, width=1.0),
    Situation(1000, 0.1, 1.5, 0.1, width=0.25),
    Situation(500, 0.2, 1.5, 0.1, missed=0.1),
    Situation(480, 0.3, 1.5, 0.1, groups=40),
    Situation(600, 0.3, 1.5, 0.1, groups=100),
    Situation(2000, 0.05, 0.8, 0.1, stands_out=0.4),
    Situation(1000, 0.2, 0.5, 0.1, stands_out=0.3),
    Situation(2000, 0.05, 0.8, 0.02, stands_out=0.4),
    Situation(1000, 0.2, 0.5, 0.06, stands_out=0.3),
    Situation(400, 0.1, 0.8, 0.06, stands_out=0.6),
    Situation(1000, 0.2, 0.5, 0.054, missed=0.1, stands_out=0.3),
    Situation(1000, 0.2, 0.5, 0.06, groups=200, stands_out=0.3),
    Situation(280, 0.36, 1.0, 0.1, width=1.0),
    Situation(1000, 0.1, 1.5, 0.1, kept=0.2),
    Situation(4000, 0.05, 2.0, 0.1, kept=0.1),
    Situation(2000, 0.02, 2.0, 0.1, kept=0.05),
    Situation(5000, 0.1, 1.0, 0.1, kept=0.05),
)
#: What real weights have intervals of here; with them cases have no ranks.
OF_WEIGHTS = ("BEP(method=nearest)", "BEP(method=max-min)", "BEP(method=linear)", "AUPRG")
#: Measures by a name in which {k} is a rank and {q} the share of the list.
MEASURES = (
    "P@{k}",
    "R@{k}",
    "AP@{k}",
    "EF(share={q})",
    "Rprec",
    "BEP(method=nearest)",
    "BEP(method=max-min)",
    "BEP(method=linear)",
    "IAP",
    "BEDROC(alpha=20)",
    "AUPRG",
    "PAtRecall(recall=0.5)",
    "PAtRecall(recall=0.8)",
    "KAtRecall(recall=0.5)",
    "RAtPrecision(precision=0.5)",
    "RAtPrecision(precision=0.8)",
)
#: Those of the first ranks.
AT_RANKS = ("P@{k}", "R@{k}", "AP@{k}", "EF(share={q})")
#: Those whose bounds need not know how scores are distributed around a level.
AT_LEVELS = tuple(name for name in MEASURES if "At" in name)


def truths(of: Situation) -> dict[str, float]:
    """The values of an unlimited sample; break-even and AUPRG at the distinct scores, what is of
    ranks within blocks of equal scores as well.
    """
    if of.width:
        count = math.ceil((14 + of.apart) / of.width)
        edges = np.arange(count + 1)[::-1] * of.width + math.floor(-7 / of.width) * of.width
    else:
        edges = np.linspace(-7, 7 + max(of.apart, 2 * bool(of.stands_out)), 60_001)[::-1]
    found = of.share * (1 - of.missed)
    above = np.array([normal_tail(x - of.apart) for x in edges])
    if of.stands_out:
        out = np.array([normal_tail((x - _OUT) / _SPREAD) for x in edges])
        above = of.stands_out * out + (1 - of.stands_out) * above
    tp = found * above
    fp = (1 - of.share) * np.array([normal_tail(x) for x in edges])
    tp, fp = tp / (found + 1 - of.share), fp / (found + 1 - of.share)
    # Shares of the ranked cases; `relevant` includes the missed ones.
    relevant = of.share / (found + 1 - of.share)
    items = 1 + relevant * of.missed
    accepted = tp + fp
    ranks = np.concatenate((np.linspace(1e-6, 0.02, 40_000), np.linspace(0.02, 1, 40_000)[1:]))
    hits = np.interp(ranks, np.append(0, accepted), np.append(0, tp))
    precision, gain = hits / ranks, np.diff(hits, prepend=0.0)
    cut = of.top
    at = {
        "P@{k}": np.interp(cut, ranks, precision),
        "R@{k}": np.interp(cut, ranks, hits) / relevant,
        "AP@{k}": np.interp(cut, ranks, np.cumsum(precision * gain)) / relevant,
    }
    at["EF(share={q})"] = np.interp(cut * items, ranks, hits) / relevant / cut
    at["Rprec"] = np.interp(relevant, ranks, hits) / relevant
    p, r = tp / np.maximum(accepted, 1e-300), tp / relevant
    near = int(np.abs(p - r).argmin())
    at["BEP(method=nearest)"] = (p[near] + r[near]) / 2
    at["BEP(method=max-min)"] = np.minimum(p, r).max()
    first = int(np.argmax(p < r))
    a, b = p[first - 1] - r[first - 1], p[first] - r[first]
    at["BEP(method=linear)"] = r[first - 1] + a / (a - b) * (r[first] - r[first - 1])
    share = relevant / items
    weight = np.exp(-20 * ranks / items)
    mean = (weight * gain).sum() / relevant + of.missed * math.exp(-20)
    most = -math.expm1(-20 * share) / (20 * share)
    least = math.exp(-20) * math.expm1(20 * share) / (20 * share)
    at["BEDROC(alpha=20)"] = (mean - least) / (most - least)
    for recall in (0.5, 0.8):
        depth = np.interp(recall * relevant, hits, ranks)
        at[f"PAtRecall(recall={recall})"] = recall * relevant / depth
        at[f"KAtRecall(recall={recall})"] = depth
    for precision in (0.5, 0.8):
        # Far behind the last place of the grid the first case decides.
        enough = np.flatnonzero((p >= precision) & (r > 1e-12))
        value = r[enough[-1]] if len(enough) else 0.0
        at[f"RAtPrecision(precision={precision})"] = value
    k = relevant / (1 - found / (found + 1 - of.share))
    x = np.linspace(max(share, 1e-9), 1, 400_001)
    height = np.interp(x, np.append(0, r), np.append(0, fp)) / fp[-1] * x**-3.0
    at["AUPRG"] = 1 - k * float(np.sum((height[1:] + height[:-1]) / 2 * np.diff(x)))
    return {name: float(value) for name, value in at.items()}


def draw(of: Situation, rng: np.random.Generator) -> tuple[Floats, Floats, Floats]:
    """Labels, scores and groups of one sample; missed items have a score of -inf."""
    group = None
    if of.groups:
        relevant, score, group = grouped(of.groups, of.cases // of.groups, of.share, of.apart)(rng)
    else:
        relevant = rng.random(of.cases) < of.share
        if not 2 <= relevant.sum() < of.cases:
            return draw(of, rng)
        score = rng.standard_normal(of.cases) + of.apart * relevant
    if of.stands_out:
        out = relevant & (rng.random(len(relevant)) < of.stands_out)
        score[out] = _OUT + _SPREAD * rng.standard_normal(int(out.sum()))
    score = np.floor(score / of.width) * of.width if of.width else score
    return relevant, score, group


def eleven_point(relevant: Floats, score: Floats) -> float:
    """Interpolated precision at 11 levels of recall, thresholds between distinct scores."""
    order = np.argsort(-score, kind="stable")
    ends = np.append(np.diff(score[order]) != 0, True)
    tp, accepted = np.cumsum(relevant[order])[ends], np.flatnonzero(ends) + 1
    best = np.maximum.accumulate((tp / accepted)[::-1])[::-1]
    levels = np.arange(11) / 10 * relevant.sum() * (1 - 1e-12)
    return float(best[np.searchsorted(tp, levels)].mean())


def simulate(of: Situation, draws: int = DRAWS, names: Any = MEASURES) -> list[dict[str, Any]]:
    """For each measure the share of intervals that hold the truth, of those that lie below or above
    it, and how many were noted.
    """
    # Situations that lack what came later have the draws that they had before.
    seed = repr(of).replace(", stands_out=0.0", "").replace(", kept=1.0", "")
    rng = np.random.default_rng(zlib.crc32(seed.encode()))
    at = truths(of)
    if of.kept < 1:
        names = [name for name in names if name in OF_WEIGHTS]
    if "IAP" in names:
        # At recall 0 and 1 single items decide: the truth is the mean over lists of this size.
        other = np.random.default_rng(1)
        at["IAP"] = float(np.mean([eleven_point(*draw(of, other)[:2]) for _ in range(4 * draws)]))
        at["IAP"] = float("nan") if of.missed else at["IAP"]
    sums = {name: np.zeros(6) for name in names}
    for _ in range(draws):
        relevant, score, group = draw(of, rng)
        missed, weights = 0, None
        if of.kept < 1:
            taken = relevant | (rng.random(len(relevant)) < of.kept)
            relevant, score = relevant[taken], score[taken]
            weights = np.where(relevant, 1.0, 1 / of.kept + 1e-9)
        if of.missed:
            kept = ~relevant | (rng.random(len(relevant)) >= of.missed)
            missed, relevant, score = int((~kept).sum()), relevant[kept], score[kept]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", pc.PrecallWarning)
            curve = pc.curve(relevant, score, missed=missed, weights=weights)
            for name in names:
                told = name.format(k=max(round(of.top * len(relevant)), 1), q=of.top)
                options = {} if group is None else {"groups": group}
                found = pc.interval(curve, told, **options)
                truth = at[name] * (len(relevant) if name.startswith("K") else 1)
                low, high = found.ends
                noted = any(note.severity < Severity.INFORMATIVE for note in found.notes)
                held = low <= truth <= high
                sums[name] += [held, truth < low, truth > high, low != low, noted, high - low]
    cells = []
    for name in names:
        if at[name] != at[name]:
            continue
        held, above, below, none, noted, width = (sums[name] / draws).tolist()
        cells.append(
            {
                "situation": of.name,
                "measure": name.format(k="k", q="q"),
                "truth": round(at[name], 5),
                "covered": held,
                "above": above,
                "below": below,
                "none": none,
                "noted": noted,
                "width": round(width, 5),
                "draws": draws,
            }
        )
    return cells


def table(cells: list[dict[str, Any]]) -> list[str]:
    """The record as a table of the page: a row for each situation."""
    names = list(dict.fromkeys(cell["measure"] for cell in cells))
    lines = [
        f"| situation | {' | '.join(name.replace('method=', '') for name in names)} |",
        f"|:--|{'--:|' * len(names)}",
    ]
    for situation in dict.fromkeys(cell["situation"] for cell in cells):
        held = {
            cell["measure"]: f"{100 * cell['covered']:.1f}" + "*" * (cell["noted"] >= 0.5)
            for cell in cells
            if cell["situation"] == situation
        }
        lines.append(f"| {situation} | {' | '.join(held.get(name, '') for name in names)} |")
    return lines


def main() -> None:
    """Write the record, situation by situation."""
    draws = int(sys.argv[1]) if len(sys.argv) > 1 else DRAWS
    cells: list[dict[str, Any]] = []
    for of in SITUATIONS:
        names = AT_RANKS if of.is_cut_there else AT_LEVELS if of.stands_out else MEASURES
        cells += simulate(of, draws, names)
    page = PAGE.read_text(encoding="utf-8")
    before, _, rest = page.partition(BEGIN)
    page = f"{before}{BEGIN}\n\n" + "\n".join(table(cells)) + f"\n\n{END}{rest.partition(END)[2]}"
    PAGE.write_text(page, encoding="utf-8")
    RECORD.write_text(json.dumps({"cells": cells}, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
