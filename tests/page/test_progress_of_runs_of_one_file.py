"""`precall report QRELS FILE --run-column run` ended in an IndexError: progress was told by files,
and a file had more runs.

Older tests gave the page as many files as runs.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from precall.cli import outputs
from precall.cli.main import run
from precall.page.record import read_page

LINES = [
    ("q1", "a", 0.9, "A"),
    ("q1", "b", 0.5, "A"),
    ("q1", "a", 0.1, "B"),
    ("q1", "b", 0.5, "B"),
    ("q1", "b", 1, "C"),
]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("q.qrels").write_text("q1 0 a 1\n", "utf-8")
    rows = "".join(f"{topic},{item},{score},{name}\n" for topic, item, score, name in LINES)
    Path("all.csv").write_text("topic,item,score,run\n" + rows, "utf-8")
    Path("other.csv").write_text("topic,item,score,run\nq1,a,1,D\n", "utf-8")
    trec = "".join(f"{topic} Q0 {item} 0 {score} {name}\n" for topic, item, score, name in LINES)
    Path("all.run").write_text(trec, "utf-8")
    for name in "xy":
        Path(f"{name}.run").write_text("q1 Q0 a 1 1.0 tag\n", "utf-8")
    return tmp_path


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int, str]]:
    """Runs done, runs, and what comes next, each time that progress is told."""
    seen: list[tuple[int, int, str]] = []
    monkeypatch.setattr(
        outputs.Progress, "__call__", lambda self, done, name: seen.append((done, self.total, name))
    )
    return seen


@pytest.mark.parametrize("command", ["eval", "compare", "report"])
@pytest.mark.parametrize(
    ("files", "column", "runs"),
    [
        (["all.csv"], "run", "ABC"),
        (["all.run"], "tag", "ABC"),
        (["all.csv", "other.csv"], "run", "ABCD"),
    ],
)
def test_progress_names_runs_where_they_are_no_files(
    command: str,
    files: list[str],
    column: str,
    runs: str,
    folder: Path,
    told: list[tuple[int, int, str]],
) -> None:
    page = ["-o", "x.html"] if command == "report" else []
    assert run([command, "q.qrels", *files, "-m", "AP", "--run-column", column, *page]) == 0
    assert told[: len(runs)] == [(place, len(runs), name) for place, name in enumerate(runs)]
    if page:
        assert sorted(read_page("x.html").sections[0].systems) == list(runs)  # type: ignore[attr-defined]


@pytest.mark.parametrize("command", ["eval", "compare", "report"])
def test_progress_names_files_where_each_is_a_run(
    command: str, folder: Path, told: list[tuple[int, int, str]]
) -> None:
    page = ["-o", "x.html"] if command == "report" else []
    assert run([command, "q.qrels", "x.run", "y.run", "-m", "AP", *page]) == 0
    assert told[:2] == [(0, 2, "x.run"), (1, 2, "y.run")]
