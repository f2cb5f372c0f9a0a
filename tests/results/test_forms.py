"""Every result has every form, and all forms of a result say the same."""

from __future__ import annotations

import csv
import importlib
import io
import json
import math
import os
import pkgutil
import re
import tempfile
import warnings
from dataclasses import replace
from functools import cache
from html import unescape
from pathlib import Path

import click
import numpy as np
import pytest

import precall as pc
from precall.cases.decision_curves import decision_curves
from precall.cases.table import CaseTable, measure_cases, read_cases
from precall.cli.commands import SUMMARIES, commands
from precall.cli.explanations import measures_sheet
from precall.core.notes import notes_to_json
from precall.core.notes.of_intervals import FewValues
from precall.page.record import read_page
from precall.results import forms
from precall.results.forms import exact
from precall.results.sheets import Presented, Sheet, Table
from precall.stats.tests.equivalence import gate
from precall.stats.tests.gating import Gates
from tests.noticed import noticed, shown, warned

HOSTILE = "<b>|$x_1"
QRELS = {f"q{i}": {"a": 1} for i in range(8)}
RUNS = {
    HOSTILE: {f"q{i}": {"a": 1.0, "b": float(i % 3)} for i in range(8)},
    "y": {f"q{i}": {"a": 3.0 - i, "b": 2.0} for i in range(8)},
}


def cases_in(path, relevant, score):
    rows = zip(relevant.tolist(), score.tolist(), strict=True)
    path.write_text("y,s\n" + "".join(f"{y},{s}\n" for y, s in rows), encoding="utf-8")
    return str(path)


def collected():
    many = pc.ScoredCategories(["a", "b"])
    many.add(["a", "b"], [[0.9, 0.1], [0.6, 0.4]])
    return many


