"""`pc.judge.sample`: what it draws, with which probability, and that `pc.judge` takes its file."""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import precall as pc
from precall.cli.main import run
from precall.core.notes import collect_notes
from precall.stats.stratified_choice import allocate, draw, strata_by
from tests.judges.test_means import _collection
from tests.peers import peer


def _fill_in(path: Any, truth: Any, to: Path) -> None:
    """People's grades in the file of a sample."""
    with Path(path).open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        assert row["grade"] == ""
        row["grade"] = truth[row["topic"]][row["item"]]
    with to.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, rows[0].keys())
        writer.writeheader()
        writer.writerows(rows)


def test_the_file_that_people_fill_in_is_their_labels(tmp_path: Path) -> None:
    truth, judge, runs = _collection(60, 60)
    sample = pc.judge.sample(judge, runs, "P@5", n=24, by="judge", rng=3)
    sample.save(tmp_path / "label.csv")
    _fill_in(tmp_path / "label.csv", truth, tmp_path / "done.csv")
    people = {topic: truth[topic] for topic in sample.drawn}
    with collect_notes():
        found = pc.judge(str(tmp_path / "done.csv"), judge, runs, "P@5")
        told = pc.judge(
            people,
            judge,
            runs,
            "P@5",
            probability={topic: sample.probability[topic] for topic in sample.drawn},
        )
        plain = pc.judge(people, judge, runs, "P@5")
    assert found.values == told.values
    assert found.pairs == told.pairs
    assert found["first", "P@5"] != plain["first", "P@5"]
    assert found.conventions["chosen"] == "with unequal probabilities"


def test_a_frame_with_probabilities_is_read_alike(tmp_path: Path) -> None:
    truth, judge, runs = _collection(60, 60)
    sample = pc.judge.sample(judge, runs["first"], "P@5", n=24, by="judge")
    sample.save(tmp_path / "label.csv")
    _fill_in(tmp_path / "label.csv", truth, tmp_path / "done.csv")
    with collect_notes():
        wanted = pc.judge(str(tmp_path / "done.csv"), judge, runs["first"], "P@5").values
        for library in ("pandas", "polars"):
            frame = peer(library).read_csv(tmp_path / "done.csv")
            assert pc.judge(frame, judge, runs["first"], "P@5").values == wanted
        renamed = peer("pandas").read_csv(tmp_path / "done.csv").rename(columns={"topic": "case"})
        columns = {"topic": "case", "item": "item", "grade": "grade"}
        found = pc.judge(renamed, judge, runs["first"], "P@5", columns=columns)
    assert found.values == wanted


def test_a_probability_that_contradicts_itself_is_refused(tmp_path: Path) -> None:
    truth, judge, runs = _collection()
    rows = [
        f"{t},{d},{g},{0.5 + 0.01 * (d == 'd3')}" for t, v in truth.items() for d, g in v.items()
    ]
    path = tmp_path / "people.csv"
    path.write_text("topic,item,grade,probability\n" + "\n".join(rows) + "\n", encoding="utf-8")
    with pytest.raises(pc.DataError, match="another probability"):
        pc.judge(str(path), judge, runs, "P@5")
    rows = [f"{t},{d},{g},often" for t, v in truth.items() for d, g in v.items()]
    path.write_text("topic,item,grade,probability\n" + "\n".join(rows) + "\n", encoding="utf-8")
    with pytest.raises(pc.DataError, match="'often' is no probability"):
        pc.judge(str(path), judge, runs, "P@5")


def test_items_are_as_deep_as_the_measure_looks() -> None:
    _, judge, runs = _collection()
    shallow = pc.judge.sample(judge, runs, "P@3", n=12)
    topic = shallow.drawn[0]
    # The second run has d11 first, and both have d0 to d2.
    assert {*shallow.items[topic]} == {"d0", "d1", "d2", "d11"}
    for measure in ("AP", "R@3", "nDCG@3", "Rprec"):
        assert {*pc.judge.sample(judge, runs, measure, n=12).items[topic]} == {*judge[topic]}
    for measure in ("RR@3", "Success@3", "DCG@3"):
        assert pc.judge.sample(judge, runs, measure, n=12).items == shallow.items


def test_ties_at_the_last_rank_are_all_to_be_labelled() -> None:
    _, judge, _ = _collection()
    tied = {topic: dict.fromkeys(items, 1.0) | {"d5": 2.0} for topic, items in judge.items()}
    one = pc.judge.sample(judge, tied, "P@2", n=12)
    all_ = pc.judge.sample(judge, tied, "P@2", n=12, ties="expected")
    topic = one.drawn[0]
    assert {*one.items[topic]} == {"d5", "d9"}  # by id, the greatest first
    assert {*all_.items[topic]} == {*judge[topic]}


