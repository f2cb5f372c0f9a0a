"""The page of a comparison begins with the verdict that every other form of it has."""

from __future__ import annotations

import json
import re
import warnings
from dataclasses import replace
from html import unescape

import numpy as np
import pytest

import precall as pc
from precall.cli.main import run
from precall.page.document import html
from precall.page.record import read_record
from precall.page.writing import page_about
from precall.results.sentence import Sentence
from precall.stats.tests.verdict import summary
from tests.pages import record_about
from tests.texts import texts

ITEMS = [f"d{i}" for i in range(12)]
CASES = np.random.default_rng(2)
TRUTH = CASES.random(60) < 0.5
STRONG, WEAK = CASES.random(60) + TRUTH, CASES.random(60) + TRUTH / 9


def runs(*names):
    """Thirty topics, and runs of which each is better than those after it."""
    rng = np.random.default_rng(0)
    qrels = {
        f"q{i}": {item: int(rng.random() < 0.4) for item in ITEMS} | {"d0": 1} for i in range(30)
    }
    found = {
        name: {
            topic: {item: rng.random() + grade * gain for item, grade in grades.items()}
            for topic, grades in qrels.items()
        }
        for name, gain in zip(names, (0.5, 0.45, 0.2), strict=False)
    }
    return qrels, found


def decided(seed):
    return np.where(np.random.default_rng(seed).random(60) < 0.8, TRUTH, ~TRUTH).astype(int)


def cases(*measures, **choices):
    return lambda: pc.compare.cases(TRUTH, STRONG, WEAK, *measures, **choices)


KINDS = {
    "two runs": lambda: pc.compare(*runs("a", "b"), ["AP"]),
    "three runs": lambda: pc.compare(*runs("a", "b", "c"), ["AP", "RR"]),
    "runs and a baseline": lambda: pc.compare(*runs("a", "b", "c"), ["AP", "P@5"], baseline="b"),
    "low is good": lambda: pc.compare(*runs("a", "b", "c"), ["E@5", "GMAP"]),
    "a report": lambda: pc.compare(pc.evaluate(*runs("c", "a", "b"), ["AP", "NumRel"])),
    "many": lambda: pc.compare.many(
        CASES.random((9, 4)), list("wxyz"), measure="AP", correction="bh"
    ),
    "tukey": lambda: pc.compare.many(
        CASES.random((9, 3)), list("xyz"), correction="tukey", resamples=500
    ),
    "paired": lambda: pc.compare.paired(STRONG, WEAK, names=("strong", "weak"), measure="AP"),
    "decisions": lambda: pc.compare.decisions(TRUTH.astype(int), decided(1), decided(2)),
    "scores": cases("AP"),
    "ranks of scores": cases("P@10"),
    "at a threshold": cases("R", threshold=0.5),
    "nothing differs": lambda: pc.compare.paired([0.5, 0.7], [0.5, 0.7], measure="AP"),
    "no p": lambda: pc.compare.cases([1, 0, 0, 0], [4, 1, 2, 3], [1, 4, 2, 3], "AUC"),
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_page_says_what_print_says(kind):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pc.PrecallWarning)
        found = KINDS[kind]()
        verdicts = [found.verdict] if hasattr(found, "verdict") else list(found.verdicts.values())
        made = page_about(found)
        told = [verdict.text for verdict in verdicts if verdict.text]
        assert [sentence.text for sentence in made.headline] == told
        # What is printed is shorter: tables have the numbers.
        short = [line for line in found.sheet().verdict.split("\n") if line]
        assert short == (told if hasattr(found, "verdict") else summary(verdicts))
        page, notebook = html(made), found._repr_html_()
    head = unescape(
        re.sub("<[^>]*>", "\n", page.partition("<header>")[2].partition("</header>")[0])
    )
    head = head.replace("\n; ", "; ").replace("\n.\n", ".\n").replace("\n\n", "\n")
    assert all(text in head for text in told)
    assert all(text in unescape(notebook) for text in short)
    assert bool(told) == bool(short)
    assert bool(told) == (kind != "no p")


def test_the_page_of_a_report_has_the_verdicts_of_its_comparisons():
    report = pc.evaluate(*runs("c", "a", "b"), ["AP", "RR"])
    told = [verdict.text for verdict in pc.compare(report).verdicts.values()]
    assert texts(record_about(report)["headline"]) == told and len(told) == 2
    # One run is compared with none.
    alone = texts(record_about(pc.evaluate(*runs("a"), ["AP"]))["headline"])
    assert len(alone) == 1 and re.fullmatch(
        r"a reaches AP 0\.\d{4} \[0\.\d{4}, 0\.\d{4}\], 30 topics\.", alone[0]
    )


@pytest.mark.nightly
def test_a_page_of_scores_begins_as_their_table_does(tmp_path, capsys):
    rows = (
        f"{int(y)},{a!r},{b!r}"
        for y, a, b in zip(TRUTH, STRONG.tolist(), WEAK.tolist(), strict=True)
    )
    table = tmp_path / "cases.csv"
    table.write_text("\n".join(["label,strong,weak", *rows]) + "\n")
    assert (
        run(
            [
                "curve",
                str(table),
                "--label",
                "label",
                "--compare",
                "strong",
                "weak",
                "--format",
                "json",
            ]
        )
        == 0
    )
    verdict = json.loads(capsys.readouterr().out)["verdict"].split("\n")[0]
    pc.report.cases(TRUTH, {"strong": STRONG, "weak": WEAK}, tmp_path / "page.html")
    headline = texts(read_record(tmp_path / "page.html")["headline"])
    assert verdict == "strong is better than weak by AP and AUC (p < 0.001)."
    assert headline[0].startswith("strong is best by AP (1.0000, 60 cases); better than weak (")
    assert headline[0].endswith(f"; {TRUTH.sum()} of the cases are relevant.")


def test_a_name_with_a_semicolon_stays_whole_in_the_headline():
    """A system called "dense; v2" was cut where the sentence was taken apart."""
    made = page_about(pc.evaluate(*runs("dense; v2", "Failed: b"), ["AP"]))
    (sentence,) = made.headline
    assert sentence.lead.startswith("dense; v2 is best by AP (")
    assert f'<p class="headline"><strong>{sentence.lead}</strong>; ' in html(made)
    # A sentence that has no lead is not taken apart, whatever is in it.
    alone = page_about(pc.curve([1, 0, 1, 0] * 5, [4.0, 3.0, 2.0, 1.0] * 5))
    text = html(replace(alone, headline=[Sentence("Failed: a; b")]))
    assert '<p class="headline">Failed: a; b</p>' in text
