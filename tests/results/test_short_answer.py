"""The short answer: what the table shows, what `--all` and `--notes` add, and what is never left
out.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import precall as pc
from precall.cli.main import run
from precall.core.notes import Quoted, Severity, note_kind, sentences
from precall.core.notes.facts import KINDS, Note
from precall.core.notes.of_curves import BreakEvenBeforeHits, NeedsWholeCounts
from precall.core.spelling import STYLE
from precall.results.blocks import Block, Line
from precall.results.forms import FORMS, notes_to_show, render
from precall.results.sheets import Sheet

LEGEND = Quoted("", "+ means a plus")
SHORT = Block("", ("name", "a"), (Line("first", (0.5,)),))
OF_DETAILS = (BreakEvenBeforeHits, NeedsWholeCounts)
DETAIL = Block("", ("more", "a"), (Line("second", (0.25,)),), detail="seconds", legends=(LEGEND,))


def sheet(*notes: Note, **fields: Any) -> Sheet:
    body = {"first": 0.5, "second": 0.25}
    tidy = tuple(body.items())
    blocks = fields.pop("blocks", (SHORT, DETAIL))
    return Sheet("precall.x/1", {"precall": "0"}, blocks, notes, body, ("n", "v"), tidy, **fields)


def kind_of(severity: Severity, name: str) -> type[Note]:
    """A kind of note for this test only."""
    made = note_kind(type(name, (Note,), {"severity": severity, "text": f"{name} here"}))
    del KINDS[next(key for key, kind in KINDS.items() if kind is made)]
    return made


@pytest.fixture(scope="module", name="kinds")
def _kinds() -> dict[Severity, list[type[Note]]]:
    return {
        severity: [kind_of(severity, f"{severity.name.title()}{i}") for i in range(5)]
        for severity in Severity
    }


@pytest.mark.parametrize("form", ["table", "markdown", "latex"])
def test_details_are_left_out_of_forms_for_readers(form: str) -> None:
    short, whole = render(sheet(), form), render(sheet(all=True), form)
    assert "first" in short and "first" in whole
    assert "second" not in short.replace("seconds", "") and "second" in whole


@pytest.mark.parametrize("form", ["json", "csv"])
def test_forms_for_programs_have_everything(form: str) -> None:
    assert render(sheet(), form) == render(sheet(all=True), form)
    assert "second" in render(sheet(), form)


def test_the_table_says_what_else_there_is_and_how_to_get_it() -> None:
    assert "\n.sheet(all=True) adds seconds\n" in render(sheet())
    token = STYLE.set("command")
    try:
        assert "\n--all adds seconds\n" in render(sheet())
    finally:
        STYLE.reset(token)
    assert "adds" not in render(sheet(all=True)) + render(sheet(blocks=(SHORT,)))


def test_a_legend_goes_with_its_block() -> None:
    assert LEGEND not in render(sheet(LEGEND))
    assert render(sheet(LEGEND, all=True)).count(LEGEND) == 1
    twice = (replace(SHORT, legends=(LEGEND,)), DETAIL)
    assert render(sheet(LEGEND, blocks=twice)).count(LEGEND) == 1
    assert LEGEND in render(sheet(LEGEND), "json")


def test_three_notes_are_printed_the_most_serious_first(
    kinds: dict[Severity, list[type[Note]]],
) -> None:
    informative, doubtful = kinds[Severity.INFORMATIVE], kinds[Severity.DOUBTFUL]
    notes = [*(kind("") for kind in informative[:3]), *(kind("") for kind in doubtful[:2])]
    printed = render(sheet(*notes))
    lines = printed.splitlines()
    first = lines.index(notes[3])
    assert lines[first : first + 4] == [
        notes[3],
        notes[4],
        notes[0],
        "2 more notes: .sheet(notes=True)",
    ]
    whole = sheet(*notes).sheet(all_notes=True)
    assert all(note in render(whole) for note in notes) and "more note" not in render(whole)
    assert "second" not in render(whole).replace("seconds", "")
    assert all(note in render(sheet(*notes, all=True)) for note in notes)
    assert all(note in render(sheet(*notes), "json") for note in notes)


@pytest.mark.parametrize("wrong", range(6))
def test_what_makes_a_number_wrong_is_never_left_out(
    wrong: int, kinds: dict[Severity, list[type[Note]]]
) -> None:
    notes = [kind("") for kind in kinds[Severity.DOUBTFUL]]
    notes += [kind("") for kind in kinds[Severity.WRONG][:wrong]]
    _, printed, folded = notes_to_show(sheet(*notes))
    assert printed[: min(wrong, 5)] == notes[5:] and len(printed) == max(3, min(wrong, 5))
    assert len(printed) + len(folded) == len(notes)


def test_a_table_that_fills_the_screen_has_one_note_unless_more_are_serious(
    kinds: dict[Severity, list[type[Note]]],
) -> None:
    notes = [kind("") for kind in kinds[Severity.DOUBTFUL][:4]]
    wrong = [kind("") for kind in kinds[Severity.WRONG][:2]]

    def table_of(rows: int, *notes: Note, **choices: bool) -> list[str]:
        block = replace(SHORT, lines=tuple(Line(f"l{i}", (0.5,)) for i in range(rows)))
        return render(sheet(*notes, blocks=(block,)).sheet(**choices)).splitlines()

    for rows, shown in ((16, 3), (17, 3), (18, 2), (19, 1), (40, 1)):
        lines = table_of(rows, *notes)
        assert [note for note in notes if note in lines] == notes[:shown]
        assert f"{4 - shown} more note{'s' * (shown < 3)}: .sheet(notes=True)" in lines
        assert len(lines) <= 24 or shown == 1
    lines = table_of(40, *notes, *wrong)
    assert [note for note in (*wrong, *notes) if note in lines] == wrong
    for choice in ("all", "all_notes"):
        assert set(table_of(40, *notes, **{choice: True})) >= set(notes)


def test_the_last_note_is_left_out_only_if_the_rest_then_fits_a_screen(
    kinds: dict[Severity, list[type[Note]]],
) -> None:
    long = Quoted("", "word " * 40)
    (wrong,) = (kind("") for kind in kinds[Severity.WRONG][:1])

    def table_of(rows: int, *notes: Note) -> list[str]:
        block = replace(SHORT, lines=tuple(Line(f"l{i}", (0.5,)) for i in range(rows)))
        return render(sheet(*notes, blocks=(block,))).splitlines()

    frame = len(table_of(1)) - 1  # with no row
    for free in range(4):
        lines = table_of(24 - frame - free, long)
        is_shown = any("word" in line for line in lines)
        assert is_shown == (free in (0, 3))
        assert free == 0 or len(lines) <= 24
        assert any("more note" in line for line in lines) == (not is_shown)
        assert wrong in table_of(24 - frame - free, wrong, long)


@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
def test_missing_topics_are_never_left_out() -> None:
    qrels = {f"q{i}": {"a": 1, "b": 0} for i in range(9)}
    run = {"q1": {"a": 1.0, "z": 1.0}, "other": {"a": 1.0}}
    report = pc.evaluate(qrels, {"r": run, "s": {"q2": {"a": 1.0}}}, ["AP", "bpref", "P@50"])
    serious = [note for note in report.notes() if note.severity == Severity.WRONG]
    text = " ".join(str(report).split())
    assert serious and all(line in text for line in sentences(serious))


def test_the_first_screen_of_a_curve() -> None:
    draw = np.random.default_rng(0)
    label = draw.random(200) < 0.3
    curve = pc.curve(label, draw.normal(size=200) + label)
    lines = str(curve).splitlines()
    assert len(lines) <= 15
    assert [line.split()[0] for line in lines[1:6]] == [
        "cases",
        "relevant",
        "prevalence",
        "AP",
        "AUC",
    ]
    whole = str(curve.sheet(all=True))
    assert "area pr trapezoid" in whole and "operating points" in whole
    assert len(str(curve.at(recall=0.9)).splitlines()) <= 15
    assert tuple(curve.sheet().tidy) == tuple(curve.sheet(all=True).tidy)


def test_the_first_screen_of_groups_has_the_mean_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    draw = np.random.default_rng(0)
    label = np.arange(140) // 7 % 3 == 0
    monkeypatch.chdir(tmp_path)
    rows = [
        f"{int(y)},{y + draw.normal():.3f},{draw.normal():.3f},{i % 7},{i % 20},{draw.random():.3f}"
        for i, y in enumerate(label)
    ]
    Path("cases.csv").write_text("\n".join(["y,s,t,few,many,w", *rows, ""]), encoding="utf-8")

    def lines_of(*more: str) -> list[str]:
        assert run(["curve", "cases.csv", "--label", "y", "--score", "s", *more]) == 0
        return capsys.readouterr().out.splitlines()

    few = lines_of("--group", "few")
    assert few[0].startswith("mean over 7 groups") and len(few) <= 24
    assert sum(line.split()[:2] == [str(i), "20"] for i in range(7) for line in few) == 7
    many = lines_of("--group", "many")
    assert sum(line.split()[1:2] == ["7"] for line in many) == 8 and "12 more rows" in str(many)
    for more in (["--at", "recall=0.9"], ["--score", "t"]):
        short = lines_of("--group", "few", *more)
        assert len(short) <= 24 and short[0] == few[0]
        whole = lines_of("--group", "few", *more, "--all")
        assert any(line.startswith("6     ") for line in whole)
        assert not any(line.startswith("6     ") for line in short)


def test_a_note_about_values_that_are_not_shown_is_left_to_them() -> None:
    label, score = [1, 0, 1, 0], [4.0, 3.0, 2.0, 1.0]
    weighted = pc.curve(label, score, weights=[0.5, 0.25, 0.5, 0.75])
    late = pc.curve([0, 0, 0, 1], score)
    for curve, measure in ((weighted, "RR"), (late, "BEP")):
        (note,) = (each for each in curve.sheet().notes if type(each) in OF_DETAILS)
        assert note in " ".join(str(curve.sheet(all=True)).split())
        assert note in render(curve.sheet(), "json")
        assert note not in " ".join(str(curve).split())
        assert note in " ".join(str(curve.sheet(measures=[measure])).split())


@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
def test_long_tables_are_one_table() -> None:
    block = replace(
        SHORT, lines=tuple(Line(f"l{i}", (0.5,)) for i in range(30)), first=10, legends=(LEGEND,)
    )
    short, whole = (render(sheet(LEGEND, blocks=(block,), all=all)) for all in (False, True))
    assert "the first 10 of 30 rows\n" in short and "adds 20 more rows" in short
    assert "\nl9 " in short and "\nl10 " not in short and LEGEND in short
    assert "rows" not in whole and whole.count("name") == 1 and "\nl29" in whole
    band = pc.interval.pr_band(np.arange(40) % 2, np.random.default_rng(0).normal(size=40))
    assert "the first 10 of" in str(band.sheet())
    whole = str(band.sheet(all=True))
    assert "the first" not in whole and len(whole.split("\n\n")[0].splitlines()) > 15


@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
def test_the_first_screens_of_intervals_gates_and_plans(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    draw = np.random.default_rng(0)
    truth = draw.integers(0, 6, 300)
    decided = np.where(draw.random(300) < 0.7, truth, draw.integers(0, 6, 300))
    found = pc.interval(pc.decisions(truth, decided))
    lines = str(found).splitlines()
    assert len(lines) <= 15
    assert [line.split()[0] for line in lines[1:4]] == ["accuracy", "micro-f", "macro-f"]
    assert len(str(found.sheet(all=True)).splitlines()) > len(found)
    one = pc.interval(pc.decisions(truth, decided), "F1").sheet()
    assert "first" not in str(one) and str(one).count("F1") == 6

    topics = [f"q{i}" for i in range(20)]
    qrels = {topic: {f"d{i}": int(i < 5) for i in range(20)} for topic in topics}
    runs = {
        f"r{i_run}": {
            topic: {f"d{i}": draw.normal() + (i < 5) * (2 - i_run / 3) for i in range(20)}
            for topic in topics
        }
        for i_run in range(6)
    }
    report = pc.evaluate(qrels, runs, ["AP", "nDCG@10"])
    gates = pc.compare.gates(report)
    assert len(gates.gates) == 10
    # Three notes take seven lines, and the conventions four.
    assert len(str(gates).splitlines()) <= 19
    whole = str(gates.sheet(all=True))
    assert all(" ".join(gate.text.split()) in " ".join(whole.split()) for gate in gates.gates)
    failed = pc.compare.gates(report, {"AP": 0.001}, baseline="r0")
    assert len(failed.failed) == 5
    assert failed.verdict.count("could not be ruled out") == 1
    assert len(str(failed).splitlines()) <= 19
    few = pc.compare.gates(report, {"AP": 0.5, "nDCG@10": 0.4}, baseline="r0")
    assert 0 < len(few.failed) <= 3
    text = " ".join(str(few).split())
    assert all(" ".join(gate.text.split()) in text for gate in few.failed)

    pair = {name: runs[name] for name in ("r0", "r5")}
    for measures, most in ((["AP"], 14), (["AP", "nDCG@10"], 16)):
        plan = pc.compare.plan(qrels, pair, measures, difference=0.02)
        assert len(str(plan).splitlines()) <= most
        assert "pilot topics" not in str(plan) and "pilot topics" in str(plan.sheet(all=True))

    monkeypatch.chdir(tmp_path)
    rows = [
        f"{int(x > 0)},{x + draw.normal():.3f},{draw.normal():.3f}" for x in draw.normal(size=60)
    ]
    Path("cases.csv").write_text("\n".join(["y,s,t", *rows, ""]), encoding="utf-8")
    assert run(["compare", "cases.csv", "--label", "y", "--score", "s", "--score", "t"]) == 0
    printed = capsys.readouterr().out
    assert " | label y\n" in printed and "truth" not in printed


def test_every_form_takes_a_short_sheet() -> None:
    for form in FORMS:
        if not FORMS[form].of:
            assert render(sheet(), form)


@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
@pytest.mark.parametrize(
    "names", [("pixels",), ("pixels", "profiles"), ("components", "profiles", "pixels")]
)
def test_the_first_screen_of_judged_runs(names: tuple[str, ...]) -> None:
    folder = Path(__file__).parents[2] / "examples" / "digits"
    runs = [folder / f"{name}.run" for name in names]
    measures = ["P@10", "AP", "RR", "nDCG@10", "R@10"]
    found = pc.judge(folder / "people.qrels", folder / "judge.qrels", runs, measures)
    short, whole = str(found).splitlines(), str(found.sheet(all=True)).splitlines()
    assert len(short) <= 24 < len(whole) or len(names) == 1
    for measure in measures:
        assert sum(measure in line for line in short[short.index("") : short.index("") + 8])
    (first, *details) = found.sheet().blocks
    assert not first.detail and all(block.detail for block in details)
