"""Which of a command's files are one file: inputs, outputs, and what the shell has opened.

Old tests named an input as --output, and two pairs of options; they ran in one process, in which
standard input and output are no files of the shell, and let nobody else write to the summary.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from precall.cli.main import run
from precall.core.saving import append, save
from tests.cli.conftest import HOME

pytestmark = pytest.mark.skipif(os.name != "posix", reason="shells and links of POSIX")
CASES = "y,s\n" + "".join(f"{i % 2},{i}\n" for i in range(20))
TOPICS = [f"t{i:02}" for i in range(8)]


@pytest.fixture(autouse=True)
def files(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """c.csv, c.qrels and two runs."""
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    Path("c.csv").write_text(CASES, encoding="utf-8")
    Path("c.qrels").write_text("".join(f"{t} 0 a 1\n{t} 0 b 0\n" for t in TOPICS), encoding="utf-8")
    rng = np.random.default_rng(0)
    for name in ("old", "new"):
        rows = "".join(f"{t} Q0 {d} 1 {rng.normal():.3f} x\n" for t in TOPICS for d in "ab")
        Path(f"{name}.run").write_text(rows, encoding="utf-8")
    return folder


def shell(line: str, **environment: str) -> tuple[int, str, str]:
    """A line of the shell, in which `precall` is this one."""
    script = f'precall() {{ "{sys.executable}" -m precall "$@"; }}\n{line}'
    done = subprocess.run(
        ["bash", "-c", script],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env={**os.environ, "PYTHONPATH": HOME, **environment},
    )
    return done.returncode, done.stdout, done.stderr


CURVE = "precall curve - --input-format csv --label y --score s"
GATED = "precall compare c.qrels old.run new.run -m AP --fail-if-worse any:0.9"


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("line", "said"),
    [
        (
            f"{CURVE} -o c.csv < c.csv",
            "--output c.csv: is also standard input and would be overwritten",
        ),
        (f"ln c.csv d.csv; {CURVE} -o d.csv < c.csv", "--output d.csv: is also standard input"),
        # The system knows no `none/..`, of which the real path is this folder.
        (
            f"{CURVE} -o none/../c.csv < c.csv",
            "--output none/../c.csv: there is no directory none/..",
        ),
        (
            f"{GATED} --junit none/../old.run",
            "--junit none/../old.run: there is no directory none/..",
        ),
        (
            f"ln -s none/../c.csv link; {CURVE} -o link < c.csv",
            "--output link: there is no directory",
        ),
        (f"{CURVE} < c.csv >> c.csv", "standard output: is also standard input"),
        (
            "precall curve c.csv --label y --score s >> c.csv",
            "standard output: is also c.csv and would be overwritten",
        ),
        (
            f"{CURVE.replace(' - ', ' /dev/stdin ')} -o c.csv < c.csv",
            "--output c.csv: is also an input",
        ),
        ("precall eval c.qrels - -o old.run < old.run", "--output old.run: is also standard input"),
        (
            "precall report c.qrels - -o new.html < old.run >> new.html",
            "--output new.html: is also standard output",
        ),
        (
            f"{GATED} --junit z.txt --plot z.svg -o ./z.txt",
            "--junit z.txt: is also the --output; name another file",
        ),
        (
            f"{GATED} --junit z.svg --plot sub/../z.svg",
            "--junit z.svg: is also the --plot; name another file",
        ),
        (
            f"ln -s z.svg y.svg; {GATED} --junit y.svg --plot z.svg",
            "--junit y.svg: is also the --plot; name another file",
        ),
        (
            f"{GATED} --junit z.xml > z.xml",
            "--junit z.xml: is also standard output; name another file",
        ),
        (
            f"{GATED} --junit /dev/stdout | cat; exit ${{PIPESTATUS[0]}}",
            "--junit /dev/stdout: is also standard output",
        ),
        (
            f"{GATED} -o z.txt 2> z.txt; code=$?; cat z.txt >&2; exit $code",
            "--output z.txt: is also standard error",
        ),
        (
            f"{{ echo before; {GATED} -o all.txt; }} > all.txt",
            "--output all.txt: is also standard output; name another file",
        ),
        (
            "precall compare c.qrels old.run - < old.run",
            "old.run and - are one file; name each file once",
        ),
        (
            "ln old.run b.run; precall compare c.qrels old.run b.run",
            "old.run and b.run are one file; name each file once",
        ),
    ],
)
def test_one_file_is_not_read_and_written(line: str, said: str) -> None:
    Path("sub").mkdir()
    Path("c.txt").write_text("1\n", encoding="utf-8")
    kept = {
        name: Path(name).read_bytes()
        for name in ("c.csv", "c.txt", "old.run", "new.run", "c.qrels")
    }
    code, out, err = shell(line)
    assert code == 2 and said in err, (line, out, err)
    assert {name: Path(name).read_bytes() for name in kept} == kept
    assert not Path("z.svg").exists()


@pytest.mark.nightly
@pytest.mark.parametrize(
    "line",
    [
        "precall eval c.qrels old.run --format csv -o x.csv 2>> old.run",
        "precall eval c.qrels none.run 2>> c.qrels",
        "ln -s old.run link.run; precall compare c.qrels link.run new.run 2>> old.run",
    ],
)
def test_what_is_said_is_not_written_into_an_input(line: str) -> None:
    kept = {name: Path(name).read_bytes() for name in ("old.run", "new.run", "c.qrels")}
    code, out, err = shell(line)
    assert code == 2 and re.fullmatch(
        r"precall: error: standard error: is also .*; redirect it to another file\n", out
    ), (out, err)
    assert {name: Path(name).read_bytes() for name in kept} == kept and not Path("x.csv").exists()


@pytest.mark.nightly(keep=1)
@pytest.mark.parametrize(
    "line",
    [
        "precall curve c.csv --label y --score s &>> c.csv",
        "precall curve c.csv --label y --score s >> c.csv 2>&1",
        "precall curve c.csv --label y --score s 2>> c.csv 1>&2",
        "precall eval c.qrels old.run >> c.qrels 2>> old.run",
        "precall trec_eval c.qrels old.run &>> old.run",
        "precall trec_eval c.qrels old.run 2>> c.qrels 1>&2",
    ],
)
def test_nothing_is_said_where_both_streams_are_inputs(line: str) -> None:
    kept = {name: Path(name).read_bytes() for name in ("c.csv", "c.qrels", "old.run")}
    assert shell(line) == (2, "", "")
    assert {name: Path(name).read_bytes() for name in kept} == kept


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("eval c.qrels old.run --plugin plug -o plug.py", "--output plug.py: is also an input"),
        ("eval c.qrels old.run --plugin plug -o helper.py", "--output helper.py: is also an input"),
        (
            "curve c.csv --label y --score s --plugin plug -o link.txt",
            "--output link.txt: is also an input",
        ),
        (
            "compare c.qrels old.run new.run --plugin plug --fail-if-worse any:1 --github-summary",
            "summary plug.py: is also",
        ),
        ("measures --plugin plug >> plug.py", "standard output: is also "),
        ("explain AP --plugin plug >> helper.py", "standard output: is also "),
    ],
)
def test_modules_of_plugins_are_inputs(line: str, said: str) -> None:
    Path("plug.py").write_text("import precall, helper\n", encoding="utf-8")
    Path("helper.py").write_text("", encoding="utf-8")
    Path("link.txt").symlink_to("plug.py")
    code, out, err = shell(f"precall {line}", GITHUB_STEP_SUMMARY="plug.py")
    assert code == 2 and said in err, (out, err)
    assert (
        Path("plug.py").read_text() == "import precall, helper\n"
        and not Path("helper.py").read_bytes()
    )
    assert shell("precall eval c.qrels old.run --plugin plug -o new.txt")[0] == 0


OUTPUTS = {
    ("curve", "c.csv", "--label", "y", "--score", "s"): ("-o", "--plot"),
    ("decisions", "c.csv", "--truth", "y", "--predicted", "y"): ("-o", "--plot"),
    ("null", "--items", "20", "--relevant", "5"): ("-o", "--plot"),
    ("compare", "c.qrels", "old.run", "new.run", "-m", "AP", "--fail-if-worse", "AP"): (
        "-o",
        "--plot",
        "--junit",
        "--github-summary",
    ),
}


@pytest.mark.parametrize("words", OUTPUTS, ids=lambda words: words[0])
@pytest.mark.parametrize("there", [False, True])
def test_every_pair_of_outputs_is_compared(
    words: tuple[str, ...],
    there: bool,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    name = "same.svg"
    if there:
        Path(name).write_text("before", encoding="utf-8")
    for pair in combinations(OUTPUTS[words], 2):
        monkeypatch.setenv("GITHUB_STEP_SUMMARY", f"../{Path.cwd().name}/{name}")
        asked = [
            part for option in pair for part in (option, name)[: 2 - (option == "--github-summary")]
        ]
        # --output has no form of that ending: a link that ends otherwise.
        if pair[0] == "-o":
            Path("same.txt").unlink(missing_ok=True)
            Path("same.txt").symlink_to(name)
            asked[1] = "same.txt"
        assert run([*words, *asked]) == 2
        said = capsys.readouterr().err
        assert "is also the --" in said and pair[1] in said, said
        assert Path(name).exists() == there and (not there or Path(name).read_text() == "before")


@pytest.mark.parametrize("there", [False, True])
def test_the_summary_is_no_input(
    there: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    before = Path("old.run").read_bytes()
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", "./old.run" if there else "no.run")
    named = "old.run" if there else "no.run"
    assert run(["compare", "c.qrels", named, "new.run", "--github-summary"]) == 2
    assert "--github-summary" in (said := capsys.readouterr().err) and "is also an input" in said
    assert Path("old.run").read_bytes() == before and not Path("no.run").exists()


@pytest.mark.nightly
def test_devices_may_be_named_twice() -> None:
    code, _, err = shell(
        f"{GATED} --junit /dev/null --github-summary -o /dev/null", GITHUB_STEP_SUMMARY="/dev/null"
    )
    assert (code, err) == (0, "")


@pytest.mark.nightly
@pytest.mark.parametrize("redirect", [">>", ">"])
def test_a_shell_group_appends_to_the_summary(redirect: str) -> None:
    """The file was replaced by another: what the group wrote afterwards went to the old one."""
    Path("summary.md").write_text("# Earlier\n", encoding="utf-8")
    line = (
        f'{{ echo "# Title"; {GATED} --github-summary -o t.txt; echo "end"; }} {redirect} '
        '"$GITHUB_STEP_SUMMARY"'
    )
    code, _, err = shell(line, GITHUB_STEP_SUMMARY="summary.md")
    assert code == 0, err
    text = Path("summary.md").read_text(encoding="utf-8")
    assert ("# Earlier" in text) == (redirect == ">>")
    assert (
        "# Title\n\n" in text and "| gate |" in text and text.endswith("end\n") and "\0" not in text
    )
    assert text.index("# Title") < text.index("| gate |") < text.index("end\n")


def test_links_and_permissions_of_the_summary_stay() -> None:
    Path("real.md").touch(0o600)
    Path("summary.md").symlink_to("real.md")
    before = Path("real.md").stat().st_ino
    append(b"one\n", "summary.md")
    append(b"two\n", "summary.md")
    assert Path("real.md").read_bytes() == b"one\n\ntwo\n"
    assert Path("summary.md").is_symlink() and Path("real.md").stat().st_ino == before


def test_several_append_at_once() -> None:
    """Each read the file and wrote all of it: of those that did so at once one stayed."""
    texts = [f"{i:02}".encode() * 5000 + b"\n" for i in range(40)]
    threads = [threading.Thread(target=append, args=(text, "s.md")) for text in texts]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    found = [line for line in Path("s.md").read_bytes().splitlines(keepends=True) if line != b"\n"]
    assert sorted(found) == texts


def test_one_write_appends(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []
    write = os.write
    monkeypatch.setattr(
        os, "write", lambda descriptor, data: calls.append(data) or write(descriptor, data)
    )
    append(b"x" * 100_000, "s.md")
    append(b"y" * 100_000, "s.md")
    assert [len(data) for data in calls] == [100_000, 100_002]


def test_a_full_disk_takes_no_part_of_a_summary(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("s.md").write_bytes(b"before\n\n")
    write = os.write

    def little(descriptor: int, data: bytes) -> int:
        if os.fstat(descriptor).st_size > 20:
            raise OSError(28, "No space left on device")
        return write(descriptor, data[:20])

    monkeypatch.setattr(os, "write", little)
    with pytest.raises(OSError, match="No space left") as caught:
        append(b"z" * 1000, "s.md")
    assert caught.value.filename == "s.md" and Path("s.md").read_bytes() == b"before\n\n"


@pytest.mark.parametrize("name", ["newdir/", "newdir/.", "newdir/..", "new.json/", "sub/new/"])
def test_names_of_folders_are_no_files(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A file of that name was written, without the slash."""
    Path("sub").mkdir()
    before = sorted(Path().rglob("*"))
    assert run(["curve", "c.csv", "--label", "y", "--score", "s", "-o", name]) == 2
    assert f"--output {name}: is " in capsys.readouterr().err
    with pytest.raises(IsADirectoryError, match="is the name of a directory"):
        save(b"x", name)
    assert sorted(Path().rglob("*")) == before


