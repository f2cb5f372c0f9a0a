"""Cells of several labels whose separator is another one than that which was said, or one that
names have as well.

Why the old tests missed it: they gave no separator, or the right one, and looked for ";", "|" and
"," only.
"""

from __future__ import annotations

import re
import warnings
from pathlib import Path

import pytest

import precall as pc
from precall.cli.main import run
from precall.core.notes.of_reading import PartsAreLabels, PartsRecur
from precall.hard_decisions.table_io import compare_decisions, read_decisions
from tests.noticed import shown, warned

DECIDED = ["decisions", "x.csv", "--truth", "t", "--predicted", "p"]


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def _write(mark: str) -> None:
    rows = [(f"red{mark}blue", "red"), ("red", "red"), ("blue", f"red{mark}blue")]
    Path("x.csv").write_text("t,p,q\n" + "".join(f'"{a}","{b}",red\n' for a, b in rows))


@pytest.mark.parametrize(
    ("mark", "asked"), [(";", "|"), ("|", ";"), (",", ";"), (";", "/"), ("|", " ")]
)
def test_the_right_one_is_named(mark: str, asked: str, capsys: pytest.CaptureFixture[str]) -> None:
    _write(mark)
    assert run([*DECIDED, "--separator", asked]) == 2
    told = capsys.readouterr().err
    assert (
        f"column 't': holds 'red{mark}blue', whose parts are labels, too; say --separator '{mark}'"
        in told
    )
    assert told.endswith(" with --categories if it is one\n")
    with pytest.raises(pc.DataError, match="whose parts are labels"):
        compare_decisions("x.csv", "t", "p", "q", separator=asked)
    assert read_decisions("x.csv", "t", "p", separator=mark).value("micro-F") == pytest.approx(0.75)
    named = ["red", "blue", f"red{mark}blue"]
    assert len(read_decisions("x.csv", "t", "p", separator=asked, categories=named).categories) == 3


def test_one_that_parts_cells_is_believed() -> None:
    """Its labels may have other marks, of which a part is a label; where all parts are, it is
    refused.
    """
    Path("x.csv").write_text('t,p\n"Korea, South;Japan",Korea\nJapan,"Japan;Korea, South"\n')
    assert read_decisions("x.csv", "t", "p", separator=";").categories == (
        "Japan",
        "Korea",
        "Korea, South",
    )
    Path("x.csv").write_text('t,p\n"red,blue;green",red\ngreen,"green;blue"\n')
    with pytest.raises(pc.DataError, match="holds 'red,blue', whose parts are labels"):
        read_decisions("x.csv", "t", "p", separator=";")


@pytest.mark.filterwarnings("always::precall.PrecallWarning")
@pytest.mark.parametrize("mark", [" ", "/", "\t", "+", "#", ":", "~", "^", "、", "，", "；"])  # noqa: RUF001
def test_marks_that_names_have_are_warned_of(mark: str, capsys: pytest.CaptureFixture[str]) -> None:
    _write(mark)
    assert run(DECIDED) == 0
    printed = capsys.readouterr()
    said = printed.out + printed.err
    with warned(PartsAreLabels) as told:
        pc.decisions([f"red{mark}blue", "red", "blue"], ["red", "red", "blue"])
    assert [note.values for note in told] == [{"label": repr(f"red{mark}blue"), "mark": mark}]
    assert shown(said, *told, style="command") and "--categories" in said
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert read_decisions("x.csv", "t", "p", separator=mark).value("micro-F") == pytest.approx(
            0.75
        )
        read_decisions("x.csv", "t", "p", separator="none")


