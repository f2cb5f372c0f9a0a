"""`pc.judge.decisions`: estimates and bounds computed anew, limiting cases, refusals and notes."""

from __future__ import annotations

import json
import math
from itertools import combinations, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import precall as pc
from precall.cli.main import run
from precall.core.notes import collect_notes
from precall.core.notes.of_judges import (
    ChosenByJudge,
    FewOfOneLabel,
    FewUnitsByPeople,
    JudgeTellsLittle,
    JudgeTellsNothing,
    SparseCells,
)
from precall.stats.double_sampling import Choice
from precall.stats.judged_counts import JudgedCells
from tests.coverage import judged_decisions as coverage
from tests.coverage.judges import PAGE
from tests.noticed import noticed
from tests.peers import peer

stats = peer("scipy.stats")
FORMULAS = {
    "P": lambda tp, fp, fn, tn: tp / (tp + fp),
    "R": lambda tp, fp, fn, tn: tp / (tp + fn),
    "F": lambda tp, fp, fn, tn: 2 * tp / (2 * tp + fp + fn),
    "Accuracy": lambda tp, fp, fn, tn: (tp + tn) / (tp + fp + fn + tn),
    "MCC": lambda tp, fp, fn, tn: (
        (tp * tn - fp * fn) / math.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn))
    ),
}


def _cases(size: int = 400, by_people: int = 100, seed: int = 1) -> tuple[Any, Any, Any, Any]:
    """People's labels with gaps, the judge's, and decisions of two systems."""
    rng = np.random.default_rng(seed)
    truth = (rng.random(size) < 0.35).astype(float)
    judge = np.where(rng.random(size) < 0.15, 1 - truth, truth)
    first, second = ((1.7 * truth + rng.normal(0, 1, size) > 0.8).astype(float) for _ in range(2))
    people = np.full(size, np.nan)
    drawn = rng.choice(size, by_people, replace=False)
    people[drawn] = truth[drawn]
    return people, judge, first, second


def _quiet(*given: Any, **options: Any) -> Any:
    with collect_notes():
        return pc.judge.decisions(*given, **options)


def _table(people: Any, judge: Any, accepted: Any, strata: Any = None) -> list[float]:
    """The four cells, case by case: a labelled case stands for those of its cell."""
    strata = [0] * len(people) if strata is None else strata
    kinds = [*zip(judge, accepted, strata, strict=True)]
    table = {(True, 1.0): 0.0, (True, 0.0): 0.0, (False, 1.0): 0.0, (False, 0.0): 0.0}
    for label, kind in zip(people, kinds, strict=True):
        if label == label:
            drawn = [x for x, other in zip(people, kinds, strict=True) if other == kind and x == x]
            table[bool(kind[1]), label] += kinds.count(kind) / len(drawn)
    return list(table.values())[:2] + list(table.values())[2:]


def test_the_estimate_is_that_of_the_table_case_by_case() -> None:
    people, judge, accepted, _ = _cases()
    for strata in (None, [i % 3 for i in range(len(people))]):
        found = _quiet(people, judge, accepted, list(FORMULAS), strata=strata)
        table = _table(people, judge, accepted, strata)
        for name, formula in FORMULAS.items():
            assert found[name].estimate == pytest.approx(formula(*table), abs=1e-12)
            by_judge = [
                float(((judge == label) & (accepted == side)).sum())
                for side in (1, 0)
                for label in (1, 0)
            ]
            assert found[name].judge_alone == pytest.approx(formula(*by_judge), abs=1e-12)


def test_over_every_choice_within_cells_the_table_is_right_on_average() -> None:
    judge = np.array([1.0, 1, 1, 0, 0, 0, 1, 1, 0, 0, 0])
    accepted = np.array([[1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0]], np.bool_)
    truth = np.array([1.0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0])
    cells = [np.flatnonzero((judge == j) & (accepted[0] == a)) for j in (0, 1) for a in (0, 1)]
    choices = [list(combinations(cell, n)) for cell, n in zip(cells, (2, 1, 1, 2), strict=True)]
    tables = []
    for drawn in product(*choices):
        seen = np.zeros(len(truth), np.bool_)
        seen[[unit for units in drawn for unit in units]] = True
        found = JudgedCells.of(truth[seen], judge, accepted, Choice.of(seen))
        table = found.tables(found.share[None], found.total[None].astype(float), 0)
        tables.append([float(x[0]) for x in (table.tp, table.fp, table.fn, table.tn)])
    wanted = [
        float(((truth == label) & (accepted[0] == side)).sum())
        for side in (True, False)
        for label in (1, 0)
    ]
    assert np.mean(tables, axis=0) == pytest.approx(wanted, abs=1e-12)


