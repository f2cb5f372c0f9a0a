"""Grades with fractions, as half stars and the gains of ESCI: nDCG and DCG take them as they are,
and an item is relevant from `grade=` on, which may have a fraction too.

Old tests had whole grades, and fractions were refused.
"""

from __future__ import annotations

import subprocess
import sys
from itertools import pairwise, product
from math import log2
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import precall as pc
from precall.cli.main import run as precall
from precall.core.errors import MeasureError
from precall.core.notes.of_judges import FewUnitsByPeople
from precall.core.notes.of_reading import GradesBelowOne
from precall.measures.registry import Declaration
from precall.read.grades import codes, grades_of_codes
from tests.doors.runs import FORMS
from tests.laws.parameters import OURS
from tests.noticed import noticed, warned
from tests.peers import peer

STARS = np.arange(11) / 2
#: Gains of ESCI: exact, substitute, complement, irrelevant.
ESCI = np.array([1.0, 0.1, 0.01, 0.0])
#: Measures that name a least relevant grade, or gain by the grade.
OF_GRADE = [one for one in OURS if "grade" in one.parameters]


def collection(
    seed: int, grades: Any = STARS, tied: bool = False
) -> tuple[dict[str, dict[str, float]], dict[str, dict[str, float]]]:
    """Qrels and a run of a few topics; some items are not judged, and some not retrieved."""
    rng = np.random.default_rng(seed)
    items = [f"d{n}" for n in range(12)]
    qrels, run = {}, {}
    for topic in ("q1", "q2", "q3"):
        judged, found = rng.choice(items, 8, replace=False), rng.choice(items, 8, replace=False)
        qrels[topic] = dict(zip(judged.tolist(), rng.choice(grades, 8).tolist(), strict=True))
        scores = rng.integers(0, 3, 8) if tied else rng.permutation(8)
        run[topic] = dict(zip(found.tolist(), (scores + 0.5).tolist(), strict=True))
    return qrels, run


def values(qrels: Any, run: Any, measure: str, **options: Any) -> list[float]:
    """The value of each topic."""
    return pc.evaluate(qrels, run, [measure], topics="qrels", **options).runs[0].values[0].tolist()


def twice(qrels: dict[str, dict[str, float]]) -> dict[str, dict[str, int]]:
    """The same grades in half stars: whole numbers."""
    return {q: {item: int(2 * grade) for item, grade in qrels[q].items()} for q in qrels}


def ideal_and_own(
    judged: dict[str, float], ranked: dict[str, float], gain: str, cutoff: int | None
) -> tuple[float, float]:
    """DCG as Järvelin and Kekäläinen (2002) and Burges et al. (2005) define it, and the ideal."""

    def dcg(grades: list[float]) -> float:
        gains = [max(g, 0) if gain == "linear" else 2 ** max(g, 0) - 1 for g in grades[:cutoff]]
        return sum(gained / log2(rank + 1) for rank, gained in enumerate(gains, 1))

    order = sorted(ranked, key=lambda item: (ranked[item], item), reverse=True)
    return (
        dcg(sorted(judged.values(), reverse=True)),
        dcg([judged.get(item, 0) for item in order]),
    )


@pytest.mark.parametrize("grades", [STARS, ESCI, np.array([0.87, 0.3, 1e-9, 2.0, -1.0])])
@pytest.mark.parametrize("gain", ["linear", "exp"])
@pytest.mark.parametrize("cutoff", [None, 1, 3, 10])
def test_ndcg_and_dcg_are_those_of_the_definition(
    grades: Any, gain: str, cutoff: int | None
) -> None:
    end = "" if cutoff is None else f"@{cutoff}"
    for seed in range(4):
        qrels, run = collection(seed, grades)
        expected = [ideal_and_own(qrels[q], run[q], gain, cutoff) for q in qrels]
        own = [dcg for _, dcg in expected]
        ratio = [dcg / ideal for ideal, dcg in expected]
        assert values(qrels, run, f"DCG(gain={gain}){end}") == pytest.approx(own, rel=1e-12)
        assert values(qrels, run, f"nDCG(gain={gain}){end}") == pytest.approx(ratio, rel=1e-12)


