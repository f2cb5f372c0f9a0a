"""Runs that ranx saved as `.lz4`: CBOR in a frame of LZ4 in a frame of LZ4."""

from __future__ import annotations

import struct
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import precall as pc
from precall.cli.main import run
from precall.core.errors import DataError, MissingExtra
from precall.read.cbor import read_cbor
from tests.archives import lz4

RUN = {
    "q_1": {"d_1": 0.5, "d_2": 1.25},
    "q_2": {"üüü": -2.0, "a-document-id-of-more-than-23-letters": 3.5, "x": 1e-3},
}
#: `RUN` as cbor2 6.3 and lz4 4.4.5 write it by the calls of ranx 0.3.21.
SAVED = bytes.fromhex(
    "04224d184040c07b0000008204224d18684070000100f05fd665000000e1a263715f31a263645f31fb3fe0000100"
    "7363645f32fb3ff40d0070715f32a366c3bc020032fbc0000100f21b7825612d646f63756d656e742d69642d6f66"
    "2d6d6f72652d7468616e2d32332d6c657474657273fb400c3000b06178fb3f50624dd2f1a9fc0000000000000000"
)
QRELS = "q_1 0 d_2 1\nq_2 0 x 1\n"


def _head(kind: int, number: int) -> bytes:
    if number < 24:
        return bytes((kind << 5 | number,))
    return bytes((kind << 5 | 25,)) + struct.pack(">H", number)


def _cbor(value: Any) -> bytes:
    """A value as cbor2 writes it, but with two bytes for lengths of 24 and more."""
    if isinstance(value, dict):
        return _head(5, len(value)) + b"".join(
            _cbor(key) + _cbor(each) for key, each in value.items()
        )
    if isinstance(value, str):
        return _head(3, len(value.encode())) + value.encode()
    if isinstance(value, float):
        return b"\xfb" + struct.pack(">d", value)
    return _head(0, value) if value >= 0 else _head(1, -1 - value)


@pytest.mark.parametrize("name", ["bm25.lz4", "bm25.json.lz4", "bm25.run.lz4", "bm25.rh"])
def test_what_ranx_saved(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, qrels = tmp_path / name, tmp_path / "q.qrels"
    path.write_bytes(SAVED)
    qrels.write_text(QRELS)
    read = pc.read_run(path)
    assert read.topics.tolist() == list(RUN)
    assert read.items.tolist() == [item for items in RUN.values() for item in items]
    assert read.score.tolist() == [score for items in RUN.values() for score in items.values()]
    assert read.name == ("bm25" if path.suffix == ".lz4" else name)
    assert pc.evaluate(qrels, path, "RR")["RR"] == pc.evaluate(qrels, RUN, "RR")["RR"] == 0.75
    assert run(["eval", str(qrels), str(path), "-m", "RR", "--memory", "200M"]) == 0
    assert "0.7500" in capsys.readouterr().out


def test_judgements_with_whole_grades(tmp_path: Path) -> None:
    path = tmp_path / "q.lz4"
    path.write_bytes(lz4(lz4(_cbor({"q": {"a": 3, "b": -1, "c": 300}}))))
    assert pc.read_qrels(path).grade.tolist() == [3, -1, 300]
    # One frame will also do.
    path.write_bytes(lz4(_cbor({"q": {"a": 3}})))
    assert pc.read_qrels(path).grade.tolist() == [3]


def test_text_in_lz4(tmp_path: Path) -> None:
    for name, text in (
        ("a.run.lz4", "q Q0 a 1 2 x\n"),
        ("a.csv.lz4", "topic,item,score\nq,a,2\n"),
        ("a.json.lz4", '{"q": {"a": 2}}'),
    ):
        path = tmp_path / name
        path.write_bytes(lz4(text.encode()))
        assert pc.read_run(path).score.tolist() == [2.0]
    cases = tmp_path / "c.csv.lz4"
    cases.write_bytes(lz4(b"y,s\n1,0.9\n0,0.1\n"))
    assert run(["curve", str(cases), "--label", "y", "--score", "s"]) == 0


def test_without_the_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "lz4.frame", None)
    path = tmp_path / "bm25.lz4"
    path.write_bytes(SAVED)
    with pytest.raises(MissingExtra, match=r"precall\[lz4\].* decompress it.*run\.save") as told:
        pc.read_run(path)
    assert isinstance(told.value.__cause__, ImportError)


@pytest.mark.parametrize("size", range(1, len(SAVED), 7))
def test_cut_short(size: int, tmp_path: Path) -> None:
    path = tmp_path / "bm25.lz4"
    path.write_bytes(SAVED[:size])
    with pytest.raises(DataError):
        pc.read_run(path)


def test_damaged_bytes(tmp_path: Path) -> None:
    """Each is an error of ours, or a run of other numbers; none ends in another exception."""
    rng = np.random.default_rng(1)
    content, path = _cbor(RUN), tmp_path / "bm25.lz4"
    for _ in range(300):
        damaged = bytearray(content)
        for place in rng.integers(0, len(damaged), 2):
            damaged[place] = rng.integers(256)
        path.write_bytes(lz4(bytes(damaged)))
        with suppress(DataError):
            pc.read_run(path)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (_cbor(RUN)[:-1], "cut short"),
        (_cbor(RUN) + b"\0", "1 bytes stand behind"),
        (bytes.fromhex("a26161016161 02".replace(" ", "")), "'a' is there twice"),
        (b"\xbb" + b"\xff" * 8, "cut short"),  # 2^64 pairs
        (b"\xa1\x7b" + b"\xff" * 8, "cut short"),  # a text of 2^64 bytes
        (b"\xa1aq" * 40 + b"\x01", "deeper than 16 levels"),
        (bytes.fromhex("a16171c100"), "byte 3 is neither"),  # a tag
        (bytes.fromhex("a161719f00ff"), "byte 3 is neither"),  # an array of unknown length
        (bytes.fromhex("a161714101"), "byte 3 is neither"),  # bytes
        (bytes.fromhex("a161ff01"), "not UTF-8"),
    ],
)
def test_content_that_is_refused(data: bytes, words: str) -> None:
    with pytest.raises(DataError, match=words):
        read_cbor(data, "x.lz4")


def test_floats_of_other_sizes() -> None:
    data = bytes.fromhex("a4 6161 f93e00 6162 fa40200000 6163 f5 6164 f6".replace(" ", ""))
    assert read_cbor(data, "x") == {"a": 1.5, "b": 2.5, "c": True, "d": None}


def test_two_frames_expand_no_more_than_one(tmp_path: Path) -> None:
    """64 MB in 1,250 bytes: each frame for itself stays below 1,000 times its size."""
    path = tmp_path / "bm25.lz4"
    bomb = lz4(lz4(b"\n" * (1 << 26)))
    assert len(bomb) < 5000
    path.write_bytes(bomb)
    with pytest.raises(DataError, match=r"more than 1,000 times its size \([0-9,]+ bytes read\)"):
        pc.read_run(path)
