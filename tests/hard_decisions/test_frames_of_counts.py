"""A confusion matrix in a frame was read by places: of columns a, b, d and rows a, b, c macro-F was
1, of the decisions .5.

The old tests passed arrays. Beside it what else an independent test of intervals and comparisons
found.
"""

from __future__ import annotations

import json

import numpy as np
import pytest

import precall as pc
from precall.compat import sklearn as ours
from precall.core.notes.of_comparisons import NoMarginShown, TopicsLeftOut
from precall.core.notes.of_intervals import FewValues, NoneOfSums, ShortForFew, UndefinedInterval
from tests.noticed import noticed, warned
from tests.peers import peer

pd = peer("pandas")

pytestmark = pytest.mark.filterwarnings("ignore::precall.PrecallWarning")

TRUTH, SAID = list("aaabbbccc" * 6), list("aaabbbddd" * 6)
NAMES = list("abcd")


def counted() -> pd.DataFrame:
    return pd.crosstab(pd.Series(TRUTH, name="t"), pd.Series(SAID, name="p"))


@pytest.mark.parametrize("make", [pc.interval.micro_f, pc.interval.macro_f])
def test_rows_and_columns_have_the_same_names(make) -> None:
    with pytest.raises(
        pc.UsageError,
        match="rows are 'a', 'b', 'c', columns are 'a', 'b', 'd'; give rows and columns the same",
    ):
        make(counted())
    turned = pd.DataFrame([[1, 30], [40, 2]], index=["a", "b"], columns=["b", "a"])
    with pytest.raises(pc.UsageError, match="in the same order"):
        make(turned)
    decided = make(pc.decisions(TRUTH, SAID))
    whole = counted().reindex(index=NAMES, columns=NAMES, fill_value=0)
    for same in (
        whole,
        whole.to_numpy(),
        pd.DataFrame(whole.to_numpy(), index=NAMES),
        pc.decisions(TRUTH, SAID).confusion(),
    ):
        assert [make(same).estimate, *make(same).ends] == pytest.approx(
            [decided.estimate, *decided.ends]
        )


@pytest.mark.parametrize(("size", "reached"), [(3, False), (4, False), (5, True)])
def test_topics_too_few_for_any_margin(size: int, reached: bool) -> None:
    """Of p that is 2^-n at least the least margin was Student's."""
    b = np.arange(size) / 10
    found = pc.compare.equivalence(b, b + np.linspace(0.09, 0.11, size), 0.2, test="randomization")
    assert found.shown is reached and np.isnan(found.needed) is np.bool_(not reached)
    told = [
        (note.topics, note.least, note.test, note.level) for note in noticed(found, NoMarginShown)
    ]
    assert told == ([] if reached else [(size, 2.0**-size, "randomization", 0.95)])


def test_nothing_is_superior_where_nothing_is_paired() -> None:
    found = pc.compare.cases([1, 0, 1, 0], [4, 3, 2, 1], [1, 2, 4, 3], "AUC")
    assert found.superiority is None
    assert '"superiority": null' in found.to_json()
    assert pc.compare.paired([1, 2, 3], [0, 2, 4]).superiority == 0.5


def test_an_infinite_mean_over_items_has_no_interval() -> None:
    made = pc.decisions([["a"], ["b"], ["a", "b"], ["a"]] * 10, [["a"], ["b"], ["a"], ["b"]] * 10)
    with warned(UndefinedInterval) as told:
        found = pc.interval(made, "LR+", average="samples")
    assert told[0].reason == "it is infinite in 20 of 40 items"
    assert found.estimate == np.inf and found.low is None and found.notes


@pytest.mark.parametrize("test", [pc.compare.bayes.sign, pc.compare.bayes.signed_rank])
def test_left_out_topics_are_told_of(test) -> None:
    found = test([0.1, np.nan, 0.5], [0.1, 0.3, 0.2])
    assert [note.left_out for note in noticed(found, TopicsLeftOut)] == [1] and len(
        found.notes
    ) == 1
    assert found.notes[0] in str(found) and found.notes[0] in [
        note["text"] for note in json.loads(found.to_json())["notes"]
    ]
    assert not test([0.1, 0.5], [0.1, 0.2]).notes


def test_few_topics_are_few_for_drawn_samples_earlier() -> None:
    values = np.random.default_rng(1).normal(size=20)
    assert not pc.interval.mean(values).notes
    for method in ("bca", "percentile"):
        (note,) = noticed(pc.interval.mean(values, method=method), FewValues)
        assert (note.values_seen, note.noun, note.effect) == (20, "topics", "drawn")


def test_jeffreys_says_where_it_covers_less() -> None:
    (note,) = noticed(pc.interval.proportion(99, 100, method="jeffreys"), ShortForFew)
    assert note.values == {"hits": 99, "total": 100, "fewest": 5, "whose": "Jeffreys'"}
    assert not pc.interval.proportion(90, 100, method="jeffreys").notes


def test_sums_over_topics_say_that_they_have_no_interval() -> None:
    qrels, run = {"q": {"d": 1}, "r": {"d": 1}}, {"q": {"d": 1.0}, "r": {"d": 1.0}}
    with warned(NoneOfSums):
        report = pc.evaluate(qrels, run, "AP", aggregate="sum", interval=True)
    assert "interval" not in report.conventions


@pytest.mark.parametrize(
    "name", ["precision_score", "accuracy_score", "roc_auc_score", "average_precision_score"]
)
def test_what_lies_under_a_mask_is_no_label(name: str) -> None:
    hidden, plain = np.ma.masked_array([0, 1, 1, 0, 1], [0, 1, 0, 0, 0]), [0, 1, 0, 0, 1]
    for pair in ((hidden, plain), (plain, hidden)):
        with pytest.raises(ValueError, match="case 1 is masked"):
            getattr(ours, name)(*pair)
    assert getattr(ours, name)(np.ma.masked_array(plain), plain) == 1
