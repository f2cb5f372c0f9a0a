"""`compare.cases`: compares two scores of the same items."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from precall.core.arguments import as_array_like, check_rows
from precall.core.errors import Fact, UsageError
from precall.core.notes import Note, run_and_warn
from precall.core.rng import Rng
from precall.measures import Measure
from precall.measures.areas import part_of
from precall.read.weights import KindsOfWeights
from precall.stats.tests.comparisons import Comparison

if TYPE_CHECKING:
    import numpy.typing as npt

#: Weights that are integers repeat items; more rows than this are a mistake.
_MOST = 10**8


def cases(
    relevant: object,
    score_a: object,
    score_b: object,
    measure: str | Measure = "AP",
    *,
    test: str | None = None,
    groups: object = None,
    topics: object = None,
    positive: object = None,
    higher_is_better: bool = True,
    level: float = 0.95,
    resamples: int = 5_000,
    rng: Rng = 0,
    names: tuple[str, str] = ("a", "b"),
    threshold: float | tuple[float, float] | None = None,
    weights: object = None,
    missed: int = 0,
) -> Comparison:
    """Compare two scores of the same items by AP, area under ROC, precision or recall at k, any
    other number of a list, or recall at a threshold.

    Parameters
    ----------
    relevant, positive, higher_is_better : see `precall.curve`.
    score_a : the first score of every item; NaN is refused.
    score_b : the second; NaN is refused.
    groups : the group of each item, such as its patient: groups are exchanged, resampled or summed
        as a whole (default: items). The measure is that of all items, as in
        `pc.interval.area_under_roc(..., groups=)`.
    topics : the list that each item is in: the mean over lists is compared, and items are exchanged
        or resampled within lists. Lists with one class only are left out, with a note.
    measure : "AP" (equal scores are one block, as in `precall.curve`), "AUC" (area under ROC),
        "AUC(max_fpr=.2)" (its part up to a false positive rate, also with mcclish=true), "Gini"
        (2 AUC - 1), "P@10" or "R@10" for any k (with equal scores at the cut, the mean over their
        orders), "R" with a threshold, or another number of a list: "AP@10", "EF@5%", "BEDROC",
        "Rprec", "BEP" (three methods), "IAP", "AUPRG", "MaxF", "KS", "PAtRecall(recall=.8)",
        "KAtRecall(recall=.8)", "RAtPrecision(precision=.9)"; "RR", "Success@k" and "Coverage" have
        a p, and no interval, as one item decides.
    threshold : for "R": the least score that is accepted, one for both or a pair of them.
    weights : weight of each item, >= 0. Integers repeat an item, so that every test is that of the
        repeated items. Floats, even whole ones, are sampling weights: each row is one item,
        whatever its weight. AP, areas and their parts, break-even, IAP, AUPRG, MaxF, KS and
        RAtPrecision take sampling weights, with groups or without, for every test but "obuchowski".
        Measures of ranks, such as P@k, and recall at a threshold count items and refuse them.
    missed : number of relevant items that neither list has. They count in the total of AP, R@k, R
        and of areas, below all others in both lists. Exchanges do not move them, so p of
        "permutation" and "fisher" is the same as without them; for "influence", "delong" and
        "bootstrap" each is a case of its own. Not with groups or topics.
    test : test of no difference, two-sided:

        - "permutation", the default for AP and other numbers: an item's ranks in the two lists are
          exchanged at random, and both lists ranked again (Venkatraman & Begg 1996; Bandos 2005).
          It is exact up to 20 items or groups that the lists rank differently (of other numbers
          if the lists are short as well); otherwise p = (c + 1)/(resamples + 1);
        - "delong", the default for AUC and its parts, and only for these: DeLong, DeLong &
          Clarke-Pearson 1988; for a part with the covariances of Zhang et al. (2002) and He &
          Escobar (2010). With groups it sums over groups as Obuchowski does, with each group
          corrected for its own leverage (Bell & McCaffrey 2002), and uses Student's t;
        - "obuchowski", for areas with groups: her variance of 1997 and the normal distribution, as
          published; without groups it is DeLong's;
        - "influence": the difference divided by the root of the sum of squared differences of
          influence; the default for AP, P@k, R@k and EF if exchanges would involve more than
          100,000 rows of items (for AP some 200 relevant ones), and for other numbers of more than
          5,000 items; a note says so.
          Numbers have Student's t, with less than one degree of freedom for each item of the rarer
          class;
        - "fisher", for P@k and R@k of one list: how the relevant items among those in exactly one
          top k are divided between the two, given the tops: hypergeometric, exact (conservative if
          they are few);
        - "sign", "t", for "R" at a threshold: on the relevant items that exactly one score accepts;
          "permutation", the default, exchanges the two scores there;
        - "bootstrap", for AP and AUC: items are resampled; p is the least level at which the
          percentile interval excludes 0.
    level, rng, names : see `compare.paired`.
    resamples : number of permutations, or of bootstrap samples.

    Returns
    -------
    Comparison
        `size` is the number of items (for R at a threshold, of relevant ones). Intervals are normal
        with the test's standard error (for permutation of AUC DeLong's, otherwise the influence's)
        and cut to -1..1, or percentiles; for R at a threshold they are Agresti & Min's (2005). With
        "permutation", and with "fisher", those of P@k, R@k and EF, or at a level of recall or
        precision, are from the intervals of both lists (MOVER). Two lists that order all
        items alike give p = 1 and no interval.

    Raises
    ------
    DataError
        Everything is relevant, or nothing; a score or weight is not allowed.
    UsageError
        Columns have unequal lengths, the test does not apply to the measure, or it does not take
        weights, groups, topics or missed items.

    Notes
    -----
    DeLong's test is not valid for nested models fitted to the same cases (Demler et al. 2012). If
    every group has one item, Obuchowski's variance is DeLong's, and so is that of "delong" with
    groups. pROC has no groups; its tests of partial areas resample. Rejection rates under no
    difference are in docs/why/tests.md.

    Examples
    --------
    >>> from precall import compare
    >>> y = [1, 1, 0, 1, 0, 0, 1, 0]
    >>> found = compare.cases(y, [8, 7, 6, 5, 4, 3, 2, 1], [8, 3, 6, 1, 4, 5, 2, 7], "AUC")
    >>> found.difference, round(found.p, 4), found.test
    (0.5, 0.0455, 'delong')
    >>> found = compare.cases(
    ...     y * 9, [8, 7, 6, 5, 4, 3, 2, 1] * 9, [8, 3, 6, 1, 4, 5, 2, 7] * 9, "AUC(max_fpr=.6)"
    ... )
    >>> round(found.values[0], 4), round(found.low, 4), found.test
    (0.3875, 0.1462, 'delong')
    """
    from precall.cases.scored_cases import check_cases, members, missed_count, refuse_nan, weight
    from precall.stats.tests import lists, tops
    from precall.stats.tests.comparisons import with_head
    from precall.stats.tests.lists import ItemLists
    from precall.stats.tests.pairing import check_two

    names = check_two(names)
    relevant = as_array_like(relevant)
    check_rows(
        relevant=relevant,
        score_a=score_a,
        score_b=score_b,
        groups=groups,
        topics=topics,
        weights=weights,
    )
    read, of_labels = run_and_warn(
        lambda: [
            check_cases(relevant, score, positive, higher_is_better) for score in (score_a, score_b)
        ]
    )
    truth, columns = read[-1][0], [column for _, column in read]
    for column in columns:
        refuse_nan(column)
    (group, topic), of_groups = run_and_warn(
        lambda: [
            None if labels is None else members(labels, len(truth), argument)
            for argument, labels in {"groups": groups, "topics": topics}.items()
        ]
    )
    missed, real = int(missed_count(missed, False)), None
    of_weights: tuple[Note, ...] = ()
    if weights is not None:
        heavy = weight(weights, len(truth))
        of_weights = KindsOfWeights.of(truth, heavy).notes()
        times, real = _repeat(heavy)
        truth, columns[0], columns[1] = (values[times] for values in (truth, *columns))
        group, topic = (
            None if values is None else _number(values[times]) for values in (group, topic)
        )
    how: Any = {"test": test, "level": level, "resamples": resamples, "rng": rng, "names": names}
    name, area = _name_and_part(measure)
    number = tops.find_number(measure) if threshold is None and area is None else None
    # Cases of one group are not independent.
    alone = real is None and group is None
    turned = _notes_of_directions(truth, columns, topic, higher_is_better, names) if alone else []
    noticed = [*of_labels, *of_groups, *turned, *of_weights]
    if threshold is None:
        items = ItemLists(truth, columns[0], columns[1], group, real, missed)
        comparison = lists.compare_lists(
            items, topics=topic, measure=name, part=area, number=number, **how
        )
        return with_head(comparison, measure)._add_shared_notes(noticed)
    _refuse_at_threshold(
        name == "R" and topics is None, real is not None, bool(missed) and group is not None
    )
    accepted, label = tops.accept(columns, threshold, higher_is_better)
    comparison = tops.at_threshold(truth, accepted, group, label=label, missed=missed, **how)
    return comparison._add_shared_notes(noticed)


def _notes_of_directions(
    truth: Any, columns: Any, topic: Any, higher_is_better: bool, names: Sequence[str]
) -> list[Note]:
    """Notes on scores that seem to have the opposite direction, within each topic."""
    from precall.cases.tally import path
    from precall.stats.turned_scores import turned_scores

    order = np.arange(len(truth)) if topic is None else np.argsort(topic, kind="stable")
    places = (
        [order] if topic is None else np.split(order, np.flatnonzero(np.diff(topic[order])) + 1)
    )
    notes: list[Note] = []
    for name, score in zip(names, columns, strict=True):
        paths = (path(truth[cases], score[cases])[1:] for cases in places)
        notes += turned_scores(paths, higher_is_better, name)
    return notes


def _refuse_at_threshold(of_recall: bool, weighed: bool, both: bool) -> None:
    if not of_recall:
        raise UsageError(
            argument="threshold",
            what="applies to measure='R' of one list",
            remedy="for other measures use compare.decisions",
        )
    if weighed:
        raise UsageError(
            argument="weights",
            allowed="integers if there is a threshold",
            got=Fact("sampling weights"),
            remedy="leave weights= out",
        )
    if both:
        raise UsageError(
            argument="missed",
            what="applies to single items if there is a threshold, not to groups",
            remedy="leave ⟨groups=⟩ or ⟨missed=⟩ out",
        )


def _name_and_part(measure: object) -> tuple[str, tuple[float, bool] | None]:
    """The name of a measure, and the part of the area if it is one."""
    from precall.stats.tests import tops

    area = part_of(measure)
    return (tops.resolve_name(measure), None) if area is None else (area[0], area[1:])


def _repeat(weight: Any) -> tuple[Any, Any]:
    """Indices of the items, each repeated by its whole weight; and real weights, with items of
    weight 0 left out.
    """
    if weight.dtype.kind == "f":
        kept = np.flatnonzero(weight > 0)
        return kept, weight[kept]
    if (total := int(weight.sum())) > _MOST:
        raise UsageError(
            argument="weights",
            what=f"integers repeat items, {total:,} here",
            remedy="pass sampling weights as floats",
        )
    return np.repeat(np.arange(len(weight)), weight), None


def _number(member: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Group indices from 0 on; groups without an item are dropped."""
    return np.unique(member, return_inverse=True)[1]
