"""Scored cases on Spark: equal to one machine on both routes, whatever the cases and partitions;
what is refused.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import precall as pc
from precall.cases.table import measure_cases
from precall.core.notes import collect_notes

pyarrow = pytest.importorskip(
    "pyarrow", reason="NOT TESTED: precall.spark, as PyArrow is not installed"
)
pytest.importorskip("pyspark", reason="NOT TESTED: precall.spark, as PySpark is not installed")
from pyarrow import parquet  # noqa: E402

import precall.spark as ps  # noqa: E402
from precall.spark import cluster_scan  # noqa: E402

N = 6000
ROUTES = ["gaps", "range"]


def cases() -> tuple[Any, dict[str, Any]]:
    """Labels, and scores of every kind."""
    rng = np.random.default_rng(1)
    truth = rng.random(N) < 0.2
    score = rng.normal(size=N) + truth
    some = np.arange(N)
    return truth, {
        "normal": score,
        "tied": score.round(1),
        "constant": np.zeros(N),
        "one score": np.where(rng.random(N) < 0.99, 0.0, score),
        "float32": score.astype(np.float32),
        "inf, -0": np.where(
            some % 7 == 0, np.inf, np.where(some % 5 == 0, -0.0, np.where(some % 3, -np.inf, 0))
        ),
        "whole": (score * 10).astype(np.int64),
    }


def frame(session: Any, parts: int = 3, **columns: Any) -> Any:
    return session.createDataFrame(pyarrow.table(columns)).repartition(parts)


def numbers(curve: Any, threshold: float = 0.5) -> list[Any]:
    """Everything that is read off a curve."""
    return [
        curve.average_precision(),
        curve.area_under_roc(),
        curve.areas().to_dict(),
        curve.eleven_point().tolist(),
        curve.break_even(),
        curve.max_f(),
        curve.at(max="MCC"),
        curve.at(threshold=threshold),
        curve.at(accept=3),
        curve.at(recall=0.5),
        curve.r_precision("expected"),
        curve.threshold.dtype,
    ]


@pytest.mark.filterwarnings("ignore::precall.core.notes.of_curves.NothingAcceptedWarning")
@pytest.mark.parametrize("route", ROUTES)
def test_both_routes_are_equal_to_one_machine(session: Any, route: str) -> None:
    truth, scores = cases()
    given = frame(session, y=truth.astype(np.int8), **scores)
    asked = {"thresholds": [0.5, 77], "accept": [3], "missed": 1}
    scanned = ps.scan(given, label="y", score=list(scores), route=route, **asked)
    for kind, score in scores.items():
        made, whole = scanned.curve(kind), pc.curve(truth, score, missed=1)
        assert numbers(made) == numbers(whole), kind
        assert made.at(threshold=77) == whole.at(threshold=77)
        for measure in ("AP", "AUC"):
            ours, theirs = ends(made, measure), ends(whole, measure)
            assert ours == theirs, kind
        assert f"route {route}" in str(made.sheet(all=True)) and made.to_json()
    made, whole = scanned.curve("tied"), pc.curve(truth, scores["tied"], missed=1)
    assert ends(made, "AP", method="percentile", resamples=100) == ends(
        whole, "AP", method="percentile", resamples=100
    )


def ends(curve: Any, measure: str, **options: Any) -> Any:
    with collect_notes():
        return pc.interval(curve, measure, **options).ends


def test_relevant_scores_that_the_driver_does_not_hold_go_to_disk(
    session: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster_scan, "LEAST", 100)
    truth, scores = cases()
    given = frame(session, y=truth, s=scores["tied"], t=scores["float32"], w=np.arange(N) % 3 / 2)
    asked: dict[str, Any] = {"label": "y", "thresholds": [0.5, 77], "accept": [3], "memory": 10}
    scanned = ps.scan(given, score=["s", "t"], **asked)
    assert "route range" in str(scanned.asked["read"])
    for name, kind in (("s", "tied"), ("t", "float32")):
        made = scanned.curve(name)
        assert numbers(made) == numbers(pc.curve(truth, scores[kind]))
        assert made.at(threshold=77).tp == 0 and isinstance(made.tp.base, np.ndarray)
    heavy = ps.scan(given, score="s", weight="w", **asked).average_precision()
    assert heavy == pytest.approx(
        pc.average_precision(truth, scores["tied"], weights=np.arange(N) % 3 / 2), rel=1e-12
    )
    with pytest.raises(pc.UsageError, match="use route='range', which puts them to disk"):
        ps.scan(given, score="t", route="gaps", **asked)


@pytest.mark.parametrize("route", ROUTES)
def test_partitions_without_cases(session: Any, route: str) -> None:
    truth, score = np.array([False, True, False, True]), np.array([0.4, 0.3, 0.2, 0.1])
    made = ps.curve(
        frame(session, 8, y=truth, s=score), "y", "s", route=route, thresholds=[0.5], accept=[3]
    )
    assert numbers(made) == numbers(pc.curve(truth, score))


@pytest.mark.filterwarnings("ignore::precall.core.notes.of_curves.NothingAcceptedWarning")
@pytest.mark.parametrize("route", ROUTES)
def test_low_scores_labels_of_text_and_groups(session: Any, route: str) -> None:
    truth, scores = cases()
    score = scores["tied"]
    group = np.array(["a", "b", "c`d"])[np.arange(N) % 3]
    label = np.where(truth, "spam", "ham")
    given = frame(session, label=label, **{"s.`x": score}, other=-score, group=group)
    scanned = ps.scan(
        given,
        label="label",
        score=["s.`x", "other"],
        group="group",
        positive="spam",
        higher_is_better=False,
        route=route,
        thresholds=[0.5],
        accept=[3],
    )
    assert list(scanned.parts["other"]) == ["a", "b", "c`d"] and scanned.cases == N
    for name, column in (("s.`x", score), ("other", -score)):
        for part in scanned.parts[name]:
            rows = group == part
            whole = pc.curve(truth[rows], column[rows], higher_is_better=False)
            assert numbers(scanned.curve(name, part)) == numbers(whole)
    with collect_notes():
        measured = measure_cases(scanned, interval="logit")
    assert list(measured.intervals["other"]) == ["a", "b", "c`d", None]
    wanted = ends(pc.curve(truth[group == "a"], score[group == "a"], higher_is_better=False), "AP")
    assert measured.intervals["s.`x"]["a"]["AP"].ends == wanted


@pytest.mark.parametrize("route", ROUTES)
def test_weights(session: Any, route: str) -> None:
    truth, scores = cases()
    score = scores["tied"]
    rng = np.random.default_rng(2)
    weights = {"whole": rng.integers(0, 4, N), "real": rng.random(N) * (rng.random(N) < 0.9)}
    given = frame(session, y=truth, s=score, **weights)
    whole = ps.curve(given, "y", "s", weight="whole", route=route, thresholds=[0.5], accept=[3])
    assert numbers(whole) == numbers(pc.curve(truth, score, weights=weights["whole"]))
    real = ps.curve(given, "y", "s", weight="real", route=route)
    wanted = pc.curve(truth, score, weights=weights["real"])
    for measure in ("average_precision", "area_under_roc", "break_even"):
        assert getattr(real, measure)() == pytest.approx(getattr(wanted, measure)(), rel=1e-12)


def write(folder: Path, truth: Any, score: Any) -> list[Path]:
    """Two files of several row groups, and one without a row."""
    paths = []
    for number, rows in enumerate([slice(0, 4000), slice(4000, N), slice(0, 0)]):
        paths.append(folder / f"{number}.parquet")
        table = pyarrow.table({"s": score[rows], "other": score[rows], "y": truth[rows]})
        parquet.write_table(table, paths[-1], row_group_size=900)
    return paths


@pytest.mark.parametrize("route", [None, *ROUTES])
def test_files_that_workers_read(session: Any, tmp_path: Path, route: str | None) -> None:
    truth, scores = cases()
    score = scores["normal"]
    paths = write(tmp_path, truth, score)
    whole = numbers(pc.curve(truth, score))
    given: Any = {None: tmp_path / "*.parquet", "gaps": paths, "range": str(tmp_path)}[route]
    scanned = ps.scan(given, label="y", score="s", route=route, thresholds=[0.5], accept=[3])
    assert numbers(scanned.curve()) == whole
    assert scanned.cases == N and "8 tasks" in str(scanned.asked["read"])
    with pytest.raises(pc.DataError, match=re.escape(f"{tmp_path}/none")):
        ps.scan(tmp_path / "none", label="y", score="s")
    with pytest.raises(pc.UsageError, match="no column 'z'; the columns are"):
        ps.scan(paths[:1], label="z", score="s")


def test_small_files_share_a_task(session: Any, tmp_path: Path) -> None:
    truth, scores = cases()
    score = scores["float32"]
    for number in range(60):
        rows = slice(number * 100, number * 100 + 100)
        table = pyarrow.table({"y": truth[rows], "s": score[rows]})
        parquet.write_table(table, tmp_path / f"{number}.parquet", row_group_size=30)
    scanned = ps.scan(tmp_path, label="y", score="s", thresholds=[0.5], accept=[3])
    assert numbers(scanned.curve()) == numbers(pc.curve(truth, score))
    assert scanned.cases == N and "over 9 tasks" in str(scanned.asked["read"])


def test_what_is_missing_is_refused_with_its_number(session: Any) -> None:
    given = session.createDataFrame(
        [(1, 0.5, "a"), (None, None, "b"), (0, float("nan"), None), (0, 0.1, "c")],
        "y int, s double, g string",
    )
    told = (
        "data frame: column 's': 1 of 4 cases are NaN; .*\n"
        ".*column 's': 1 of 4 cases are null; .*\n"
        ".*column 'y': 1 of 4 cases are null"
    )
    for route in ROUTES:
        with pytest.raises(pc.DataError, match=told):
            ps.curve(given, "y", "s", route=route)
    with pytest.raises(
        pc.DataError, match="column 'g': 1 of 4 cases are null; fill it in or remove these cases$"
    ):
        ps.curve(given.na.fill({"y": 0, "s": 0.0}), "y", "s", group="g")


def test_what_is_wrong_is_refused(session: Any) -> None:
    rows = [(1, 0.5, 7), (0, 0.4, -1), (0, 0.1, 0)]
    given = session.createDataFrame(rows, "y int, s double, z int")
    with pytest.raises(
        pc.DataError, match="column 'z': both 0 and -1 are labels, of 1 and 1 of 2 cases"
    ):
        ps.curve(given.where("z < 7"), "z", "s")
    for label, what in (
        ("z", "label 7 of case 0 is not 0/1"),
        ("s", "numbers with fractions are no labels"),
    ):
        with pytest.raises(pc.DataError, match=what):
            ps.curve(given, label, "s")
    halves = [
        session.createDataFrame([(1, 0.5), (other, 0.4)], "y int, s double") for other in (0, -1)
    ]
    with pytest.raises(
        pc.DataError,
        match="column 'y': both 0 and -1 are labels, of 1 and 1 of 4 cases; write 0/1 or -1/1",
    ):
        ps.curve(halves[0].union(halves[1]), "y", "s")
    with pytest.raises(pc.UsageError, match="no label is 3; the labels are"):
        ps.curve(given, "y", "s", positive=3)
    with pytest.raises(pc.UsageError, match="no column 'a'; the columns are 'y', 's', 'z'"):
        ps.curve(given, "y", "a")
    with pytest.raises(pc.UsageError, match="route"):
        ps.curve(given, "y", "s", route="fast")
    nested = given.selectExpr("y", "s", "struct(y) as n", "array(z) as a", "map('z', z) as m")
    for name, what in (("n", "struct"), ("a", "list"), ("m", "map")):
        with pytest.raises(pc.DataError, match=f"relevant: must be numbers or texts, got {what}"):
            ps.curve(nested, name, "s")
        with pytest.raises(pc.DataError, match=f"groups: must be numbers or texts, got {what}"):
            ps.curve(nested, "y", "s", group=name)
    for wrong in (
        {"score": []},
        {"score": 3},
        {"score": "s", "thresholds": ["a"]},
        {"score": "s", "accept": 3},
    ):
        with pytest.raises(pc.UsageError, match="^(score|thresholds|accept): "):
            ps.scan(given, label="y", **wrong)
    with pytest.raises(pc.DataError, match="every case is relevant|no case"):
        ps.curve(given.where("y = 1"), "y", "s")
    with pytest.raises(pc.UsageError, match="must be a data frame of Spark, got str"):
        ps.curve("cases.parquet", "y", "s")


def test_cases_that_change_between_passes_are_refused(session: Any) -> None:
    fresh = session.range(0, 50, 1, 2).selectExpr("id % 3 = 0 as y", "id / 50 as s")
    counter = iter(range(10))

    class Changing:
        """Another data frame each time that it is asked."""

        columns = ("y", "s")
        mapInArrow = None  # noqa: N815

        def selectExpr(self, *names: str) -> Any:  # noqa: N802
            return fresh.where(f"s > {next(counter) / 10}").selectExpr(*names)

    with pytest.raises(pc.UsageError, match="it must give the same rows each time"):
        ps.curve(Changing(), "y", "s")


@pytest.mark.parametrize("route", ["gaps", "range"])
def test_scores_that_are_drawn_anew_in_each_pass_are_refused(session: Any, route: Any) -> None:
    def drawn(frames: Any) -> Any:
        import numpy as np

        for frame in frames:
            yield frame.assign(s=np.random.default_rng().normal(size=len(frame)))

    given = session.range(0, 50, 1, 2).selectExpr("id % 3 = 0 as y", "id / 50 as s")
    with pytest.raises(
        pc.UsageError, match="scores, weights or groups are others than before; it must give"
    ):
        ps.curve(given.mapInPandas(drawn, "y boolean, s double"), "y", "s", route=route)