@pytest.mark.nightly(keep=1)
@pytest.mark.parametrize("name", ["/dev/stdout", "/dev/fd/1", "link.json"])
def test_an_open_file_is_written_where_it_is(name: str) -> None:
    """What /dev/stdout stands for was replaced: a group's other lines were lost."""
    Path("link.json").symlink_to("/dev/stdout")
    line = (
        f"{{ echo before; precall curve c.csv --label y --score s --format json -o {name}; echo "
        f"behind; }} > all.txt"
    )
    code, out, err = shell(line)
    assert (code, out, err) == (0, "", "")
    text = Path("all.txt").read_text(encoding="utf-8")
    assert text.startswith('before\n{\n "format"') and text.endswith("}\nbehind\n")


@pytest.fixture
def parts() -> Path:
    """A folder of Parquet, of which a part is a link to a file elsewhere, and one a link to a
    folder.
    """
    pl = pytest.importorskip("polars")
    for name in (
        "cases/site=a/a.parquet",
        "cases/site=b/b.parquet",
        "store/c.csv",
        "other/d.parquet",
    ):
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        pl.DataFrame({"y": [1, 0] * 10, "s": list(range(20))}).write_parquet(name)
    Path("cases/site=c").mkdir()
    Path("cases/site=c/c.parquet").symlink_to(Path("store/c.csv").resolve())
    Path("cases/site=d").symlink_to(Path("other").resolve())
    Path("cases/site=a/round").symlink_to(Path("cases").resolve())
    return Path("cases")