def test_bounds_of_one_cell_are_quantiles_of_a_beta_distribution() -> None:
    people = np.array([1.0] * 18 + [0.0] * 6 + [np.nan] * 76)
    accepted = np.ones(100)
    value = _quiet(people, np.ones(100), accepted, "P")["P"]
    low = stats.beta.ppf(0.025, 18 + 1 / 3, 6 + 3 / 4)
    high = stats.beta.ppf(0.975, 18 + 3 / 4, 6 + 1 / 3)
    assert (value.low, value.high) == pytest.approx((low, high), abs=0.01)
    assert value.estimate == 0.75
    # Of these cases 76 labels remain: beta-binomial.
    value = _quiet(people, np.ones(100), accepted, "P", of="these")["P"]
    low = (18 + stats.betabinom.ppf(0.025, 76, 18 + 1 / 3, 6 + 3 / 4)) / 100
    high = (18 + stats.betabinom.ppf(0.975, 76, 18 + 3 / 4, 6 + 1 / 3)) / 100
    assert (value.low, value.high) == pytest.approx((low, high), abs=0.021)


def test_bounds_of_several_cells_are_those_of_another_simulation() -> None:
    people, judge, accepted, _ = _cases(600, 150)
    rng = np.random.default_rng(99)
    value = _quiet(people, judge, accepted, "F")["F"]
    sizes, tp, errors = [], [], []
    kinds = [(j, a) for j in (0, 1) for a in (0, 1)]
    inside = [(judge == j) & (accepted == a) for j, a in kinds]
    size = rng.dirichlet([each.sum() for each in inside], 200_000)
    share = np.stack(
        [
            rng.beta(np.nansum(people[each]) + 0.3, np.nansum(1 - people[each]) + 0.3, 200_000)
            for each in inside
        ],
        axis=1,
    )
    del sizes, tp, errors
    at = np.array([a for _, a in kinds])
    true = size * share
    f = 2 * true[:, at == 1].sum(axis=1) / (size[:, at == 1].sum(axis=1) + true.sum(axis=1))
    # Priors differ by half a label at most.
    low, high = np.quantile(f, [0.025, 0.975])
    assert (value.low, value.high) == pytest.approx((low, high), abs=0.012)
    assert value.standard_error == pytest.approx(float(f.std()), rel=0.06)


def test_a_judge_that_says_one_thing_gives_what_people_alone_give() -> None:
    people, _, accepted, _ = _cases()
    for name in FORMULAS:
        value = _quiet(people, np.ones(len(people)), accepted, name)[name]
        alone = value.people_alone
        assert (value.estimate, value.low, value.high) == (alone.estimate, alone.low, alone.high)
        assert value.worth == 1
    (note,) = noticed(_quiet(people, np.ones(len(people)), accepted, "F"), JudgeTellsNothing)
    assert note.subject == "F"


def test_a_judge_that_says_the_opposite_is_as_good() -> None:
    people, judge, accepted, _ = _cases()
    found, turned = (_quiet(people, each, accepted, "F").estimate for each in (judge, 1 - judge))
    assert found == pytest.approx(turned, abs=1e-12)
    ends = [_quiet(people, each, accepted, "F")["F"].ends for each in (judge, 1 - judge)]
    assert ends[0] == pytest.approx(ends[1], abs=1e-12)


def test_a_perfect_judge_narrows_the_interval() -> None:
    people, _, accepted, _ = _cases(2000, 200)
    truth = (np.random.default_rng(1).random(2000) < 0.35).astype(float)
    value = _quiet(people, truth, accepted, "F")["F"]
    assert value.worth > 2
    assert value.estimate == pytest.approx(value.judge_alone, abs=1e-12)
    assert 0 in value.bias


