"""The pictures of the README and the docs, from `examples/` and the records of simulations:
`python docs/pictures.py`.

Writes docs/pictures/*.svg and numbers.json, the numbers that were drawn. `--check` draws again and
compares those numbers, not pixels: another version of Matplotlib or another font moves letters, and
no point of a curve. Each SVG ends with the digest of its numbers, so that one that was not drawn
again is found, too.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import precall as pc
from precall import plot
from precall.plot import files

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "docs" / "pictures"
NUMBERS = "numbers.json"
#: Bytes of all pictures together.
MOST = 320_000
#: Digits that are kept of a number, and what they may differ by.
DIGITS, TOLERANCE = 5, 2e-4
RUNS = ("components", "pixels", "profiles")


@cache
def report() -> pc.Report:
    """Three systems that search digits."""
    folder = ROOT / "examples" / "digits"
    runs = [folder / f"{name}.run" for name in RUNS]
    return pc.evaluate(folder / "digits.qrels", runs, ["AP", *plot.ElevenPoint.MEASURES])


@cache
def tumours() -> dict[str, np.ndarray[Any, Any]]:
    """Columns of the scored cases."""
    path = ROOT / "examples" / "cases" / "tumours.csv"
    table = np.genfromtxt(path, delimiter=",", names=True, dtype=None, encoding="utf-8")
    return {name: table[name] for name in ("label", "linear", "bayes", "neighbours")}


def means() -> Any:
    """AP of the three with intervals and letters."""
    compared = pc.compare(report(), measures="AP", rng=1)
    intervals = pc.interval(report(), measure="AP")
    named = {run: intervals[run, "AP"] for run in RUNS}
    shown = plot.SystemMeans.from_intervals(named, compared.letters["AP"])
    return shown.plot(measure="mean AP of 100 topics, 95 %")


def differences() -> Any:
    """Topic by topic."""
    return plot.TopicDifferences.from_report(report(), "AP", "components", "pixels").plot()


def eleven() -> Any:
    """Their 11-point curves."""
    return plot.ElevenPoint.from_report(report()).plot()


def curves() -> Any:
    """Precision and recall of two scores, with a band and the cheapest threshold."""
    columns = tumours()
    names = ("bayes", "neighbours")
    found = {name: pc.curve(columns["label"], columns[name]) for name in names}
    band = pc.interval.pr_band(columns["label"], columns["bayes"], rng=1, resamples=400)
    points = {"bayes": {"an overlooked one costs 5": found["bayes"].at(cost={"fp": 1, "fn": 5})}}
    return plot.PrecisionRecall.from_curves(found).plot(bands={"bayes": band}, points=points)


def law() -> Any:
    """AP of a random order, and what was observed."""
    found = pc.null.average_precision(items=2000, relevant=500)
    return plot.NullDensity.of(found, drawn=found.rvs(10_000, rng=1), observed=0.27).plot()


def coverage() -> Any:
    """Of intervals of AP, by the number of relevant cases."""
    record = json.loads(
        (ROOT / "tests/coverage/records/intervals.json").read_text(encoding="utf-8")
    )
    cells = [
        (int(one["situation"].removeprefix("R = ").partition(",")[0]), one)
        for one in record["cells"]
        if one["interval"] == "average_precision" and one["situation"].startswith("R = ")
    ]
    methods = ("logit", "percentile", "normal")
    sizes = sorted({size for size, _ in cells})
    parts = {
        method: [
            [one for at, one in cells if (at, one["method"]) == (size, method)] for size in sizes
        ]
        for method in methods
    }
    shares = {
        method: [np.mean([one["covered"] for one in some]) for some in parts[method]]
        for method in methods
    }
    errors = {
        method: [
            np.sqrt(np.sum([one["error"] ** 2 for one in some])) / len(some)
            for some in parts[method]
        ]
        for method in methods
    }
    return plot.Coverage(sizes, shares, errors).plot(across="relevant cases", log=True)


def power() -> Any:
    """Of tests of paired differences, normal ones, by the number of topics."""
    record = json.loads((ROOT / "tests/coverage/sizes.json").read_text(encoding="utf-8"))
    cells = [
        one
        for one in record["cells"]
        if one["part"] == "topics" and one["where"].startswith("normal, ")
    ]
    topics = sorted({int(one["where"].split()[1]) for one in cells})
    shares: dict[str, list[float]] = {}
    errors: dict[str, list[float]] = {}
    for one in sorted(cells, key=lambda cell: int(cell["where"].split()[1])):
        shares.setdefault(one["test"], []).append(one["power"])
        spread = np.sqrt(one["power"] * (1 - one["power"]) / one["simulations"])
        errors.setdefault(one["test"], []).append(float(spread))
    return plot.Power(topics, shares, errors).plot(across="topics")


def judged() -> Any:
    """P@10 of the three by people and a judge."""
    folder = ROOT / "examples" / "digits"
    runs = [folder / f"{name}.run" for name in RUNS]
    found = pc.judge(folder / "people.qrels", folder / "judge.qrels", runs, "P@10")
    return found.plot()


DRAWN: dict[str, Callable[[], Any]] = {
    "means": means,
    "differences": differences,
    "eleven": eleven,
    "curves": curves,
    "law": law,
    "coverage": coverage,
    "power": power,
    "judged": judged,
}


def numbers(display: Any) -> dict[str, Any]:
    """What a picture shows: its words, and the corners of all that is drawn in units of the
    axes.
    """
    ax = display.ax_
    words = [text.get_text() for text in [*ax.texts, *ax.get_yticklabels()] if text.get_text()]
    legend = (
        [] if display.legend_ is None else [text.get_text() for text in display.legend_.get_texts()]
    )
    lines = [np.asarray(line.get_xydata(), float) for line in ax.get_lines()]
    areas = [path.vertices for group in ax.collections for path in group.get_paths()]
    bars = [
        np.array(patch.get_path().transformed(patch.get_patch_transform()).vertices)
        for patch in ax.patches
    ]
    corners = [np.asarray(one, float).ravel() for one in (*lines, *areas, *bars)]
    return {
        "words": [ax.get_xlabel(), ax.get_ylabel(), *legend, *words],
        "corners": [[float(f"{value:.{DIGITS}g}") for value in one] for one in corners],
    }


def digest(found: dict[str, Any]) -> str:
    """Of a picture's numbers, as they stand in numbers.json."""
    return hashlib.sha256(json.dumps(found, ensure_ascii=False).encode()).hexdigest()[:16]


