"""What code written for ir_measures asks for beside measures: `define`, providers, replaced names;
against ir_measures 0.4.3 itself where it is installed, and else values computed by hand.
"""

from __future__ import annotations

import pickle

import pytest

from precall.compat import ir_measures as ours
from precall.core.errors import UsageError
from tests.peers import peer

pandas = peer("pandas")

QRELS = {"q1": {"a": 1, "b": 0}, "q2": {"c": 2}, "q3": {"d": 1}}
RUN = {"q1": {"b": 2.0, "a": 1.0}, "q2": {"c": 1.0}}


def share(qrels, run):
    """Of the retrieved, the relevant."""
    joined = run.merge(qrels, "left", on=["query_id", "doc_id"])
    for topic, rows in joined.groupby("query_id"):
        yield topic, (rows["relevance"] > 0).sum() / len(rows)


def best(qrels, run):
    """The highest score."""
    return run["score"].max()


def rows_of(module, given, kind):
    return [
        getattr(module, kind)(t, i, v) for t, values in given.items() for i, v in values.items()
    ]


def modules():
    yield ours
    try:
        import ir_measures
    except ImportError:
        return
    yield ir_measures


@pytest.mark.parametrize("form", ["dict", "rows", "iterator", "frame"])
def test_define(form):
    for module in modules():
        qrels, run = rows_of(module, QRELS, "Qrel"), rows_of(module, RUN, "ScoredDoc")
        given = {
            "dict": (QRELS, RUN),
            "rows": (qrels, run),
            "iterator": (iter(qrels), iter(run)),
            "frame": (pandas.DataFrame(qrels), pandas.DataFrame(run)),
        }[form]
        by_all, by_one = module.define(share, "Share"), module.define_byquery(best)
        asked = [by_all, by_all @ 1, by_one, module.P @ 1]
        assert module.calc_aggregate(asked, *given) == pytest.approx(
            {by_all: 1.5 / 3, by_all @ 1: 1 / 3, by_one: 3 / 3, module.P @ 1: 1 / 3}
        )
        assert [str(measure) for measure in asked] == ["Share", "Share@1", "best", "P@1"]
        values = {tuple(metric) for metric in by_one.iter_calc(QRELS, RUN)}
        assert values == {("q1", by_one, 2.0), ("q2", by_one, 1.0), ("q3", by_one, 0.0)}


def test_columns_of_ones_own():
    """Neither items nor grades are needed by functions that look at neither."""
    qrels = pandas.DataFrame({"query_id": ["q1"], "answer": ["proton"]})
    run = pandas.DataFrame({"query_id": ["q1"], "answer": ["protein"]})
    for module in modules():
        same = module.define_byquery(
            lambda q, r: int(q.iloc[0]["answer"] == r.iloc[0]["answer"]),
            "Same",
            False,
            run_inputs=["query_id", "answer"],
        )
        assert same.calc_aggregate(qrels, run) == 0
        inputs = module.DefaultPipeline.run_inputs([same, module.P @ 5])
        assert set(inputs) == {"query_id", "answer", "doc_id", "score"}
        assert set(module.DefaultPipeline.qrel_inputs([same])) == {
            "query_id",
            "doc_id",
            "relevance",
        }
    with pytest.raises(
        UsageError, match="qrels: no column query_id, got topic; ir_measures calls it so"
    ):
        ours.calc_aggregate([ours.define(share)], pandas.DataFrame({"topic": ["q1"]}), RUN)


def test_what_has_no_name_equals_itself_only():
    first, second = ours.define(share), ours.define(share)
    assert first != second and first == first and len({first, second}) == 2
    assert first @ 3 != first
    plain, other = ours.define_byquery(lambda q, r: 1.0), ours.define_byquery(lambda q, r: 3.0)
    assert list(ours.calc_aggregate([plain, other], QRELS, RUN).values()) == pytest.approx(
        [2 / 3, 2]
    )
    with pytest.raises((pickle.PicklingError, AttributeError)):
        pickle.dumps(first)


def test_parameters_of_what_is_defined():
    with pytest.raises(ValueError, match="no parameter 'cutoff'"):
        ours.calc_aggregate([ours.define(share, "Share", support_cutoff=False) @ 5], QRELS, RUN)


def test_files_and_what_was_read(tmp_path):
    (tmp_path / "a.qrels").write_text(
        "".join(f"{t} 0 {i} {g}\n" for t, v in QRELS.items() for i, g in v.items())
    )
    (tmp_path / "a.run").write_text(
        "".join(f"{t} Q0 {i} 1 {s} x\n" for t, v in RUN.items() for i, s in v.items())
    )
    defined = ours.define(share)
    value = defined.calc_aggregate(str(tmp_path / "a.qrels"), str(tmp_path / "a.run"))
    assert value == pytest.approx(0.5)
    assert defined.calc_aggregate(
        QRELS, ours.read_trec_run(str(tmp_path / "a.run"))
    ) == pytest.approx(0.5)


def test_the_pipeline():
    for module in modules():
        pipeline = module.DefaultPipeline
        assert isinstance(pipeline, module.Provider) and isinstance(
            pipeline, module.providers.Provider
        )
        assert pipeline.supports(module.P @ 5) and pipeline.supports(module.define(share))
        measures = [module.P @ 1, module.AP]
        expected = module.calc_aggregate(measures, QRELS, RUN)
        assert pipeline.calc_aggregate(measures, QRELS, RUN) == expected
        assert pipeline.calc(measures, QRELS, RUN).aggregated == expected
        assert pipeline.evaluator(measures, QRELS).calc_aggregate(RUN) == expected
        assert len(list(pipeline.iter_calc(measures, QRELS, RUN))) == 6
        with (
            pytest.warns(DeprecationWarning, match="calc_ctxt"),
            module.calc_ctxt(measures, QRELS) as measured,
        ):
            assert len(list(measured(RUN))) == 6
        assert module.__version__ == "0.4.3" and pipeline.install_instructions() is None


def test_a_provider_of_ones_own():
    class Halves(ours.Provider):
        NAME = "halves"

        def _evaluator(self, measures, qrels):
            return ours.evaluator(measures, qrels)

    made = ours.providers.register(Halves())
    try:
        assert ours.providers.registry["halves"].calc_aggregate([ours.P @ 1], QRELS, RUN) == {
            ours.P @ 1: 1 / 3
        }
    finally:
        del ours.providers.registry["halves"]
    assert made.is_available() and not made.supports("NoSuch@5")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("convert_trec_name", "parse_trec_measure"),
        ("parse_trec_qrels", "read_trec_qrels"),
        ("parse_trec_run", "read_trec_run"),
        ("GenericQrel", "Qrel"),
        ("GenericScoredDoc", "ScoredDoc"),
    ],
)
def test_replaced_names(old, new):
    with pytest.warns(DeprecationWarning, match=f"{old} is deprecated; use {new}"):
        assert getattr(ours, old) is getattr(ours, new)


def test_what_is_not_there():
    with pytest.raises(
        AttributeError, match="'gdeval'; there is one provider: use the functions of this module"
    ):
        ours.gdeval  # noqa: B018
    assert not hasattr(ours, "util")
    assert next(ours.read_trec_qrels("q 0 a 1.0\n")).relevance == 1
    with pytest.raises(ValueError, match="a line has 4 fields"):
        list(ours.read_trec_qrels("q 0 a 1.5\n"))
