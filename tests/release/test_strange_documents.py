"""Documents of odd names and odd numbers are JSON and as their schemas; and schemas leave nothing
open.
"""

from __future__ import annotations

import json
import math
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import precall as pc
from precall.cli.main import run
from precall.results.forms import render
from tests.release.schemas import FOLDER, problems

#: Control characters, direction marks, combining ones, names of our own parts, and what looks like
#: no name.
NAMES = [
    "a\x00b",
    "\x1b[31m",
    "\u202e",
    "é\u0301",
    "💥",
    '"\\',
    "\n",
    "\u2014",
    "  x ",
    "__proto__",
    "nan",
    "format",
    "conventions",
    "notes",
    "verdict",
    "mean",
    "\x7f\u2028",
]
SOME = ["\x1b[31m", "notes", "💥"]
LONE = "\udc80"
INF, NAN = math.inf, math.nan


def distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    names = [name for name, _ in pairs]
    assert len(set(names)) == len(names), names
    return dict(pairs)


def strictly(text: str | bytes) -> Any:
    """As JSON: without NaN or infinities, and with no name twice."""
    return json.loads(text, parse_constant=pytest.fail, object_pairs_hook=distinct)


def qrels(topics: list[str]) -> dict[str, dict[str, int]]:
    return {topic: {f"d{i}": int(i == 0) for i in range(3)} for topic in topics}


def answers(
    topics: list[str], score: Callable[[int, int], float] = lambda i, j: float(j - i)
) -> Any:
    return {topic: {f"d{j}": score(i, j) for j in range(3)} for i, topic in enumerate(topics)}


ASKED = ["AP", "nDCG@2", "P@2", "RR", "E@1", "NumRel", "bpref"]
TOPICS = list("abcdefgh")


def odd_report() -> pc.Report:
    return pc.evaluate(qrels(NAMES), {name: answers(NAMES) for name in NAMES[:4]}, ASKED)


def missing() -> pc.Report:
    return pc.evaluate(
        qrels(TOPICS),
        {"r": answers(TOPICS[:5]), "s": answers(TOPICS[3:]), "half": answers(TOPICS[:1])},
        ASKED,
        topics="qrels",
        undefined="omit",
    )


def infinite() -> pc.Report:
    return pc.evaluate(
        qrels(TOPICS),
        {"r": answers(TOPICS, lambda i, j: INF * (1 - 2 * (j % 2))), "s": answers(TOPICS)},
        ASKED,
    )


def of_nothing() -> pc.Report:
    return pc.evaluate(
        {"a": {"d0": 0}}, {"r": answers(["a"]), "s": answers(["a"])}, ASKED, undefined="omit"
    )


def curve(**given: Any) -> pc.Curve:
    return pc.curve([1, 0, 1, 0], [INF, 1, 0, -INF], **given)


def several() -> Any:
    return pc.categorize(SOME, np.eye(3), categories=SOME)


SAME = {"a": [0.1, 0.2, 0.3], "notes": [0.1, 0.2, 0.3], "\x00": [0.1, 0.2, 0.3]}
MADE: dict[str, Callable[[], Any]] = {
    **{f"{made.__name__}": made for made in (odd_report, missing, infinite, of_nothing)},
    **{
        f"topics of {made.__name__}": lambda made=made: made().per_topic
        for made in (odd_report, missing, of_nothing)
    },
    **{
        f"{made.__name__} compared": lambda made=made: pc.compare(made())
        for made in (odd_report, missing, infinite)
    },
    "intervals": lambda: pc.interval(missing(), "AP"),
    "gates": lambda: pc.compare.gates(infinite(), {"any": None}),
    "curve": curve,
    "no relevant": lambda: pc.curve([0, 0], [1.0, 2.0]),
    "no cases": lambda: pc.curve([], []),
    "weights": lambda: pc.curve([1, 0, 1], [3.0, 2, 1], weights=[1e-20, 1e10, 0]),
    "missed": lambda: curve(missed=5),
    "points": lambda: curve().points(),
    "point": lambda: curve().at(threshold=INF),
    "areas": lambda: curve().areas(),
    "points of no relevant": lambda: pc.curve([0, 0], [1.0, 2.0]).points(),
    "best": lambda: curve().at(max="LR+"),
    "groups": lambda: pc.compare.cases(
        [1, 0] * 6,
        list(range(12)),
        list(range(12))[::-1],
        groups=[name for name in NAMES[:6] for _ in range(2)],
    ),
    "decisions": lambda: pc.decisions(NAMES, NAMES[::-1]),
    "summary": lambda: pc.decisions(NAMES, NAMES[::-1]).report(),
    "confusion": lambda: pc.decisions(NAMES, NAMES[::-1]).confusion(),
    "no items": lambda: pc.decisions([set()], [set()]),
    "proportion": lambda: pc.interval(pc.decisions(NAMES, NAMES[::-1]), "precision"),
    "categories": several,
    "learned": lambda: several().thresholds("max-f"),
    "of one": lambda: pc.categorize(["a"], [[1.0]]),
    "equal systems": lambda: pc.compare.many(SAME),
    "anova": lambda: pc.compare.many(SAME).anova["value"],
    "equal": lambda: pc.compare.paired([0.0] * 3, [0.0] * 3),
    "alone": lambda: pc.compare.paired([0.1], [0.2]),
    "posteriors": lambda: pc.compare.bayes.decisions(
        [1, 0, 1, 0], [1, 0, 1, 0], [1, 0, 1, 0], names=("\x00", "notes")
    ),
    "plan": lambda: pc.compare.plan(topics=2, deviation=1e-300),
    "bounds": lambda: pc.Bounds(0, 0, 0),
    "all relevant": lambda: pc.null.describe(5, 5),
    "tail": lambda: pc.null.average_precision(5, 5).tail(1.0),
    "ranking": lambda: pc.ranking(NAMES, NAMES[::-1], population=99, interval=True),
    "empty ranking": lambda: pc.ranking(["a"], ["b"]),
    "points of a ranking": lambda: pc.ranking(NAMES, NAMES).points(),
}


