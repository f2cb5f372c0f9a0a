"""The acceleration of BCa of an average over categories: of the tables that an item changes, and of
all tables.
"""

from functools import partial
from itertools import product

import numpy as np
import pytest

from precall.hard_decisions.sampled_tables import averages_of, averages_without
from precall.measures.registry import find
from precall.stats.intervals import left_out
from precall.stats.intervals.of_tables import ItemCategories, Memberships

MEASURES = ("P", "R", "F", "Accuracy", "Specificity", "MCC", "LR+", "Jaccard")


def of_several_labels(seed: int, kinds: int, categories: int) -> Memberships:
    """Kinds with any number of true and decided categories, none included; some do not occur."""
    rng = np.random.default_rng(seed)
    true, decided = rng.random((2, kinds, categories)) < 2 / categories
    pairs = (ItemCategories(*np.nonzero(has)) for has in (true, decided, true & decided))
    return Memberships(*pairs, rng.integers(0, 3, kinds), categories)


@pytest.mark.nightly(keep=6)
@pytest.mark.parametrize(
    ("name", "how", "undefined"),
    list(product(MEASURES, ("macro", "weighted", "micro"), ("zero", "omit"))),
)
@pytest.mark.parametrize("together", [7, 1 << 16])
def test_same_digits_as_of_whole_tables(
    name: str, how: str, undefined: str, together: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(left_out, "_TOGETHER", together)
    measure = find(name)
    for seed, (kinds, categories) in enumerate(((2, 1), (9, 3), (60, 12), (40, 130))):
        members = of_several_labels(seed, kinds, categories)
        chosen = np.flatnonzero(members.count)
        without = averages_without(measure, how, undefined)
        assert without is not None
        with np.errstate(invalid="ignore"):
            expected = averages_of(measure, how, undefined, members.without(chosen))
            np.testing.assert_array_equal(without(members, chosen), expected)


@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
def test_no_table_of_all_categories_and_items(monkeypatch: pytest.MonkeyPatch) -> None:
    """Macro precision of 20,000 categories took 100 s, nearly all of it in such tables. No test had
    more than some hundred categories.
    """
    import precall as pc

    monkeypatch.setattr(Memberships, "without", partial(pytest.fail, "whole tables"))
    truth = np.arange(3000) // 2
    decided = np.where(np.arange(3000) % 3 > 0, truth, truth[::-1])
    made = pc.decisions(truth, decided)
    for measure in ("macro-precision", "weighted-recall", "micro-jaccard"):
        assert pc.interval(made, measure, method="bca", resamples=100).method == "bca"
    other = np.where(np.arange(3000) % 5 > 0, truth, truth[::-1])
    pc.compare.decisions(truth, decided, other, "macro-precision", interval="bca", resamples=100)
