"""What only a process of its own shows: signals, pipes, terminals, standard input, what is
imported.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.conftest import HOME, ONE, command

posix = pytest.mark.skipif(os.name != "posix", reason="signals, pipes and terminals of POSIX")


def started(arguments, **options):
    options.setdefault("env", {**os.environ, "PYTHONPATH": HOME})
    return subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)


def many_topics(count):
    Path("x.qrels").write_text("".join(f"t{i} 0 a 1\n" for i in range(count)), encoding="utf-8")
    Path("x.run").write_text(
        "".join(f"t{i} Q0 a 1 1.0 x\n" for i in range(count)), encoding="utf-8"
    )


@pytest.mark.nightly
def test_standard_input_is_a_run_or_the_qrels(process):
    outcome = process("eval", "news.qrels", "-", "-m", "AP", "--format", "csv", stdin=ONE)
    assert outcome.code == 0 and ",one,all,AP,mean,0.527" in outcome.out, (
        "the name is the run's tag"
    )
    same = process(
        "eval", "-", "one.run", "-m", "AP", "--format", "csv", stdin=Path("news.qrels").read_text()
    )
    assert same.out == outcome.out


def test_problems_of_standard_input_have_lines(process):
    outcome = process("eval", "news.qrels", "-", stdin="q1 Q0 a\n")
    assert outcome.code == 2 and outcome.err.startswith(
        "precall: error: standard input:1: 3 fields"
    )


def test_a_table_from_standard_input(process):
    table = "qid,docid,score\nq1,a,2.5\nq1,b,1\n"
    outcome = process(
        "eval",
        "news.qrels",
        "-",
        "--input-format",
        "csv",
        "--columns",
        "topic=qid,item=docid",
        "-m",
        "RR",
        "--format",
        "trec",
        stdin=table,
    )
    assert outcome[:2] == (0, "RR                    \tall\t1.0000\n")


@posix
def test_nobody_reads_the_output(folder):
    many_topics(5000)
    process = started(command("eval", "x.qrels", "x.run", "-q", "--format", "csv"))
    assert process.stdout.readline().startswith(b"format,")
    process.stdout.close()
    assert process.stderr.read() == b""
    assert process.wait(30) == 141
    process.stderr.close()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
def test_no_room_on_the_device(folder):
    with Path("/dev/full").open("wb") as full:
        environment = {**os.environ, "PYTHONPATH": HOME}
        process = subprocess.Popen(
            command("eval", "news.qrels", "one.run"),
            stdout=full,
            stderr=subprocess.PIPE,
            env=environment,
        )
        _, said = process.communicate(timeout=60)
    assert process.returncode == 2
    assert (
        said
        == b"precall: error: standard output: No space left on device; free some or use another\n"
    )


@posix
def test_interrupt_is_quick_and_quiet(folder):
    process = started(command("eval", "news.qrels", "-"), stdin=subprocess.PIPE)
    # More than a pipe holds: when this returns, the other side has begun to read.
    process.stdin.write(ONE.encode() * 2000)
    process.stdin.flush()
    begun = time.monotonic()
    process.send_signal(signal.SIGINT)
    assert process.wait(10) == 130
    assert time.monotonic() - begun < 2
    assert process.stdout.read() == b"" and process.stderr.read() == b""
    for stream in (process.stdin, process.stdout, process.stderr):
        stream.close()


@posix
def test_interrupt_removes_what_is_half_written(folder):
    script = (
        "import os, sys, time\n"
        "from precall.cli import interrupt, outputs\n"
        "interrupt.watch()\n"
        "def slow(descriptor):\n"
        "    print('writing', os.listdir('.'), flush=True)\n"
        "    time.sleep(60)\n"
        "os.fsync = slow\n"
        "outputs.write('text', 'report.txt')\n"
    )
    process = started([sys.executable, "-c", script])
    assert b".part" in process.stdout.readline()
    process.send_signal(signal.SIGINT)
    assert process.wait(10) == 130
    assert sorted(path.name for path in Path().iterdir()) == ["news.qrels", "one.run", "two.run"]
    process.stdout.close()
    process.stderr.close()


def on_a_terminal(arguments, **environment):
    """Standard output and error of a process whose output is a terminal of 80 columns."""
    import pty
    import termios

    outer, inner = pty.openpty()
    termios.tcsetwinsize(inner, (24, 80))
    variables = {
        name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "COLUMNS")
    }
    process = subprocess.Popen(
        arguments,
        stdout=inner,
        stderr=inner,
        env={**variables, "PYTHONPATH": HOME, "TERM": "xterm", **environment},
    )
    os.close(inner)
    said = b""
    try:
        while piece := os.read(outer, 4096):
            said += piece
    except OSError:
        pass  # the other side is closed
    assert process.wait(30) == 0
    os.close(outer)
    return said.decode().replace("\r\n", "\n")


@pytest.mark.nightly
@posix
def test_the_best_is_bold_on_a_terminal(folder):
    arguments = command("eval", "news.qrels", "one.run", "two.run", "-m", "AP")
    shown = on_a_terminal(arguments)
    assert (
        "one  \x1b[1m0.5278\x1b[0m" in shown
        and "bold: best of its column" in shown
        and "*" not in shown
    )
    plain = on_a_terminal(arguments, NO_COLOR="1")
    # A slow machine shows a bar of progress first, which moves the cursor.
    assert "\x1b[1m" not in plain and "0.5278*" in plain and "* best of its column" in plain


@pytest.mark.nightly
@posix
@pytest.mark.parametrize("patience", [0.0, 60.0])
def test_a_progress_bar_after_a_second_on_a_terminal(folder, patience):
    script = (
        "import sys, time\n"
        "from precall.cli import main, outputs\n"
        f"outputs.PATIENCE = {patience}\n"
        "call = outputs.Progress.__call__\n"
        "def slow(self, *state):\n"
        "    call(self, *state); time.sleep(0.3)\n"
        "outputs.Progress.__call__ = slow\n"
        "sys.exit(main.run(['eval', 'news.qrels', 'one.run', 'two.run', '-m', 'AP']))\n"
    )
    shown = on_a_terminal([sys.executable, "-c", script])
    assert ("0/2" in shown and "1/2" in shown and "two.run" in shown) == (patience == 0)
    assert shown.rfind("\x1b[?25h") >= shown.rfind("\x1b[?25l"), "the cursor is given back"
    assert "best of its column" in shown


def test_no_progress_bar_in_a_pipe(folder):
    script = (
        "import sys, time\n"
        "from precall.cli import main, outputs\n"
        "outputs.PATIENCE = 0.0\n"
        "sys.exit(main.run(['eval', 'news.qrels', 'one.run']))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        check=False,
        env={**os.environ, "PYTHONPATH": HOME},
    )
    assert done.returncode == 0 and done.stderr == b""


@pytest.mark.parametrize(
    "arguments", [["--version"], ["--help"], ["eval", "--help"], ["explain", "--help"]]
)
def test_help_does_not_wait_for_numpy(folder, arguments):
    script = (
        "import sys\n"
        "from precall.cli.main import run\n"
        f"code = run({arguments!r})\n"
        "sys.exit(code or ('numpy' in sys.modules))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, env={**os.environ, "PYTHONPATH": HOME}
    )
    assert done.returncode == 0 and done.stdout


def test_evaluation_imports_only_what_it_needs(folder):
    script = (
        "import sys\n"
        "from precall.cli.main import run\n"
        "code = run(['eval', 'news.qrels', 'one.run', '--format', 'trec'])\n"
        "sys.stderr.write('imported:')\n"
        "heavy = 'narwhals jinja2 nanoarrow zstandard polars pandas scipy json csv "
        "numpy.ma'.split()\n"
        "print(*set(heavy) & set(sys.modules), file=sys.stderr)\n"
        "sys.exit(code)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, env={**os.environ, "PYTHONPATH": HOME}
    )
    assert done.returncode == 0 and done.stderr.strip().endswith(b"imported:")


def test_output_does_not_depend_on_the_locale(process):
    Path("x.run").write_text("q1 Q0 a 1 1.0 t\n", encoding="utf-8")
    Path("x.run").rename("naïve.run")
    outcome = process("eval", "news.qrels", "naïve.run", "-m", "RR", PYTHONIOENCODING="ascii")
    assert outcome.code == 0 and outcome.out.splitlines()[1].startswith("naïve")
