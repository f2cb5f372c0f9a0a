"""Exit codes where links run in a circle, numbers have thousands of digits, and standard output or
error takes nothing.

The first two were defects (exit code 70), the last looked like a failed check (1). The old tests of
paths and limits gave ordinary links and numbers, and always read what was said. Later ones closed
no stream, or that of `eval` only: of trec_eval that was a defect, and help ended with 0 in silence;
and they were run with PYTHONUNBUFFERED set, without which Python ends with 120 where standard error
is full. Errors of reading were said to be of standard output: no test gave files that can be opened
and not read.
"""

from __future__ import annotations

import gzip
import subprocess
import sys
from pathlib import Path

import pytest

import precall as pc
from precall.core.saving import save
from tests.core.test_saving import ENVIRONMENT

FULL = Path("/dev/full")
needs_full = pytest.mark.skipif(not FULL.exists(), reason="there is no /dev/full")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a.qrels").write_text("q 0 a 1\n")
    (tmp_path / "a.run").write_text("q Q0 a 1 1 x\n")
    (tmp_path / "a.run.gz").write_bytes(gzip.compress(b"q Q0 a 1 1 x\n"))
    (tmp_path / "one").symlink_to("two")
    (tmp_path / "two").symlink_to("one")
    return tmp_path


def ran(folder: Path, *arguments: str, **environment: str) -> tuple[int, str]:
    command = [sys.executable, "-m", "precall", *arguments]
    done = subprocess.run(
        command,
        cwd=folder,
        env={**ENVIRONMENT, **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    return done.returncode, done.stderr


@pytest.mark.nightly
@pytest.mark.parametrize("command", [["eval", "a.qrels", "a.run"], ["report", "a.qrels", "a.run"]])
def test_links_in_a_circle(folder: Path, command: list[str]) -> None:
    code, said = ran(folder, *command, "-o", "one")
    assert code == 2
    assert said.startswith("precall: error: one: Too many levels of symbolic links")
    assert (folder / "one").is_symlink()


def test_links_in_a_circle_from_python(folder: Path) -> None:
    with pytest.raises(OSError, match="Too many levels") as caught:
        save(b"x", folder / "one")
    assert caught.value.filename == str(folder / "one")


def test_an_expansion_of_thousands_of_digits(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code, said = ran(folder, "eval", "a.qrels", "a.run.gz", PRECALL_MAX_EXPANSION="9" * 5000)
    assert code == 2
    assert "PRECALL_MAX_EXPANSION: must be an integer" in said
    monkeypatch.setenv("PRECALL_MAX_EXPANSION", "9" * 18)
    assert len(pc.read_run(folder / "a.run.gz")) == 1


#: Command → what it exits with where standard error takes nothing.
COMMANDS = {
    "eval a.qrels a.run": 0,
    "eval a.qrels none": 2,
    "trec_eval a.qrels a.run": 0,
    "trec_eval -m nonsense a.qrels a.run": 1,
    "trec_eval a.qrels none": 2,
    "--help": 0,
    "trec_eval -h": 0,
    "nonsense": 2,
    "": 2,
}


def redirected(
    folder: Path, command: str, streams: str, unbuffered: bool = False, **more: str
) -> tuple[int, str, str]:
    """A command whose streams the shell has redirected: exit code, standard output and error."""
    script = f'"{sys.executable}" -m precall {command} {streams}'
    done = subprocess.run(
        ["bash", "-c", script],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        env={**ENVIRONMENT, "PYTHONUNBUFFERED": "1" * unbuffered, **more},
    )
    return done.returncode, done.stdout, done.stderr


@pytest.mark.nightly
@needs_full
@pytest.mark.parametrize(
    ("streams", "unbuffered"), [("2>/dev/full", False), ("2>/dev/full", True), ("2>&-", False)]
)
def test_standard_error_that_takes_nothing(folder: Path, streams: str, unbuffered: bool) -> None:
    for command, code in COMMANDS.items():
        assert redirected(folder, command, streams, unbuffered)[0] == code, command


@pytest.mark.nightly
@needs_full
@pytest.mark.parametrize(
    ("streams", "said"),
    [
        (">/dev/full", "standard output: No space left on device; free some or use another"),
        (
            ">&-",
            "standard output is closed; open it, or use --output FILE where there is that option",
        ),
        (
            "<&- >&-",
            "standard output is closed; open it, or use --output FILE where there is that option",
        ),
        (">&- 2>/dev/full", ""),
        (">/dev/full 2>&-", ""),
    ],
)
def test_standard_output_that_takes_nothing(folder: Path, streams: str, said: str) -> None:
    """Exit code 2 of whatever would have been printed, and one line that says why."""
    line = f"precall: error: {said}\n" if said else ""
    for command, code in COMMANDS.items():
        if code == 0:
            assert redirected(folder, command, streams) == (2, "", line), command
    for command in (
        "--version",
        "measures",
        "about",
        "explain AP",
        "null --items 9 --relevant 3 --format json",
    ):
        if streams == ">&-":
            assert redirected(folder, command, streams) == (2, "", line), command
    if streams == ">/dev/full":
        for command in ("eval --help", "eval a.qrels a.run", "trec_eval a.qrels a.run"):
            assert redirected(folder, command, streams, True) == (2, "", line), command


def test_nothing_needs_a_stream_that_is_not_used(folder: Path) -> None:
    command = "eval a.qrels a.run -m AP -o out.json"
    assert redirected(folder, command, "<&- >&- 2>&-")[0] == 0
    assert (folder / "out.json").read_text().startswith('{\n "format"')


def test_files_do_not_get_the_numbers_of_closed_streams(folder: Path) -> None:
    """What a library writes to standard error would go into a file."""
    script = (
        "import os, sys; from precall.cli import main; main.run = lambda words: os.write(9, repr("
        "[os.fstat(n).st_rdev for n in range(3)] + [os.open('a.run', os.O_RDONLY) > 2]).encode()) "
        "* 0; sys.exit(main.main())"
    )
    done = subprocess.run(
        ["bash", "-c", '"$0" -c "$1" 9>&1 <&- >&- 2>&-', sys.executable, script],
        cwd=folder,
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    nowhere = Path("/dev/null").stat().st_rdev
    assert done.stdout == repr([nowhere] * 3 + [True])


@pytest.mark.nightly
@pytest.mark.skipif(
    not Path("/proc/self/mem").exists(), reason="no file that can be opened and not read"
)
@pytest.mark.parametrize("kernel", ["native", "twin"])
def test_errors_of_reading_name_what_was_read(folder: Path, kernel: str) -> None:
    """They were said to be of standard output."""
    cases = "--label y --score s --input-format csv"
    for command, streams, name in (
        ("eval a.qrels -", "0> closed", "standard input: Bad file descriptor"),
        ("trec_eval a.qrels -", "0> closed", "Bad file descriptor"),
        (f"curve - {cases}", "0> closed", "standard input: Bad file descriptor"),
        (f"curve - {cases} --memory 160M", "0> closed", "standard input: Bad file descriptor"),
        ("eval a.qrels /proc/self/mem", "", "/proc/self/mem: Input/output error"),
        (f"curve /proc/self/mem {cases}", "", "/proc/self/mem: Input/output error"),
        ("report --from /proc/self/mem", "", "/proc/self/mem: Input/output error"),
        ("trec_eval a.qrels /proc/self/mem", "", "/proc/self/mem"),
        ("ranking /proc/self/mem a.run", "", "/proc/self/mem"),
    ):
        if kernel == "twin" and not command.startswith(("eval", "trec_eval")):
            continue
        code, _, said = redirected(
            folder, command, streams, **({"PRECALL_KERNEL": "twin"} if kernel == "twin" else {})
        )
        assert code == 2 and name in said and "standard output" not in said, (command, said)
    with pytest.raises(OSError, match="/proc/self/mem"):
        pc.read_run("/proc/self/mem")