@pytest.mark.parametrize("name", ["F", "MCC", "Accuracy", "R"])
def test_labels_of_people_for_all_cases_leave_nothing_to_the_judge(name: str) -> None:
    _, judge, accepted, _ = _cases(300)
    truth = (np.random.default_rng(1).random(300) < 0.35).astype(float)
    plain = pc.interval(pc.decisions(truth == 1, accepted == 1), name)
    for says in (judge, np.ones(300)):
        value = _quiet(truth, says, accepted, name)[name]
        assert value.estimate == pytest.approx(plain.estimate, abs=1e-12)
        assert (value.low, value.high) == pytest.approx((plain.low, plain.high), abs=0.015)
        these = _quiet(truth, says, accepted, name, of="these")[name]
        assert these.low == these.high == pytest.approx(these.estimate, abs=1e-12)


def test_the_order_of_cases_and_of_systems_changes_no_digit() -> None:
    people, judge, first, second = _cases()
    found = _quiet(people, judge, {"a": first, "b": second}, "F")
    order = np.random.default_rng(2).permutation(len(people))
    other = _quiet(people[order], judge[order], {"b": second[order], "a": first[order]}, "F")
    for name in "ab":
        assert found[name, "F"].ends == pytest.approx(other[name, "F"].ends, abs=1e-12)
    (pair,), (turned,) = found.pairs, other.pairs
    assert pair.names == turned.names[::-1]
    assert (pair.low, pair.high, pair.p) == pytest.approx(
        (-turned.high, -turned.low, turned.p), abs=1e-12
    )


def test_a_difference_is_that_of_the_values_and_two_equal_systems_do_not_differ() -> None:
    people, judge, first, second = _cases()
    found = _quiet(people, judge, {"a": first, "b": second}, ["F", "Error"])
    for pair in found.pairs:
        values = [found[name, pair.measure].estimate for name in "ab"]
        assert pair.difference == pytest.approx(values[0] - values[1], abs=1e-12)
        assert (pair.p <= 0.05) == (not pair.low <= 0 <= pair.high)
    assert found.pairs[1].higher_is_better is False
    same = _quiet(people, judge, {"a": first, "b": first}, "F").pairs[0]
    assert (same.difference, same.low, same.high, same.p) == (0, 0, 0, 1)


def test_three_systems_are_compared_in_pairs_with_adjusted_p() -> None:
    people, judge, first, second = _cases()
    systems = {"a": first, "b": second, "c": judge}
    found = _quiet(people, judge, systems, "F")
    assert [pair.names for pair in found.pairs] == [("a", "b"), ("a", "c"), ("b", "c")]
    assert all(pair.adjusted >= pair.p for pair in found.pairs)


def test_equal_probabilities_are_none_and_eight_are_strata() -> None:
    people, judge, accepted, _ = _cases()
    size = len(people)
    plain = _quiet(people, judge, accepted, "F")["F"]
    assert _quiet(people, judge, accepted, "F", probability=[0.25] * size)["F"].ends == plain.ends
    two = [0.25 + 0.1 * (i % 2) for i in range(size)]
    strata = _quiet(people, judge, accepted, "F", strata=[i % 2 for i in range(size)])["F"]
    assert _quiet(people, judge, accepted, "F", probability=two)["F"].ends == strata.ends


def test_weights_undo_a_choice_by_more_than_the_cells() -> None:
    rng = np.random.default_rng(21)
    size = 3000
    score = rng.normal(0, 1, size)
    truth = (rng.random(size) < 1 / (1 + np.exp(-2 * score))).astype(float)
    judge = np.where(rng.random(size) < 0.2, 1 - truth, truth)
    accepted = (score > 0.3)[None]
    chance = 0.05 + 0.4 / (1 + np.exp(-2 * score))
    wanted = (truth * accepted[0]).sum() / truth.sum()
    weighted, plain = [], []
    for _ in range(200):
        seen = rng.random(size) < chance
        for results, choice in (
            (weighted, Choice.of(seen, chance=chance[seen])),
            (plain, Choice.of(seen)),
        ):
            cells = JudgedCells.of(truth[seen], judge, accepted, choice)
            table = cells.tables(cells.share[None], cells.total[None].astype(float), 0)
            results.append(float(table.tp[0] / table.relevant[0]))
    assert abs(np.mean(weighted) - wanted) < 4 * np.std(weighted) / math.sqrt(200)
    assert abs(np.mean(plain) - wanted) > 10 * np.std(plain) / math.sqrt(200)


