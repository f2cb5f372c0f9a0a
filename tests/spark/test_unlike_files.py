"""Files whose columns are of other types, in another order, or empty: the numbers of one machine,
whatever tasks read them.
"""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import precall as pc
from tests.laws.routes import ASKED, numbers

pa = pytest.importorskip("pyarrow", reason="NOT TESTED: precall.spark, as PyArrow is not installed")
pytest.importorskip("pyspark", reason="NOT TESTED: precall.spark, as PySpark is not installed")
N, ROUTES = 400, ("gaps", "range")
RNG = np.random.default_rng(0)
TRUTH = RNG.random(N) < 0.3
SINGLE = RNG.normal(size=N).round(1).astype(np.float32)
WHOLE = np.rint(SINGLE * 4).astype(np.float64)
NAMED = np.where(TRUTH, "spam", "ham")


def scanned(folder: Path, tables: list[Any], route: str, **options: Any) -> Any:
    """By tasks of this process."""
    from pyarrow import parquet

    import precall.spark as ps
    from tests.spark.local_frames import LocalSession

    for number, table in enumerate(tables):
        parquet.write_table(table, folder / f"{number}.parquet", row_group_size=7)
    return ps.scan(folder, label="y", score="s", route=route, session=LocalSession(), **options)


def quarters(labels: Any, scores: Any) -> list[Any]:
    """A table of each; the columns are what the functions make of them."""
    own = [slice(begin, begin + N // 4) for begin in range(0, N, N // 4)]
    parts = zip(labels, scores, own, strict=True)
    return [pa.table({"y": label(TRUTH[at]), "s": score(at)}) for label, score, at in parts]


def as_it_is(values: Any) -> Any:
    return values


def decimals(at: slice) -> Any:
    return pa.array([Decimal(int(score)) for score in WHOLE[at]], pa.decimal128(9, 2))


LABELS = (
    as_it_is,
    lambda truth: truth.astype(np.int8),
    lambda truth: truth.astype(float),
    as_it_is,
)
TABLES: dict[str, tuple[list[Any], Any]] = {
    # Scores that are equal when they are widened are tied.
    "float32 and float64": (
        quarters(LABELS, (SINGLE.__getitem__, SINGLE.astype(float).__getitem__) * 2),
        SINGLE.astype(float),
    ),
    "float32": (quarters(LABELS, (SINGLE.__getitem__,) * 4), SINGLE),
    "integers, floats, decimals": (
        quarters(
            LABELS,
            (
                WHOLE.astype(int).__getitem__,
                WHOLE.__getitem__,
                WHOLE.astype(np.float32).__getitem__,
                decimals,
            ),
        ),
        WHOLE,
    ),
    "empty files, another order": (
        [
            pa.table({"y": TRUTH[:0], "s": SINGLE[:0]}),
            pa.table({"x": NAMED, "s": SINGLE, "y": TRUTH}).replace_schema_metadata({"a": "b"}),
            pa.table({"s": SINGLE[:0].astype(float), "y": TRUTH[:0]}),
        ],
        SINGLE,
    ),
}


@pytest.mark.parametrize("parts", [1, 8, 1000])
@pytest.mark.parametrize("kind", TABLES)
def test_columns_of_other_types(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, parts: int
) -> None:
    from precall.spark import sources

    monkeypatch.setattr(sources, "_PARTS", parts)
    tables, score = TABLES[kind]
    for route in ROUTES:
        made = scanned(tmp_path, tables, route, **ASKED).curve()
        whole = pc.curve(TRUTH, score)
        assert numbers(made) == numbers(whole)
        if kind != "empty files, another order":  # of which an empty one has float64
            assert made.threshold.dtype == whole.threshold.dtype


@pytest.mark.parametrize("route", ROUTES)
def test_labels_of_text_with_and_without_dictionaries(tmp_path: Path, route: str) -> None:
    texts = [
        pa.array(NAMED).dictionary_encode(),
        pa.array(NAMED),
        pa.array(NAMED).cast(pa.large_string()),
        pa.array(NAMED[::-1]).dictionary_encode(),
    ]
    tables = [pa.table({"y": text, "s": SINGLE}) for text in texts]
    made = scanned(tmp_path, tables, route, positive="spam", **ASKED).curve()
    truth = np.concatenate([TRUTH, TRUTH, TRUTH, TRUTH[::-1]])
    assert numbers(made) == numbers(pc.curve(truth, np.tile(SINGLE, 4)))


def test_no_case_in_any_file(tmp_path: Path) -> None:
    with pytest.raises(pc.DataError, match="no case is there"):
        scanned(tmp_path, [pa.table({"y": TRUTH[:0], "s": SINGLE[:0]})] * 2, "gaps")


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize("accept", [0, N - 1, N, N + 1, 10**9])
def test_as_many_accepted_as_there_are_and_more(tmp_path: Path, route: str, accept: int) -> None:
    made = scanned(tmp_path, [pa.table({"y": TRUTH, "s": SINGLE})], route, accept=[accept]).curve()
    assert made.at(accept=accept) == pc.curve(TRUTH, SINGLE).at(accept=accept)


def test_columns_that_only_the_path_tells(tmp_path: Path) -> None:
    from pyarrow import parquet

    import precall.spark as ps
    from tests.spark.local_frames import LocalSession

    group = np.repeat(["1", "x y", "true", "01"], N // 4)
    for name in dict.fromkeys(group.tolist()):
        folder = tmp_path / f"_site={name.replace(' ', '%20')}" / "spam=1"
        folder.mkdir(parents=True)
        own = group == name
        parquet.write_table(
            pa.table({"y": TRUTH[own], "s": SINGLE[own]}), folder / "a.parquet", row_group_size=7
        )
    asked: dict[str, Any] = {"label": "y", "score": "s", "group": "_site"}
    on_spark = ps.scan(tmp_path, session=LocalSession(), **asked)
    here = pc.ScoredCases.scan(tmp_path, **asked)
    pattern = ps.scan(f"{tmp_path}/*/*/*.parquet", session=LocalSession(), **asked)
    for scanned in (on_spark, here, pattern):
        assert set(scanned.parts["s"]) == set(group.tolist())
        for name in scanned.parts["s"]:
            whole = pc.curve(TRUTH[group == name], SINGLE[group == name])
            assert scanned.curve(group=name).areas().to_dict() == whole.areas().to_dict()
    parquet.write_table(pa.table({"y": TRUTH, "s": SINGLE}), tmp_path / "b.parquet")
    with pytest.raises(
        pc.UsageError, match="b.parquet: no column '_site'; the columns are 'y', 's'"
    ):
        ps.scan(tmp_path, session=LocalSession(), **asked)
    (tmp_path / "b.parquet").unlink()
    (tmp_path / "_site=__HIVE_DEFAULT_PARTITION__").mkdir()
    parquet.write_table(
        pa.table({"y": TRUTH, "s": SINGLE}),
        tmp_path / "_site=__HIVE_DEFAULT_PARTITION__" / "a.parquet",
    )
    with pytest.raises(pc.DataError, match="column '_site': 400 of 800 cases are null"):
        ps.scan(tmp_path, session=LocalSession(), **asked)


def test_a_label_that_only_the_path_tells(tmp_path: Path) -> None:
    from pyarrow import parquet

    import precall.spark as ps
    from tests.spark.local_frames import LocalSession

    for name in (0, 1):
        (tmp_path / f"y={name}").mkdir()
        parquet.write_table(
            pa.table({"s": SINGLE[name == TRUTH]}), tmp_path / f"y={name}" / "a.parquet"
        )
    for made in (
        ps.scan(tmp_path, label="y", score="s", session=LocalSession()),
        pc.ScoredCases.scan(tmp_path, label="y", score="s", positive=1),
    ):
        assert made.average_precision() == pc.average_precision(TRUTH, SINGLE)


def test_a_path_with_brackets_that_is_there_is_no_pattern(tmp_path: Path) -> None:
    import precall.spark as ps
    from tests.spark.local_frames import LocalSession

    folder = tmp_path / "runs[1]*"
    folder.mkdir()
    made = scanned(folder, [pa.table({"y": TRUTH, "s": SINGLE})], "gaps")
    alone = ps.scan(folder / "0.parquet", label="y", score="s", session=LocalSession())
    several = ps.scan(f"{tmp_path}/*/[0-9].parquet", label="y", score="s", session=LocalSession())
    assert made.cases == alone.cases == several.cases == N


@pytest.mark.parametrize("group", [[True, False], [2.0, 5.0], [0, 7], ["x", "True"]])
def test_groups_are_called_the_same_on_every_road(tmp_path: Path, group: list[Any]) -> None:
    from pyarrow import parquet

    import precall.spark as ps
    from tests.spark.local_frames import LocalFrame

    table = pa.table({"y": TRUTH, "s": SINGLE, "g": group * (N // 2)})
    parquet.write_table(table, tmp_path / "a.parquet")
    asked: dict[str, Any] = {"label": "y", "score": "s", "group": "g"}
    named = set(pc.ScoredCases.scan(tmp_path / "a.parquet", **asked).parts["s"])
    batch = {"y": TRUTH, "s": SINGLE, "g": np.array(group * (N // 2))}
    assert named == set(pc.ScoredCases.scan([batch], **asked).parts["s"])
    assert named == set(ps.scan(LocalFrame([table]), **asked).parts["s"])
    assert len(named) == 2 and "False" not in named


def test_what_is_not_finished_is_passed_over(tmp_path: Path) -> None:
    """Spark and Hive write below `_temporary` and the like, and read nothing there."""
    from pyarrow import parquet

    import precall.spark as ps
    from tests.spark.local_frames import LocalSession

    whole = pa.table({"y": [True, False, True], "s": [3.0, 2.0, 1.0]})
    for name in ("_temporary/0", ".staging", "part=1"):
        (tmp_path / name).mkdir(parents=True)
        parquet.write_table(whole, tmp_path / name / "part.parquet")
    assert ps.scan(tmp_path, label="y", score="s", session=LocalSession()).cases == 3
