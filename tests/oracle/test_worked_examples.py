"""Worked numbers: those committed here, done by hand, and those of the project's sources
(tests/data).

Each is asked of the measure and of its oracle, so that both are pinned to something outside the
code.
"""

import json
import math
from fractions import Fraction

import numpy as np
import pytest

import precall as pc
from tests.laws.parameters import said
from tests.oracle import ranking, value


def check(name, relevance, expected, relevant=None, tolerance=1e-12, **parameters):
    """A ranking of 0 and 1 has this value, by the measure and by its oracle."""
    items = [f"{rank:05}" for rank in range(len(relevance))]
    judged = dict(zip(items, map(int, relevance), strict=True))
    missed = 0 if relevant is None else relevant - sum(judged.values())
    judged |= {f"missed {i}": 1 for i in range(missed)}
    scores = {item: -float(place) for place, item in enumerate(items)}
    text = said(name, parameters)
    ours = float(pc.measure(text)(pc.locate({"t": judged}, {"t": scores}))[0])
    theirs = value(name, items, judged, highest=1, **parameters)
    for number in (ours, math.nan if theirs is None else float(theirs)):
        assert number == pytest.approx(expected, abs=tolerance, rel=0, nan_ok=True), text


BY_HAND = [
    # name, relevance, value, R, parameters; the arithmetic is written out.
    ("AP", [0, 1, 0, 1, 1, 0], (Fraction(1, 2) + Fraction(2, 4) + Fraction(3, 5)) / 3, None, {}),
    ("AP", [1, 0, 1], (Fraction(1, 1) + Fraction(2, 3)) / 4, 4, {}),
    ("AP", [1, 1, 0, 1], Fraction(2, 4), 4, {"cutoff": 3}),
    ("AP", [1, 1, 0, 1], Fraction(2, 3), 4, {"cutoff": 3, "norm": "min"}),
    ("AP", [1, 1, 0, 1], Fraction(2, 2), 4, {"cutoff": 3, "norm": "found"}),
    ("AP", [0, 0], math.nan, 0, {}),
    ("RR", [0, 0, 1, 1], Fraction(1, 3), None, {}),
    ("RR", [0, 0, 1, 1], 0, None, {"cutoff": 2}),
    ("P", [1, 0, 1], Fraction(2, 5), None, {"cutoff": 5}),
    ("R", [1, 0, 1, 1], Fraction(2, 5), 5, {"cutoff": 3}),
    # P = 2/4, R = 2/3: 2PR/(P+R) = (2/3)/(7/6) = 4/7; beta = 2: 5 (1/3)/(4/2 + 2/3) = 5/8.
    ("F", [1, 0, 1, 0], Fraction(4, 7), 3, {"cutoff": 4}),
    ("F", [1, 0, 1, 0], Fraction(5, 8), 3, {"cutoff": 4, "beta": 2.0}),
    ("E", [1, 0, 1, 0], Fraction(3, 7), 3, {"cutoff": 4}),
    # 2 of 3 needed at .5 of 3 and at .6; precision 2/3 there is beaten by 3/4 further down.
    ("IPrec", [1, 0, 1, 1], Fraction(3, 4), 3, {"recall": 0.5}),
    ("IPrec", [1, 0, 1, 1], Fraction(1, 1), 3, {"recall": 0.3}),
    # .7 of 10 is 7 exactly, though not in floating point: 7 hits at rank 7.
    ("IPrec", [1] * 7 + [0] * 3, Fraction(1), 10, {"recall": 0.7}),
    # .7 of 3 is 2.1: 3 hits are needed (trec_eval 9 asks for 2).
    ("IPrec", [1, 1, 0, 1], Fraction(3, 4), 3, {"recall": 0.7}),
    # Recall 0 .. .3: 1; .4 .. 1: 3/4.
    ("IAP", [1, 0, 1, 1], (4 + 7 * Fraction(3, 4)) / 11, 3, {}),
    ("Rprec", [1, 0, 1, 1], Fraction(2, 3), None, {}),
    # ceil(1.5 x 3) = 5.
    ("Rprec", [1, 0, 1, 1], Fraction(3, 5), None, {"mult": 1.5}),
    ("Success", [0, 0, 1], 0, None, {"cutoff": 2}),
    # Without a cutoff the whole list counts.
    ("Success", [0, 0, 1], 1, None, {}),
    ("Success", [0, 0, 0], 0, 2, {}),
    ("RelP", [1, 0, 1, 1], Fraction(2, 3), 3, {"cutoff": 3}),
    ("RelP", [1, 0, 1, 1], Fraction(1, 2), 3, {"cutoff": 2}),
    ("SetP", [1, 0, 1, 0], Fraction(1, 2), 3, {}),
    ("SetF", [1, 0, 1, 0], Fraction(4, 7), 3, {}),
    ("SetAP", [1, 0, 1, 0], Fraction(4, 12), 3, {}),
    ("SetRelP", [1, 0, 1, 0], Fraction(2, 3), 3, {}),
    ("SetUtility", [1, 0, 0], -1, None, {}),
    (
        "SetUtility",
        [1, 0, 0],
        2 - 1 - 3 + 0.5 * 95,
        3,
        {"found": 2.0, "nonrelevant": -0.5, "missed": -1.5, "rejected": 0.5, "population": 100},
    ),
    # S = 1 + 2/3, R = 2: log((8/3)/(4/3)) = log 2.
    ("yaap", [1, 0, 1], math.log(2), 2, {}),
    ("nDCG", [0, 1, 1], (1 / math.log2(3) + 1 / 2) / (1 + 1 / math.log2(3)), None, {}),
    ("DCG", [1, 0, 1], 1.5, None, {}),
    ("RBP", [1, 0, 1], Fraction(5, 8), None, {"p": 0.5}),
    ("RBPResidual", [1, 0, 1], Fraction(1, 8), None, {"p": 0.5}),
    # One judged miss above the second hit; R = 2, N = 2.
    ("Bpref", [1, 0, 1, 0], (1 + Fraction(1, 2)) / 2, None, {}),
    ("Bpref", [0, 0, 1], 0, None, {}),
    ("binG", [1, 0, 1], (1 + 1 / math.log2(3)) / 2, None, {}),
    ("G", [1, 0, 1], (1 + 1 / math.log2(3)) / 2, None, {}),
    # R = 1/2 each: 1/2 + 1/3 x 1/4.
    ("ERR", [1, 0, 1], Fraction(1, 2) + Fraction(1, 12), None, {}),
    ("Judged", [1, 0, 1], 1, None, {}),
    ("NumNonrelRet", [1, 0, 1, 0], 2, None, {}),
]


