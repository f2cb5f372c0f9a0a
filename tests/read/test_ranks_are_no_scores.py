"""A column of ranks is not taken for the scores: the lowest rank is the best, and the ranking would
stand on its head.

Why the old tests missed it: columns were renamed in tests to the names that they should have, never
to a wrong one that the message suggests.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import precall as pc
from precall.cli.main import run as command
from precall.core.notes.of_reading import RankAsScore
from tests.noticed import shown
from tests.peers import peer

polars = peer("polars", "Polars is not installed: no frame was read")

QRELS = {"q1": {"a": 1, "b": 0}}
COLUMNS = {"topic": "qid", "item": "docno"}


@pytest.mark.parametrize(
    "name", ["rank", "Rank", "ranks", "bm25_rank", "rank-new", "position", "RANKING"]
)
def test_ranks_in_the_place_of_scores_are_refused(name: str) -> None:
    run = polars.DataFrame({"qid": ["q1", "q1"], "docno": ["a", "b"], name: [1, 2]})
    with pytest.raises(pc.UsageError, match=rf"columns: '{name}' looks like a rank.*rank negated"):
        pc.evaluate(QRELS, run, ["RR"], columns=COLUMNS | {"score": name})
    if name.lower() in ("rank", "ranking", "position"):
        # By these names they are known, and turned round.
        assert pc.evaluate(QRELS, run, ["RR"], columns=COLUMNS).mean["RR"] == 1.0
    else:
        with pytest.raises(
            pc.DataError,
            match=(
                rf"no column 'score'.*; of '{name}' the lowest is the best by its name: pass "
                r"lower_"
            ),
        ):
            pc.evaluate(QRELS, run, ["RR"], columns=COLUMNS)
    negated = run.with_columns(score=-polars.col(name))
    assert pc.evaluate(QRELS, negated, ["RR"], columns=COLUMNS).mean["RR"] == 1.0


@pytest.mark.parametrize("name", ["pagerank", "s", "ranker", "frank", "disposition"])
def test_other_names_are_scores(name: str) -> None:
    run = polars.DataFrame({"qid": ["q1", "q1"], "docno": ["a", "b"], name: [1, 2]})
    assert pc.evaluate(QRELS, run, ["RR"], columns=COLUMNS | {"score": name}).mean["RR"] == 0.5


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "q.txt").write_text("q1 0 a 1\n", encoding="utf-8")
    (tmp_path / "r.csv").write_text("topic,item,rank\nq1,a,1\n", encoding="utf-8")
    (tmp_path / "r.jsonl").write_text('{"topic": "q1", "item": "a", "rank": 1}\n', encoding="utf-8")
    for name in ("r.csv", "r.jsonl"):
        paths = [str(tmp_path / "q.txt"), str(tmp_path / name)]
        # By its name it is known, and turned round.
        assert command(["eval", *paths]) == 0
        assert shown(capsys.readouterr().out, RankAsScore("", "rank"))
        assert command(["eval", *paths, "--columns", "score=rank"]) == 2
        assert "precall: error: --columns: 'rank' looks like a rank" in capsys.readouterr().err
