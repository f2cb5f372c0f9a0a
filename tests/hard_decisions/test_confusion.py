"""Confusion matrices: scikit-learn's numbers, every form, the picture and the command."""

from __future__ import annotations

import csv
import io
import json
import pickle
import tracemalloc
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import precall as pc
from precall import UsageError
from precall.core.notes.of_decisions import LargeMatrix
from tests.cli.scored import refused, told
from tests.noticed import noticed, shown

NAMES = ("a", "b$", "c<d", "e")
PAIRS = st.lists(st.tuples(st.sampled_from(NAMES), st.sampled_from(NAMES)), min_size=1, max_size=40)
TRUTH, SAID = ["a", "b", "b", "c", "b"], ["a", "c", "b", "c", "c"]
MATRIX = pc.decisions(TRUTH, SAID).confusion()


@pytest.mark.parametrize(("items", "categories"), [(3000, 5), (3000, 600)])
def test_few_and_many_categories_are_counted_alike(items, categories):
    truth, said = np.random.default_rng(categories).integers(0, categories, (2, items)).tolist()
    matrix = pc.decisions(truth, said).confusion()
    pairs = Counter(zip(truth, said, strict=True))
    cells = {
        (matrix.categories[i], matrix.categories[j]): int(matrix.counts[i, j])
        for i, j in np.argwhere(matrix.counts).tolist()
    }
    assert cells == pairs and matrix.counts.dtype == np.int64
    wrong = [(*pair, times) for pair, times in pairs.items() if pair[0] != pair[1]]
    assert matrix.errors() == sorted(wrong, key=lambda cell: (-cell[2], *cell[:2]))


def test_only_cells_with_items_are_kept():
    """Of 20,000 categories a matrix takes 3 GB; the errors, the print and the first rows of a
    table do not make it.
    """
    names = np.arange(20_000)
    decided = pc.decisions(names, names[::-1].copy())
    tracemalloc.start()
    try:
        matrix = decided.confusion()
        assert len(matrix.errors()) == 20_000 and matrix.items == 20_000 and matrix.right == 0
        assert str(matrix).startswith("0 of 20000 items right (0.0 %)")
        rows = iter(matrix.sheet().tidy)
        assert [next(rows) for _ in range(20_000)][-1] == ("0", "19999", 1, 1.0, 1.0, 1 / 20_000)
        assert tracemalloc.get_traced_memory()[1] < 100e6
    finally:
        tracemalloc.stop()


@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
@pytest.mark.parametrize("average", ["macro_f", "micro_f"])
def test_intervals_of_many_categories_take_the_cells_with_items(average):
    """Of 3,000 categories all cells took 400 MB, and five times as long as now all together."""
    interval, rng = getattr(pc.interval, average), np.random.default_rng(7)
    truth = rng.integers(0, 3_000, 20_000)
    said = np.where(rng.random(20_000) < 0.8, truth, rng.integers(0, 3_000, 20_000))
    decided = pc.decisions(truth, said)
    wanted = interval(decided)
    tracemalloc.start()
    try:
        found = interval(decided.confusion())
        assert tracemalloc.get_traced_memory()[1] < 30e6
    finally:
        tracemalloc.stop()
    for one in (found, interval(decided.confusion().counts)):
        assert (one.estimate, *one.ends) == pytest.approx((wanted.estimate, *wanted.ends), 1e-12)


def test_the_matrix_is_made_once():
    assert MATRIX.counts is MATRIX.counts and MATRIX.counts.dtype == np.int64
    assert pickle.loads(pickle.dumps(MATRIX)) == MATRIX
    assert pc.decisions(TRUTH, TRUTH).confusion() != MATRIX


@given(PAIRS)
def test_it_counts_pairs(pairs):
    """Each cell is how often its two categories stand beside each other."""
    matrix = pc.decisions(*zip(*pairs, strict=True), NAMES).confusion()
    counted = Counter(pairs)
    for i, true in enumerate(NAMES):
        for j, said in enumerate(NAMES):
            assert matrix.counts[i, j] == counted[true, said]
    assert matrix.items == len(pairs) and matrix.right == sum(true == said for true, said in pairs)
    wrong = {pair: times for pair, times in counted.items() if pair[0] != pair[1]}
    assert {(true, said): times for true, said, times in matrix.errors()} == wrong
    assert [times for *_, times in matrix.errors()] == sorted(wrong.values(), reverse=True)