@pytest.mark.parametrize(("name", "relevance", "expected", "relevant", "parameters"), BY_HAND)
def test_by_hand(name, relevance, expected, relevant, parameters):
    check(name, relevance, float(expected), relevant, **parameters)


def test_graded_by_hand():
    # Grades 3, unjudged, 1, in the pool, 2 missed; ideal 3, 2, 1.
    qrels, scores = (
        {"a": 3, "c": 1, "d": -1, "e": 2, "f": 0},
        {"a": 5.0, "b": 4.0, "c": 3.0, "d": 2.0, "f": 1.0},
    )
    by_hand = {
        "DCG": 3 + 1 / 2,
        "nDCG": 3.5 / (3 + 2 / math.log2(3) + 1 / 2),
        "nDCG(gain=exp)@3": (7 + 1 / 2) / (7 + 3 / math.log2(3) + 1 / 2),
        # 7/8 at once, else 1/8 of the way to rank 3.
        "ERR": 7 / 8 + (1 / 8) * (1 / 8) / 3,
        "ERR(max=4)": 7 / 16 + (9 / 16) * (1 / 16) / 3,
        # Rank 1: log2(2 + 3 - 3) = 1; rank 3: log2(2 + 6 - 4) = 2.
        "G": (3 / 1 + 1 / 2) / 6,
        # Judged: a, c, f.
        "Judged": 3 / 5,
        "RBPResidual(p=0.5)": 1 - (1 / 2 + 1 / 8 + 1 / 32),
        # infAP: 1 for a; c at rank 3 has one of two above in the pool, relevant.
        "infAP": (1 + 1 / 3 + (2 / 3) * (1 / 2) * (1 + 1e-5) / (1 + 2e-5)) / 3,
        "AP(grade=2)": 1 / 2,
        # At grade 2 c and f are judged misses, below the only hit.
        "Bpref(grade=2)": 1 / 2,
        "NumNonrelRet(grade=2)": 2,
    }
    located = pc.locate({"t": qrels}, {"t": scores})
    for text, expected in by_hand.items():
        assert pc.measure(text)(located)[0] == pytest.approx(expected, abs=1e-12), text
        one = pc.measure(text)
        chosen = {key: worth for key, worth in one.parameters.items() if worth is not None}
        theirs = value(one.declaration.name, ranking.docno(scores), qrels, highest=3, **chosen)
        assert float(theirs) == pytest.approx(expected, abs=1e-12), text


@pytest.fixture(scope="module")
def sources(facts):
    return json.loads((facts / "golden" / "sources.json").read_text())


