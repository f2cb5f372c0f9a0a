"""Cases that are read in batches: files of every kind, batches of every shape, and what is
refused.
"""

from __future__ import annotations

import gzip
import json
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import precall as pc
from precall import ScoredCases
from precall.cases import threshold_search
from precall.core.notes.of_curves import ScoresNotCounted
from precall.read import table_batches
from tests.noticed import shown

N = 3000


@pytest.fixture
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Many batches of little data."""
    monkeypatch.setattr(table_batches, "BYTES", 1 << 12)
    monkeypatch.setattr(table_batches, "ROWS", 700)


def cases(seed: int = 1) -> tuple[Any, Any, Any, Any]:
    """Labels, scores with ties, groups and whole weights."""
    rng = np.random.default_rng(seed)
    truth = rng.random(N) < 0.1
    score = np.round(rng.normal(size=N) + truth, 2)
    return truth, score, rng.choice(["a", "b b", 'c"c'], N), rng.integers(0, 4, N)


def quoted(cell: Any) -> str:
    return '"' + str(cell).replace('"', '""') + '\n"'


def text_of(separator: str) -> str:
    rows = (
        f"{int(y)}{separator}{s}{separator}{quoted(g)}{separator}{w}"
        for y, s, g, w in zip(*cases(), strict=True)
    )
    return separator.join(("y", "s", "g", "w")) + "\n" + "\n".join(rows) + "\n\n"


def write(path: Path) -> None:
    """A table of the cases in the format that the name says."""
    if path.name.endswith(".gz"):
        path.write_bytes(gzip.compress(text_of(",").encode()))
    elif path.suffix in (".csv", ".tsv"):
        path.write_text(text_of("," if path.suffix == ".csv" else "\t"))
    elif path.suffix == ".jsonl":
        names = ("y", "s", "g", "w")
        rows = (
            dict(zip(names, (bool(y), float(s), f"{g}\n", int(w)), strict=True))
            for y, s, g, w in zip(*cases(), strict=True)
        )
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    else:
        polars = pytest.importorskip("polars")
        truth, score, group, weights = cases()
        frame = polars.DataFrame(
            {"y": truth, "s": score, "g": [f"{name}\n" for name in group], "w": weights}
        )
        (frame.write_parquet if path.suffix == ".parquet" else frame.write_ipc)(path)


def numbers(curve: Any) -> list[Any]:
    return [
        curve.average_precision(),
        curve.area_under_roc(),
        curve.areas().to_dict(),
        curve.eleven_point().tolist(),
        curve.break_even(),
        curve.max_f(),
        curve.at(max="MCC"),
        curve.at(threshold=0.5),
        curve.at(accept=100),
    ]


NAMES = ["c.csv", "c.tsv", "c.jsonl", "c.parquet", "c.arrow", "c.csv.gz"]


@pytest.mark.nightly(keep=1)
@pytest.mark.usefixtures("small_batches")
@pytest.mark.parametrize("name", NAMES)
def test_every_kind_of_file(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    write(path)
    truth, score, group, weights = cases()
    scanned = ScoredCases.scan(path, label="y", score="s", thresholds=[0.5], accept=[100])
    assert numbers(scanned.curve()) == numbers(pc.curve(truth, score))
    assert scanned.cases == N
    parts = ScoredCases.scan(
        path, label="y", score="s", group="g", weight="w", thresholds=[0.5], accept=[100]
    )
    assert set(parts.parts["s"]) == {"a\n", "b b\n", 'c"c\n'}
    for name_of, curve in parts.parts["s"].items():
        chosen = group == name_of.removesuffix("\n")
        whole = pc.curve(truth[chosen], score[chosen], weights=weights[chosen])
        assert numbers(curve) == numbers(whole)


@pytest.mark.parametrize("low", [False, True])
def test_batches_of_every_shape(low: bool) -> None:
    truth, score, _, weights = cases()
    cuts = [slice(0, 10), slice(10, 10), slice(10, 2000), slice(2000, N)]
    made: list[Callable[[], Any]] = [
        lambda: [(truth[cut], score[cut]) for cut in cuts],
        lambda: ((truth[cut].tolist(), score[cut].tolist()) for cut in reversed(cuts)),
        lambda: [{"y": truth[cut], "s": score[cut]} for cut in cuts],
        lambda: {"y": truth, "s": score},
    ]
    whole = pc.curve(truth, score, higher_is_better=not low)
    for batches_of in made:
        given = batches_of()
        is_named = isinstance(given, dict) or (
            isinstance(given, list) and isinstance(given[0], dict)
        )
        named = {"label": "y", "score": "s"} if is_named else {}
        scanned = ScoredCases.scan(
            given, higher_is_better=not low, thresholds=[0.5], accept=[100], **named
        )
        assert scanned.curve().at(threshold=-0.5 if low else 0.5) == whole.at(
            threshold=-0.5 if low else 0.5
        )
        assert (scanned.average_precision(), scanned.area_under_roc()) == (
            whole.average_precision(),
            whole.area_under_roc(),
        )
        assert scanned.curve().at(accept=100) == whole.at(accept=100)
    heavy = ScoredCases.scan(
        ((truth[cut], score[cut], weights[cut]) for cut in cuts), higher_is_better=not low
    )
    assert heavy.average_precision() == pc.average_precision(
        truth, score, weights=weights, higher_is_better=not low
    )


@pytest.mark.parametrize("sort", ["as they come", "ascending", "descending", "alike"])
def test_a_guess_saves_a_pass_and_changes_nothing(
    sort: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(threshold_search, "STRIDE", 4)
    draw = np.random.default_rng(5)
    truth, score = draw.random(40_000) < 0.01, np.round(draw.normal(size=40_000), 4)
    order = (
        np.argsort(score if sort == "ascending" else -score)
        if sort.endswith("scending")
        else np.arange(40_000)
    )
    if sort == "alike":
        score = np.round(score)
    given = [(truth[rows], score[rows]) for rows in np.array_split(order, 7)]
    scanned = ScoredCases.scan(given, accept=[1000, 39_000])
    whole = pc.curve(truth, score)
    assert scanned.passes == (2 if sort != "alike" else scanned.passes)
    assert scanned.curve().break_even() == whole.break_even()
    for count in (1000, 39_000):
        assert scanned.curve().at(accept=count) == whole.at(accept=count)


def test_several_counts_in_one_gap() -> None:
    # The second gap, where no row of the best other case sorts them.
    truth, score = np.isin(np.arange(3000), [0, 5, 2999]), -np.arange(3000.0)
    wanted = [2500, 7, 1024, 8, 2048, 9]
    scanned = ScoredCases.scan([(truth, score)], accept=wanted).curve()
    whole = pc.curve(truth, score)
    assert [scanned.at(accept=count) for count in wanted] == [
        whole.at(accept=count) for count in wanted
    ]
    assert (np.diff(scanned.threshold) < 0).all() and (np.diff(scanned.fp) >= 0).all()


def test_float32_scores_are_compared_as_float32() -> None:
    truth, score = np.array([True, False, False, True]), np.array([0.7, 0.6, 0.1, 0.05], np.float32)
    scanned = ScoredCases.scan([(truth, score)], thresholds=[0.6]).curve()
    assert scanned.threshold.dtype == np.float32
    assert scanned.at(threshold=0.6) == pc.curve(truth, score).at(threshold=0.6)


def test_what_no_row_tells_is_refused() -> None:
    truth, score, _, _ = cases()
    scanned = ScoredCases.scan([(truth, score)])
    curve = scanned.curve()
    lowest = float(score[truth].min())
    with pytest.raises(pc.UsageError, match=r"threshold: .* thresholds= or accept="):
        curve.at(threshold=lowest - 0.005)
    with pytest.raises(pc.UsageError, match="accept: 2990 .* thresholds= or accept="):
        curve.at(accept=2990)
    whole = "needs all cases in memory, and they were scanned; give them to pc.curve"
    with pytest.raises(pc.UsageError, match=f"points: {whole}"):
        curve.points()
    with pytest.raises(pc.UsageError, match=f"null: {whole}"):
        pc.null.test(curve, "AP")
    with pytest.raises(pc.UsageError, match=f"compare: {whole}"):
        scanned.in_memory("compare")
    weighted = ScoredCases.scan([(truth, score, np.where(truth, 0.5, 1.5))])
    with pytest.raises(pc.UsageError, match=f"interval: of real weights it {whole}"):
        weighted.blocks(["score"])
    assert "scanned" not in str(scanned.sheet())


@pytest.mark.usefixtures("small_batches")
@pytest.mark.parametrize(
    ("line", "bad", "what"),
    [
        (2999, "1,x,a,1", "score 'x' is not a number"),
        (3001, "maybe,1,a,1", "label 'maybe' is not 0/1"),
        (2500, "1,nan,a,1", "score is NaN"),
        (2000, "1,2", "2 cells"),
    ],
)
def test_what_is_wrong_is_named_by_its_line(tmp_path: Path, line: int, bad: str, what: str) -> None:
    path = tmp_path / "cases.csv"
    rows = text_of(",").replace('\n"', '"').splitlines()
    rows[line - 1] = bad
    path.write_text("\n".join(rows) + "\n")
    with pytest.raises(pc.DataError) as error:
        ScoredCases.scan(path, label="y", score="s")
    (problem,) = error.value.problems
    assert problem.line == line
    assert what in problem.wrong


@pytest.mark.usefixtures("small_batches")
def test_a_row_of_parquet_is_named(tmp_path: Path) -> None:
    polars = pytest.importorskip("polars")
    truth, score, _, _ = cases()
    score[-1] = np.nan
    polars.DataFrame({"y": truth, "s": score}).write_parquet(tmp_path / "c.parquet")
    with pytest.raises(pc.DataError) as error:
        ScoredCases.scan(tmp_path / "c.parquet", label="y", score="s")
    assert f"row {N}: column 's'" in str(error.value)


@pytest.mark.parametrize(
    ("given", "what"),
    [
        ([([1, 1], [1.0, 2.0])], "every case is relevant"),
        ([([0], [1.0])], "no case is relevant"),
        ([], "no case is there"),
        ([([0, 1], [1.0, np.nan])], "batch 0: score"),
        ([([0, 1], [1.0, 2.0]), ([1], [np.nan])], "batch 1: score"),
    ],
)
def test_batches_that_are_refused(given: Any, what: str) -> None:
    with pytest.raises(pc.DataError, match=what):
        ScoredCases.scan(given)


def test_labels_that_no_batch_has() -> None:
    with pytest.raises(pc.UsageError, match="no label is 'yes'; the labels are 'no'"):
        ScoredCases.scan([(["no"], [1.0])], positive="yes")
    scanned = ScoredCases.scan([(["no"], [1.0]), (["yes"], [2.0])], positive="yes")
    assert scanned.average_precision() == 1.0


def test_an_interrupted_scan_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))

    def stopped() -> Iterator[Any]:
        yield [0, 1], [1.0, 2.0]
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ScoredCases.scan(stopped())
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("weighted", [False, True])
def test_half_precision_needs_no_disk(
    weighted: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At most 65,536 values: what comes once is counted by score."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "none"))
    rng = np.random.default_rng(9)
    truth, score = rng.random(150_000) < 0.1, rng.normal(size=150_000).astype(np.float16)
    # Every other one is of bfloat16, which NumPy has as float32.
    coarse = score.astype(np.float32).view(np.uint32) >> 16 << 16
    score = np.where(truth, score.astype(np.float32), coarse.view(np.float32))
    weights = [1 + np.arange(150_000) % 3] if weighted else []
    batches = zip(*(np.array_split(column, 4) for column in (truth, score, *weights)), strict=True)
    scanned = ScoredCases.scan(batches, accept=[100], thresholds=[0.5])
    whole = pc.curve(truth, score, weights=weights[0] if weighted else None)
    assert numbers(scanned.curve()) == numbers(whole)
    with pytest.raises(FileNotFoundError):
        ScoredCases.scan(iter([(truth, rng.normal(size=150_000))]))


def test_weights_that_are_whole_in_some_batches_only() -> None:
    truth, score, _, weight = cases()
    weight = np.where(truth, weight, weight / 10)
    order = np.argsort(~truth, kind="stable")
    cut = int(np.count_nonzero(truth))
    first, rest = order[:cut], order[cut:]
    scanned = ScoredCases.scan(
        [
            (truth[first], score[first], weight[first].astype(int)),
            (truth[rest], score[rest], weight[rest]),
        ]
    )
    whole = pc.curve(truth, score, weights=weight)
    assert scanned.average_precision() == pytest.approx(whole.average_precision(), rel=1e-12)
    assert scanned.area_under_roc() == pytest.approx(whole.area_under_roc(), rel=1e-12)


@pytest.mark.parametrize("asked", [{"accept": [210_000]}, {"missed": 210_000}])
def test_more_is_asked_for_than_there_is(asked: dict[str, Any]) -> None:
    rng = np.random.default_rng(0)
    truth, score = rng.random(200_000) < 0.01, rng.random(200_000)
    curve = ScoredCases.scan([(truth, score)], **asked).curve()
    whole = pc.curve(truth, score, missed=asked.get("missed", 0))
    assert curve.break_even("nearest") == whole.break_even("nearest")
    assert curve.at(accept=210_000).value == whole.at(accept=210_000).value


def test_scores_of_two_types_are_compared_as_the_wider() -> None:
    batches = [
        ([1, 1], np.array([0.9, -5.0])),
        ([0] * 4, np.array([0.9, 0.9, 0.8, 0.1], np.float32)),
    ]
    assert ScoredCases.scan(batches, accept=[4]).curve().at(accept=4).value == 4


def test_cases_that_change_between_passes_are_refused() -> None:
    class Growing:
        times = 0

        def __iter__(self) -> Iterator[Any]:
            self.times += 1
            yield [1, 0, 0] + [0] * self.times, [0.5, 0.4, 0.7] + [0.2] * self.times

    with pytest.raises(pc.UsageError, match="there were 4 cases, 1 relevant, and then 5, 1"):
        ScoredCases.scan(Growing()).average_precision()


def test_groups_that_swap_cases_are_refused() -> None:
    class Swapping:
        groups = iter(["aabb", "bbaa"])

        def __iter__(self) -> Iterator[Any]:
            yield {"y": [1, 0, 0, 1], "s": [1.0, 2.0, 3.0, 4.0], "g": list(next(self.groups))}

    with pytest.raises(pc.UsageError, match="or groups are others than before"):
        ScoredCases.scan(Swapping(), label="y", score="s", group="g").by_group("AP")


@pytest.mark.parametrize("again", ["scores", "labels", "weights", "groups"])
def test_cases_that_are_others_of_the_same_number_are_refused(again: str) -> None:
    truth, score, group, weight = cases()

    class Changing:
        times = 0

        def __iter__(self) -> Iterator[Any]:
            self.times += 1
            late = self.times > 1
            yield {
                "y": np.roll(truth, late * (again == "labels")),
                "s": score + 1e-9 * late * (again == "scores"),
                "g": np.where(late and again == "groups", "d", group),
                "w": np.roll(weight, late * (again == "weights")),
            }

    what = (
        "'d' was not there before"
        if again == "groups"
        else "labels, scores, weights or groups are others than before"
    )
    with pytest.raises(pc.UsageError, match=f"batches: {what}; batches must be the same each time"):
        ScoredCases.scan(Changing(), label="y", score="s", group="g", weight="w")


def test_batches_may_be_divided_otherwise_each_time() -> None:
    truth, score, _, weight = cases()

    class Shuffled:
        times = 0

        def __iter__(self) -> Iterator[Any]:
            self.times += 1
            order = np.random.default_rng(self.times).permutation(N)
            for rows in np.array_split(order, self.times):
                # Weights that are whole are counted, and are the same numbers.
                kept = weight[rows].astype(float if self.times > 1 else int)
                yield truth[rows], score[rows].tolist() if self.times > 1 else score[rows], kept

    made = ScoredCases.scan(Shuffled()).curve()
    assert made.average_precision() == pytest.approx(
        pc.average_precision(truth, score, weights=weight)
    )


@pytest.mark.parametrize("memory", [0, -1, True, float("nan"), 1.5, "1G"])
def test_memory_that_is_no_number_of_bytes(memory: Any, tmp_path: Path) -> None:
    qrels, run = {"q": {"a": 1}}, {"q": {"a": 1.0}}
    for call in (
        lambda: pc.evaluate(qrels, run, memory=memory),
        lambda: pc.compare(qrels, {"one": run, "two": run}, memory=memory),
        lambda: pc.report.runs(qrels, {"one": run}, tmp_path / "page.html", memory=memory),
        lambda: ScoredCases.scan([([1, 0], [2.0, 1.0])], memory=memory),
        lambda: pc.ScoredCategories(memory=memory),
    ):
        with pytest.raises(pc.UsageError, match="memory: must be an integer >= 1, got"):
            call()


def test_pictures_by_scores_and_ranks_need_every_score() -> None:
    pytest.importorskip("matplotlib")
    truth, score, _, _ = cases()
    curve = ScoredCases.scan([(truth, score)]).curve()
    for view in ("scores", "thresholds", "ranks"):
        with pytest.raises(
            pc.UsageError, match="view: by thresholds, ranks or scores it needs all cases"
        ):
            curve.plot(view)
    assert curve.plot("roc").lines_


def test_what_is_said_of_a_scan_does_not_guess_at_its_size() -> None:
    # "as the cases do not fit into memory" was said of any scan, and of four cases.
    curve = ScoredCases.scan([([1, 0, 0, 1], [2.0, 1.0, 0.5, 1.0])]).curve()
    said = curve.sheet(all=True).to_markdown()
    assert shown(said, ScoresNotCounted("", "in batches")) and "memory" not in said
