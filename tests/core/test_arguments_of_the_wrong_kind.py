"""Arguments of the wrong kind to the names of other libraries: each was a TypeError or an
AttributeError from inside.
"""

from __future__ import annotations

import pytest

import precall as pc
from precall.compat import ir_measures, pytrec_eval, sklearn

QRELS, RUN = {"q": {"a": 1, "b": 0}}, {"q": {"a": 0.5, "b": 0.2}}
COLUMN = [0, 1, 1, 0]
CALLS = {
    "query_relevance: must be a dict": lambda: pytrec_eval.RelevanceEvaluator(3, {"map"}),
    "topic 'a' holds an object": lambda: pytrec_eval.RelevanceEvaluator({"a": 1}, {"map"}),
    "measures: must be names such as 'map', got int": lambda: pytrec_eval.RelevanceEvaluator(
        QRELS, 3
    ),
    "measures: must be names such as 'map', got list": lambda: pytrec_eval.RelevanceEvaluator(
        QRELS, [[1]]
    ),
    "f_run: must be an open file, or lines of text, got int": lambda: pytrec_eval.parse_run(3),
    "f_qrel: must be an open file, or lines of text, got tuple": lambda: pytrec_eval.parse_qrel(
        [("q", "d")]
    ),
    "measure: must be a name such as 'map', got int": lambda: (
        pytrec_eval.compute_aggregated_measure(0, [1])
    ),
    "values: must be a number, or an array": lambda: pytrec_eval.compute_aggregated_measure(
        "map", "x"
    ),
    "values: must be one column": lambda: pytrec_eval.compute_aggregated_measure("map", 0.5),
    "measures: must be a list of measures": lambda: ir_measures.calc_aggregate(0, QRELS, RUN),
    "measure: must be a name of trec_eval's": lambda: ir_measures.parse_trec_measure(0),
    "topic 'a' holds an object of type NoneType": lambda: ir_measures.calc_aggregate(
        ["AP"], {"a": None}, RUN
    ),
    "topic 'a' holds an object of type int": lambda: ir_measures.calc_aggregate(
        ["AP"], QRELS, {"a": 1}
    ),
    "labels: must be one list": lambda: sklearn.confusion_matrix(COLUMN, COLUMN, labels={}),
    "labels: must be one list ": lambda: sklearn.classification_report(COLUMN, COLUMN, labels=0),
    "labels: must be one list of": lambda: sklearn.top_k_accuracy_score(COLUMN, COLUMN, labels=0),
    "target_names: must be a list": lambda: sklearn.classification_report(
        COLUMN, COLUMN, target_names=0
    ),
}


@pytest.mark.parametrize("what", CALLS)
def test_the_errors_are_ours(what):
    with pytest.raises(pc.PrecallError) as error:
        CALLS[what]()
    assert what.strip() in str(error.value)


def test_a_base_of_logarithms_beyond_64_bits():
    gains, scores = [[1, 0]], [[0.2, 0.1]]
    assert sklearn.dcg_score(gains, scores, log_base=2**70) == 70
