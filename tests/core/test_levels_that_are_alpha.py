"""A level below .5 is nearly always alpha: it is asked about, once per call, and the result keeps
that.

Older tests took levels from .5 on, so that an interval at 5 % was made without a word.
"""

import warnings

import pytest

import precall as pc
from precall.cli.main import run
from precall.core.notes.of_reading import LowLevel
from tests.noticed import noticed

SAID = LowLevel("", 0.05, 0.95)
TRUTH = [1, 0, 1, 1, 0, 1, 0, 0]
SCORES = [[9, 8, 7, 6, 5, 4, 3, 2], [2, 9, 7, 6, 5, 4, 3, 8]]
QRELS = {f"q{i}": {"x": 1} for i in range(12)}
RUNS = {
    name: {q: {"x": x, "y": 1.0} for q in QRELS} for name, x in (("a", 2.0), ("b", 0.5), ("c", 0.6))
}


def report(**options):
    return pc.evaluate(QRELS, RUNS, ["AP", "RR"], **options)


CALLS = {
    "an interval": lambda: pc.interval.average_precision(TRUTH, SCORES[0], level=0.05),
    "a mean": lambda: pc.interval.mean([0.1, 0.3, 0.2, 0.7], level=0.05),
    "runs": lambda: pc.compare(report(), level=0.05),
    "scores": lambda: pc.compare.cases(TRUTH, *SCORES, level=0.05),
    "values": lambda: pc.compare.paired([0.1, 0.2, 0.4], [0.2, 0.1, 0.1], level=0.05),
    "a margin": lambda: pc.compare.equivalence([0.1, 0.2, 0.4], [0.2, 0.1, 0.1], 0.5, level=0.05),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_said_once_and_kept(call) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = call()
    assert noticed(caught, LowLevel) == [SAID] == noticed(result, LowLevel)


def test_of_results_that_keep_no_notes() -> None:
    for call in (
        lambda: pc.compare.gates(report(), {"AP": 0.5, "RR": None}, level=0.05),
        lambda: report(interval="t", level=0.05),
        lambda: pc.null.describe(100, 20, level=0.05),
    ):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            call()
        assert noticed(caught, LowLevel) == [SAID]


def test_others_are_not_asked_about(recwarn) -> None:
    pc.interval.average_precision(TRUTH, SCORES[0], level=0.5)
    pc.compare.paired([0.1, 0.2, 0.4], [0.2, 0.1, 0.1], level=0.6)
    assert not noticed(recwarn, LowLevel)


def test_the_command(tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    rows = "".join(f"{y},{s},{t}\n" for y, s, t in zip(TRUTH, *SCORES, strict=True))
    (tmp_path / "c.csv").write_text(f"y,s,t\n{rows}")
    with warnings.catch_warnings():
        warnings.simplefilter("default")
        assert (
            run(
                [
                    "compare",
                    "--cases",
                    "c.csv",
                    "--truth",
                    "y",
                    "--a",
                    "s",
                    "--b",
                    "t",
                    "--level",
                    ".05",
                ]
            )
            == 0
        )
    assert capsys.readouterr().err.count(SAID) == 1


def test_intervals_of_several_categories_ask_once():
    truth, predicted = ["a", "b", "c", "a", "b", "c"] * 5, ["a", "b", "a", "a", "c", "c"] * 5
    for measures in ([], ["F"]):
        with pytest.warns(pc.PrecallWarning) as caught:
            intervals = pc.interval(pc.decisions(truth, predicted), *measures, level=0.05)
        assert noticed(caught, LowLevel) == [SAID] == noticed(intervals, LowLevel)
