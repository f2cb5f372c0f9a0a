"""`compare.seeds`: systems with several runs each, by topics and runs."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest

import precall as pc
from precall.cli.main import run as precall
from precall.core.notes.of_comparisons import (
    CorrectionOverGroups,
    ErrorOfRuns,
    OfSkewness,
    OneRun,
    TopicsLeftOut,
    UndefinedP,
)
from precall.core.notes.of_intervals import FewValues
from precall.core.ragged import Float64
from precall.stats.tests.seeds import compare_runs_of_systems
from tests.noticed import noticed
from tests.peers import peer
from tests.release.schemas import problems

Values = dict[str, dict[str, float]]


def _draw(
    seed: int, topics: int = 40, sizes: tuple[int, ...] = (3, 3), between: float = 0.1
) -> tuple[Values, dict[str, list[str]]]:
    """Values by run and topic, and the runs of each system."""
    rng = np.random.default_rng(seed)
    hard = rng.normal(size=topics)
    values, systems = {}, {}
    for name, size in zip("ABCD", sizes, strict=False):
        own = hard + 0.5 * rng.normal(size=topics)
        systems[name] = [f"{name}.{i + 1}" for i in range(size)]
        for run in systems[name]:
            column = 0.5 + 0.2 * own + between * rng.normal() + 0.1 * rng.normal(size=topics)
            values[run] = {f"t{i}": float(value) for i, value in enumerate(column)}
    return values, systems


def _matrix(values: Values, runs: list[str]) -> Float64:
    return np.array([[*values[run].values()] for run in runs]).T


def _anova(matrix: Float64) -> tuple[float, float, float]:
    """Mean squares of topics, runs and the rest, by statsmodels."""
    frame = peer("pandas").DataFrame(
        [(t, r, value) for (t, r), value in np.ndenumerate(matrix)], columns=["t", "r", "y"]
    )
    fit = peer("statsmodels.formula.api").ols("y ~ C(t) + C(r)", frame).fit()
    table = peer("statsmodels.stats.anova").anova_lm(fit)
    return tuple(table["mean_sq"])


def _expected(
    values: Values, systems: dict[str, list[str]], level: float = 0.95
) -> tuple[float, float, float]:
    """The difference of two systems, half its interval, and p, from their analyses of variance."""
    stats, optimize = peer("scipy.stats"), peer("scipy.optimize")
    a, b = (_matrix(values, systems[name]) for name in systems)
    n = len(a)
    gaps = a.mean(axis=1) - b.mean(axis=1)
    of_topics = gaps.var(ddof=1) / n
    parts = []
    for matrix in (a, b):
        k = matrix.shape[1]
        if k > 1:
            _, of_runs, rest = _anova(matrix)
            if of_runs > rest:
                parts.append(((of_runs - rest) / (n * k), k - 1))
    of_runs = sum(square for square, _ in parts)
    freedom = of_runs**2 / sum(square**2 / df for square, df in parts) if parts else 1.0

    def half(alpha: float) -> float:
        t = [stats.t.isf(alpha / 2, df) for df in (n - 1, freedom)]
        return math.sqrt(of_topics * t[0] ** 2 + of_runs * t[1] ** 2)

    p = optimize.brentq(lambda alpha: half(alpha) - abs(gaps.mean()), 1e-12, 1 - 1e-9, xtol=1e-15)
    return float(gaps.mean()), half(1 - level), p


@pytest.mark.parametrize(
    ("seed", "topics", "sizes", "between"),
    [(1, 40, (3, 3), 0.1), (2, 25, (2, 2), 0.05), (3, 60, (5, 2), 0.2), (4, 30, (4, 1), 0.1)],
)
def test_a_difference_has_the_interval_of_both_analyses_of_variance(
    seed: int, topics: int, sizes: tuple[int, ...], between: float
) -> None:
    values, systems = _draw(seed, topics, sizes, between)
    (pair,) = compare_runs_of_systems(values, systems, measure="x").pairs
    difference, half, p = _expected(values, systems)
    assert pair.difference == pytest.approx(difference, rel=1e-12)
    assert (pair.low, pair.high) == pytest.approx((difference - half, difference + half), rel=1e-10)
    assert pair.p == pytest.approx(p, rel=1e-7)


@pytest.mark.nightly
@pytest.mark.parametrize("seed", range(4))
def test_the_error_of_a_mean_is_that_of_a_mixed_model(seed: int) -> None:
    """Restricted maximum likelihood has the components of the analysis of variance if none is 0."""
    values, systems = _draw(seed, 20, (4, 3), 0.15)
    found = compare_runs_of_systems(values, systems, measure="x").seeds["x"]["A"]
    # Greater, because the fit takes a variance below .01 for 0.
    matrix = 30 * _matrix(values, systems["A"])
    frame = peer("pandas").DataFrame(
        [(t, r, value) for (t, r), value in np.ndenumerate(matrix)], columns=["t", "r", "y"]
    )
    frame["all"] = 1
    model = peer("statsmodels.formula.api").mixedlm(
        "y ~ 1",
        frame,
        groups="all",
        re_formula="0",
        vc_formula={"topics": "0 + C(t)", "runs": "0 + C(r)"},
    )
    fit = model.fit(reml=True)
    of = dict(zip(model.exog_vc.names, fit.vcomp, strict=True))
    assert 30 * found.mean == pytest.approx(fit.params["Intercept"], rel=1e-6)
    assert 900 * found.sd_topics**2 == pytest.approx(of["topics"], rel=1e-2)
    assert 900 * found.sd_runs**2 == pytest.approx(of["runs"], rel=1e-2)
    assert 900 * found.sd_rest**2 == pytest.approx(fit.scale, rel=1e-2)
    assert 30 * found.error == pytest.approx(fit.bse["Intercept"], rel=1e-2)


def test_components_add_up_to_the_squared_error() -> None:
    values, systems = _draw(5, 30, (4, 2))
    found = compare_runs_of_systems(values, systems, measure="x").seeds["x"]["A"]
    topics, of_runs, rest = _anova(_matrix(values, systems["A"]))
    n, k = 30, 4
    assert found.error**2 == pytest.approx((topics + of_runs - rest) / (n * k), rel=1e-10)
    assert found.sd_topics**2 == pytest.approx((topics - rest) / k, rel=1e-10)
    assert found.sd_runs**2 == pytest.approx((of_runs - rest) / n, rel=1e-10)
    assert found.sd_rest**2 == pytest.approx(rest, rel=1e-10)
    parts = found.sd_topics**2 / n + found.sd_runs**2 / k + found.sd_rest**2 / (n * k)
    assert found.error**2 == pytest.approx(parts, rel=1e-10)
    assert found.share_of_runs == pytest.approx(found.sd_runs**2 / k / found.error**2, rel=1e-12)
    assert found.least_error == pytest.approx(found.sd_topics / n**0.5, rel=1e-12)


def test_one_run_each_is_the_paired_t_test() -> None:
    values, systems = _draw(6, 40, (1, 1))
    (pair,) = compare_runs_of_systems(values, systems, measure="x").pairs
    (by_t,) = pc.compare.many(
        {name: values[runs[0]] for name, runs in systems.items()}, test="t"
    ).pairs
    assert (pair.low, pair.high) == pytest.approx((by_t.low, by_t.high), rel=1e-12)
    assert pair.p == pytest.approx(by_t.p, rel=1e-9)
    assert (pair.wins, pair.losses, pair.effect) == (by_t.wins, by_t.losses, by_t.effect)


def test_copies_of_a_run_add_no_certainty() -> None:
    values, systems = _draw(7, 40, (1, 1))
    copied = {**values, "A.2": values["A.1"], "A.3": values["A.1"]}
    one = compare_runs_of_systems(values, systems, measure="x")
    three = compare_runs_of_systems(copied, {"A": ["A.1", "A.2", "A.3"], "B": ["B.1"]}, measure="x")
    assert three.pairs[0].p == one.pairs[0].p
    found = three.seeds["x"]["A"]
    assert (found.sd_runs, found.sd_rest, found.share_of_runs) == (0, 0, 0)
    assert (found.low, found.high) == (one.seeds["x"]["A"].low, one.seeds["x"]["A"].high)


def test_no_order_changes_a_digit() -> None:
    values, systems = _draw(8, 20, (3, 2, 1))
    first = compare_runs_of_systems(values, systems, measure="x")
    turned = {run: dict(reversed(column.items())) for run, column in reversed(list(values.items()))}
    for order in permutations(systems):
        again = compare_runs_of_systems(
            turned, {name: systems[name][::-1] for name in order}, measure="x"
        )
        for pair in first.pairs:
            other = again.pair(*pair.names)
            assert (other.low, other.high, other.p, other.adjusted) == (
                pair.low,
                pair.high,
                pair.p,
                pair.adjusted,
            )
            assert (other.statistic, other.effect, set(other.own_notes)) == (
                pair.statistic,
                pair.effect,
                set(pair.own_notes),
            )
        for name, found in first.seeds["x"].items():
            other_mean = again.seeds["x"][name]
            assert (other_mean.low, other_mean.error, other_mean.sd_runs) == (
                pytest.approx((found.low, found.error, found.sd_runs), abs=0, nan_ok=True)
            )


def test_variance_of_runs_widens_the_interval() -> None:
    """Averages of the runs, compared as if they were single runs, ignore it."""
    values, systems = _draw(9, 50, (3, 3), between=0.3)
    (pair,) = compare_runs_of_systems(values, systems, measure="x").pairs
    averaged = {name: _matrix(values, runs).mean(axis=1) for name, runs in systems.items()}
    (naive,) = pc.compare.many(averaged, test="t").pairs
    assert pair.low is not None and naive.low is not None
    assert pair.high - pair.low > 3 * (naive.high - naive.low)  # type: ignore[operator]
    assert pair.p > naive.p


def test_corrections_and_baselines_are_those_of_other_comparisons() -> None:
    values, systems = _draw(10, 30, (2, 3, 2, 1))
    every = compare_runs_of_systems(values, systems, measure="x")
    assert len(every.pairs) == 6 and set(every.letters["x"]) == set("ABCD")
    adjusted = peer("statsmodels.stats.multitest").multipletests(
        [pair.p for pair in every.pairs], method="holm"
    )[1]
    assert [pair.adjusted for pair in every.pairs] == pytest.approx(adjusted)
    some = compare_runs_of_systems(values, systems, measure="x", baseline="C", correction="bh")
    assert [pair.names for pair in some.pairs] == [("A", "C"), ("B", "C"), ("D", "C")]
    assert some.pair("A", "C").p == every.pair("A", "C").p and not some.anova
    assert noticed(every, OneRun)[0].context == ("D",)


def _qrels() -> dict[str, dict[str, int]]:
    return {f"q{i}": {"x": 1} for i in range(30)}


def _runs() -> dict[str, dict[str, list[str]]]:
    """Runs in which the relevant item of each topic stands first to fifth."""
    rng = np.random.default_rng(11)
    return {
        name: {
            topic: [f"y{j}" for j in range(int(rng.integers(0, width) + i % 3))] + ["x"]
            for i, topic in enumerate(_qrels())
        }
        for name, width in [("dense.1", 2), ("dense.2", 2), ("dense.3", 3), ("bm25", 5)]
    }


def _report(*measures: str) -> pc.Report:
    return pc.evaluate(_qrels(), _runs(), list(measures or ("RR", "P@2")))


def test_a_pattern_and_names_find_the_same_systems() -> None:
    report = _report()
    by_pattern = pc.compare.seeds(report, "{system}.{seed}")
    by_name = pc.compare.seeds(report, {"dense": ["dense.3", "dense.1", "dense.2"]})
    assert by_pattern == by_name
    assert by_pattern.names == ("dense", "bm25")
    assert by_pattern.seeds["RR"]["dense"].runs == ("dense.1", "dense.2", "dense.3")
    means = [report["dense.1", "RR"], report["dense.2", "RR"], report["dense.3", "RR"]]
    assert by_pattern.means["RR"]["dense"] == pytest.approx(np.mean(means), rel=1e-12)
    assert by_pattern.means["RR"]["bm25"] == pytest.approx(report["bm25", "RR"], rel=1e-12)


def test_a_name_is_divided_at_the_last_place_that_fits() -> None:
    runs = _runs()
    runs = {
        "v2.dense.1": runs["dense.1"],
        "v2.dense.2": runs["dense.2"],
        "v2.bm25.1": runs["bm25"],
    }
    found = pc.compare.seeds(pc.evaluate(_qrels(), runs, "RR"), "{system}.{seed}")
    assert found.names == ("v2.dense", "v2.bm25")


def test_a_group_of_topics_is_compared_as_all_are() -> None:
    by = {topic: "even" if int(topic[1:]) % 2 == 0 else "odd" for topic in _qrels()}
    report = pc.evaluate(_qrels(), _runs(), "RR", by=by)
    found = pc.compare.seeds(report.groups["odd"], "{system}.{seed}")
    assert found.pairs[0].size == 15


def test_geometric_means_are_compared_by_logarithms() -> None:
    found = pc.compare.seeds(_report("GMAP"), "{system}.{seed}")
    (pair,) = found.pairs
    logs = found.seeds["GMAP"]["dense"]
    assert pair.measure == "log GMAP" and logs.mean < 0
    assert found.means["GMAP"]["dense"] == pytest.approx(math.exp(logs.mean))


def test_bounds_stay_within_the_range_of_the_measure() -> None:
    found = pc.compare.seeds(_report(), {"a": ["dense.1", "bm25"], "b": ["dense.2", "dense.3"]})
    (pair, *_) = found.pairs
    assert pair.low is not None and pair.high is not None
    assert pair.low >= -1 and pair.high <= 1
    for of_system in found.seeds["RR"].values():
        assert of_system.low is not None and of_system.high is not None
        assert of_system.low >= 0 and of_system.high <= 1


def test_few_topics_and_few_differences_are_noted() -> None:
    values, systems = _draw(12, 5, (2, 2))
    found = compare_runs_of_systems(values, systems, measure="x")
    assert {note.context[0] for note in noticed(found, FewValues)} == {"A", "B"}
    assert noticed(found, OfSkewness)
    values["A.1"].pop("t0")
    found = compare_runs_of_systems(values, systems, measure="x", unpaired="drop")
    assert noticed(found, TopicsLeftOut)[0].left_out == 1


def test_without_variance_p_is_one_or_undefined() -> None:
    values = {run: {f"t{i}": 0.5 for i in range(10)} for run in ("A.1", "A.2", "B.1", "B.2")}
    systems = {"A": ["A.1", "A.2"], "B": ["B.1", "B.2"]}
    (pair,) = compare_runs_of_systems(values, systems, measure="x").pairs
    assert (pair.p, pair.low) == (1, None)
    values["B.1"] = values["B.2"] = {f"t{i}": 0.25 for i in range(10)}
    (pair,) = compare_runs_of_systems(values, systems, measure="x").pairs
    assert math.isnan(pair.p) and pair.low is None and noticed(pair, UndefinedP)
    one = {run: {"t": value} for run, value in (("A.1", 0.5), ("A.2", 0.7), ("B.1", 0.2))}
    (pair,) = compare_runs_of_systems(one, {"A": ["A.1", "A.2"], "B": ["B.1"]}, measure="x").pairs
    assert math.isnan(pair.p) and pair.low is None and noticed(pair, UndefinedP)


def test_runs_that_differ_alike_in_all_topics_still_have_an_interval() -> None:
    """Topics have no variance then; the runs have."""
    values = {f"A.{i}": {f"t{j}": 0.1 * i for j in range(10)} for i in (1, 2, 4)}
    values["B"] = {f"t{j}": 0.2 for j in range(10)}
    found = compare_runs_of_systems(values, {"A": ["A.1", "A.2", "A.4"], "B": ["B"]}, measure="x")
    (pair,) = found.pairs
    sample = [0.1, 0.2, 0.4]
    half = peer("scipy.stats").t.isf(0.025, 2) * np.std(sample, ddof=1) / 3**0.5
    assert pair.high == pytest.approx(np.mean(sample) - 0.2 + half, rel=1e-9)
    assert found.seeds["x"]["A"].share_of_runs == pytest.approx(1)


@pytest.mark.parametrize(
    "make",
    [
        lambda report: pc.compare.seeds(report, "{system}"),
        lambda report: pc.compare.seeds(report, "{system}_{seed}"),
        lambda report: pc.compare.seeds(report, {"a": ["dense.9"]}),
        lambda report: pc.compare.seeds(report, {"a": []}),
        lambda report: pc.compare.seeds(report, {"a": ["dense.1"], "b": ["dense.1"]}),
        lambda report: pc.compare.seeds(report, {"a": ["dense.1", "dense.1"]}),
        lambda report: pc.compare.seeds(report, {"bm25": ["dense.1", "dense.2"]}),
        lambda report: pc.compare.seeds(report, {"a": 3}),
        lambda report: pc.compare.seeds(report, ["dense.1", "dense.2"]),
        lambda report: pc.compare.seeds(report, {}),
        lambda report: pc.compare.seeds(report, {"a": ["dense.1", "dense.2", "dense.3", "bm25"]}),
        lambda report: pc.compare.seeds(report, {"a": "dense.1", "b": "dense.2"}),
    ],
)
def test_systems_that_cannot_be_are_refused(make: Callable[[pc.Report], object]) -> None:
    with pytest.raises((pc.UsageError, pc.DataError)) as error:
        make(_report())
    assert "systems" in str(error.value)


@pytest.mark.parametrize(
    ("options", "named"),
    [({"correction": "tukey"}, "correction"), ({"baseline": "dense.1"}, "baseline")],
)
def test_options_are_refused_by_name(options: dict[str, str], named: str) -> None:
    with pytest.raises(pc.UsageError, match=named):
        pc.compare.seeds(_report(), "{system}.{seed}", **options)  # type: ignore[arg-type]


def test_gates_are_of_runs() -> None:
    report = _report()
    with pytest.raises(pc.UsageError, match="comparisons"):
        pc.compare.gates(report, comparisons=pc.compare.seeds(report, "{system}.{seed}"))


def test_missing_topics_are_refused_with_advice() -> None:
    runs = {
        name: {
            topic: {item: -float(rank) for rank, item in enumerate(items)}
            for topic, items in found.items()
        }
        for name, found in _runs().items()
    }
    del runs["dense.1"]["q3"]
    report = pc.evaluate(_qrels(), runs, "RR")
    with pytest.raises(pc.DataError, match="unpaired='drop'"):
        pc.compare.seeds(report, "{system}.{seed}")
    assert pc.compare.seeds(report, "{system}.{seed}", unpaired="drop").pairs[0].size == 29


RECORD = Path(__file__).parents[1] / "coverage" / "records" / "seeds.json"


def test_record_of_coverage() -> None:
    """Differences and means are inside in 93 % or more of the samples of each situation; the page
    shows the record.
    """
    cells = json.loads(RECORD.read_text(encoding="utf-8"))["cells"]
    page = (RECORD.parents[3] / "docs" / "why" / "tests.md").read_text(encoding="utf-8")
    for first in range(0, len(cells), 3):
        row = cells[first : first + 3]
        assert [cell["between"] for cell in row] == [0, 0.5, 4]
        shown = []
        for cell in row:
            assert cell["samples"] >= 1000
            assert min(cell["difference"], cell["mean"]) >= 0.93
            difference, averaged, mean = (
                f"{100 * cell[name]:.1f}" for name in ("difference", "averaged", "mean")
            )
            shown.append(f"{difference} ({averaged}), {mean}")
        law, topics, runs = (row[0][name] for name in ("law", "topics", "runs"))
        assert f"| {law} | {topics} | {runs[0]} and {runs[1]} | {' | '.join(shown)} |" in page


@pytest.mark.nightly
@pytest.mark.parametrize("number", [5, 14])
def test_intervals_cover(number: int) -> None:
    from tests.coverage.seeds import simulate, situations

    cell = simulate(list(situations())[number], 200)
    assert min(cell["difference"], cell["mean"]) >= 0.95 - 3 * cell["error"]


# --- The command ---


def _write(folder: Path) -> list[str]:
    qrels = folder / "q.qrels"
    qrels.write_text("".join(f"{topic} 0 x 1\n" for topic in _qrels()))
    paths = [str(qrels)]
    for name, found in _runs().items():
        path = folder / f"{name}.run"
        rows = [
            f"{topic} Q0 {item} {rank} {-rank} r\n"
            for topic, items in found.items()
            for rank, item in enumerate(items, 1)
        ]
        path.write_text("".join(rows))
        paths.append(str(path))
    return paths


def test_the_command_says_what_python_says(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    paths = _write(tmp_path)
    table = tmp_path / "systems.tsv"
    table.write_text("dense.1\tdense\ndense.2\tdense\ndense.3 dense\n")
    found = pc.compare.seeds(_report("RR"), "{system}.{seed}").to_dict()
    for systems in ("{system}.{seed}", str(table)):
        assert (
            precall(["compare", *paths, "-m", "RR", "--systems", systems, "--format", "json"]) == 0
        )
        told = json.loads(capsys.readouterr().out)
        assert told["pairs"][0]["p"] == found["pairs"][0]["p"]
        assert told["seeds"]["RR"]["dense"]["error"] == found["seeds"]["RR"]["dense"]["error"]
        assert told["seeds"]["RR"]["bm25"]["sd_runs"] is None
        assert noticed(told, ErrorOfRuns) and noticed(told, OneRun)


@pytest.mark.parametrize(
    ("more", "named"),
    [
        (["--systems", "{system}"], "--systems"),
        (["--systems", "{system}.{seed}", "--test", "t"], "--test"),
        (["--systems", "{system}.{seed}", "--resamples", "5"], "--resamples"),
        (["--systems", "{system}.{seed}", "--fail-if-worse", "any"], "--fail-if-worse"),
        (["--systems", "{system}.{seed}", "-q"], "--per-topic"),
        (["--systems", "{system}.{seed}", "--correction", "tukey"], "--correction"),
        (["--systems", "missing.tsv"], "missing.tsv"),
    ],
)
def test_the_command_refuses_by_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], more: list[str], named: str
) -> None:
    assert precall(["compare", *_write(tmp_path), "-m", "RR", *more]) == 2
    assert named in capsys.readouterr().err


def test_a_file_of_systems_has_faults_by_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = tmp_path / "systems.tsv"
    table.write_text("dense.1\ndense.2 a\ndense.2 b\n")
    assert precall(["compare", *_write(tmp_path), "--systems", str(table)]) == 2
    told = capsys.readouterr().err
    assert "systems.tsv:1" in told and "systems.tsv:3" in told and "topic" not in told


def test_the_caption_names_the_method_once() -> None:
    """It was "(MOVER) (MOVER)": no test read the caption of a comparison by it."""
    values, systems = _draw(3)
    found = compare_runs_of_systems(values, systems, measure="AP")
    assert found.to_latex().split("caption{")[1].count("MOVER") == 1


def test_groups_of_topics_are_compared_too() -> None:
    """A report with groups lost them in silence, as the two came by different changes."""
    qrels = {f"q{i}": {"x": 1.5} for i in range(40)}
    draw = np.random.default_rng(8)
    runs = {
        f"{system}.{seed}": {
            t: [f"d{i}" for i in range(draw.integers(0, top))] + ["x"] for t in qrels
        }
        for system, top in (("dense", 3), ("sparse", 6))
        for seed in (1, 2)
    }
    by = {f"q{i}": "de" if i % 4 else "en" for i in range(40)}
    report = pc.evaluate(qrels, runs, ["RR", "Q"], by=by)
    found = pc.compare.seeds(report, "{system}.{seed}", correction="holm")
    assert list(found.groups) == ["de", "en"]
    for name, part in found.groups.items():
        alone = pc.compare.seeds(report.groups[name], "{system}.{seed}")
        for pair, other in zip(part.pairs, alone.pairs, strict=True):
            assert (pair.p, pair.low, pair.high) == (other.p, other.low, other.high)
        assert part.seeds.keys() == {"RR", "Q"}
    for measure in ("RR", "Q"):
        p, adjusted = zip(
            *(
                (pair.p, pair.adjusted)
                for part in found.groups.values()
                for pair in part.families[measure]
            ),
            strict=True,
        )
        assert min(adjusted) == pytest.approx(min(2 * min(p), 1))
    assert noticed(found, CorrectionOverGroups)


def test_groups_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """--by was refused beside --systems."""
    paths, by = _write(tmp_path), tmp_path / "by.tsv"
    topics = _report("RR").runs[0].topics
    groups = {topic: "de" if index % 3 else "en" for index, topic in enumerate(topics)}
    by.write_text("".join(f"{topic}\t{group}\n" for topic, group in groups.items()))
    systems = ["--systems", "{system}.{seed}"]
    more = ["--by", str(by), "--format", "json"]
    assert precall(["compare", *paths, "-m", "RR", *systems, *more]) == 0
    told = json.loads(capsys.readouterr().out)
    qrels, *runs = paths
    report = pc.evaluate(qrels, runs, ["RR"], by=groups)
    found = pc.compare.seeds(report, "{system}.{seed}")
    assert list(told["groups"]) == ["de", "en"] and not problems(told)
    for name, part in told["groups"].items():
        assert part["pairs"][0]["adjusted"] == found.groups[name].pairs[0].adjusted
        assert (
            part["seeds"]["RR"]["dense"]["error"] == found.groups[name].seeds["RR"]["dense"].error
        )
