"""Runs that memory does not hold: all that is said of them is what is said of them as a whole."""

from __future__ import annotations

import gzip
import io
import random
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import precall as pc
from precall.core.notes.of_reading import NothingJudged
from precall.evaluation.api import evaluate
from precall.read import large_runs
from tests.noticed import warned

MEASURES = ["AP", "P@3", "nDCG@5", "RR", "bpref", "Rprec"]
QRELS = {
    f"q{topic}": {f"d{item}": item % 3 for item in range(0, 12, 1 + topic % 3)}
    for topic in range(6)
}


@pytest.fixture
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(large_runs, "BYTES", 150)
    monkeypatch.setattr(large_runs, "BUCKETS", 3)
    monkeypatch.setattr(large_runs, "_NEAR", 40)


def lines(seed: int = 1, topics: int = 8, items: int = 15) -> list[str]:
    """Lines of a run with ties, grouped by topic; topics 6 and 7 are not judged."""
    draw = random.Random(seed)
    ids = [f"q{topic}" for topic in draw.sample(range(topics), topics)]
    return [
        f"{topic} Q0 d{item} {place} {draw.choice([3, 2, 1.5, -0.5])} tag\n"
        for topic in ids
        for place, item in enumerate(draw.sample(range(20), draw.randrange(1, items)))
    ]


def both(path: Path, **choices: Any) -> tuple[str, str]:
    """What is printed, or what is wrong, read as a whole and by pieces."""
    told = []
    for memory in (1 << 40, 1):
        try:
            report = evaluate(QRELS, str(path), MEASURES, memory=memory, **choices)
            told.append(report.to_json() + report.per_topic.sheet().to_csv())
        except pc.PrecallError as error:
            told.append(str(error))
    return told[0], told[1]


ROWS = st.lists(
    st.tuples(
        st.sampled_from(["q0", "q1", "q10", "q", "x"]),
        st.integers(0, 6),
        st.sampled_from(["1", "2", "-0.0", "0", "inf"]),
        st.sampled_from(
            [
                "{} Q0 d{} 1 {} r\n",
                "{}\tQ0  d{} 1 {} r\r\n",
                " {} Q0 d{} 1 {} r\n",
                "# {} {} {}\n",
                "\n",
            ]
        ),
    ),
    max_size=40,
)


@pytest.mark.nightly
@pytest.mark.usefixtures("small_pieces")
def test_any_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(large_runs, "BYTES", 60)
    path = tmp_path / "any.run"

    @settings(max_examples=50)
    @given(ROWS, st.booleans(), st.sampled_from(["error", "first", "last", "best"]))
    def law(rows: Any, grouped: bool, duplicates: str) -> None:
        rows = sorted(rows, key=lambda row: row[0]) if grouped else rows
        path.write_bytes("".join(form.format(*cells) for *cells, form in rows).encode())
        whole, pieces = both(path, duplicates=duplicates)
        assert whole == pieces

    law()


@pytest.mark.nightly(keep=6)
@pytest.mark.usefixtures("small_pieces")
@pytest.mark.parametrize("order", ["grouped", "scattered", "last"])
@pytest.mark.parametrize(
    "choices",
    [
        {},
        {"ties": "input"},
        {"ties": "expected"},
        {"ties": "random", "rng": 3},
        {"judged_only": True},
        {"depth": 4},
        {"topics": "run"},
        {"lower_is_better": True},
        {"score_dtype": "float32"},
        {"ties": "worst", "duplicates": "best"},
    ],
    ids=str,
)
def test_every_convention(order: str, choices: dict[str, Any], tmp_path: Path) -> None:
    text = lines()
    if order == "scattered":
        random.Random(2).shuffle(text)
    if order == "last":  # only the last line tells that topics do not stand together
        text.append(text.pop(0))
    path = tmp_path / "some.run"
    path.write_text("".join(text))
    whole, pieces = both(path, **choices)
    assert whole == pieces and "some" in whole


@pytest.mark.usefixtures("small_pieces")
@pytest.mark.parametrize("scattered", [False, True])
@pytest.mark.parametrize(
    "wrong",
    [
        "q1 Q0 d1 1\n",
        "q1 Q0 d1 1 nan t\n",
        "q1 Q0 d1 1 1e999 t\n",
        "q1 Q0 \0 1 1 t\n",
        "",
        "\ufeffq1 Q0 d1 1 1.0 t\n",
        "q1 Q0 d1 1 2 t\nq1 Q0 d1 1 3 t\nq5 Q0 d1 1 x t\n",
    ],
)
def test_problems_have_their_lines(wrong: str, scattered: bool, tmp_path: Path) -> None:
    text = lines(4)
    if scattered:
        random.Random(2).shuffle(text)
    text[len(text) // 2 : len(text) // 2] = [wrong, wrong]
    path = tmp_path / "some.run"
    path.write_text("".join(text), encoding="utf-8")
    whole, pieces = both(path)
    assert whole == pieces
    path.write_text("# nothing\n\n")
    assert len(set(both(path))) == 1 and "no data line" in both(path)[0]


@pytest.mark.usefixtures("small_pieces")
def test_archives_and_strangers(tmp_path: Path) -> None:
    path = tmp_path / "some.run.gz"
    path.write_bytes(gzip.compress("".join(lines()).encode()))
    whole, pieces = both(path)
    assert whole == pieces
    path.write_bytes(path.read_bytes()[:-9])
    whole, pieces = both(path)
    assert whole == pieces and "archive is cut short" in pieces
    path = tmp_path / "strange.run"
    path.write_text("".join(lines()).replace(" d", " D"))
    with warned(NothingJudged):
        whole, pieces = both(path)
    assert whole == pieces
    path.write_text("".join(lines()).replace("q", "t"))
    whole, pieces = both(path)
    assert whole == pieces and "no topic of the run" in whole


@pytest.mark.usefixtures("small_pieces")
def test_nothing_is_left_of_what_was_spooled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "spool"))
    path = tmp_path / "some.run"
    text = lines()
    path.write_text("".join(text[1:] + text[:1]))
    with pytest.raises(OSError, match="spooling a run; set TMPDIR"):
        evaluate(QRELS, str(path), memory=1)
    (tmp_path / "spool").mkdir()
    evaluate(QRELS, str(path), memory=1)
    assert not list((tmp_path / "spool").iterdir())


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
@pytest.mark.usefixtures("small_pieces")
@pytest.mark.parametrize("kind", ["scattered", "archive"])
def test_a_full_disk_is_told(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / ("some.run" if kind == "scattered" else "some.run.gz")
    text = lines()
    data = "".join(text[1:] + text[:1]).encode()
    path.write_bytes(data if kind == "scattered" else gzip.compress(data))
    monkeypatch.setattr(tempfile, "TemporaryFile", lambda: open("/dev/full", "w+b"))  # noqa: SIM115, PTH123
    with pytest.raises(OSError, match="No space left on device, spooling a run; set TMPDIR"):
        evaluate(QRELS, str(path), memory=1)


@pytest.mark.usefixtures("small_pieces")
def test_standard_input_is_spooled_where_memory_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    told = []
    for memory in (None, 10):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO("".join(lines()).encode())))
        told.append(evaluate(QRELS, "-", MEASURES, memory=memory).to_json())
    assert told[0] == told[1]