def test_seeds_are_deterministic() -> None:
    _, judge, runs = _collection()
    one, same, other = (pc.judge.sample(judge, runs, "P@5", n=20, rng=seed) for seed in (1, 1, 2))
    assert one == same
    assert one.seed == 1
    assert one.drawn != other.drawn
    turned = pc.judge.sample(dict(reversed(judge.items())), runs, "P@5", n=20, rng=1)
    assert len(turned.drawn) == 20


def test_probabilities_are_how_often_a_topic_is_drawn() -> None:
    _, judge, runs = _collection()
    for by in ("alike", "judge", "systems"):
        drawn: Counter[Any] = Counter()
        for seed in range(150):
            sample = pc.judge.sample(judge, runs, "P@5", n=15, by=by, rng=seed)
            drawn.update(sample.drawn)
            assert len(sample.drawn) == 15
            assert sum(sample.probability.values()) == pytest.approx(15, abs=1e-9)
        for topic, chance in sample.probability.items():
            error = np.sqrt(chance * (1 - chance) / 150)
            assert abs(drawn[topic] / 150 - chance) < 4.5 * error


def test_topics_in_which_systems_disagree_are_drawn_more_often() -> None:
    _, judge, runs = _collection()
    second = {t: runs["first" if i < 30 else "second"][t] for i, t in enumerate(judge)}
    sample = pc.judge.sample(judge, {"a": runs["first"], "b": second}, "P@5", n=20, by="systems")
    chances = list(sample.probability.values())
    assert max(chances[:30]) < min(chances[30:])
    with pytest.raises(pc.UsageError, match="single run"):
        pc.judge.sample(judge, runs["first"], "P@5", n=20, by="systems")


def test_strata_that_are_given_are_drawn_by_their_size() -> None:
    _, judge, runs = _collection()
    strata = {topic: "de" if i < 15 else "en" for i, topic in enumerate(judge)}
    sample = pc.judge.sample(judge, runs, "P@5", n=20, strata=strata)
    assert Counter(sample.stratum[topic] for topic in sample.drawn) == {"de": 5, "en": 15}
    assert {*sample.stratum.values()} == {"de", "en"}
    with pytest.raises(pc.UsageError, match="strata"):
        pc.judge.sample(judge, runs, "P@5", n=20, strata={t: t for t in judge})
    with pytest.raises(pc.UsageError, match="has none"):
        pc.judge.sample(judge, runs, "P@5", n=20, strata={"q0": 1})
    with pytest.raises(pc.UsageError, match="strata of its own"):
        pc.judge.sample(judge, runs, "P@5", n=20, strata=strata, by="judge")


def test_numbers_of_answers_are_units() -> None:
    rng = np.random.default_rng(1)
    chance = rng.beta(0.2, 1, 400)
    sample = pc.judge.sample({f"a{i}": p for i, p in enumerate(chance)}, n=60, by="doubt", rng=2)
    assert sample.unit == "unit"
    assert sample.items is None
    doubt = np.sqrt(chance * (1 - chance))
    given = np.array([sample.probability[f"a{i}"] for i in range(400)])
    assert np.corrcoef(doubt, given)[0, 1] > 0.8
    people = {name: float(chance[int(name[1:])] > 0.5) for name in sample.drawn}
    judge = {f"a{i}": p for i, p in enumerate(chance)}
    with collect_notes():
        found = pc.judge.values(people, judge, probability=sample.probability, range=(0, 1))
    # Of all units the strata are known.
    assert "strata" in found.conventions["chosen"]
    columns = pc.judge.sample(list(chance), n=60)
    assert columns.drawn[0] in range(400)