def test_one_large_group_does_not_leave_a_single_degree_of_freedom() -> None:
    """Groups were of equal size in all simulations. With sizes far apart, F of 25 groups had
    intervals two and a half times as wide as its estimates vary, those of 10 groups four times.
    """
    rng = np.random.default_rng(3)
    size = np.r_[80, np.full(24, 10), np.full(100, 13)]
    group = np.repeat(np.arange(125), size)
    truth = rng.random(len(group)) < rng.beta(2, 4, 125)[group]
    judge = np.where(rng.random(len(group)) < 0.1, ~truth, truth).astype(float)
    accepted = np.where(rng.random(len(group)) < 0.2, ~truth, truth).astype(float)
    people = np.where(group < 25, truth, np.nan)
    grouped = _quiet(people, judge, accepted, "F", groups=group)["F"]
    alone = _quiet(people, judge, accepted, "F")["F"]
    assert alone.width < grouped.width < 2 * alone.width


def test_copies_of_a_case_in_one_group_tell_nothing_new() -> None:
    people, judge, accepted, _ = _cases(400, 120)
    once = _quiet(people, judge, accepted, "F")["F"]
    many = [np.repeat(each, 5) for each in (people, judge, accepted)]
    group = np.repeat(np.arange(400), 5)
    copies = _quiet(*many, "F")["F"]
    grouped = _quiet(*many, "F", groups=group)["F"]
    assert copies.width < 0.55 * once.width
    assert grouped.width == pytest.approx(once.width, rel=0.06)
    assert grouped.estimate == pytest.approx(once.estimate, abs=1e-12)


def test_probabilities_of_a_judge_are_cut_at_quartiles() -> None:
    people, judge, accepted, _ = _cases()
    noise = np.random.default_rng(4).random(len(judge)) * 0.4
    scored = np.where(judge == 1, 1 - noise, noise)
    found = _quiet(people, scored, accepted, "F")
    assert found.agreement is None
    assert found["F"].worth > 1.1
    tp, fn = scored[accepted == 1].sum(), scored[accepted == 0].sum()
    wanted = 2 * tp / ((accepted == 1).sum() + tp + fn)
    assert found["F"].judge_alone == pytest.approx(wanted, abs=1e-12)


def test_dicts_series_and_columns_are_one() -> None:
    pandas = pytest.importorskip("pandas")
    people, judge, accepted, _ = _cases()
    wanted = _quiet(people, judge, accepted, "F")["F"]
    names = [f"c{i}" for i in range(len(people))]
    by_name = [dict(zip(names, each, strict=True)) for each in (people, judge, accepted)]
    with_none = [None if x != x else bool(x) for x in people]
    for given in (
        (with_none, judge.astype(bool), accepted.astype(bool)),
        (*by_name[:2], {"": by_name[2]}),
        (pandas.Series(people), pandas.Series(judge), pandas.Series(accepted)),
    ):
        assert _quiet(*given, "F")["F"].ends == pytest.approx(wanted.ends, abs=1e-12)


@pytest.mark.parametrize(
    ("change", "match"),
    [
        ({"people": 2.0}, "people.*labels 0 and 1"),
        ({"judge": 3.0}, "judge.*divide grades"),
        ({"judge": math.nan}, "judge.*no number"),
        ({"accepted": 0.5}, "accepted.*decisions 0 and 1"),
        ({"accepted": math.nan}, "accepted.*no decision"),
        ({"measures": []}, "measures"),
        ({"measures": "AP"}, "pc.judge.cases"),
        ({"measures": "nDCG"}, "measure of rankings"),
        ({"of": "all"}, "of"),
        ({"level": 95}, "level"),
        ({"rng": -1}, "rng"),
        ({"seed": 1}, "called rng"),
        ({"probability": [2.0] * 400}, r"\(0, 1\]"),
        ({"groups": [1] * 400}, "1 group"),
    ],
)
def test_refusals(change: dict[str, Any], match: str) -> None:
    columns = dict(zip(("people", "judge", "accepted"), _cases()[:3], strict=True))
    options = {"measures": "F"}
    for name, value in change.items():
        if name in columns:
            columns[name] = columns[name].copy()
            columns[name][5] = value
        else:
            options[name] = value
    with pytest.raises(pc.UsageError, match=match):
        pc.judge.decisions(*columns.values(), **options)


