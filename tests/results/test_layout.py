"""The layout of tables of papers: decimals, caption, label, names, order and columns."""

from __future__ import annotations

import inspect

import pytest

import precall as pc
from precall.results.layout import Layout, check_tex

QRELS = {"q1": {"a": 1, "b": 0}, "q2": {"a": 1}}
RUNS = {
    "run1": {"q1": {"a": 1.0, "b": 2.0}, "q2": {"a": 1.0}},
    "run2": {"q1": {"a": 2.0, "b": 1.0}, "q2": {"a": 1.0}},
}
CURVE = pc.curve([1, 0, 1, 1, 0], [0.9, 0.8, 0.7, 0.3, 0.1])


@pytest.fixture
def report():
    return pc.evaluate(QRELS, RUNS, ["AP", "P@1", "E@1"])


def rows(latex):
    """The lines of cells."""
    return [line.removesuffix(r" \\") for line in latex.splitlines() if line.endswith(r"\\")]


def test_without_choices_it_is_as_it_was(report):
    for form in (report.to_latex, report.to_markdown, CURVE.to_latex):
        options = inspect.signature(form).parameters.values()
        assert {option.kind for option in options} == {inspect.Parameter.KEYWORD_ONLY}
        assert {option.default for option in options} == {None}
        assert form(**{option.name: None for option in options}) == form()
    assert not Layout() and Layout(digits=0)


def test_digits(report):
    assert rows(report.to_latex(digits=2))[1:] == [
        r"run1 & 0.75 & 0.50 & 0.50",
        r"run2 & \textbf{1.00} & \textbf{1.00} & \textbf{0.00}",
    ]
    assert "| run1 | 0.8 |" in report.to_markdown(digits=1)
    assert rows(report.to_latex(digits=0))[1] == "run1 & 1 & 0 & 0"
    estimate = pc.interval.precision(30, 10).to_latex(digits=3)
    assert rows(estimate)[1] == r"precision & 0.750 & 0.598 & 0.858 & 0.95 & wilson"
    with pytest.warns(pc.PrecallWarning):
        with_bounds = pc.evaluate(QRELS, RUNS, ["AP"], interval="t").to_latex(digits=2)
    assert "run1 & 0.75 [$-$2.43, 3.93]" in with_bounds


def test_digits_leave_thresholds_and_small_numbers():
    point = CURVE.at(recall=0.5).to_latex(digits=1)
    assert "threshold & 0.7" in point and "precision & 0.7" in point and "tp & 2" in point
    assert "max F threshold & 0.3 \\" in CURVE.to_latex(digits=3)


def test_names_are_printed_and_escaped(report):
    latex = report.to_latex(names={"AP": "MAP", "run1": "BM_25"})
    assert rows(latex)[:2] == [r"run & MAP & P@1 & E@1", r"BM\_25 & 0.7500 & 0.5000 & 0.5000"]
    assert r"\label{tab:report-map-p-1-e-1}" in latex or r"\label{tab:report-ap" in latex
    assert "(of error the lowest)" in report.to_latex(names={"E@1": "error"})
    assert "| BM\\_25 |" in report.to_markdown(names={"run1": "BM_25"})


def test_order_and_columns(report):
    latex = report.to_latex(order=["run2", "run1"], columns=("E@1", "AP"))
    assert rows(latex) == [
        "run & E@1 & AP",
        r"run2 & \textbf{0.0000} & \textbf{1.0000}",
        "run1 & 0.5000 & 0.7500",
    ]
    assert "(of E@1 the lowest)" in latex and "the lowest" not in report.to_latex(columns=["AP"])
    markdown = report.to_markdown(order=["run2", "run1"], columns=["AP"])
    assert markdown.index("| run2 |") < markdown.index("| run1 |") and "| AP |" in markdown


def test_topics_follow_the_layout(report):
    latex = report.sheet(per_topic=True).to_latex(
        columns=["AP"], order=["run2", "run1"], names={"run1": "BM25"}, digits=1
    )
    long = latex.partition(r"\begin{longtable}")[2]
    assert rows(long) == [
        "run & topic & AP",
        "run2 & q1 & 1.0",
        "run2 & q2 & 1.0",
        "BM25 & q1 & 0.5",
        "BM25 & q2 & 1.0",
    ]


def test_measures_in_rows_become_columns():
    latex = CURVE.to_latex(columns=["AUC", "AP"], digits=2, names={"curve": "ours"})
    assert rows(latex) == [" & AUC & AP", "ours & 0.67 & 0.81"]
    assert rows(CURVE.to_latex(columns=["precision", "recall"]))[:2] == [
        "rank & precision & recall",
        "   1 & 1.0000 & 0.3333",
    ]


def test_a_caption_makes_a_table_float():
    latex = CURVE.to_latex(columns=["AP"], caption=r"Our \emph{curve}")
    assert r"\caption{Our \emph{curve}}" in latex and r"\label{tab:curve-ap}" in latex
    assert latex.count(r"\begin{table}") == 1 and r"\begin{table}" not in CURVE.to_latex()
    whole = CURVE.sheet(all=True).to_latex(caption="All")
    assert whole.index(r"\end{table}") < whole.index(r"\begin{longtable}")
    assert "Mine\n\n" in CURVE.to_markdown(caption="Mine")


def test_the_caption_that_another_replaces_is_a_readable_comment():
    values = {"a": [0.9] * 8, "b": [0.5] * 7 + [0.4], "c": [0.5] * 8}
    latex = pc.compare.many(values).to_latex(caption="Ours")
    comments = [line for line in latex.splitlines() if line.startswith("%")]
    assert "p ≤ 0.05" in " ".join(comments) and "fdd3" not in " ".join(comments)