def _labelled():
    """Labels by people, labels by a judge, and two runs."""
    judge = {f"q{i}": {"x": i % 3 % 2, "y": i % 2, HOSTILE: i % 5 // 3} for i in range(30)}
    people = {
        topic: {item: grade if i % 4 else 1 - grade for item, grade in items.items()}
        for i, (topic, items) in enumerate(judge.items())
        if i % 2
    }
    runs = {
        name: {
            topic: {item: float((3 * i + 5 * place * k) % 7) for place, item in enumerate(items)}
            for i, (topic, items) in enumerate(judge.items())
        }
        for k, name in enumerate(("a", HOSTILE), 1)
    }
    return people, judge, runs


def results(folder):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pc.PrecallWarning)
        report = pc.evaluate(QRELS, RUNS, ["AP", "E@1", "NumRel"])
        compared = pc.compare(report, measures="AP")
        intervals = pc.interval(report, "AP")
        relevant = np.random.default_rng(0).integers(0, 2, 50)
        score = np.random.default_rng(1).random(50)
        curve, decisions = (
            pc.curve(relevant, score),
            pc.decisions(["a", HOSTILE, "b"], ["a", "b", HOSTILE]),
        )
        status = pc.categorize(["a", "b", "b"], [[0.9, 0.1], [0.6, 0.4], [0.2, 0.8]])
        chance = pc.null.test(curve)
        low, high = np.linspace(0.1, 0.5, 20) ** 2, np.linspace(0.2, 0.6, 20)
        table = cases_in(folder / "cases.csv", relevant, score)
        return {
            "report": report,
            "topics": report.sheet(per_topic=True, intervals=intervals),
            "comparisons": compared,
            "comparison": compared.pairs[0],
            "intervals": intervals,
            "interval": intervals[HOSTILE, "AP"],
            "tuned": pc.interval.max_f(relevant, score, rng=1),
            "curve": curve,
            "point": curve.max_f(),
            "band": pc.interval.pr_band(relevant, score, rng=1),
            "areas": curve.areas(),
            "decisions": decisions,
            "summary": decisions.report(),
            "confusion": decisions.confusion(),
            "status": status,
            "scored categories": collected(),
            "table": report.per_topic,
            "scanned": pc.ScoredCases.scan([(relevant, score)]),
            "decision curves": decision_curves(
                CaseTable.of("", relevant == 1, {HOSTILE: score}, None, None, 0, True),
                grid=[0.1, 0.3],
            ),
            "thresholds": status.thresholds("max-f"),
            "ranks": status.thresholds("rank:1"),
            "shares": status.thresholds("pcut", tune="micro-F1"),
            "baselines": status.sheet(policy="scut", baselines=True),
            "by category": status.by_category("AP"),
            "distribution": pc.null.average_precision(20, 5),
            "significance": chance,
            "outcome": chance.combined,
            "measures": measures_sheet(),
            "variance": pc.compare.many({"a": low, "b": high, HOSTILE: low**2}).anova["value"],
            "plan": pc.compare.plan(topics=50, deviation=0.1),
            "verdict": compared.verdicts["AP"],
            "equivalence": pc.compare.equivalence(low, high, 0.3, names=("a", HOSTILE)),
            "gate": (held := gate(pc.compare.paired(low, high, names=("a", HOSTILE)), low - high)),
            "gates": Gates((held,)),
            "mean versus f": pc.f_versus_break_even(0.25, 1.0),
            "bounds": pc.Bounds(0.25, 0.5, 0.75),
            "detections": pc.detections(
                [0.9, 0.8, 0.7], [1, 0, 1], [HOSTILE, "b", "b"], objects={HOSTILE: 2, "b": 1}
            ),
            "spans": pc.decisions.spans([[(HOSTILE, 0, 2), ("b", 3, 4)]], [[("b", 3, 4)]]),
            "judged": (judged := pc.judge(*_labelled(), measures=["P@2", "AP"])),
            "judged value": judged["a", "AP"],
            "judged pair": judged.pairs[0],
            "agreement": judged.agreement,
            "judge plan": judged.plan(width=0.5, labels=12),
            "judge sample": pc.judge.sample(*_labelled()[1:], "P@2", n=12, by="systems"),
            "judged decisions": pc.judge.decisions(
                [1, 0, 1, None] * 15,
                [1, 0, 1, 1] * 15,
                {"a": [1, 0, 0] * 20, HOSTILE: [1, 1, 0] * 20},
            ),
            "judged cases": pc.judge.cases(
                [1, 0, 1, None] * 15, [1, 0, 1, 1] * 15, {"a": range(60), HOSTILE: [1, 3, 2] * 20}
            ),
            "judged decisions of one": pc.judge.decisions(
                [1, 0, 1, None] * 15, [1, 0, 1, 1] * 15, [1, 0, 0] * 20
            ),
            "extremes": pc.extremes.decisions([1, 0, None, 1], [1, 1, 1, 0], ["P", "MCC"]),
            "posteriors": pc.compare.bayes.decisions(
                [1, 1, 0, 0] * 9, [1, 0, 0, 1] * 9, [1, 1, 0] * 12, names=("a", HOSTILE)
            ),
            "cross-validation": status.cross_validate("global", folds=2),
            "bare counts": pc.compare.bayes.counts(8, 2, 3, 10),
            "wins": pc.compare.bayes.wins(8, 3, 2, rope=0.1),
            "several runs": pc.compare.seeds(
                pc.evaluate(QRELS, {**RUNS, "more": RUNS[HOSTILE]}, ["AP"]),
                {"several": ["more", HOSTILE]},
            ),
            "two curves": pc.compare.curves(
                pc.curve([1, 1, 0, 0] * 9, range(36)),
                pc.curve([1, 1, 0, 0] * 9, [1, 0, 2, 1] * 9),
                names=("a", HOSTILE),
            ),
            "orders": pc.compare.orders(["a", HOSTILE], ["a", HOSTILE]),
            "overlap": pc.compare.rbo(
                {HOSTILE: ["a", "b"]}, {HOSTILE: ["b"]}, names=("a", HOSTILE)
            ),
            "better": pc.compare.bayes.decisions(
                [1, 1, 0, 0] * 9, [1, 0, 0, 1] * 9, [1, 1, 0] * 12
            ).f,
            "named nulls": pc.null.describe(20, 5, auc="0.7", ndcg=True, level=0.9),
            "posterior": pc.compare.bayes.f(8, 2, 4),
            "three ways": pc.compare.bayes.sign(low, high),
            "range": pc.null.average_precision(20, 5).interval(),
            "tail": pc.null.average_precision(20, 5).tail(0.5),
            "locations": pc.null.locations(20, 5, 1, 2),
            "described": pc.null.describe(20, 5),
            "sequential": (reading := pc.null.sequential(20, 5, 8)),
            "read so far": reading.read([1, 3]),
            "cases": measure_cases(read_cases(table, "y", ["s"])),
            "points": pc.curve([1, 0, 1], [3.0, 2.0, 1.0]).points(),
            "ranking": pc.ranking(["a", HOSTILE], ["x", HOSTILE], population=5, interval=True),
        }


NAMES = (
    "report",
    "topics",
    "comparisons",
    "comparison",
    "intervals",
    "interval",
    "tuned",
    "curve",
    "point",
    "band",
    "areas",
    "decisions",
    "summary",
    "confusion",
    "status",
    "scored categories",
    "table",
    "scanned",
    "decision curves",
    "thresholds",
    "ranks",
    "shares",
    "baselines",
    "by category",
    "distribution",
    "significance",
    "outcome",
    "measures",
    "variance",
    "plan",
    "verdict",
    "equivalence",
    "gate",
    "gates",
    "mean versus f",
    "bounds",
    "detections",
    "spans",
    "judged",
    "judged value",
    "judged pair",
    "agreement",
    "judge plan",
    "judge sample",
    "judged decisions",
    "judged cases",
    "judged decisions of one",
    "extremes",
    "posteriors",
    "cross-validation",
    "bare counts",
    "wins",
    "several runs",
    "two curves",
    "orders",
    "overlap",
    "better",
    "named nulls",
    "posterior",
    "three ways",
    "range",
    "tail",
    "locations",
    "described",
    "sequential",
    "read so far",
    "cases",
    "points",
    "ranking",
)
each = pytest.mark.parametrize("result", NAMES, indirect=True)


@cache
def every_result():
    with tempfile.TemporaryDirectory() as folder:
        return results(Path(folder))


@pytest.fixture
def result(request):
    return every_result()[request.param]


def test_the_names_are_of_all_results():
    assert tuple(every_result()) == NAMES


@each
def test_json_and_plain_data_are_the_sheet(result):
    sheet = result.sheet()
    told = json.loads(result.to_json(), parse_constant=pytest.fail)
    assert told == json.loads(json.dumps(exact(sheet.to_dict()))) and told["format"] == sheet.format
    assert (
        told["notes"] == json.loads(json.dumps(exact(notes_to_json(sheet.notes))))
        and told["conventions"]
    )
    json.dumps(result.to_dict())


@each
def test_csv_has_every_digit_of_the_rows(result):
    sheet = result.sheet()
    rows = list(csv.reader(io.StringIO(result.to_csv(), newline="")))
    notes = [] if "notes" in sheet.columns else ["notes"]
    assert rows[0] == ["format", *sheet.columns, *notes] and len(rows) == 1 + len(sheet.tidy) > 1
    for row, cells in zip(rows[1:], sheet.tidy, strict=True):
        for text, cell in zip(row[1 : 1 + len(cells)], cells, strict=True):
            if cell is None or cell != cell:
                assert text == ""
            else:
                assert text == cell if isinstance(cell, str) else float(text) == cell


@each
def test_numbers_by_name_are_those_of_the_rows(result):
    """As MLflow takes them: letters, digits, underscores, and slashes behind the names of systems;
    or it says why not.
    """
    try:
        flat = result.flat()
    except pc.UsageError:
        with pytest.raises(pc.UsageError, match="whose numbers have no names"):
            result.flat()
        return
    cells = {
        float(cell)
        for row in result.sheet().tidy
        for cell in row
        if isinstance(cell, int | float) and cell == cell
    }
    assert all(
        type(value) is float and (value != value or value in cells) for value in flat.values()
    )
    assert all(re.fullmatch(r"\w+(/\w+)*", name) and len(name) <= 250 for name in flat)


@pytest.mark.nightly(keep=8)
@each
def test_frames_and_arrow_have_the_same_columns(result):
    pyarrow = pytest.importorskip("pyarrow")
    # To `pyarrow.table` a tuple is a list of columns.
    arrow = (
        pyarrow.RecordBatchReader.from_stream(result).read_all()
        if isinstance(result, tuple)
        else pyarrow.table(result)
    )
    # As texts: an undefined value is none other than itself, which to Arrow it is.
    assert repr(result.to_arrow().to_pydict()) == repr(arrow.to_pydict())
    known = result if isinstance(result, Table) else getattr(result, "table", None)
    sheet = result.sheet()
    columns = (
        known if isinstance(known, Table) else Table.of_rows(sheet.columns, sheet.tidy)
    ).to_dict()
    assert arrow.column_names == list(columns)
    for name, column in columns.items():
        for frame in (result.to_polars()[name].to_list(), result.to_pandas()[name].tolist()):
            assert all(a == b or (a != a and b != b) for a, b in zip(frame, column, strict=True))
        assert all(
            a == b or (a != a and b != b)
            for a, b in zip(arrow.column(name).to_pylist(), column, strict=True)
        )


@each
def test_print_prints(result, capsys):
    result.print()
    assert capsys.readouterr().out == f"{result}\n"


@pytest.mark.nightly(keep=8)
@each
def test_documents_have_every_value_of_the_blocks(result):
    markdown, latex, page = result.to_markdown(), result.to_latex(), result._repr_html_()
    rows = [line for line in markdown.splitlines() if line.startswith("| ")]
    blocks = result.sheet().printed().blocks
    assert len(rows) == sum(2 + len(block.lines) for block in blocks)
    assert latex.count(r"\toprule") == len(blocks)
    tables = re.sub("(?m)^%.*", "", latex)
    for text in (markdown, tables, page):
        assert "<b>" not in text
    assert str(result) and not str(result).endswith("\n")


@pytest.mark.nightly(keep=12)
@each
def test_a_file_is_what_its_ending_says(result, tmp_path):
    forms = {
        "csv": result.to_csv(),
        "json": result.to_json(),
        "md": result.to_markdown(),
        "tex": result.to_latex(),
    }
    for ending, text in forms.items():
        path = tmp_path / f"saved.{ending.upper()}"
        result.save(path)
        assert path.read_bytes() == text.encode()
    result.save(str(tmp_path / "saved.html"))
    page = (tmp_path / "saved.html").read_text(encoding="utf-8")
    assert read_page(tmp_path / "saved.html").title
    assert page.startswith("<!doctype html>") and page == result.to_html()
    assert '<div class="precall">' not in page
    with pytest.raises(
        pc.UsageError, match=re.escape("saved.docx: the name must end in .txt, .csv, .json")
    ):
        result.save(tmp_path / "saved.docx")
    assert not Path(tmp_path / "saved.docx").exists()


def kinds(kind=Presented):
    """All classes of results of the package."""
    for found in kind.__subclasses__():
        if found.__module__.startswith("precall.") and not found.__module__.startswith(
            "precall.spark"
        ):
            yield found
            yield from kinds(found)


def test_every_kind_of_result_is_among_these():
    for found in pkgutil.walk_packages(pc.__path__, "precall."):
        if not found.name.startswith(
            ("precall.__main__", "precall.cli", "precall.native", "precall.spark", "precall.torch")
        ):
            importlib.import_module(found.name)
    families = (type(every_result()["distribution"]).__mro__[1],)
    known = {base for result in every_result().values() for base in type(result).__mro__}
    assert {found.__name__ for found in kinds() if not issubclass(found, families)} <= {
        one.__name__ for one in known
    }


def test_a_form_is_added_by_one_registration(tmp_path, monkeypatch):
    monkeypatch.setattr(forms, "FORMS", dict(forms.FORMS))
    forms.form("org", ".org")(lambda sheet: f"* {sheet.format}\n")
    result = every_result()["curve"]
    assert forms.names()[-1] == "org" and result.to_org() == "* precall.curve/2\n"
    result.save(tmp_path / "x.org")
    assert (tmp_path / "x.org").read_text(encoding="utf-8") == result.to_org()
    with pytest.raises(AttributeError, match="'Curve' object has no attribute 'to_doc'"):
        result.to_doc()


def test_the_choices_of_every_command_are_the_forms():
    made = {name: commands.get_command(click.Context(commands), name) for name in SUMMARIES}
    typed = {
        name: {option.name: option for option in command.params} for name, command in made.items()
    }
    choices = {name: tuple(of["form"].type.choices) for name, of in typed.items() if "form" in of}
    of_reports = forms.names("precall.report/2")
    assert choices.pop("eval") == of_reports
    assert set(of_reports) - set(forms.names()) == {"trec"}
    assert set(choices.values()) == {forms.names()}
    # `report` has its own -o, and `trec_eval` prints what trec_eval prints.
    assert {name for name, of in typed.items() if "output" not in of} == {"trec_eval"}


def test_documents_name_the_form_of_every_result():
    page = (Path(__file__).parents[2] / "docs/how-to/notebooks.md").read_text(encoding="utf-8")
    assert [name for name in forms.names() if f"`to_{name}()`" not in page] == ["table"]


def test_type_checkers_know_the_form_of_every_result():
    # `print(result)` is the table.
    known = {name.removeprefix("to_") for name in vars(Presented)}
    assert [name for name in forms.names() if name not in known] == ["table"], (
        "write its method, to_NAME, into Presented of results/sheets.py"
    )


def test_averages_are_those_of_the_report():
    report = every_result()["report"]
    rows = zip(
        *Table.of_rows(report.sheet().columns, report.sheet().tidy).to_dict().values(), strict=True
    )
    assert {(run, measure): value for run, _, measure, _, value in rows} == dict(report.mean)


def test_a_low_value_is_marked_where_low_is_good():
    sheet = every_result()["report"].sheet()
    errors = [line.values[1] for line in sheet.blocks[0].lines]
    best = [1 in chosen for chosen in sheet.blocks[0].leaders()]
    assert errors[0] != errors[1] and best == [one == min(errors) for one in errors]
    lowest = f"**{min(errors):.4f}**"
    assert (
        lowest in sheet.to_markdown()
        and f"**{max(errors):.4f}**" not in sheet.to_markdown().split("NumRel")[1]
    )


def test_the_verdict_is_said_first():
    sheet = every_result()["decisions"].sheet().sheet(verdict="Half of it is <right>.")
    assert isinstance(sheet, Sheet) and str(sheet).startswith("Half of it is <right>.\n\ncategory")
    assert sheet.to_markdown().startswith("Half of it is \\<right\\>.\n\n|")
    assert sheet.to_latex().splitlines()[1] == "% Half of it is <right>."
    assert list(json.loads(sheet.to_json()))[:2] == ["format", "verdict"]
    assert "<p>Half of it is &lt;right&gt;.</p>" in sheet._repr_html_()
    assert "verdict" not in json.loads(every_result()["intervals"].to_json())


def test_what_was_asked_of_a_curve_is_in_its_sheet():
    curve = every_result()["curve"]
    sheet = curve.sheet(at={"recall=.5": {"recall": 0.5}})
    point = curve.at(recall=0.5)
    told = json.loads(sheet.to_json())["scores"]["curve"]["at recall=.5"]
    assert told["precision"] == point.precision and math.isclose(told["threshold"], point.threshold)


def test_averages_serialise():
    report = every_result()["report"]
    one = pc.evaluate(QRELS, RUNS["y"], ["map", "P@1"])
    assert (
        json.loads(json.dumps(one.mean))
        == {"AP": one["map"], "P@1": one["P@1"]}
        == one.mean.to_dict()
    )
    told = json.loads(json.dumps(report.mean.to_dict()))
    assert {(run, name): value for run, of in told.items() for name, value in of.items()} == dict(
        report.mean
    )
    nothing = pc.evaluate({"q": {"a": 0}}, {"q": {"a": 1.0}}, ["AP"], undefined="omit")
    assert math.isnan(nothing["AP"]) and nothing.mean.to_dict() == {"AP": None}


def test_an_average_is_asked_of_the_report():
    report = every_result()["report"]
    assert report["y", "AP"] == report.mean["y", "AP"] and ("y", "AP") in report.mean
    assert report.mean.get(("y", "RR")) is None and ("y", "RR") not in report.mean
    with pytest.raises(KeyError, match="there are several runs"):
        report["AP"]
    with pytest.raises(TypeError):
        iter(report)


def test_a_printed_table_shows_its_rows():
    table = every_result()["report"].per_topic
    lines = str(table).splitlines()
    assert (
        lines[0].split() == ["run", "topic", "measure", "value"]
        and lines[1].split()[-1] == f"{table['value'][0]:.4f}"
    )
    assert len(lines) == 1 + min(len(table), 11 if len(table) > 15 else 15)
    long = type(table)({"x": np.arange(100), "y": ["a\x1b"] * 100})
    assert (
        str(long).splitlines()[-1] == "... 90 more rows"
        and "\x1b" not in str(long)
        and len(str(long).splitlines()) == 12
    )


def test_evaluate_gives_the_intervals_that_the_command_gives():
    run = RUNS["y"]
    with pytest.warns(pc.PrecallWarning):
        report = pc.interval(pc.evaluate(QRELS, run, ["AP"]), method="bca", level=0.9, rng=7)
    with warned(FewValues) as told:
        whole = pc.evaluate(QRELS, run, ["AP"], interval="bca", level=0.9, rng=7)
    assert [(note.values_seen, note.noun) for note in told] == [(8, "topics")]
    assert (
        replace(whole.intervals["AP"], notes=()) == replace(report["AP"], notes=())
        and whole.conventions["interval"] == "bca 90 % (10,000 resamples, seed 7)"
    )
    one = report["AP"]
    assert f"{one.estimate:.4f} [{one.low:.4f}, {one.high:.4f}]" in str(whole)
    assert whole.to_csv().splitlines()[1].split(",")[6:9] == [repr(one.low), repr(one.high), "0.9"]
    (few,) = noticed(whole, FewValues)
    assert shown(unescape(whole._repr_html_()), few)
    with pytest.warns(pc.PrecallWarning):
        told = pc.evaluate(QRELS, run, ["AP"], interval=True)
    assert told.intervals["AP"].method == "bayesian-bootstrap"
    assert told.conventions["interval"] == "bayesian-bootstrap 95 %"
    assert pc.evaluate(QRELS, run, ["AP"]).intervals is None
    with pytest.raises(pc.UsageError, match="wilson"):
        pc.evaluate(QRELS, run, ["AP"], interval="wilson")


@pytest.mark.parametrize("measure", ["AP", "E@1"])
def test_a_comparison_says_first_which_system_is_better(measure):
    # Low errors are good.
    qrels = {f"q{i}": {"a": 1} for i in range(10)}
    runs = {
        name: {topic: {"b": other, "a": 1.5} for topic in qrels}
        for name, other in (("bad", 2.0), ("good", 1.0))
    }
    pair = pc.compare(qrels, runs, [measure]).pairs[0]
    assert pair.names == ("bad", "good") and pair.significant
    value = min(pair.values) if measure == "E@1" else max(pair.values)
    said = (
        f"good is best by {measure} ({value:.4f}, 10 pairs); better than bad "
        f"({-pair.difference:+.4f}, p = 0.0020)."
    )
    assert pair.to_markdown().startswith(said) and json.loads(pair.to_json())["verdict"] == said


def test_names_in_captions_are_no_formulas():
    """What looks like a sign or a p in a name was set as one."""
    names = ("run (-1)", "p ≤ 3")
    pair = pc.compare.paired([0.1, 0.2, 0.1], [0.4, 0.9, 0.5], names=names)
    caption = next(line for line in pair.to_latex().splitlines() if "caption" in line)
    assert r"run (-1) minus p \ensuremath{\leq} 3: $-$" in caption
    assert "run (-1) minus p ≤ 3: -" in pair.to_markdown()


def test_a_slice_is_no_column() -> None:
    # Up to Python 3.11 a slice has no hash, and the look-up failed inside.
    points = pc.curve([1, 0, 1], [3, 2, 1]).points()
    with pytest.raises(pc.UsageError, match=r"no column slice\(None, 3, None\); there are rank"):
        points[:3]


def test_a_path_of_bytes(tmp_path):
    path = os.fsencode(tmp_path / "p.json")
    interval = pc.interval.precision(300, 100)
    interval.save(path)
    assert Path(os.fsdecode(path)).read_text(encoding="utf-8") == interval.to_json()
    with pytest.raises(pc.UsageError, match="must end in"):
        interval.save(path + b".docx")