@pytest.mark.parametrize("cutoff", [None, 2, 5])
def test_ndcg_is_that_of_scikit_learn(cutoff: int | None) -> None:
    ndcg_score = peer("sklearn.metrics").ndcg_score
    rng = np.random.default_rng(3)
    for _ in range(5):
        grades, scores = rng.choice(STARS, 9), rng.permutation(9) + 0.5
        items = [f"d{n}" for n in range(9)]
        found = values(
            {"q": dict(zip(items, grades.tolist(), strict=True))},
            {"q": dict(zip(items, scores.tolist(), strict=True))},
            "nDCG" if cutoff is None else f"nDCG@{cutoff}",
        )
        assert found == pytest.approx([ndcg_score([grades], [scores], k=cutoff)], rel=1e-12)


def test_ties_leave_the_mean_of_scikit_learn() -> None:
    ndcg_score = peer("sklearn.metrics").ndcg_score
    rng = np.random.default_rng(4)
    grades, scores = rng.choice(STARS, 9), rng.integers(0, 3, 9) + 0.5
    items = [f"d{n}" for n in range(9)]
    qrels = {"q": dict(zip(items, grades.tolist(), strict=True))}
    run = {"q": dict(zip(items, scores.tolist(), strict=True))}
    found = values(qrels, run, "nDCG", ties="expected")
    assert found == pytest.approx([ndcg_score([grades], [scores])], rel=1e-12)


@pytest.mark.nightly(keep=12)
@pytest.mark.parametrize("declaration", OF_GRADE, ids=lambda one: one.name)
@pytest.mark.parametrize("ties", ["docno", "expected", "best", "worst"])
def test_half_stars_from_half_on_are_stars_from_one_on(declaration: Declaration, ties: str) -> None:
    """Only which items reach the grade counts, so the digits are the same."""
    needed = ["cutoff=4", "population=30"]
    given = [text for text in needed if text.partition("=")[0] in declaration.parameters]
    given += [
        f"{name}={value}"
        for name, value in declaration.example_parameters(declaration.parameters).items()
        if name not in ("cutoff", "population")
    ]
    for low, seed in product((1, 3, 9), range(3)):
        qrels, run = collection(seed, tied=True)
        halves, whole = (
            f"{declaration.name}({','.join([*given, f'grade={grade}'])})"
            for grade in (low / 2, low)
        )
        try:
            expected = values(twice(qrels), run, whole, ties=ties)
        except (MeasureError, pc.PrecallError) as refused:
            with pytest.raises(type(refused)):
                values(qrels, run, halves, ties=ties)
            continue
        assert np.array_equal(values(qrels, run, halves, ties=ties), expected, equal_nan=True)


@pytest.mark.parametrize(
    "measure", ["nDCG", "nDCG@3", "Compat", "INST(max_rel=5)", "SDCG(max_rel=5)@5"]
)
@pytest.mark.parametrize("ties", ["docno", "expected", "random"])
def test_measures_of_proportions_do_not_see_the_unit(measure: str, ties: str) -> None:
    doubled = measure.replace("max_rel=5", "max_rel=10")
    for seed in range(4):
        qrels, run = collection(seed, tied=ties != "expected")
        assert values(qrels, run, measure, ties=ties) == values(
            twice(qrels), run, doubled, ties=ties
        )


def test_whole_grades_beside_fractions_keep_their_digits() -> None:
    qrels = {"q1": {"a": 3, "b": 0, "c": 1, "d": 2, "e": -1}, "q2": {"a": 1}}
    run = {q: {item: 9.5 - n for n, item in enumerate("baedc")} for q in qrels}
    beside = qrels | {"q2": {"a": 1.5}}
    for measure in (
        "DCG",
        "DCG(gain=exp)@3",
        "nDCG",
        "nDCG(gain=exp)",
        "AP",
        "ERR(max=4)",
        "bpref",
    ):
        assert values(beside, run, measure)[0] == values(qrels, run, measure)[0]


def test_gains_may_name_grades_with_fractions() -> None:
    qrels, run = {"q": {"a": 0.5, "b": 4.5}}, {"q": {"a": 2.0, "b": 1.0}}
    assert values(qrels, run, "DCG(gains={0.5:2,4.5:8})") == pytest.approx([2 + 8 / log2(3)])
    assert pc.measure("nDCG(gains={4.5:8,0.5:2})").name == "nDCG(gains={0.5:2,4.5:8})"
    assert pc.measure("AP(grade=3.50)@10").name == "AP(grade=3.5)@10"
    for grade, shown in ((np.float32(0.7), "0.7"), (2.0, "2"), (np.int64(3), "3")):
        report = pc.evaluate(qrels, run, ["AP"], grade=grade)
        assert report.conventions["grade"] == f">={shown}"
        assert report.measures == (f"AP(grade={shown})",)