def svg(display: Any, found: dict[str, Any]) -> bytes:
    """The file, with the digest of its numbers behind it."""
    drawn = files.render(display.figure_, ".svg")
    # A hundredth of a point is enough, and a fifth less to download.
    drawn = re.sub(rb' d="[^"]*"', lambda path: re.sub(rb"(\.\d\d)\d+", rb"\1", path[0]), drawn)
    return drawn + f"<!-- numbers {digest(found)} -->\n".encode()


def differs(old: dict[str, Any], new: dict[str, Any]) -> str:
    """In what the numbers of a picture differ; empty if they do not."""
    if old["words"] != new["words"]:
        return (
            "words: "
            f"{[pair for pair in zip(old['words'], new['words'], strict=False) if pair[0] != pair[1]]}"  # noqa: E501
        )
    sizes = [[len(one) for one in part["corners"]] for part in (old, new)]
    if sizes[0] != sizes[1]:
        return "other numbers of corners"
    a, b = (np.concatenate([np.array(one) for one in part["corners"]]) for part in (old, new))
    off = ~np.isclose(
        a, b, rtol=TOLERANCE, atol=TOLERANCE * float(np.nanmax(np.abs(a))) / 10, equal_nan=True
    )
    return f"{off.sum()} of {len(a)} numbers" if off.any() else ""


def check() -> list[str]:
    """What is not as it would be drawn now."""
    stored = json.loads((FOLDER / NUMBERS).read_text(encoding="utf-8"))
    said = (
        []
        if set(stored) == set(DRAWN)
        else [f"pictures: {sorted(stored)}, to be drawn: {sorted(DRAWN)}"]
    )
    files = {path.stem: path.read_bytes() for path in FOLDER.glob("*.svg")}
    if set(files) != set(DRAWN):
        said.append(f"files: {sorted(files)}")
    size = sum(map(len, files.values()))
    if size > MOST:
        said.append(f"{size} bytes, {MOST} are allowed")
    for name in stored.keys() & DRAWN.keys() & files.keys():
        found = differs(stored[name], numbers(DRAWN[name]()))
        said += [f"{name}: {found}"] if found else []
        if not files[name].endswith(f"<!-- numbers {digest(stored[name])} -->\n".encode()):
            said.append(f"{name}.svg: was not drawn from numbers.json")
    return said


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument(
        "--check", action="store_true", help="compare with what is there; exit with 1 if it differs"
    )
    if parser.parse_args().check:
        said = check()
        for line in said:
            sys.stdout.write(f"{line}; draw again: python docs/pictures.py\n")
        return int(bool(said))
    FOLDER.mkdir(exist_ok=True)
    stored = {}
    for name, draw in DRAWN.items():
        display = draw()
        stored[name] = numbers(display)
        (FOLDER / f"{name}.svg").write_bytes(svg(display, stored[name]))
    text = ",\n".join(
        f"{json.dumps(name)}: {json.dumps(found, ensure_ascii=False)}"
        for name, found in stored.items()
    )
    (FOLDER / NUMBERS).write_text("{\n" + text + "\n}\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