@pytest.fixture(scope="module")
def worked(facts):
    return json.loads((facts / "golden" / "worked_examples.json").read_text())


def by_scores(truth, scores):
    return [truth[i] for i in sorted(range(len(scores)), key=lambda i: -scores[i])]


def test_lingpipe_javadoc(sources):
    case = sources["lingpipe_javadoc"]
    correct = by_scores(case["correct"], case["scores"])
    check("AP", correct, case["average_precision"])
    check("AP", correct, case["area_pr_raw"])
    check("RR", correct, case["reciprocal_rank"])
    check("P", correct, case["precision_at"]["5"], cutoff=5)
    check("P", correct, case["precision_at"]["10"], cutoff=10)
    check("F", correct, case["max_f1"], cutoff=5)
    check("P", correct, case["break_even"], cutoff=5)
    for recall, precision in case["pr_interpolated"]:
        check("IPrec", correct, precision, recall=recall)
    hits = pc.Hits.of(
        [rank for rank, hit in enumerate(correct, start=1) if hit], retrieved=10, relevant=4
    )
    for recall, precision in case["pr_raw"]:
        assert hits.precision_at_recall(recall)[0] == pytest.approx(precision)


def test_lingpipe_table(worked):
    case = worked["lingpipe_javadoc_example"]
    for rank, recall, precision, _ in case["table_rank_rec_prec_spec"]:
        check("P", case["rel"], precision, cutoff=rank + 1)
        check("R", case["rel"], recall, cutoff=rank + 1)
    for cutoff, precision in case["p@"].items():
        check("P", case["rel"], precision, cutoff=int(cutoff))
    for tenth, precision in enumerate(case["eleven_point_textbook"]):
        check("IPrec", case["rel"], precision, recall=tenth / 10)
    check("AP", case["rel"], float(Fraction(case["fractions"]["ap"])))
    check("IAP", case["rel"], case["eleven_point_mean"])
    check("Rprec", case["rel"], case["r_precision"])
    check("RR", case["rel"], case["rr"])
    missed = case["with_1_miss"]
    check("AP", case["rel"], missed["ap"], 5)
    check("AP", case["rel"], missed["ap_found(lingpipe3)"], 5, norm="found")
    check("Rprec", case["rel"], missed["r_precision"], 5)
    for key, beta, relevant in (
        ("max_f1", 1.0, 4),
        ("max_f05", 0.5, 4),
        ("max_f2", 2.0, 4),
        ("max_f1", 1.0, 5),
    ):
        expected = (missed if relevant == 5 else case)[key]
        located = pc.Example(hits=[2, 4, 5, 9], retrieved=10, relevant=relevant, value=0).located()
        found = [float(pc.measure(f"F(beta={beta})@{k}")(located)[0]) for k in range(1, 11)]
        assert max(found) == pytest.approx(expected)


def test_premises(sources, worked):
    case = sources["premises"]
    relevance = [int(item in case["relevant"]) for item in case["ranking"]]
    for rank, (precision, recall) in enumerate(
        zip(case["precision"], case["recall"], strict=True), start=1
    ):
        check("P", relevance, precision, cutoff=rank)
        check("R", relevance, recall, cutoff=rank)
    check("AP", relevance, case["average_precision"])
    check("Rprec", relevance, case["r_precision"])
    notes = worked["premises_notes"]
    check("AP", notes["rel"], float(Fraction(notes["fractions"]["ap"])))
    for cutoff in (3, 4):
        named = {"hits s(K)": "found", "min(k,R)": "min", "R": "relevant"}
        for key, norm in named.items():
            check("AP", notes["rel"], notes[f"ap@{cutoff}"][key], cutoff=cutoff, norm=norm)
    for cutoff, error in notes["E_at_k"].items():
        check("E", notes["rel"], error, cutoff=int(cutoff))
    hits = pc.Hits.of([2, 4, 5], retrieved=6, relevant=3)
    assert hits.k_at_recall(1)[0] == notes["first_k_with_recall_1"]
    assert hits.precision_at_recall(1)[0] == notes["precision_there"]