def test_columns_of_other_lengths_and_too_few_labels_are_refused() -> None:
    people, judge, accepted, _ = _cases()
    with pytest.raises(pc.UsageError, match="accepted.*400 cases"):
        pc.judge.decisions(people, judge, accepted[:-1])
    with pytest.raises(pc.UsageError, match="9 cases"):
        pc.judge.decisions(*_cases(400, 9)[:3])
    with pytest.raises(pc.UsageError, match="accepted"):
        pc.judge.decisions(people, judge, "yes")


def test_notes_say_what_is_rare_or_tells_nothing() -> None:
    people, judge, accepted, _ = _cases(400, 12)
    assert noticed(_quiet(people, judge, accepted, "F"), FewUnitsByPeople)
    people, judge, accepted, _ = _cases()
    coin = np.random.default_rng(5).integers(0, 2, 400).astype(float)
    assert noticed(_quiet(people, coin, accepted, "F"), JudgeTellsLittle)
    assert not _quiet(people, judge, accepted, "F").notes
    rare = np.where(np.arange(400) < 395, accepted, 1 - accepted)
    few = np.where((people == 1) & (accepted == 0) & (np.cumsum(people == 1) > 4), np.nan, people)
    (note,) = noticed(_quiet(few, judge, accepted, "R"), FewOfOneLabel)
    assert (note.label, note.side, note.seen < 5) == ("relevant", "rejected", True)
    # Precision does not depend on those that are rejected.
    assert not noticed(_quiet(few, judge, accepted, "P"), FewOfOneLabel)
    strata = ["a"] * 398 + ["b"] * 2
    people[-2:] = judge[-2:] = 1, 0
    (sparse,) = noticed(_quiet(people, judge, rare, "F", strata=strata), SparseCells)
    assert sparse.cells >= 1


def test_a_choice_by_the_judges_label_is_allowed_and_noted() -> None:
    people, judge, accepted, _ = _cases(2000, 2000)
    rng = np.random.default_rng(8)
    seen = rng.random(2000) < np.where(judge == 1, 0.5, 0.05)
    found = _quiet(np.where(seen, people, np.nan), judge, accepted, "R")
    (note,) = noticed(found, ChosenByJudge)
    assert note.by_people > note.of_all
    truth = float((people * accepted).sum() / people.sum())
    assert truth in found["R"]
    assert truth not in found["R"].people_alone


def test_an_undefined_measure_has_no_value() -> None:
    people, judge, _, _ = _cases()
    with pytest.warns(pc.PrecallWarning):
        found = pc.judge.decisions(people, judge, np.zeros(400), ["P", "R"])
    assert math.isnan(found["P"].estimate)
    assert found["P"].low is None
    assert found["R"].estimate == 0


# --- The command ---


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    people, judge, first, second = _cases()
    rows = [
        f"{'' if y != y else int(y)},{f:g},{a:g},{b:g},{'de' if i % 3 else 'en'},u{i % 50}\n"
        for i, (y, f, a, b) in enumerate(zip(people, judge, first, second, strict=True))
    ]
    Path("said.csv").write_text("human,llm,p,q,lang,user\n" + "".join(rows), encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("words", "options"),
    [
        ("", {}),
        ("--of these --level 0.9 --seed 3", {"of": "these", "level": 0.9, "rng": 3}),
        ("--strata lang", {"strata": ["de" if i % 3 else "en" for i in range(400)]}),
        ("--groups user", {"groups": [i % 50 for i in range(400)]}),
        ("--people human --judge llm", {}),
        ("--human human --judge llm", {}),
    ],
)
def test_the_command_says_what_python_says(
    table: Path, capsys: pytest.CaptureFixture[str], words: str, options: Any
) -> None:
    call = "judge --cases said.csv --decision p --decision q -m F -m MCC --format json"
    assert run([*call.split(), *words.split()]) == 0
    told = json.loads(capsys.readouterr().out)
    people, judge, first, second = _cases()
    same = _quiet(people, judge, {"p": first, "q": second}, ["F", "MCC"], **options)
    for value in told["values"]:
        wanted = same[value["run"], value["measure"]]
        assert (value["low"], value["high"]) == wanted.ends
    assert [pair["difference"] for pair in told["pairs"]] == [p.difference for p in same.pairs]
    assert told["conventions"]["file"] == "said.csv"


