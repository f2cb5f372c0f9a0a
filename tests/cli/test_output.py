"""-o FILE: the whole report or nothing, with the permissions the file has."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

import precall as package
from precall.core.text import join_in_sentence
from precall.results.forms import endings

EVAL = ("eval", "news.qrels", "one.run", "-m", "AP", "--format", "json")


def names():
    return sorted(path.name for path in Path().iterdir())


def test_the_file_holds_what_would_have_been_printed(precall):
    printed = precall(*EVAL).out
    outcome = precall(*EVAL, "-o", "report.json")
    assert outcome == (0, "", "")
    assert Path("report.json").read_bytes().decode() == printed
    assert precall(*EVAL, "-o", "-").out == printed
    assert names() == ["news.qrels", "one.run", "report.json", "two.run"]


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
def test_permissions_and_links_stay(precall):
    Path("report.json").write_text("old", encoding="utf-8")
    Path("report.json").chmod(0o640)
    Path("link.json").symlink_to("report.json")
    assert precall(*EVAL, "-o", "link.json").code == 0
    assert Path("link.json").is_symlink() and Path("report.json").read_text().startswith(
        '{\n "format"'
    )
    assert stat.S_IMODE(Path("report.json").stat().st_mode) == 0o640
    before = os.umask(0o027)
    try:
        assert precall(*EVAL, "-o", "new.json").code == 0
    finally:
        os.umask(before)
    assert stat.S_IMODE(Path("new.json").stat().st_mode) == 0o640


@pytest.mark.skipif(not Path("/dev/null").exists(), reason="there is no /dev/null")
def test_a_device_is_written_to(precall):
    assert precall(*EVAL, "-o", "/dev/null") == (0, "", "")


def test_a_failure_leaves_the_old_file(precall, monkeypatch):
    def full(descriptor):
        raise OSError(28, "No space left on device", "report.json")

    Path("report.json").write_text("old", encoding="utf-8")
    monkeypatch.setattr(os, "fsync", full)
    outcome = precall(*EVAL, "-o", "report.json")
    assert outcome.code == 2
    assert (
        outcome.err
        == "precall: error: report.json: No space left on device; free some or use another\n"
    )
    assert Path("report.json").read_text() == "old"
    assert names() == ["news.qrels", "one.run", "report.json", "two.run"]


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("absent/report.json", "there is no directory "),
        (".", "is a directory, expected a file; name a file"),
        ("one.run", "is also an input and would be overwritten; name another file"),
    ],
)
def test_a_wrong_place_is_refused_before_anything_is_read(precall, path, message):
    outcome = precall("eval", "missing.qrels", "one.run", "-o", path)
    assert outcome.code == 2
    assert outcome.err.startswith(f"precall: error: --output {path}: {message}")


@pytest.mark.parametrize(
    ("form", "ending"),
    [("csv", "csv"), ("json", "JSON"), ("markdown", "md"), ("latex", "tex"), ("html", "html")],
)
def test_the_ending_says_the_form(precall, form, ending):
    bare = EVAL[:-2]
    printed = precall(*bare, "--format", form).out
    assert precall(*bare, "-o", f"x.{ending}").code == 0
    # A page has the command line.
    written = Path(f"x.{ending}").read_bytes().decode()
    assert written.startswith(printed[:200]) if form == "html" else written == printed
    # It was written as one of both, whichever the name said.
    other = "csv" if form == "json" else "json"
    for given in (
        ("-o", f"y.{ending}", "--format", other),
        ("--format", other, "-o", f"y.{ending}"),
    ):
        told = (
            f"--output y.{ending}: its ending says {form}, and --format {other}; name another "
            "file, or leave --format out"
        )
        assert precall(*bare, *given) == (2, "", f"precall: error: {told}\n")
        assert not Path(f"y.{ending}").exists()


@pytest.mark.parametrize("ending", ["xlsx", "parquet", "png", "tsv", "PDF", "jsonl", "gz", "htm"])
def test_endings_of_other_files_are_refused(precall, ending):
    # A text lay under these names, which no program for them opens.
    allowed = f"name a file that ends in {join_in_sentence(list(endings()), 'or')}"
    said = f"--output x.{ending}: there is no form for .{ending.lower()}; {allowed}"
    for given in (EVAL[:-2], (*EVAL[:-2], "--format", "csv")):
        assert precall(*given, "-o", f"x.{ending}") == (2, "", f"precall: error: {said}\n")
        assert not Path(f"x.{ending}").exists()


@pytest.mark.nightly(keep=1)
@pytest.mark.parametrize("ending", ["pdf", "csv", "txt", "docx"])
def test_pages_end_in_html(precall, ending):
    said = f"a page is HTML, and no .{ending}; name a file that ends in .html or .htm"
    outcome = precall("report", "news.qrels", "one.run", "-m", "AP", "-o", f"rep.{ending}")
    assert outcome == (2, "", f"precall: error: --output rep.{ending}: {said}\n")
    with pytest.raises(package.UsageError, match=f"rep.{ending}: {said}"):
        package.report(package.curve([1, 0, 1], [3, 2, 1]), f"rep.{ending}")
    assert precall("report", "news.qrels", "one.run", "-m", "AP", "-o", "rep.htm").code == 0
    refused = precall("report", "--from", "rep.htm", "-o", f"x.{ending}")
    assert refused.code == (2 if ending in ("pdf", "docx") else 0)


def test_other_endings_leave_the_form(precall):
    bare = EVAL[:-2]
    printed = precall(*bare).out
    for name in ("x", "x.txt", "x.out"):
        precall(*bare, "-o", name)
        assert Path(name).read_bytes().decode() == printed
    assert precall(*bare, "--format", "csv", "-o", "z.txt").code == 0