@pytest.mark.parametrize(
    "unjudged", ["nDCG", "nDCG(gain=exp)@2", "DCG", "ERR", "AP", "P(grade=0.5)@2"]
)
@pytest.mark.parametrize("ties", ["docno", "best", "worst"])
def test_bounds_are_those_of_all_labels(unjudged: str, ties: str) -> None:
    grades = [0, 0.5, 4.5]
    judged, run = {"a": 0.5, "b": 4.5, "c": 0}, {"x": 4.5, "a": 3.5, "y": 3.5, "b": 1.5}
    bounded = pc.evaluate({"q": judged}, {"q": run}, [unjudged], ties=ties, unjudged="bounds")
    every = [
        values({"q": judged | dict(zip("xy", some, strict=True))}, {"q": run}, unjudged, ties=ties)
        for some in product(grades, repeat=2)
    ]
    # The end of ERR's scale is that of the qrels.
    bounds = bounded.runs[0].extremes
    assert bounds is not None
    assert bounds.mean_lowest[0] == pytest.approx(min(every)[0], rel=1e-12)
    assert bounds.mean_highest[0] == pytest.approx(max(every)[0], rel=1e-12)


def test_trec_evals_g_needs_whole_grades() -> None:
    with pytest.raises(MeasureError, match="G: needs whole grades.*number the grades"):
        pc.evaluate({"q": {"a": 0.5}}, {"q": {"a": 1.0}}, ["G"])


def test_the_order_of_equal_scores_matters_to_fractions_below_one() -> None:
    qrels, run = {"q": {"a": 0.5, "b": 0.0}}, {"q": {"a": 1.0, "b": 1.0}}
    said = pc.evaluate(qrels, run, ["nDCG"]).notes()
    assert any(type(note).__name__ == "TiesThatMatter" for note in said)


def test_fractions_below_the_least_relevant_grade_are_noted() -> None:
    qrels, run = {"q": {"a": 0.1, "b": 1, "c": 0.01}}, {"q": {"a": 2.5, "b": 1.0}}
    (note,) = noticed(pc.evaluate(qrels, run, ["AP", "nDCG"]), GradesBelowOne)
    assert (note.judgements, note.least) == (2, 0.01)
    assert not noticed(pc.evaluate(qrels, run, ["nDCG"]), GradesBelowOne)
    assert not noticed(pc.evaluate(qrels, run, ["AP"], grade=0.01), GradesBelowOne)
    assert not noticed(pc.evaluate(qrels, run, ["AP(grade=1)"]), GradesBelowOne)
    assert not noticed(pc.evaluate({"q": {"a": 4.5, "b": 0}}, run, ["AP"]), GradesBelowOne)


def test_one_fraction_below_one_counts_and_several_count() -> None:
    """One "count": the test of the note had two."""
    assert [(note.verb, note.them) for note in (GradesBelowOne("", n, 0.5) for n in (1, 2))] == [
        ("counts", "it"),
        ("count", "them"),
    ]


@pytest.mark.parametrize("form", FORMS)
def test_every_form_has_the_same_digits(form: str, tmp_path: Path) -> None:
    qrels, run = collection(1)
    rows = [
        {"topic": q, "item": item, "grade": grade}
        for q in qrels
        for item, grade in qrels[q].items()
    ]
    if form == "standard input":
        pytest.skip("read as the CSV that it is")
    given = FORMS[form](rows, ["topic", "item", "grade"], tmp_path)
    assert values(given, run, "DCG") == values(qrels, run, "DCG")


@pytest.mark.parametrize("duplicates", ["first", "last", "best"])
@pytest.mark.parametrize("form", ["rows", "CSV", "TREC text", "pandas"])
def test_judged_twice(form: str, duplicates: str, tmp_path: Path) -> None:
    rows = [
        {"topic": "q", "item": item, "grade": grade}
        for item, grade in [("a", 0.5), ("b", 4.5), ("a", 3.5), ("b", 4.5), ("a", 2)]
    ]
    given = FORMS[form](rows, ["topic", "item", "grade"], tmp_path)
    found = pc.read_qrels(given, duplicates=duplicates)
    kept = dict(zip(found.items.tolist(), found.grade.tolist(), strict=True))
    assert kept == {"a": {"first": 0.5, "last": 2, "best": 3.5}[duplicates], "b": 4.5}
    given = FORMS[form](rows, ["topic", "item", "grade"], tmp_path)
    with pytest.raises(pc.DataError, match=r"item 'a' with grade 3\.5, and at \w+ \d with grade 0"):
        pc.read_qrels(given)


