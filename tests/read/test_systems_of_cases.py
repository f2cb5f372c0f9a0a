"""Several systems in one column of a table of cases or decisions: they were one list."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import precall as pc
from precall.cases.table import CaseTable, read_cases
from precall.cli.main import run as precall
from precall.core.notes.of_reading import NamesOfSystems
from precall.hard_decisions.outcomes import Decisions
from precall.hard_decisions.table_io import read_decisions
from tests.noticed import noticed, warned
from tests.peers import peer

ROWS = [
    (f"c{case}", system, case % 2, round(0.1 * case + (system == "b") * 0.05, 2))
    for system in "ab"
    for case in range(6)
]


def table(
    path: Path, *, id: str = "id", system: str = "system", rows: list[int] | None = None
) -> str:
    kept = ROWS if rows is None else [ROWS[row] for row in rows]
    text = "\n".join(",".join(map(str, row)) for row in kept)
    path.write_text(f"{id},{system},y,s\n{text}\n", encoding="utf-8")
    return str(path)


def cases(path: str) -> CaseTable:
    return read_cases(path, "y", ["s"])


def decisions(path: str) -> Decisions:
    return read_decisions(path, "y", "y")


def scan(path: str) -> pc.ScannedCases:
    return pc.ScoredCases.scan(path, label="y", score="s")


DOORS = pytest.mark.parametrize("read", [cases, decisions, scan])


@DOORS
@pytest.mark.parametrize("system", ["system", "run", "model", "Method", "retriever", "run_id"])
@pytest.mark.parametrize("id", ["id", "case_id", "example", "docno"])
def test_the_same_cases_of_several_systems_are_refused(
    read: Callable[[str], object], system: str, id: str, tmp_path: Path
) -> None:
    with pytest.raises(pc.DataError, match=f"column '{system}' tells several systems apart"):
        read(table(tmp_path / "x.csv", id=id, system=system))


@DOORS
def test_some_cases_of_several_systems_are_refused(
    read: Callable[[str], object], tmp_path: Path
) -> None:
    some = [row for row in range(12) if row not in (3, 7)]
    with pytest.raises(pc.DataError, match="several systems"):
        read(table(tmp_path / "x.csv", rows=some))
    # A column `model` may be one of cars, several of which have one owner.
    assert read(table(tmp_path / "y.csv", system="model", rows=some))


@DOORS
@pytest.mark.parametrize("system", ["name", "tag", "site"])
def test_other_columns_are_no_systems(
    read: Callable[[str], object], system: str, tmp_path: Path
) -> None:
    assert read(table(tmp_path / "x.csv", system=system))


@DOORS
def test_one_system_and_cases_of_their_own_are_read(
    read: Callable[[str], object], tmp_path: Path
) -> None:
    assert not read(table(tmp_path / "x.csv", rows=list(range(6)))).notes  # type: ignore[attr-defined]
    assert read(table(tmp_path / "y.csv", system="model", rows=[0, 1, 2, 9, 10, 11]))


@DOORS
def test_a_column_called_system_is_noted_without_ids(
    read: Callable[[str], object], tmp_path: Path
) -> None:
    for path in (
        table(tmp_path / "x.csv", id="place"),
        table(tmp_path / "y.csv", rows=[0, 1, 8, 9]),
    ):
        with warned(NamesOfSystems) as told:
            found = read(path)
        assert [(note.column, note.systems) for note in told] == [("system", 2)]
        assert noticed(found, NamesOfSystems) == told


def test_groups_measure_each_system(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = table(tmp_path / "x.csv")
    assert set(read_cases(path, "y", ["s"], group="system").groups or {}) == {"a", "b"}
    assert precall(["curve", path, "--label", "y", "--score", "s"]) == 2
    assert "--group system" in capsys.readouterr().err
    assert precall(["curve", path, "--label", "y", "--score", "s", "--group", "system"]) == 0
    assert precall(["decisions", path, "--truth", "y", "--decision", "y"]) == 2
    assert "--group" not in capsys.readouterr().err


def test_tables_in_memory_and_parquet_are_refused_as_text_is(tmp_path):
    """Of Parquet only the columns that are read were seen, and tables in memory not at all."""
    pd, polars, arrow = peer("pandas"), peer("polars"), peer("pyarrow")
    frame = pd.DataFrame(
        {
            "case": [*range(6)] * 2,
            "model": ["a"] * 6 + ["b"] * 6,
            "y": [1, 0, 1, 0, 0, 1] * 2,
            "s": [each / 12 for each in range(12)],
        }
    )
    frame.to_parquet(tmp_path / "x.parquet")
    tables = [frame, polars.from_pandas(frame), polars.from_pandas(frame).lazy()]
    tables += [arrow.Table.from_pandas(frame), frame.to_dict("list"), tmp_path / "x.parquet"]
    for table in tables:
        with pytest.raises(pc.DataError, match="column 'model' tells several systems apart"):
            pc.ScoredCases.scan(table, label="y", score="s")
    for table in tables:
        scanned = pc.ScoredCases.scan(table, label="y", score="s", group="model")
        assert not scanned.notes
    assert not pc.ScoredCases.scan(frame[:6], label="y", score="s").notes


def test_batches_and_files_read_in_parts_are_refused_as_tables_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only tables in memory and small files were looked at: a system in each batch went unseen."""
    batches = [
        {"id": ids, "system": [system] * 2, "y": [1, 0], "s": [0.9, 0.1]}
        for system in "ab"
        for ids in ([1, 2], [3, 4])
    ]
    for source in (batches, iter(batches)):
        with pytest.raises(pc.DataError, match="column 'system' tells several systems apart"):
            pc.ScoredCases.scan(source, label="y", score="s")
    assert not pc.ScoredCases.scan(batches, label="y", score="s", group="system").notes
    # Of a system for each batch, with cases of its own, the name is told.
    with warned(NamesOfSystems):
        pc.ScoredCases.scan([batches[0], batches[3]], label="y", score="s")
    assert pc.ScoredCases.scan([batches[0], batches[1] | {"id": "none"}], label="y", score="s")
    monkeypatch.setattr("precall.core.text._SMALL", 1)
    monkeypatch.setattr("precall.read.table_batches.BYTES", 64)
    for read in (cases, scan, decisions):
        with pytest.raises(pc.DataError, match="several systems"):
            read(table(tmp_path / "x.csv"))