def test_scikit_learn_s_numbers():
    metrics = pytest.importorskip(
        "sklearn.metrics", reason="scikit-learn is not installed: no matrix was compared"
    )
    rng = np.random.default_rng(5)
    truth, said = (rng.integers(0, 5, 200) for _ in range(2))
    matrix = pc.decisions(truth, said).confusion()
    for ours, theirs in (("truth", "true"), ("predicted", "pred"), ("all", "all")):
        np.testing.assert_allclose(
            matrix.shares(ours), metrics.confusion_matrix(truth, said, normalize=theirs), atol=1e-15
        )
    assert np.array_equal(matrix.counts, metrics.confusion_matrix(truth, said))
    yes = pc.decisions([0, 1, 1, 0, 1], [0, 1, 0, 0, 1]).confusion()
    assert np.array_equal(yes.counts, metrics.confusion_matrix([0, 1, 1, 0, 1], [0, 1, 0, 0, 1]))
    assert yes.categories == ("other", "relevant")


def test_one_category_for_each_item():
    one_hot = pc.decisions(np.eye(3, dtype=int), np.eye(3, dtype=int)[[0, 2, 2]]).confusion()
    assert one_hot.counts.tolist() == [[1, 0, 0], [0, 0, 1], [0, 0, 1]]
    with pytest.raises(UsageError, match="1 of . items of truth .* such as item 1 with 2"):
        pc.decisions([{"a"}, {"a", "b"}], [{"a"}, {"b"}]).confusion()
    with pytest.raises(UsageError, match="of predicted .* such as item 0 with 0"):
        pc.decisions([{"a"}], [set()]).confusion()


def test_shares_that_do_not_exist():
    matrix = pc.decisions(["a"], ["b"], ["a", "b"]).confusion()
    np.testing.assert_array_equal(matrix.shares("truth"), [[0, 1], [np.nan, np.nan]])
    np.testing.assert_array_equal(matrix.shares("predicted"), [[np.nan, 1], [np.nan, 0]])
    with pytest.raises(UsageError, match="of: got 'rows', allowed are truth, predicted, all"):
        matrix.shares("rows")


def test_forms():
    printed = str(MATRIX)
    assert printed.startswith(
        "3 of 5 items right (60.0 %); most often b is taken for c (2 items).\n"
    )
    assert max(map(len, printed.splitlines())) <= 80
    assert pc.decisions(TRUTH, SAID).confusion() == MATRIX and "<table>" in MATRIX._repr_html_()
    known = json.loads(MATRIX.to_json())
    assert known["counts"] == MATRIX.counts.tolist() and known["categories"] == ["a", "b", "c"]
    rows = list(csv.DictReader(io.StringIO(MATRIX.to_csv())))
    assert {
        (row["truth"], row["predicted"]): int(row["items"]) for row in rows if row["items"] != "0"
    } == {
        ("a", "a"): 1,
        ("b", "b"): 1,
        ("b", "c"): 2,
        ("c", "c"): 1,
    }
    assert float(rows[5]["share_of_truth"]) == 2 / 3
    shares = MATRIX.sheet(normalize="truth")
    assert shares.blocks[0].lines[1].values == pytest.approx((0, 1 / 3, 2 / 3, 3))
    many = pc.decisions(range(30), [*range(1, 30), 0]).confusion()
    assert [note.categories for note in noticed(many.sheet(), LargeMatrix)] == [30]
    assert shown(str(many), LargeMatrix("", 30)) and "most frequent errors, 10 of 30" in str(many)
    assert str(pc.decisions(["x"], ["x"]).confusion()).startswith("1 of 1 item right (100.0 %).\n")


