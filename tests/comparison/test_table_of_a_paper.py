"""The table of a paper: systems by measures, best bold, letters or marks, a caption; what TeX makes
of it.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

import precall as pc
from precall.core.notes.of_comparisons import SharedLetters
from precall.stats.tests.paper import _tell_tests

DIGITS = Path(__file__).parents[2] / "examples" / "digits"
RUNS = ("components", "pixels", "profiles")
NAMES = ["bm25_default", "50% & more #2", "a^b~c\\d{e}", "naïve $x$ “Größe”"]
STEPS = np.array([0.40, 0.46, 0.52, 0.34])
NOISE = np.random.default_rng(5).normal(0, 0.05, (30, 4))
AP, ERROR = 0.1 * np.random.default_rng(6).random((30, 1)) + STEPS + NOISE, 0.6 - STEPS - 2 * NOISE
#: What the note on letters says of the systems that share one; captions begin with it.
ALIKE = str(SharedLetters("")).partition(" (")[0]


def several(**choices):
    """Two measures, of one of which low values are good, joined as runs of a report are."""
    from precall.comparison.reports import _join

    choices = {"resamples": 1000} | choices
    report = pc.evaluate({"q": {"x": 1}}, {name: {"q": {"x": 1.0}} for name in NAMES}, ["AP"])
    parts = [
        pc.compare.many(values, NAMES, measure=measure, higher_is_better=measure == "AP", **choices)
        for measure, values in (("AP", AP), ("E@3", ERROR))
    ]
    return _join(parts, report)


def cells(latex):
    """The rows of the table, as cells."""
    body = latex.partition(r"\midrule")[2].partition(r"\bottomrule")[0]
    return [
        line.removesuffix(r" \\").split(" & ") for line in body.splitlines() if line.endswith(r"\\")
    ]


def raised(letters):
    """Letters beside a value."""
    return rf"\textsuperscript{{{letters}}}"


def caption(latex):
    """The text above the table."""
    return re.search(r"\\caption\{(.*)\}\n", latex)[1]


def test_one_table_with_letters():
    found = several()
    latex = found.to_latex()
    assert latex.count(r"\begin{tabular}") == 1 and latex.count(r"\begin{table}") == 1
    assert r"system & \multicolumn{2}{c}{AP} & \multicolumn{2}{c}{E@3} \\" in latex
    for row, name, ap, error in zip(
        cells(latex), NAMES, AP.mean(axis=0), ERROR.mean(axis=0), strict=True
    ):
        values = [f"{ap:.4f}", f"{error:.4f}"]
        bold = [rf"\textbf{{{value}}}" for value in values] if name == "a^b~c\\d{e}" else values
        letters = [raised(found.letters[measure][name]) for measure in ("AP", "E@3")]
        assert row[1:] == [bold[0], letters[0], bold[1], letters[1]]
    # The group of the best is a, also where low values are good.
    assert found.letters["E@3"]["a^b~c\\d{e}"] == "a" and "a" not in found.letters["E@3"][NAMES[3]]
    told = caption(latex)
    assert told.startswith(
        "Means over 30 topics; best of each column in bold (of E@3 the lowest). "
        f"{ALIKE}; others do ("
    )
    assert r"adjusted $p \leq 0.05$), by the randomization test (" in told
    assert "Holm's correction for 6 pairs per measure" in told and "ties docno" in told


def test_names_are_escaped():
    rows = cells(several().to_latex())
    assert [row[0] for row in rows] == [
        r"bm25\_default",
        r"50\% \& more \#2",
        r"a\textasciicircum{}b\textasciitilde{}c\textbackslash{}d\{e\}",
        r"naïve \$x\$ “Größe”",
    ]


def test_marks_against_a_baseline():
    stats = pytest.importorskip("scipy.stats")
    found = several(baseline=NAMES[1], test="t", correction="none")
    latex = found.to_latex()
    assert cells(latex)[0][0] == r"50\% \& more \#2"
    marks = {name: [] for name in NAMES}
    for values, sign in ((AP, 1), (ERROR, -1)):
        for place, name in enumerate(NAMES):
            p = stats.ttest_rel(values[:, place], values[:, 1]).pvalue if place != 1 else 1.0
            gap = sign * (values[:, place] - values[:, 1]).mean()
            count = sum(p <= level for level in (0.05, 0.01, 0.001))
            signs = ("*" if gap > 0 else r"\dagger") * count
            marks[name].append(f"$^{{{signs}}}$" if signs else "")
    body = {row[0]: [row[2], row[4]] for row in cells(latex)}
    assert list(body.values()) == [marks[name] for name in (NAMES[1], NAMES[0], *NAMES[2:])]
    assert (
        r"\textdagger{}\textdagger{}\textdagger{} worse than 50\% \& more \#2: $p \leq 0.05$, "
        r"0.01, 0.001 by the paired t test"
    ) in caption(latex)
    assert "Unmarked systems do not differ significantly from it." in caption(
        latex
    ) and "Conventions:" in caption(latex)


def test_levels_of_marks_are_below_that_of_the_comparisons():
    strict = several(baseline=NAMES[1], level=0.99)
    assert r"$p \leq 0.01$, 0.001 by" in caption(strict.to_latex())
    alike = pc.compare.many({"a": [0.1, 0.2, 0.3], "b": [0.2, 0.1, 0.3]}, baseline="a")
    assert caption(alike.to_latex()).startswith(
        r"Means over 3 topics. No system is significantly different from a ($p \leq 0.05$), by "
        r"the randomization test (exact)"
    )


def test_markdown_has_the_same_table():
    lines = several().to_markdown().splitlines()
    head = lines.index("| system | AP |  | E@3 |  |")
    assert lines[head + 1] == "| :-- | --: | :-- | --: | :-- |"
    table = [line.strip("| ").split(" | ") for line in lines[head + 2 : head + 6]]
    assert [row[1:] for row in table[:1]] == [[f"{AP[:, 0].mean():.4f}", *table[0][2:]]]
    assert table[2][1] == f"**{AP[:, 2].mean():.4f}**" and lines[head + 7].startswith(
        "- Means over 30 topics"
    )
    assert not any("adjusted p at most" in line for line in lines)


def test_topics_follow_if_they_were_asked_for():
    qrels = {f"q{i}": {"x": 1} for i in range(8)}
    runs = {
        name: {f"q{i}": {"x": 2.0, "y": 1.0 + 2 * (i in odd)} for i in range(8)}
        for name, odd in (("a", ()), ("b", (1, 3)))
    }
    report = pc.evaluate(qrels, runs, ["RR"])
    latex = pc.compare(report).sheet(report=report).to_latex()
    assert latex.count(r"\begin{longtable}") == 1 and latex.index(r"\end{table}") < latex.index(
        r"\begin{longtable}"
    )


def test_decisions_by_several_measures(tmp_path):
    from precall.hard_decisions.table_io import compare_decisions

    rng = np.random.default_rng(1)
    truth = rng.integers(0, 2, 200)
    good, bad = (
        np.where(rng.random(200) < 0.1, 1 - truth, truth),
        np.where(rng.random(200) < 0.5, 1 - truth, truth),
    )
    rows = "".join(f"{t},{a},{b}\n" for t, a, b in zip(truth, good, bad, strict=True))
    (tmp_path / "said.csv").write_text("t,good,bad\n" + rows, encoding="utf-8")
    latex = compare_decisions(
        str(tmp_path / "said.csv"), "t", "good", "bad", resamples=200
    ).to_latex()
    (first, second) = cells(latex)
    assert (
        first[2::2] == [raised("a")] * 3
        and second[2::2] == [raised("b")] * 3
        and all(r"\textbf" in cell for cell in first[1::2])
    )
    assert caption(latex).startswith(f"Values on 200 items; best of each column in bold. {ALIKE}")


def test_tests_that_differ_are_told_with_their_measures():
    columns = [1, 1, 0, 1, 0, 0, 1, 0], [8, 7, 6, 5, 4, 3, 2, 1], [8, 3, 6, 1, 4, 5, 2, 7]
    pairs = tuple(pc.compare.cases(*columns, measure) for measure in ("AP", "AUC"))
    means = {pair.measure: dict(zip(pair.names, pair.values, strict=True)) for pair in pairs}
    told = caption(pc.Comparisons(pairs, ("a", "b"), means, unit="cases").to_latex())
    assert "by the permutation test (exact; AP) and DeLong's test (normal; AUC)." in told


def test_ways_to_p_that_differ_are_told_with_their_measures():
    """It said "exact or 500 sampled signs", and not of which measure."""
    few, rng = [0.1, 0.2, 0.3, 0.0] + [0.5] * 296, np.random.default_rng(1)
    pairs = tuple(
        pc.compare.paired(a, [0.5] * 300, measure=name, resamples=500)
        for name, a in (("AP", few), ("RR", rng.random(300).tolist()))
    )
    assert [pair.method.exact for pair in pairs] == [True, False]
    means = {pair.measure: dict(zip(pair.names, pair.values, strict=True)) for pair in pairs}
    told = caption(pc.Comparisons(pairs, ("a", "b"), means).to_latex())
    assert "(exact for AP or 500 sampled signs for RR, seed 0)" in told


def test_a_way_to_some_p_of_a_measure_is_told_as_such():
    """Five measures of which two had pairs with few and with many differences: "exact for 5
    others". The old tests had a way of its own for each measure.
    """
    few, many = [0.1, 0.2, 0.3, 0.0] + [0.5] * 296, np.random.default_rng(1).random(300)
    pairs = [
        pc.compare.paired(a, [0.5] * 300, measure=name, resamples=500)
        for name in ("AP", "RR", "P@5", "R@5", "nDCG@5")
        for a in (few, many.tolist() if name == "AP" else few)
    ]
    told = _tell_tests(pairs, of_several=False)
    assert (
        told == "the randomization test (exact or 500 sampled signs for some pairs by AP, seed 0)"
    )


def test_one_pair_is_two_systems_and_their_difference():
    pair = pc.compare.cases(
        [1, 1, 0, 1, 0, 0, 1, 0], [8, 7, 6, 5, 4, 3, 2, 1], [8, 3, 6, 1, 4, 5, 2, 7], "AUC"
    )
    latex = pair.to_latex()
    # 12 and 4 of the 16 pairs of a relevant and another case are in order.
    assert cells(latex) == [["a", r"\textbf{0.7500}"], ["b", "0.2500"]]
    ends = f"{pair.low:.4f} to {pair.high:.4f}"
    assert (
        f". a minus b: 0.5000 (95 \\% interval {ends} by delong), p 0.0455 by DeLong's test"
        in caption(latex)
    )
    assert caption(latex).startswith("Values on 8 pairs; best of each column in bold. ")
    alike = pc.compare.paired([0.1, 0.2, 0.3], [0.2, 0.1, 0.35]).to_latex()
    assert "a minus b: $-$0.0167 (95" in alike and caption(alike).endswith(
        "(exact): not significantly different."
    )


def digits(count, **choices):
    """The digits by this many measures."""
    names = [
        "AP",
        "P@5",
        "P@10",
        "P@20",
        "E@10",
        "nDCG@10",
        "RR",
        "R@100",
        "Rprec",
        "RBP(p=0.8)",
        "nDCG",
    ]
    return pc.evaluate(
        f"{DIGITS}/digits.qrels",
        {name: f"{DIGITS}/{name}.run" for name in RUNS},
        names[:count],
        **choices,
    )


def test_what_is_too_wide_stands_in_parts():
    report = digits(11)
    latex = pc.compare(report, test="t").to_latex()
    assert latex.count(r"\begin{table}") == 1 and latex.count(r"\begin{tabular}") == 3
    heads = [line.split(" & ") for line in latex.splitlines() if line.startswith("system & ")]
    assert [len(head) - 1 for head in heads] == [4, 4, 3]
    shown = [
        cell.removesuffix(r" \\").removesuffix("}").rpartition("{")[2]
        for head in heads
        for cell in head[1:]
    ]
    assert shown == list(report.measures)
    bold = re.findall(r"\\textbf\{([\d.]+)\}", latex)
    best = [min if direction < 0 else max for direction in report.best]
    assert sorted(bold) == sorted(
        f"{choose(run.mean[i] for run in report.runs):.4f}" for i, choose in enumerate(best)
    )


def test_averages_of_a_report_have_a_caption_too():
    latex = digits(1, interval="t").to_latex()
    assert caption(latex).startswith(
        "Averages over 100 topics; best of each column in bold. In brackets intervals (t 95"
    )
    assert (
        r"\label{tab:report-digits-ap}" in latex and "topics" not in latex.partition(r"\toprule")[2]
    )
    first = digits(5).sheet().verdict
    means = digits(5).mean
    assert first == (
        f"Best on average, not tested: components by AP ({means['components', 'AP']:.4f}); pixels "
        f"by P@5 ({means['pixels', 'P@5']:.4f}), P@10 ({means['pixels', 'P@10']:.4f}), P@20 "
        f"({means['pixels', 'P@20']:.4f}) and E@10 ({means['pixels', 'E@10']:.4f})."
    )
    assert str(digits(5)).startswith("Best on average, not tested: components by AP")


@pytest.fixture
def compiled(tmp_path):
    """What TeX says about tables; nothing may be too wide."""
    if not shutil.which("pdflatex"):
        pytest.skip("NO pdflatex HERE: what to_latex() writes was not compiled")

    def compile_tables(*tables):
        whole = (
            "\\documentclass{article}\n\\usepackage{booktabs,longtable}\n\\begin{document}\n"
            + "\n".join(tables)
            + "\\end{document}\n"
        )
        (tmp_path / "paper.tex").write_text(whole, encoding="utf-8")
        done = subprocess.run(
            ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "paper.tex"],
            cwd=tmp_path,
            capture_output=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout.decode(errors="replace")[-2000:]
        assert (tmp_path / "paper.pdf").stat().st_size > 10_000
        log = (tmp_path / "paper.log").read_text(errors="replace")
        for trouble in ("Overfull", "Missing character", "multiply defined"):
            assert trouble not in log
        return log

    return compile_tables


def test_tex_takes_it(compiled):
    made = [
        several(),
        several(baseline=NAMES[0]),
        several().pairs[0],
        several(correction="tukey", resamples=500),
    ]
    compiled(*(found.to_latex(label=f"tab:{i}") for i, found in enumerate(made)))


SYSTEMS = ["bm25_default", "bm25_rm3", "dense_v2", "splade_pp", "colbert_v2", "hybrid_rrf"]


def six_by_five(**choices):
    """Six systems by five measures, most pairs of which differ."""
    rng = np.random.default_rng(1)
    grades = (rng.random((30, 40)) < 0.3).astype(int)
    qrels = {f"q{i}": {f"d{j}": int(g) for j, g in enumerate(row)} for i, row in enumerate(grades)}
    runs = {
        name: {
            f"q{i}": {f"d{j}": float(s) for j, s in enumerate(row)}
            for i, row in enumerate(grades * better * 0.35 + rng.normal(size=grades.shape))
        }
        for better, name in enumerate(SYSTEMS)
    }
    measures = ["AP", "nDCG@10", "P@10", "RR", "Recall@20"]
    return pc.compare(pc.evaluate(qrels, runs, measures), test="t", **choices)


@pytest.mark.parametrize("baseline", [None, "bm25_rm3"])
@pytest.mark.parametrize("digits", [None, 3])
def test_six_systems_by_five_measures_are_one_table_of_a_page(compiled, baseline, digits):
    latex = six_by_five(baseline=baseline).to_latex(digits=digits)
    assert latex.count(r"\begin{tabular}") == 1
    assert r"r@{}l" in latex and "hspace" not in latex
    compiled(latex)


def test_labels_of_tables_of_a_paper_differ(compiled):
    report = digits(2)
    made = [
        report.to_latex(),
        digits(3).to_latex(),
        pc.compare(report, test="t").to_latex(),
        pc.compare(report, test="t", baseline="pixels").to_latex(),
        pc.compare.paired([0.1, 0.2, 0.3], [0.2, 0.1, 0.35], measure="RR").to_latex(),
    ]
    labels = [re.search(r"\\label\{(.*)\}", latex)[1] for latex in made]
    assert labels == [
        "tab:report-digits-ap-p-5",
        "tab:report-digits-ap-p-5-p-10",
        "tab:compare-digits-ap-p-5",
        "tab:compare-digits-ap-p-5-vs-pixels",
        "tab:compare-rr",
    ]
    compiled(*made)


def test_a_layout_names_systems_and_measures_in_the_caption_too(compiled):
    names = {"bm25_rm3": "BM25 & RM3", "AP": "MAP", "hybrid_rrf": "RRF"}
    latex = six_by_five(baseline="bm25_rm3").to_latex(
        digits=3, names=names, columns=["nDCG@10", "AP"], order=SYSTEMS[::-1], label="tab:main"
    )
    assert r"system & \multicolumn{2}{c}{nDCG@10} & \multicolumn{2}{c}{MAP} \\" in latex
    rows = cells(latex)
    assert [row[0] for row in rows][::4] == ["RRF", r"BM25 \& RM3"]
    assert re.fullmatch(r"\\textbf\{0\.\d{3}\}", rows[0][1]) and r"\label{tab:main}" in latex
    # The baseline is not the first row any more, so no rule separates it.
    assert latex.count(r"\midrule") == 1
    assert r"than BM25 \& RM3: adjusted" in caption(latex) and "bm25\\_rm3" not in caption(latex)
    compiled(latex)


def test_a_caption_of_the_author_keeps_the_other_as_a_comment(compiled):
    own = r"Effectiveness on \textsc{Digits} (50\% pool), $p_{0.05}$; see \cite{a_b}"
    latex = digits(2).to_latex(caption=own)
    assert caption(latex) == own and "\n% Averages over 100 topics; best of each column" in latex
    pair = pc.compare.paired([0.1, 0.2, 0.3], [0.2, 0.1, 0.35])
    assert "a minus b: $-$0.02 (95 \\% interval" in pair.to_latex(digits=2)
    assert caption(pair.to_latex(names={"a": "old"})).count("old minus b") == 1
    curve = pc.curve([1, 0, 1, 1, 0], [0.9, 0.8, 0.7, 0.3, 0.1])
    compiled(
        latex,
        curve.to_latex(caption="All of it", digits=2),
        curve.to_latex(caption="Points", columns=["precision", "recall"]),
    )