def test_large_tables_are_judged_by_a_sample_of_cases(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("precall.read.systems_of_cases._SAMPLE", 50)
    columns = {"y": [1, 0] * 500, "s": [0.5] * 1000}
    systems = {"system": ["a"] * 500 + ["b"] * 500}
    with pytest.raises(pc.DataError, match="several systems"):
        pc.ScoredCases.scan(columns | systems | {"id": [*range(500)] * 2}, label="y", score="s")
    for ids in (range(1000), [*range(250)] * 4):  # cases of their own; and each twice in a system
        with warned(NamesOfSystems):
            pc.ScoredCases.scan(columns | systems | {"id": [*ids]}, label="y", score="s")


def test_topic_and_item_tell_cases_apart_together(tmp_path: Path) -> None:
    """Each alone is in a system several times, so two systems were taken for one list."""
    rows = [f"{s},q{q},d{d},{(q + d) % 2},{q + d}" for s in "ab" for q in (1, 2) for d in (1, 2, 3)]
    path = tmp_path / "x.csv"
    path.write_text("\n".join(["system,qid,docid,y,s", *rows]) + "\n", encoding="utf-8")
    for read in (cases, scan, decisions):
        with pytest.raises(pc.DataError, match="several systems"):
            read(str(path))


def test_ids_that_differ_in_capitals_are_no_groups(tmp_path: Path) -> None:
    """The columns were read as groups are, whose names are compared."""
    path = tmp_path / "x.csv"
    path.write_text("id,model,y,s\na,m,1,0.9\nA,n,0,0.1\n", encoding="utf-8")
    assert not cases(str(path)).notes