def test_article(sources, worked):
    case = sources["two_models"]
    for model in ("A", "B"):
        relevance = by_scores(case["truth"], case[model])
        check("AP", relevance, case[f"ap_{model}"])
        # Both accept four items at the threshold.
        for name, key in (("P", "precision"), ("R", "recall"), ("F", "f1")):
            check(name, relevance, case[key], cutoff=4)
        check(
            "AP",
            relevance,
            float(Fraction(worked["article"]["A_vs_B"]["fractions"][f"ap_{model}"])),
        )
    at_3 = sources["ap_at_3"]
    for key, norm in (("norm_min", "min"), ("norm_relevant", "relevant"), ("norm_found", "found")):
        check("AP", [1, 1, 0], at_3[key], at_3["relevant"], cutoff=3, norm=norm)
    plot = worked["article"]["r_plot_data_set.source(4)"]
    check("AP", by_scores(plot["rel"], plot["scores"]), plot["ap"])
    # P = .5 and R = .6: three of six retrieved, three of five relevant.
    for key, beta in (("F0.5", 0.5), ("F1", 1.0), ("F2", 2.0)):
        check(
            "SetF", [1, 1, 1, 0, 0, 0], worked["article"]["fbeta"]["p=.5,r=.6"][key], 5, beta=beta
        )


def test_text_categorization(sources, worked):
    case = worked["text_categorization"]
    check("E", [1, 1, 1, 0, 0], case["E_example"]["E"], 4, cutoff=5)
    check("SetF", [1, 1, 1, 0, 0], case["E_example"]["F1"], 4)
    check("SetF", [1, 1, 1, 0, 0, 0], case["BEP_vs_F_counterexample_case2"]["F_beta"], 5, beta=2.0)
    check("SetF", [1, 1, 1, 0, 0], case["case3_example"]["F_beta"], 6, beta=2.0)
    # P = .25 and R = 1.
    check("SetF", [1, 0, 0, 0], sources["break_even_vs_f"][0]["f"], beta=3.0)
    missed = case["eleven_point_yang_1miss"]
    for tenth, precision in enumerate(case["eleven_point_textbook_1miss"]):
        check("IPrec", missed["rel"], precision, missed["R"], recall=tenth / 10)
    # Macro averages: two categories as topics, (tp, fp, fn) = (10, 10, 10) and (90, 10, 10).
    qrels = {name: {f"{i}": 1 for i in range(size)} for name, size in (("one", 20), ("two", 100))}
    run = {
        name: {f"{i}": 1.0 for i in range(10, 10 + size)}
        for name, size in (("one", 20), ("two", 100))
    }
    mean = pc.evaluate(qrels, run, ["SetP", "SetR", "SetF"]).mean
    macro = case["micro_macro"]
    assert mean["SetP"] == pytest.approx(macro["P_macro"])
    assert mean["SetR"] == pytest.approx(macro["R_macro"])
    assert mean["SetF"] == pytest.approx(macro["F1_macro(mean of F1)"])


def test_text_categorization_by_decisions(sources, worked):
    case = worked["text_categorization"]
    tables = np.array(case["micro_macro"]["tables (tp,fp,fn,tn)"])
    cells = [np.repeat([[1, 1], [0, 1], [1, 0], [0, 0]], table, axis=0) for table in tables]
    truth, decided = (np.column_stack([cell[:, side] for cell in cells]) for side in (0, 1))
    d, known = pc.decisions(truth, decided), case["micro_macro"]
    for way in ("micro", "macro"):
        assert d.precision(way) == pytest.approx(known[f"P_{way}"])
        assert d.recall(way) == pytest.approx(known[f"R_{way}"])
    assert d.f(average="macro") == pytest.approx(known["F1_macro(mean of F1)"])
    assert d.value("accuracy", "each").tolist() == known["acc"]
    # In the rare category the trivial rejector is as accurate.
    share = tables[:, [0, 2]].sum(axis=1) / tables.sum(axis=1)
    trivial = d.baselines()
    assert trivial["rejector"].value("accuracy", "each").tolist() == pytest.approx(
        (1 - share).tolist()
    )
    assert trivial["rejector"].value("accuracy", "each")[0] == known["acc"][0]
    assert trivial["acceptor"].f().tolist() == pytest.approx((2 * share / (1 + share)).tolist())
    points = (case["BEP_vs_F_counterexample_case2"], case["case3_example"])
    for point in (
        *({"precision": one["P"], "recall": one["R"], "f": one["F_beta"], **one} for one in points),
        *sources["break_even_vs_f"],
    ):
        which = pc.f_versus_break_even(point["precision"], point["recall"], point["beta"])
        assert (which.mean, which.f) == pytest.approx((point["mean"], point["f"]))
        assert which.greater == ("f" if point["f"] > point["mean"] else "mean")


