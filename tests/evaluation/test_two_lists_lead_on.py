"""Two ranked lists had no way in: an extra argument, a missing column "topic", and runs of one
query that were called not significantly different. Old tests compared scores and runs alone.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import precall as pc
from precall.cli.main import run
from precall.plot import CumulativeGain


@pytest.fixture
def lists(tmp_path: Path) -> list[str]:
    names = {"wanted": "m1 m3 no", "a": "m1 m2 m3 m4", "b": "m4 m3 m2 m1"}
    for name, ids in names.items():
        (tmp_path / name).write_text("\n".join(ids.split()))
    return [str(tmp_path / name) for name in names]


def test_a_second_list_leads_to_compare(
    lists: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["ranking", *lists]) == 2
    advice = capsys.readouterr().err.split()
    assert {"compare", "both.csv", "--missed"} <= set(advice)
    first, second = (pc.ranking(lists[0], path) for path in lists[1:])
    for pair in ((first, second), (first, first.curve)):
        with pytest.raises(pc.UsageError, match="compare"):
            pc.compare(*pair)
    with pytest.raises(pc.UsageError, match="missed="):
        pc.compare(first, second)


def test_one_query_is_not_tested() -> None:
    qrels = {"q1": {"a": 1}, "q2": {"a": 1}}
    runs = {
        name: dict.fromkeys(qrels, scores)
        for name, scores in (("A", {"a": 2.0}), ("B", {"b": 1.0}))
    }
    for count, is_tested in ((1, False), (2, True)):
        report = pc.evaluate(
            dict(list(qrels.items())[:count]),
            {name: dict(list(one.items())[:count]) for name, one in runs.items()},
            ["AP"],
        )
        compared = pc.compare(report)
        verdict = compared.verdicts["AP"]
        assert verdict.is_untestable is not is_tested
        for text in (verdict.text, str(compared).splitlines()[0]):
            assert ("cannot be tested" in text) is not is_tested
            assert ("significantly" in text) is is_tested


@pytest.mark.parametrize("kind", [None, "ranks", "cumulative-gain", "pr", "roc"])
def test_a_ranking_is_drawn(kind: str | None, lists: list[str], tmp_path: Path) -> None:
    picture = tmp_path / "drawn.svg"
    chosen = [] if kind is None else ["--plot-kind", kind]
    assert (
        run(["ranking", *lists[:2], "--plot", str(picture), *chosen, "-o", str(tmp_path / "o.txt")])
        == 0
    )
    assert "<svg" in picture.read_text()


def test_chance_ends_at_the_hits(lists: list[str]) -> None:
    curve = pc.ranking(*lists[:2]).curve
    ends = {}
    for missed, path in ((1, curve), (0, pc.curve([1, 0, 1, 0], [4, 3, 2, 1]))):
        lines = CumulativeGain.from_curve(path).plot().ax_.get_lines()
        (line,) = [line for line in lines if len(line.get_xdata()) == 2]
        ends[missed] = tuple(float(column[-1]) for column in line.get_data())
    assert ends == {1: pytest.approx((4 / 5, 2 / 3)), 0: (1.0, 1.0)}


def test_plot_as_a_function_leads_to_pictures() -> None:
    from precall import _HINTS

    assert "precall.plot import" in _HINTS["plot"]
    words = _HINTS["plot"].split("import ")[1]
    import precall.plot as plot

    assert all(hasattr(plot, name) for name in words.split(", "))