def test_whole_floats_are_integers_as_before() -> None:
    assert pc.read_qrels({"q": {"a": 4.0, "b": -0.0}}).grade.dtype == np.int64
    kept = pc.read_qrels([("q", "a", 0.5), ("q", "a", 2)], duplicates="last").grade
    assert kept.tolist() == [2]


def test_floats_of_32_bits_are_the_decimals_that_they_show() -> None:
    pd, pl = peer("pandas"), peer("polars")
    grades = np.array([0.7, 0.1], np.float32)
    columns = {"topic": ["q", "q"], "item": ["a", "b"], "grade": grades}
    rows = [("q", "a", grades[0]), ("q", "b", grades[1])]
    as_dict = {"q": dict(zip("ab", grades, strict=True))}
    for given in (pd.DataFrame(columns), pl.DataFrame(columns), rows, as_dict, columns):
        assert pc.read_qrels(given).grade.tolist() == [0.7, 0.1]


def test_codes_are_in_the_order_of_the_grades() -> None:
    grades = np.array([-(2.0**31), -2, -1, 0, 5e-324, 1e-9, 0.5, 1, 4.5, 2.0**31 - 0.5])
    assert all(a < b for a, b in pairwise(codes(grades).tolist()))
    assert grades_of_codes(codes(grades), grades).tolist() == grades.tolist()


@pytest.mark.nightly
def test_the_twin_has_the_same_digits() -> None:
    code = (
        "import precall as pc\n"
        "from tests.evaluation.test_grades_with_fractions import collection\n"
        "measures = ['nDCG', 'DCG', 'AP(grade=3.5)', 'ERR']\n"
        "print(pc.evaluate(*collection(2), measures).runs[0].values.tolist())\n"
    )
    ours = pc.evaluate(*collection(2), ["nDCG", "DCG", "AP(grade=3.5)", "ERR"])
    said = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={"PRECALL_KERNEL": "twin", "PYTHONPATH": str(Path(__file__).parents[2])},
    )
    assert said.stdout.strip() == str(ours.runs[0].values.tolist())


def test_a_judge_may_give_fractions() -> None:
    topics = [f"q{n}" for n in range(24)]
    parts = [collection(n) for n in range(8)]
    judge, run = (
        dict(zip(topics, [one for part in parts for one in part[at].values()], strict=True))
        for at in (0, 1)
    )
    people = {q: {i: min(5, grade + 0.5) for i, grade in judge[q].items()} for q in topics[:12]}
    with warned(FewUnitsByPeople):
        found, expected = (
            pc.judge(*labels, run, ["nDCG"])
            for labels in ((people, judge), (twice(people), twice(judge)))
        )
    assert found.to_dict()["values"] == expected.to_dict()["values"]


def test_tools_of_whole_grades_refuse_fractions() -> None:
    from precall.compat import ir_measures, pytrec_eval

    qrels, run = {"q": {"a": 0.5, "b": 1}}, {"q": {"a": 1.0}}
    with pytest.raises(pc.DataError, match=r"grade 0\.5 has a fraction.*pc\.evaluate"):
        pytrec_eval.RelevanceEvaluator(qrels, {"ndcg"})
    with pytest.raises(pc.DataError, match=r"grade 0\.5 has a fraction"):
        pytrec_eval.parse_qrel(["q 0 a 0.5"])
    with pytest.raises(pc.DataError, match=r"grade 0\.5 has a fraction"):
        ir_measures.calc_aggregate([ir_measures.nDCG], qrels, run)


def test_the_command_takes_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "ratings.csv").write_text("user,item,rating\nu,a,4.5\nu,b,3\nu,c,0.5\n")
    (tmp_path / "x.run").write_text("u Q0 c 1 3 x\nu Q0 a 2 2 x\nu Q0 b 3 1 x\n")
    names = [str(tmp_path / "ratings.csv"), str(tmp_path / "x.run")]
    columns = ["--qrels-columns", "topic=user,grade=rating"]
    assert precall(["eval", *names, *columns, "-m", "P@2", "-m", "nDCG", "--grade", "3.5"]) == 0
    said = capsys.readouterr().out
    assert "0.5000" in said and "grade >=3.5" in said
    assert precall(["eval", *names, *columns, "--grade", "-1"]) == 2
    assert "--grade: must be a number > 0" in capsys.readouterr().err