def test_a_caption_of_markdown_is_followed_by_the_other(report):
    markdown = report.to_markdown(caption="On *news*")
    assert "\n\nOn *news*\n\n| run |" in markdown and "- Averages over 2 topics" in markdown


@pytest.mark.parametrize(
    ("choices", "said"),
    [
        ({"columns": ["RR"]}, "columns: no column 'RR'; there are AP, P@1, E@1"),
        ({"columns": ["run1"]}, "columns: no column 'run1'; there are AP, P@1, E@1"),
        ({"columns": "AP"}, "columns: must be a list of names, got 'AP'"),
        ({"columns": []}, "columns: none given; name at least one"),
        ({"columns": ["AP", "AP"]}, "columns: 'AP' is named twice; name it once"),
        ({"columns": [1]}, "columns: must be a list of names, got int"),
        ({"order": ["run3"]}, "order: no row 'run3'; there are run1, run2"),
        ({"order": ["run1"]}, "order: run2 is not named; name each of run1, run2"),
        ({"names": {"rr": "MRR"}}, "names: there is no 'rr'; there are run1, run2, AP, P@1, E@1"),
        ({"names": {"AP": 1}}, "names: must be a dict from a name to what to print, got int"),
        ({"names": "AP"}, "names: must be a dict from a name to what to print, got str"),
        ({"digits": -1}, "digits: must be an integer in 0..15, got -1"),
        ({"digits": 2.5}, "digits: must be an integer in 0..15, got 2.5"),
        ({"caption": " "}, "caption: is empty; leave it out"),
        ({"caption": 3}, "caption: must be a text, got int"),
        ({"caption": "50% of all"}, r"write \%"),
        ({"caption": "{open"}, "caption: braces must match, got '{open'"),
        ({"label": "tab:a b"}, "label: got 'tab:a b', which has ' '"),
        ({"index": False}, "to_latex(): takes only digits=, caption=, label=, names=, order="),
    ],
)
def test_errors_say_what_is_there(report, choices, said):
    with pytest.raises(pc.UsageError) as raised:
        report.to_latex(**choices)
    assert said in str(raised.value)


def test_errors_of_other_results():
    with pytest.raises(pc.UsageError, match="columns: AP and recall are not in one table"):
        CURVE.to_latex(columns=["AP", "recall"])
    with pytest.raises(pc.UsageError, match="label: this table has no caption of its own"):
        CURVE.to_latex(label="tab:x")
    with pytest.raises(pc.UsageError, match=r"to_latex\(\): takes only digits=.*\.save\(path\)"):
        CURVE.to_latex("x.tex")
    with pytest.raises(pc.UsageError, match=r"columns: .*set"):
        CURVE.to_latex(columns={"AP"})


@pytest.mark.parametrize(
    "text",
    [
        r"50\% of \$3, a\_b \& c",
        "$x_1^2 \\leq 3$ and \\(y_2\\)",
        r"\citep[p.~3]{a_b} \textbf{\textit{bold}} {\small x}",
        r"line \\ break",
    ],
)
def test_captions_of_tex(text):
    check_tex(text)


@pytest.mark.parametrize(
    "text", ["a_b", "a & b", "x^2", "5 $", "#1", "50%", "}", r"\textbf{", "}{"]
)
def test_captions_that_tex_cannot_read(text):
    with pytest.raises(pc.UsageError, match="caption"):
        check_tex(text)


def test_columns_of_a_comparison_are_measures():
    compared = pc.compare.many({"a": [0.1, 0.2, 0.3], "b": [0.2, 0.1, 0.3]}, measure="RR")
    with pytest.raises(pc.UsageError, match="columns: no column 'a'; there are RR"):
        compared.to_latex(columns=["a"])
    latex = compared.to_latex(columns=["RR"], names={"RR": "MRR"})
    assert r"system & \multicolumn{2}{c}{MRR} \\" in latex


def test_a_measure_may_be_called_by_any_of_its_names(report):
    latex = report.to_latex(columns=["precision@1", "MAP"], names={"map": "mean AP"})
    assert rows(latex)[0] == r"run & P@1 & mean AP"
    assert latex == report.to_latex(columns=["P@1", "AP"], names={"AP": "mean AP"})
    compared = pc.compare(report)
    own, other = ({"names": {name: "M"}, "columns": [name]} for name in ("AP", "MAP"))
    assert compared.to_latex(**own) == compared.to_latex(**other)
    assert CURVE.to_latex(names={"average_precision": "ap"}) == CURVE.to_latex(names={"AP": "ap"})


def test_a_name_that_a_system_has_is_its_own():
    runs = {name: {"q1": {"a": 1.0}, "q2": {"b": 1.0}} for name in ("MAP", "t")}
    found = pc.evaluate({"q1": {"a": 1}, "q2": {"b": 1}}, runs, ["AP"])
    assert rows(found.to_latex(names={"MAP": "mine"}))[:2] == ["run & AP", "mine & 1.0000"]


def test_one_measure_by_two_names_is_refused(report):
    for argument, value in (("columns", ["AP", "MAP"]), ("names", {"AP": "x", "MAP": "y"})):
        with pytest.raises(pc.UsageError, match=f"{argument}: 'AP' and 'MAP' are one measure"):
            report.to_latex(**{argument: value})


def test_columns_stand_in_the_order_that_is_asked_for(report):
    """Only the order of rows was tested."""
    latex = rows(report.to_latex(order=["E@1", "AP", "P@1"]))
    assert latex[0] == "run & E@1 & AP & P@1"
    assert latex[1] == "run1 & 0.5000 & 0.7500 & 0.5000"
    assert latex[2] == r"run2 & \textbf{0.0000} & \textbf{1.0000} & \textbf{1.0000}"