def test_zhang_su(sources, worked):
    table, notes = sources["zhang_su_table_2"], worked["zhang_su_tableII"]
    relevance = [int(rank in table["hits"]) for rank in range(1, table["retrieved"] + 1)]
    assert relevance == notes["rel"]
    check("AP", relevance, table["average_precision"])
    check("AP", relevance, notes["AP"])
    for rank in range(1, 9):
        check("P", relevance, table["precision"][rank - 1], cutoff=rank)
        check("R", relevance, table["recall"][rank - 1], cutoff=rank)
        check("P", relevance, notes["precision"][rank - 1], cutoff=rank)


def all_tied(items, relevant):
    """One block: under ties="expected" a measure is its mean under random selection."""
    qrels = {"t": {str(i): 1 for i in range(relevant)}}
    return pc.locate(qrels, {"t": {str(i): 0.0 for i in range(items)}}, ties="expected")


def test_expected_over_one_block_is_the_mean_under_random_selection(sources, worked):
    for case in worked["null_small_exact"]:
        assert pc.measure("AP")(all_tied(case["n"], case["m"]))[0] == pytest.approx(
            float(Fraction(case["E"])), rel=1e-13
        )
    null = worked["zhang_su_tableII"]["null(n=8,m=3)"]
    assert pc.measure("AP")(all_tied(8, 3))[0] == pytest.approx(
        float(Fraction(null["E_AP_fraction"])), rel=1e-13
    )
    for key, n, m in (("zhang_su_1000_100", 1000, 100), ("zhang_su_2000_500", 2000, 500)):
        located = all_tied(n, m)
        assert pc.measure("AP")(located)[0] == pytest.approx(worked[key]["E_AP"], rel=1e-12)
        assert pc.measure("RR")(located)[0] == pytest.approx(worked[key]["E_RR"], rel=1e-12)
        assert pc.measure(f"R@{m}")(located)[0] == pytest.approx(
            worked[key]["E_recall@m"], rel=1e-12
        )
    for case in sources["zhang_su_table_3"]:
        located = all_tied(case["items"], case["relevant"])
        assert pc.measure("AP")(located)[0] == pytest.approx(case["mean"], rel=1e-12)
        assert pc.measure("Rprec")(located)[0] == pytest.approx(case["recall_mean"], rel=1e-12)
    for case in worked["null_at_k"]:
        located = all_tied(case["n"], case["m"])
        assert pc.measure(f"AP@{case['k']}")(located)[0] == pytest.approx(
            case["E(sum/m)"], rel=1e-11
        )
        assert pc.measure(f"AP(norm=min)@{case['k']}")(located)[0] == pytest.approx(
            case["E(min norm)"], rel=1e-11
        )


def test_moments_of_the_null_law(facts):
    cases = json.loads((facts / "golden" / "null_law.json").read_text())["moments"]
    for case in cases:
        at = f"@{case['cutoff']}" if case["cutoff"] else ""
        if case["items"] <= 100_000:
            mean = pc.measure(f"AP{at}")(all_tied(case["items"], case["relevant"]))[0]
            assert mean == pytest.approx(case["mean"], rel=1e-11), case


def test_ties(worked):
    case = worked["ties"]
    items = [f"{i:02}" for i in range(len(case["rel"]))]
    qrels = {"t": dict(zip(items, case["rel"], strict=True))}
    run = {"t": {item: float(score) for item, score in zip(items, case["scores"], strict=True)}}
    for ties in ("expected", "best", "worst"):
        assert pc.evaluate(qrels, run, "AP", ties=ties).mean["AP"] == pytest.approx(
            case[ties], rel=1e-13
        )


def test_lingpipe_junit(facts):
    cases = json.loads((facts / "golden" / "lingpipe_junit.json").read_text())["junit"]
    tried = 0
    for name, case in cases.items():
        if not isinstance(case, dict) or not isinstance(case.get("expect"), dict):
            continue
        expect, tolerance = case["expect"], case.get("tol", 1e-3)
        relevance = [hit for hit, _ in case["cases"]]
        total = sum(relevance) + case["misses"]
        for key, measure in (
            ("averagePrecision", "AP"),
            ("rPrecision", "Rprec"),
            ("reciprocalRank", "RR"),
        ):
            if key in expect:
                check(measure, relevance, expect[key], total, tolerance)
                tried += 1
        for cutoff, precision in expect.get("precisionAt", {}).items():
            if precision is not None and int(cutoff) > 0:
                check("P", relevance, precision, total, tolerance, cutoff=int(cutoff))
                tried += 1
        if name.startswith("4.1.0"):
            # Its first point is (0, 1), which no ranking reaches; the others are interpolated
            # precision.
            for tenth in range(1, 11):
                check(
                    "IPrec",
                    relevance,
                    expect["elevenPt"][tenth],
                    total,
                    tolerance,
                    recall=tenth / 10,
                )
    assert tried > 5