@pytest.mark.nightly
@pytest.mark.parametrize(
    "line",
    [
        "precall curve cases --label y --score s >> cases/site=a/a.parquet",
        "precall curve cases --label y --score s -o store/c.csv",
        "precall curve cases --label y --score s >> other/d.parquet",
        "precall report --cases cases --label y --score s -o cases/site=b/b.parquet",
    ],
)
def test_the_files_of_a_folder_are_inputs(parts: Path, line: str) -> None:
    """Text was added to a file of the folder, which nothing can read since."""
    before = {path: path.read_bytes() for path in [*Path().rglob("*.parquet"), Path("store/c.csv")]}
    code, _, err = shell(line)
    assert code == 2 and "is also" in err, err
    assert {path: path.read_bytes() for path in before} == before


@pytest.mark.nightly
def test_linked_folders_hold_cases_too(parts: Path) -> None:
    """Those of a folder behind a link were left out without a word; one that leads round is passed
    over.
    """
    code, out, err = shell("precall curve cases --label y --score s --format json")
    assert code == 0, err
    assert '"relevant": 40' in out


@pytest.mark.nightly
@pytest.mark.parametrize(
    "line",
    [
        "precall trec_eval q.qrels a.run >> a.run",
        "precall trec_eval q.qrels - < a.run >> a.run",
        "precall trec_eval -Ra.run q.qrels - >> a.run",
    ],
)
def test_trec_eval_does_not_write_into_what_it_reads(line: str) -> None:
    Path("q.qrels").write_text("q1 0 a 1\n", encoding="utf-8")
    Path("a.run").write_text("q1 Q0 a 1 1 x\n", encoding="utf-8")
    code, _, err = shell(line)
    assert code == 2 and "is also" in err
    assert Path("a.run").read_text(encoding="utf-8") == "q1 Q0 a 1 1 x\n"


@pytest.mark.parametrize(
    ("before", "between"), [("| a |", "\n\n"), ("a\n", "\n"), ("a\n\n", ""), ("\n", "\n"), ("", "")]
)
def test_a_blank_line_stands_between(before: str, between: str) -> None:
    """Behind a text without a line's end there was one end of a line, and the verdict became a row
    of a table.
    """
    Path("s.md").write_text(before, encoding="utf-8")
    append(b"Passed\n", "s.md")
    assert Path("s.md").read_text(encoding="utf-8") == f"{before}{between}Passed\n"


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("form", "said"),
    [
        ("parquet", "does not begin like a Parquet file"),
        ("arrow", "does not begin like a Parquet file"),
        ("csv", "begins with NUL bytes"),
    ],
)
def test_a_pipe_without_an_end_is_looked_at_with_memory_too(form: str, said: str) -> None:
    """It filled the disk, or memory: what was read ahead was too little to say what it is, and was
    held for known.
    """
    line = (
        f"cat /dev/zero | precall curve - --input-format {form} --label y --score s --memory 160M"
    )
    code, _, err = shell(f"ulimit -f 400000; {line}")
    assert code == 2 and said in err
