"""Random collections against pytrec_eval, which wraps the code of trec_eval 9.0.8; and our module
of its names beside it.
"""

from __future__ import annotations

import io
import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from precall.compat import pytrec_eval as named
from precall.compat.trec_eval import main
from precall.compat.trec_eval.families import families
from tests.peers import peer

pytrec_eval = peer("pytrec_eval", "pytrec_eval is not installed")


#: pytrec_eval does not know these, or only as sums and strings.
UNKNOWN = {"runid", "num_q", "relstring", "gm_map", "gm_bpref", "yaap"}
NAMES = sorted(
    name
    for name, family in families("9.0.8").items()
    if family.rel == "qrels" and name not in UNKNOWN
)
ITEM = st.text("aAz0-_é#", min_size=1, max_size=3)
TOPIC = st.sampled_from(["1", "2", "10", "q"])
#: Ties, and scores that only float64 tells apart.
SCORE = st.sampled_from([0.9, 0.90000000001, 16777216.0, 16777217.0, 0.5, -1.0, 0.0, -0.0, 1e-300])
QRELS = st.dictionaries(
    TOPIC, st.dictionaries(ITEM, st.integers(0, 4), min_size=1, max_size=12), min_size=1
)
RUN = st.dictionaries(TOPIC, st.dictionaries(ITEM, SCORE, min_size=1, max_size=12), min_size=1)


def _printed(
    folder: Path, qrels: dict[str, dict[str, int]], run: dict[str, dict[str, float]]
) -> dict[tuple[str, str], str]:
    judged = "".join(
        f"{topic} 0 {item} {grade}\n" for topic in qrels for item, grade in qrels[topic].items()
    )
    ranked = "".join(
        f"{topic} Q0 {item} 0 {score!r} t\n" for topic in run for item, score in run[topic].items()
    )
    paths = [folder / "qrels", folder / "run"]
    for path, text in zip(paths, (judged, ranked), strict=True):
        path.write_text(text)
    stdout, stderr = io.StringIO(), io.StringIO()
    measures = [word for name in NAMES for word in ("-m", name)]
    code = main(["-q", "-n", *measures, *map(str, paths)], stdout, stderr, version="9.0.8")
    assert code == (0 if qrels.keys() & run.keys() else 7), stderr.getvalue()
    lines = (line.split("\t") for line in stdout.getvalue().splitlines())
    return {(topic, name.rstrip()): text for name, topic, text in lines}


@pytest.mark.nightly
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(qrels=QRELS, run=RUN)
def test_every_value_of_every_topic(
    tmp_path: Path, qrels: dict[str, dict[str, int]], run: dict[str, dict[str, float]]
) -> None:
    theirs = pytrec_eval.RelevanceEvaluator(qrels, set(NAMES)).evaluate(run)
    ours = _printed(tmp_path, qrels, run)
    integers = {name for name, family in families("9.0.8").items() if family.integer}
    expected = {
        (topic, name): f"{value:.0f}" if name in integers else f"{value:6.4f}"
        for topic, values in theirs.items()
        for name, value in values.items()
    }
    assert ours == expected


#: Natural calls: measures as people write them, and what else they give.
CALLS = [
    ({"map", "ndcg"}, {}),
    (["ndcg_cut_10", "recall.5,10", "P"], {}),
    ({"all_trec"}, {}),
    ({"official", "set"}, {"relevance_level": 2}),
    (
        {"P_3", "map_cut.2,7", "set_F.0.25", "iprec_at_recall_0.33", "Rprec_mult.0.5"},
        {"relevance_level": 3},
    ),
    ({"all_trec"}, {"judged_docs_only_flag": True}),
]


@pytest.mark.nightly
@given(qrels=QRELS, run=RUN, call=st.sampled_from(CALLS))
def test_natural_calls(
    qrels: dict[str, dict[str, int]],
    run: dict[str, dict[str, float]],
    call: tuple[Any, dict[str, Any]],
) -> None:
    measures, given = call
    theirs = pytrec_eval.RelevanceEvaluator(qrels, measures, **given).evaluate(run)
    ours = named.RelevanceEvaluator(qrels, measures, **given).evaluate(run)
    assert list(ours) == list(theirs)
    for topic, values in theirs.items():
        assert list(ours[topic]) == list(values)
        # Of a ranking that is left without items interpolated precision is 0/0 there.
        expected = {name: 0.0 if math.isnan(value) else value for name, value in values.items()}
        assert ours[topic] == pytest.approx(expected, rel=0, abs=1e-15)


def test_names_and_means() -> None:
    assert named.supported_measures == pytrec_eval.supported_measures
    assert named.supported_nicknames == pytrec_eval.supported_nicknames
    values = [0.25, 0.5, 1.0]
    for measure in ("map", "num_rel", "gm_map", "P_5"):
        theirs = pytrec_eval.compute_aggregated_measure(measure, values)
        assert named.compute_aggregated_measure(measure, values) == pytest.approx(theirs, rel=1e-15)


def test_files_are_read_alike() -> None:
    folder = Path(__file__).resolve().parents[1] / "data" / "ir_measures"
    for name, ours, theirs in (
        ("run", named.parse_run, pytrec_eval.parse_run),
        ("qrels", named.parse_qrel, pytrec_eval.parse_qrel),
    ):
        lines = (folder / f"{name}.txt").read_text().splitlines(keepends=True)
        assert ours(lines) == theirs(lines) and list(ours(lines)) == list(theirs(lines))
        assert ours(lines)["a topic that is not there"] == {}