def test_the_command_draws_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    truth, judge, runs = _collection(60, 60)
    for name, labels in (("truth", truth), ("judge", judge)):
        rows = [f"{t} 0 {i} {g}\n" for t, items in labels.items() for i, g in items.items()]
        Path(f"{name}.qrels").write_text("".join(rows), encoding="utf-8")
    for name, of in runs.items():
        rows = [f"{t} Q0 {i} 1 {s} x\n" for t, items in of.items() for i, s in items.items()]
        Path(f"{name}.run").write_text("".join(rows), encoding="utf-8")
    files = ["judge.qrels", "first.run", "second.run", "-m", "P@5"]
    assert run(["judge", *files, "--next", "24", "--by", "systems", "-o", "label.csv"]) == 0
    sample = pc.judge.sample("judge.qrels", ["first.run", "second.run"], "P@5", n=24, by="systems")
    sample.save("same.csv")
    assert Path("label.csv").read_text() == Path("same.csv").read_text()
    _fill_in("label.csv", truth, Path("done.csv"))
    assert run(["judge", "done.csv", *files, "--width", "0.2"]) == 0
    assert "topics by people" in capsys.readouterr().out
    assert run(["judge", "label.csv", *files]) == 2  # nothing is filled in
    assert "'grade'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "match"),
    [
        ("judge.qrels x.run -m P@5 --next 9", "--next"),
        ("judge.qrels x.run --next 20", "--measure"),
        ("judge.qrels x.run -m P@5 -m AP --next 20", "--measure"),
        ("judge.qrels -m P@5 --next 20", "JUDGE and RUN"),
        ("people.qrels judge.qrels -m P@5", "RUN"),
        ("judge.qrels x.run -m P@5 --next 20 --of these", "--of"),
        ("judge.qrels x.run -m P@5 --next 20 --width 0.1", "--width"),
        ("people.qrels judge.qrels x.run -m P@5 --by systems", "--next N"),
        ("people.qrels judge.qrels x.run -m P@5 --seed 1", "--next N"),
        ("people.qrels judge.qrels x.run -m P@5 --power 0.9", "--difference"),
    ],
)
def test_options_that_do_nothing_are_refused(
    words: str, match: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["judge", *words.split()]) == 2
    assert match in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({"n": 9}, "n"),
        ({"n": 61}, "at most the 60 topics"),
        ({"n": 20, "by": "chance"}, "by"),
        ({"n": 20, "by": "doubt"}, "by"),
        ({"n": 20, "rng": -1}, "rng"),
        ({"n": 20, "measure": ["P@5", "AP"]}, "looks deepest"),
        ({"n": 20, "undefined": "omit"}, "undefined"),
    ],
)
def test_refusals_of_topics(options: dict[str, Any], match: str) -> None:
    _, judge, runs = _collection()
    with pytest.raises(pc.UsageError, match=match):
        pc.judge.sample(judge, runs, **{"measure": "P@5"} | options)


@pytest.mark.parametrize(
    ("judge", "options", "match"),
    [
        ([0.5] * 20, {"n": 21}, "at most the 20 units"),
        ([0.5, 2.0] * 20, {"n": 20, "by": "doubt"}, r"\[0, 1\]"),
        ([0, 1] * 20, {"n": 20, "by": "doubt"}, "tell no doubt"),
        ([0, 1] * 20, {"n": 20, "by": "systems"}, "by"),
        ([0, 1] * 20, {"n": 20, "measure": "AP"}, "is for runs"),
        ([0, 1] * 20, {"n": 20, "grade": 2}, "is for runs"),
        ([0, None] * 20, {"n": 20}, "has no number"),
    ],
)
def test_refusals_of_units(judge: Any, options: dict[str, Any], match: str) -> None:
    with pytest.raises(pc.UsageError, match=match):
        pc.judge.sample(judge, **options)


def test_strata_and_their_sizes() -> None:
    number = np.array([0.0] * 30 + [0.2] * 30 + [0.5] * 20 + [1.0] * 20)
    stratum = strata_by(number, 40)
    for value in np.unique(number):  # equal numbers are in one stratum
        assert len({*stratum[number == value].tolist()}) == 1
    assert np.all(np.diff(stratum) >= 0)
    sizes = np.bincount(stratum)
    given = allocate(stratum, 40)
    assert given.sum() == 40
    assert np.all(given >= 2)
    assert np.abs(given / sizes - 0.4).max() < 0.05
    heavy = allocate(stratum, 90, np.where(number > 0.4, 10.0, 0.1))
    assert np.all(heavy <= sizes)
    assert heavy.sum() == 90
    drawn, chance = draw(stratum, given, np.random.default_rng(1))
    assert len({*drawn.tolist()}) == 40
    assert chance.sum() == pytest.approx(40)
    assert strata_by(np.ones(50), 40).tolist() == [0] * 50
    # A stratum of one unit tells no spread, so it joins another.
    assert (
        np.bincount(strata_by(np.array([0.0] * 30 + [9.0]), 20, np.array([0.1] * 30 + [9]))).min()
        >= 2
    )