@pytest.mark.nightly(keep=8)
@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
@pytest.mark.parametrize("what", MADE)
def test_odd_documents_are_as_their_schemas(what: str) -> None:
    document = strictly(MADE[what]().to_json().encode())
    assert problems(document) == []


@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
def test_policies_that_decide_nothing() -> None:
    for policy in ("max-f", "scut", "pcut", "rcut", "rank:1", "proportion:1", "fixed:0"):
        for baselines in (False, True):
            document = strictly(render(several().sheet(policy=policy, baselines=baselines), "json"))
            assert problems(document) == [], policy


def test_a_name_that_no_encoding_has(tmp_path: Path) -> None:
    """In a file it is an escape, which JSON knows."""
    made = pc.decisions([LONE, "b"], ["b", LONE])
    made.save(tmp_path / "made.json")
    document = strictly((tmp_path / "made.json").read_bytes())
    assert problems(document) == [] and set(document["categories"]) == {LONE, "b"}


def test_commands_of_odd_columns(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = ["1,inf,\u202e", "0,-inf,notes", "1,1e308,\u202e", "0,0,notes"]
    (tmp_path / "x.csv").write_text("y,\u202e s,g\n" + "\n".join(rows) + "\n", encoding="utf-8")
    words = [
        "curve",
        str(tmp_path / "x.csv"),
        "--label",
        "y",
        "--score",
        "\u202e s",
        "--format",
        "json",
    ]
    for more in ([], ["--points"], ["--group", "g"], ["--at", "recall=1"]):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", pc.PrecallWarning)
            assert run([*words, *more]) == 0
        assert problems(strictly(capsys.readouterr().out)) == [], more


def places(part: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Each schema within a schema."""
    if isinstance(part, dict):
        yield path, part
        for name, within in part.items():
            yield from places(within, f"{path}/{name}")
    elif isinstance(part, list):
        for i, within in enumerate(part):
            yield from places(within, f"{path}/{i}")


def test_schemas_leave_nothing_open() -> None:
    """But what a page's sections hold, which is read by nobody but precall."""
    anything = set()
    for path in FOLDER.glob("*.json"):
        for place, part in places(json.loads(path.read_text(encoding="utf-8"))):
            assert part.get("type") != "object" or "additionalProperties" in part, (
                path.name,
                place,
            )
            if part == {} or part.get("additionalProperties") is True:
                anything.add(f"{path.name}{place}")
    assert anything == {"page-2.json/properties/sections/items/additionalProperties"}


def altered(part: Any) -> Iterator[Any]:
    """The same with one of its values, however deep, of a type that no document has there."""
    if isinstance(part, dict):
        for name, value in part.items():
            yield from ({**part, name: other} for other in altered(value))
    elif isinstance(part, list):
        for i, value in enumerate(part[:2]):
            yield from ([*part[:i], other, *part[i + 1 :]] for other in altered(value))
    else:
        yield [[{"unheard": "of"}]]


@pytest.mark.nightly(keep=3)
@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
@pytest.mark.parametrize(
    "what", ["missing", "missing compared", "curve", "groups", "categories", "confusion", "ranking"]
)
def test_every_value_has_its_type(what: str) -> None:
    document = strictly(MADE[what]().to_json())
    kept = {name: document.pop(name) for name in ("format", "conventions")}
    changed = list(altered(document))
    assert len(changed) > 8
    for other in changed:
        assert problems(kept | other), what
