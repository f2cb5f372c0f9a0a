"""`precall trec_eval` says on standard error when no retrieved item is judged, and prints what
trec_eval prints.

The older tests compared standard output and exit codes with those of trec_eval, which are silent
about it, too; the note of `precall eval` was tested there only.
"""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from precall.compat.trec_eval import main
from precall.core.notes.of_reading import NothingJudged

QRELS = "q1 0 d1 1\nq2 0 d2 1\n"


def run(tmp_path: Path, results: str, *options: str) -> tuple[int, str, str]:
    qrels, path = tmp_path / "qrels", tmp_path / "run"
    qrels.write_text(QRELS, encoding="utf-8")
    path.write_text(results, encoding="utf-8")
    stdout, stderr = io.StringIO(), io.StringIO()
    return (
        main([*options, "-m", "map", str(qrels), str(path)], stdout, stderr),
        stdout.getvalue(),
        stderr.getvalue(),
    )


@pytest.mark.parametrize("options", [(), ("-c",), ("--as", "9.0.8")])
def test_items_of_another_collection(tmp_path: Path, options: tuple[str, ...]) -> None:
    code, values, said = run(tmp_path, "q1 Q0 doc_1 1 2 r\nq2 Q0 doc_2 1 2 r\n", *options)
    assert (code, values) == (0, "map                   \tall\t0.0000\n")
    assert said.startswith(f"trec_eval: {NothingJudged('', 'doc_1', 'd1')}")


def test_topics_of_another_collection(tmp_path: Path) -> None:
    code, values, said = run(tmp_path, "x1 Q0 d1 1 2 r\n", "-c")
    assert (code, values) == (0, "map                   \tall\t0.0000\n")
    assert (
        "no topic of the run is in the qrels" in said and "(run: 'x1'; qrels: 'q1', 'q2')" in said
    )


@pytest.mark.parametrize("options", [("-c",), ("-c", "-M", "1"), ("-c", "-J")])
def test_nothing_is_said_where_one_is_judged(tmp_path: Path, options: tuple[str, ...]) -> None:
    assert run(tmp_path, "q2 Q0 x 1 3 r\nq2 Q0 d2 1 2 r\n", *options)[2] == ""