@pytest.mark.parametrize(
    "labels",
    [
        ["New York", "New"],
        ["A", "A+", "B"],
        ["C", "C++"],
        ["a a", "a"],
        ["1/2", "1"],
        ["x", "/", " "],
        ["New York", "New York City", "New Jersey", "San Francisco", "San Diego", "Pago Pago"],
        ["North Korea", "South Korea", "North Dakota", "South Dakota", "South Carolina"],
        ["renal failure", "acute renal failure", "heart failure", "acute heart failure"],
        ["machine learning", "learning theory", "theory of learning"],
        ["haze primary", "clear primary"],
        ["the cat sat on the mat", "the dog sat by the door", "a cat saw the dog on the mat"],
    ],
)
def test_names_are_not_warned_of(labels: list[str]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert pc.decisions(labels, labels).categories == tuple(sorted(labels))


@pytest.mark.filterwarnings("always::precall.PrecallWarning")
@pytest.mark.parametrize(
    ("labels", "words"),
    [
        (["O O B-PER", "B-LOC O"], 3),
        (["1 0 1", "0 0 1", "1 1 0"], 2),
        (["red\tblue", "blue\tgreen", "green\tred"], 3),
        (["haze primary", "clear primary", "clear primary water", "clear water haze"], 4),
    ],
)
def test_words_that_recur_are_warned_of(
    labels: list[str], words: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """No part stood alone, so categories such as "O O B-PER" were invented without a word."""
    with warned(PartsRecur) as told:
        pc.decisions(labels, labels)
    (note,) = told
    assert (note.label, note.categories, note.words) == (repr(min(labels)), len(labels), words)
    assert note.mark == ("\t" if "\t" in labels[0] else " ")
    Path("x.csv").write_text("t,p\n" + "".join(f"{label},{label}\n" for label in labels))
    assert run(DECIDED) == 0
    printed = capsys.readouterr()
    assert shown(printed.out + printed.err, note, style="command")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        read_decisions("x.csv", "t", "p", separator="none")
        pc.decisions(labels, labels, labels)


@pytest.mark.parametrize("mark", [";", "|", ","])
def test_a_separator_at_an_end(mark: str, capsys: pytest.CaptureFixture[str]) -> None:
    """`red;` is no label beside `red`."""
    for cell in (f"red{mark}", f"{mark}red"):
        with pytest.raises(pc.DataError, match="whose parts are labels, too"):
            pc.decisions([cell, "blue"], ["red", "blue"])
        Path("x.csv").write_text(f't,p\n"{cell}",red\nblue,blue\n')
        assert run(DECIDED) == 2
        assert f"--separator {mark!r}" in capsys.readouterr().err
        assert read_decisions("x.csv", "t", "p", separator=mark).accuracy() == 1
    assert (
        pc.decisions([mark, "."], [mark, mark]).accuracy() == 0.5
    )  # signs alone are labels, as of token tags


@pytest.mark.parametrize("cell", ["red&blue", "red & blue", "red / blue"])
def test_parts_between_signs(cell: str) -> None:
    with warned(PartsAreLabels) as told:
        pc.decisions(["red", "blue", "red"], [cell, "blue", "red"])
    assert told[0].mark in cell


def test_signs_are_no_parts():
    """Emoticons and code are single labels."""
    assert pc.decisions([";)", ")", "a"], [")", ")", "a"]).accuracy() == pytest.approx(2 / 3)
    assert pc.decisions(["};", "}", ")", "),"], ["}", "}", ")", ")"]).accuracy() == 0.5


@pytest.mark.parametrize("mark", [";", "|", "+", "、"])
def test_categories_that_are_named_lead_to_the_separator(
    mark: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The advice was to correct the cell, or to name it as a category."""
    _write(mark)
    assert run([*DECIDED, "--categories", "red,blue,green"]) == 2
    assert f"--separator {mark!r}" in capsys.readouterr().err
    cells = [f"red{mark}blue", "green"]
    with pytest.raises(pc.DataError, match=re.escape(f".split({mark!r})")):
        pc.decisions(cells, ["red", "green"], categories=["red", "blue", "green"])
    # Of a part that is no category nothing is known.
    with pytest.raises(pc.DataError, match="write both alike"):
        pc.decisions(cells, ["red", "green"], categories=["red", "green"])


@pytest.mark.parametrize("mark", [";", "|"])
@pytest.mark.parametrize(
    "rows", [[("c1*c2", "c1*c3")], [("c1*c2", "c1*c3"), ("c4*c5", "c4*c5"), ("c6*c7", "c8*c6")]]
)
def test_a_part_that_two_cells_share_is_a_label(
    mark: str, rows: list[tuple[str, str]], capsys: pytest.CaptureFixture[str]
) -> None:
    """No part stood alone, and none recurred in its column: micro-F was .333 for .667."""
    cells = [tuple(cell.replace("*", mark) for cell in row) for row in rows]
    Path("x.csv").write_text("t,p\n" + "".join(f"{a},{b}\n" for a, b in cells))
    assert run(DECIDED) == 2
    assert f"--separator {mark!r}" in capsys.readouterr().err
    with pytest.raises(pc.DataError, match="whose parts are labels, too"):
        pc.decisions(*map(list, zip(*cells, strict=True)))
    # Names with commas share parts and are one label each.
    assert pc.decisions(["Korea, South", "x"], ["Korea, North", "x"]).accuracy() == 0.5