class TestPicture:
    @pytest.fixture(autouse=True)
    def _with_matplotlib(self):
        pytest.importorskip(
            "matplotlib", reason="matplotlib is not installed: no picture was drawn"
        )

    def test_cells_are_the_matrix(self):
        display = MATRIX.plot()
        assert np.array_equal(display.image_.get_array(), MATRIX.counts)
        assert [[text.get_text() for text in row] for row in display.texts_] == [
            ["1", "", ""],
            ["", "1", "2"],
            ["", "", "1"],
        ]
        assert [text.get_text() for text in display.ax_.get_xticklabels()] == ["a", "b", "c"]
        shares = MATRIX.plot("truth")
        np.testing.assert_array_equal(shares.image_.get_array(), MATRIX.shares())
        assert shares.texts_[1, 2].get_text() == "0.67"

    def test_values_are_read_in_their_cells(self):
        """WCAG: 4.5 : 1, on whatever colour a cell has."""
        from matplotlib.colors import to_rgb

        from precall.plot.shared.contrast import luminance

        counts = np.arange(1, 37).reshape(6, 6)
        truth = [i for i in range(6) for j in range(6) for _ in range(counts[i, j])]
        said = [j for i in range(6) for j in range(6) for _ in range(counts[i, j])]
        display = pc.decisions(truth, said).confusion().plot()
        room = display.ax_.get_window_extent().width / 6
        for (i, j), text in np.ndenumerate(display.texts_):
            cell, ink = (
                float(luminance(to_rgb(colour)))
                for colour in (
                    display.image_.cmap(display.image_.norm(counts[i, j])),
                    text.get_color(),
                )
            )
            assert (max(cell, ink) + 0.05) / (min(cell, ink) + 0.05) >= 4.5
            assert text.get_window_extent(display.figure_.canvas.get_renderer()).width < room

    @pytest.mark.nightly
    def test_many_categories_have_colours_only(self):
        rng = np.random.default_rng(1)
        truth = [*range(80), *rng.integers(0, 80, 400)]
        display = pc.decisions(truth, [*range(80), *rng.integers(0, 80, 400)]).confusion().plot()
        assert display.texts_ is None and len(display.ax_.get_xticks()) < 80
        assert pc.decisions(truth, truth).confusion().plot(values=True).texts_.shape == (80, 80)

    def test_hostile_names_and_what_is_no_matrix(self):
        from precall.plot import ConfusionMatrix

        display = pc.decisions(["$a$", "_b"], ["_b", "_b"]).confusion().plot(legend=False)
        assert [text.get_text() for text in display.ax_.get_yticklabels()] == [r"\$a\$", "_b"]
        with pytest.raises(
            UsageError, match=r"confusion: must be what Decisions.confusion\(\) returns, got list"
        ):
            ConfusionMatrix([[1]])
        with pytest.raises(
            UsageError, match="normalize: got 'row', allowed are None, truth, predicted, all"
        ):
            MATRIX.plot("row")

    def test_cells_keep_their_colours_in_notebooks(self):
        from PIL import Image

        picture = np.asarray(Image.open(io.BytesIO(MATRIX.plot()._repr_png_())))
        assert picture[0, 0, 3] == 0 and (picture == [0, 0x44, 0x88, 255]).all(axis=2).any()


class TestCommand:
    BASE = ("decisions", "items.csv", "--truth", "t", "--predicted", "p")

    @pytest.fixture(autouse=True)
    def _items(self, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        rows = [("t", "p"), *zip(TRUTH, SAID, strict=True)]
        Path("items.csv").write_text("".join(f"{a},{b}\n" for a, b in rows), encoding="utf-8")

    def run(self, *words):
        from precall.cli.main import run

        out, err = io.StringIO(), io.StringIO()
        from contextlib import redirect_stderr, redirect_stdout
        from types import SimpleNamespace

        with redirect_stdout(out), redirect_stderr(err):
            code = run([*words])
        return SimpleNamespace(code=code, out=out.getvalue(), err=err.getvalue())

    def test_it_is_what_python_says(self):
        known = told(self.run(*self.BASE, "--confusion", "--format", "json"))
        assert (
            known["counts"] == MATRIX.counts.tolist() and known["format"] == "precall.confusion/2"
        )
        known = told(
            self.run(*self.BASE, "--confusion", "--normalize", "truth", "--format", "json")
        )
        assert known["shares"] == MATRIX.shares().tolist()

    def test_the_picture_stands_beside_either(self):
        pytest.importorskip(
            "matplotlib", reason="matplotlib is not installed: no picture was drawn"
        )
        for more in ((), ("--confusion",)):
            plain = self.run(*self.BASE, *more)
            drawn = self.run(*self.BASE, *more, "--plot", "a.svg")
            assert drawn == plain and Path("a.svg").read_text(encoding="utf-8").startswith("<?xml")
            Path("a.svg").unlink()

    def test_refused(self):
        refused(
            self.run(*self.BASE, "--normalize", "all"),
            "--normalize: applies to the confusion matrix; add .*",
        )
        refused(
            self.run(*self.BASE, "--confusion", "-m", "MCC", "--baselines"),
            "--confusion: the matrix is printed instead of measures; leave --measure and "
            "--baselines out",
        )