@pytest.mark.parametrize(
    ("words", "match"),
    [
        ("--cases said.csv", "--decision"),
        ("--cases said.csv --decision p --decision p", "twice"),
        ("--cases said.csv --decision p --ties docno", "--ties: applies to runs"),
        ("--cases said.csv --decision p --unjudged zero", "--unjudged: applies to runs"),
        ("--cases said.csv --decision p a b c", "PEOPLE: applies to runs"),
        ("--cases said.csv --decision lang", "'en' is no number"),
        ("--cases said.csv --decision human", "needs a number of every case"),
        ("--cases said.csv --decision p --judge human", "let the judge label every case"),
        ("--cases said.csv --decision p --people nobody", "no column 'nobody'"),
        ("--cases two.csv --decision p", "may be the labels of --people: 'human'"),
        ("--cases none.csv --decision p", "no column is called 'people' or"),
        ("--people y a b c", "--people: applies to cases"),
        ("a.qrels b.qrels", "RUN"),
        ("", "PEOPLE"),
    ],
)
def test_command_lines_that_say_too_little_or_too_much(
    table: Path, capsys: pytest.CaptureFixture[str], words: str, match: str
) -> None:
    Path("two.csv").write_text("human,label,llm,p\n1,1,1,1\n", encoding="utf-8")
    Path("none.csv").write_text("y,llm,p\n1,1,1\n", encoding="utf-8")
    assert run(["judge", *words.split()]) == 2
    assert match in capsys.readouterr().err


def test_an_undefined_measure_has_no_rank_and_no_bias() -> None:
    """All systems of the tests before accepted something: one that accepts nothing was "best"
    with an undefined precision, and the judge "favoured" the other by NaN.
    """
    people, judge, first, second = _cases()
    nothing = np.zeros(len(judge))
    found = _quiet(people, judge, {"none": nothing, "a": first}, "P")
    assert "a has the highest P" in str(found)
    assert found.pairs[0].favoured is None
    several = _quiet(people, judge, {"none": nothing, "a": first, "b": second}, ["P", "R"])
    assert "none first" not in str(several)
    alone = str(_quiet(people, judge, nothing, ["P", "R"]))
    assert "; the bias in P is undefined." in " ".join(alone.split())
    same = _quiet(people, judge, {"x": nothing, "y": nothing}, ["P", "MCC"])
    every = "for every run"  # apart, as a note has the two words before it, too
    assert f"P and MCC are undefined {every}" in str(same)
    assert "no run first" in str(same)
    for each in (found, several, same, alone, _quiet(people, judge, nothing, "P"), same.pairs[0]):
        assert "nan" not in str(each).replace("(NaN)", "")


def test_columns_of_cases_by_position_take_series_by_position() -> None:
    """The index of a sorted table put its scores beside the labels of other cases, which were
    lists.
    """
    pandas = peer("pandas")
    people, judge, first, _ = _cases()
    groups = np.arange(len(judge)) // 4
    table = pandas.DataFrame({"y": people, "llm": judge, "a": first, "g": groups})
    table = table.sample(frac=1, random_state=3)
    for given in (table, table[:300]):
        of_lists = _quiet(
            given.y.tolist(), given.llm.tolist(), given.a.tolist(), groups=given.g.tolist()
        )
        lists = given.y.tolist(), given.llm.tolist()
        assert _quiet(*lists, given.a, groups=given.g) == of_lists


# --- Coverage ---


def test_the_page_has_the_record_of_coverage() -> None:
    cells = json.loads(coverage.RECORD.read_text(encoding="utf-8"))["cells"]
    assert [cell["name"] for cell in cells] == [each.name for each in coverage.SITUATIONS]
    assert "\n".join(coverage.table(cells)) in PAGE.read_text(encoding="utf-8")
    for cell in cells:
        error = math.sqrt(0.07 * 0.93 / cell["draws"])
        assert cell["missed without a note"] < 0.07 + 2 * error, cell["name"]
        assert cell["held"]["corrected"] > 0.93 - 2 * error, cell["name"]


@pytest.mark.nightly
def test_coverage_is_still_that_of_the_record() -> None:
    cells = json.loads(coverage.RECORD.read_text(encoding="utf-8"))["cells"]
    for cell, situation in list(zip(cells, coverage.SITUATIONS, strict=True))[::9]:
        held = coverage.simulate(situation, 150)["held"]["corrected"]
        assert abs(held - cell["held"]["corrected"]) < 0.06
