"""`compare.equivalence`: are two systems equivalent, or is the first not worse, by values per
topic, by two areas under ROC, or by decisions?
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from precall.cases import Curve
from precall.cases.intervals import blocks_in_groups, blocks_of
from precall.cases.scored_cases import check_cases, members, refuse_nan
from precall.comparison.cohorts import pair_of_groups
from precall.comparison.dispatch import read_two_systems
from precall.core.arguments import as_array_like, check_level, check_positive, check_rows, choose
from precall.core.errors import Among, Fact, Kind, Mistake, UsageError
from precall.core.notes import Note, collect_notes, run_and_warn
from precall.core.rng import Rng
from precall.core.text import many
from precall.hard_decisions import Decisions
from precall.hard_decisions.membership import Membership, memberships
from precall.measures import Measure
from precall.measures.areas import part_of
from precall.measures.registry import find
from precall.stats.tests import ELSEWHERE, INSTEAD, margins
from precall.stats.tests import equivalence as of_topics
from precall.stats.tests.equivalence import KINDS, KINDS_ELSEWHERE, Equivalence
from precall.stats.tests.lists import ItemLists, MeasureOfList, influences, lists_of, variance
from precall.stats.tests.margins import OF_AREAS, OF_SHARES, Claim
from precall.stats.tests.paired import RESAMPLES
from precall.stats.tests.pairing import check_two
from precall.stats.tests.two_areas import AreaWithBounds, TwoAreas

if TYPE_CHECKING:
    from precall.core.ragged import Bool

#: Measures of decisions that are a share of right ones: the cells of right and wrong decisions, and
#: whether relevant and whether other items count.
_SHARES = {
    ("tp", "fn"): (True, False),
    ("tn", "fp"): (False, True),
    ("tp tn", "fp fn"): (True, True),
}
_ALLOWED = ("AUC", "R (sensitivity)", "specificity", "accuracy")


def equivalence(
    a: object,
    b: object,
    *more: Any,
    margin: float | None = None,
    kind: str = "equivalent",
    test: str | None = None,
    level: float | None = None,
    resamples: int = RESAMPLES,
    rng: Rng = 0,
    names: tuple[str, str] = ("a", "b"),
    measure: str | Measure | None = None,
    unpaired: str = "error",
    undefined: str = "omit",
    higher_is_better: bool | None = None,
    groups: object = None,
    positive: object = None,
    paired: bool = True,
) -> Equivalence:
    """Test that two systems differ by less than a margin, or that the first is not worse by the
    margin or more.

    `equivalence(a, b, margin)` is of values per topic, `equivalence(y, a, b, margin)` of scores of
    labelled cases, by the area under ROC, or of decisions about them, by sensitivity, specificity
    or accuracy. Two curves, or two decisions, take the place of labels and columns.

    Parameters
    ----------
    a : values of the first system, see `compare.paired`; a curve or decisions of it; or labels,
        followed by the columns of both systems.
    b : values, curve or decisions of the second system; after labels the column of the first.
    more : the margin, if it is not given by name; after labels first the column of the second
        system.
    margin : the greatest difference that does not matter, > 0.
    kind : "equivalent" (TOST) or "not worse" (non-inferiority of the first).
    measure : for scores "AUC", the default; for decisions "R" (sensitivity), "specificity" or
        "accuracy". Of values per topic the name that is printed.
    test : the one-sided test of the margin:

        - of values per topic, whose differences are shifted by it: "t" (default), "randomization"
          or "wilcoxon";
        - of areas: "mover" (default), by the intervals of both on the log-odds scale and the
          correlation of the areas; "delong", by the standard error of their difference, which
          rejects too often if an area is near 1 or a class small;
        - of decisions: "tango" (default), the score test (Tango 1998); with groups "t", of their
          sums.
    level : 1 minus the one-sided significance level. None is .95 for values per topic, and .975 for
        cases and decisions, as is usual for trials; the interval is at 2·level - 1.
    groups : for cases and decisions the group of each, such as its patient. For two cohorts a pair.
    positive : the label of relevant cases; see `precall.curve`.
    paired : whether two curves have the same cases. False compares two cohorts, as
        `compare.unpaired` does.
    resamples, rng, names, unpaired, undefined, higher_is_better : see `compare.paired`.

    Raises
    ------
    DataError, UsageError, MissingExtra
        See `paired`, `compare.cases` and `compare.decisions`.

    References
    ----------
    Tango, Statistics in Medicine 17, 1998; Zou & Donner, Statistics in Medicine 27, 2008. How often
    the tests of areas reject is in docs/why/tests.md.

    Examples
    --------
    >>> a, b = [0.50, 0.61, 0.42, 0.70, 0.55], [0.51, 0.60, 0.43, 0.69, 0.56]
    >>> found = equivalence(a, b, 0.05)
    >>> found.shown, round(found.p, 5), round(found.needed, 4)
    (True, 0.0003, 0.0124)
    >>> y = [1, 0] * 60
    >>> new = [k % 17 + 9 * (k % 2 == 0) for k in range(120)]
    >>> old = [k % 13 + 9 * (k % 2 == 0) for k in range(120)]
    >>> found = equivalence(y, new, old, 0.15, kind="not worse")
    >>> found.test, found.shown, round(found.p, 4)
    ('mover', True, 0.0091)
    """
    systems, limit = _split(a, b, more, margin)
    kind = choose("kind", kind, KINDS, KINDS_ELSEWHERE)
    names = check_two(names)
    if len(systems) == 2 and not _are(systems, Curve) and not _are(systems, Decisions):
        _refuse_options(
            "is of cases and decisions", groups=groups, positive=positive, paired=not paired
        )
        return of_topics.equivalence(
            systems[0],
            systems[1],
            limit,
            kind=kind,
            test="t" if test is None else test,
            level=0.95 if level is None else level,
            resamples=resamples,
            rng=rng,
            names=names,
            measure="value" if measure is None else str(measure),
            unpaired=unpaired,
            undefined=undefined,
            higher_is_better=higher_is_better,
        )
    _refuse_options(
        "is of values per topic", unpaired=unpaired != "error", undefined=undefined != "omit"
    )
    check_positive(1, margin=limit)
    level = check_level(margins.LEVEL if level is None else level)
    name = _measure_of(systems, measure)
    claim = Claim(names, name, kind, float(limit), level)
    high = True if higher_is_better is None else higher_is_better
    if name != "AUC":
        test = choose("test", test or ("tango" if groups is None else "t"), OF_SHARES, ELSEWHERE)
        return _of_decisions(systems, claim, test, groups, positive)
    test = choose("test", test or OF_AREAS[0], OF_AREAS, ELSEWHERE, INSTEAD)
    if not paired:
        return _of_cohorts(systems, claim, test, groups)
    if _are(systems, Curve):
        pair = read_two_systems(systems[0], systems[1], None)
        assert pair is not None
        systems, high = pair.arguments, bool(pair.known.get("higher_is_better", True))
        if pair.known.get("missed"):
            raise UsageError(
                argument="missed",
                what="cases that no system scored have no test of a margin",
                remedy="make the curves without ⟨missed=⟩",
            )
    return _of_scores(systems, claim, test, groups, positive, high)


def _split(a: object, b: object, more: tuple[Any, ...], margin: Any) -> tuple[Any, Any]:
    """The systems, perhaps after their labels, and the margin."""
    given = (a, b, *more) if margin is None else (a, b, *more, margin)
    if len(given) not in (3, 4):
        raise UsageError(
            argument="equivalence",
            got=Fact(many(len(given), "argument")),
            allowed="two systems and a margin, or labels, two columns and a margin",
        )
    if margin is None and hasattr(given[-1], "__len__") and not isinstance(given[-1], str):
        raise UsageError(
            argument="margin",
            what="is missing",
            got=Kind(given[-1]),
            remedy="give the margin after the columns, or by ⟨margin=⟩",
        )
    return given[:-1], given[-1]


def _are(systems: tuple[Any, ...], kind: type) -> bool:
    return len(systems) == 2 and all(isinstance(each, kind) for each in systems)


def _refuse_options(why: str, **options: object) -> None:
    """Refuse options that the other kind of data takes."""
    for name, value in options.items():
        if value is not None and value is not False:
            raise UsageError(argument=name, what=why, remedy="leave it out")


def _measure_of(systems: tuple[Any, ...], measure: str | Measure | None) -> str:
    """The name of the measure; of labels and columns "AUC" if none is given."""
    is_decided = _are(systems, Decisions)
    if measure is None and not is_decided:
        return "AUC"
    declared = None if measure is None else find(measure).declaration
    name = "" if declared is None else declared.name
    if declared is not None and declared.proportion in _SHARES and not _are(systems, Curve):
        return find(measure).name  # type: ignore[arg-type]
    if name != "AUC" or is_decided or part_of(measure) is not None:
        allowed = _ALLOWED[1:] if is_decided else _ALLOWED
        raise UsageError(
            argument="measure",
            allowed=Among("with a margin there are", allowed),
            got=Fact("none" if measure is None else str(measure)),
        )
    return name


# --- Areas ---


def _of_scores(
    systems: tuple[Any, ...],
    claim: Claim,
    test: str,
    groups: object,
    positive: object,
    higher_is_better: bool,
) -> Equivalence:
    """Two scores of the same cases."""
    relevant, *scores = map(as_array_like, systems)
    check_rows(relevant=relevant, score_a=scores[0], score_b=scores[1], groups=groups)
    read, notes = run_and_warn(
        lambda: [check_cases(relevant, score, positive, higher_is_better) for score in scores]
    )
    truth, columns = read[0][0], [column for _, column in read]
    for column in columns:
        refuse_nan(column)
    group, of_groups = run_and_warn(lambda: None if groups is None else members(groups, len(truth)))
    with collect_notes():
        areas = [AreaWithBounds.of(blocks_of(truth, column, groups=group)) for column in columns]
    (lists, *_), _ = lists_of(ItemLists(truth, columns[0], columns[1], group), None)
    target = MeasureOfList.of("AUC", None)
    of_difference = variance(lists, influences(lists, target), target)
    squares = math.fsum(area.error**2 for area in areas)
    covariance = (squares - of_difference) / 2 if of_difference == of_difference else 0.0
    pair = TwoAreas(areas[0], areas[1], covariance)
    own = _notes_of_areas(areas, claim.names)
    return margins.areas_within(
        pair, claim, test, len(truth), lists.freedom, (*notes, *of_groups, *own)
    )


def _of_cohorts(systems: tuple[Any, ...], claim: Claim, test: str, groups: object) -> Equivalence:
    """One score of two cohorts."""
    if not _are(systems, Curve):
        raise UsageError(
            argument="paired",
            what="cohorts are two curves",
            remedy="pass ⟨pc.curve(labels, scores)⟩ of each",
        )
    both = [
        blocks_in_groups(curve, group)
        for curve, group in zip(systems, pair_of_groups(groups), strict=True)
    ]
    areas = [AreaWithBounds.of(blocks) for blocks in both]
    pair = TwoAreas(areas[0], areas[1])
    size = round(math.fsum(each.relevant + each.other for each in both))
    freedom = pair.freedom if pair.error else math.inf
    return margins.areas_within(
        pair, claim, test, size, freedom, _notes_of_areas(areas, claim.names)
    )


def _notes_of_areas(areas: list[AreaWithBounds], names: tuple[str, str]) -> tuple[Note, ...]:
    """What was noticed about either interval."""
    return tuple(
        note.within(name) for name, area in zip(names, areas, strict=True) for note in area.notes
    )


# --- Decisions ---


def _of_decisions(
    systems: tuple[Any, ...], claim: Claim, test: str, groups: object, positive: object
) -> Equivalence:
    """Decisions of two systems about the same items."""
    notes: tuple[Note, ...] = ()
    if _are(systems, Decisions):
        pair = read_two_systems(systems[0], systems[1], None)
        assert pair is not None
        systems, notes = pair.arguments, pair.notes
    columns = dict(zip(("truth", *claim.names), systems, strict=True))
    if len(columns) < len(systems):
        columns = dict(zip(("truth", "a", "b"), systems, strict=True))
    check_rows(truth=systems[0], groups=groups)
    (truth, *predicted), of_labels = run_and_warn(
        lambda: memberships(columns, None, positive=positive)
    )
    if truth.kind != "binary":
        raise UsageError(
            argument="truth",
            what="tests of a margin are of a yes or no about each item",
            remedy="name the category by ⟨positive=⟩",
        )
    relevant, first, second = (_yes(each, truth.items) for each in (truth, *predicted))
    proportion = find(claim.measure).declaration.proportion
    assert proportion is not None
    of_relevant, of_other = _SHARES[proportion]
    kept = relevant if not of_other else ~relevant if not of_relevant else np.ones_like(relevant)
    if not kept.any():
        raise Mistake(
            "{got} item counts for {measure}",
            "check the labels",
            got=Fact("no"),
            measure=claim.measure,
        ).error("truth")
    group, of_groups = run_and_warn(
        lambda: None if groups is None else members(groups, truth.items)
    )
    if group is not None:
        group = np.unique(group[kept], return_inverse=True)[1]
    if test == "tango" and group is not None:
        raise UsageError(
            argument="test", what="'tango' counts single items", remedy="take 't' with groups"
        )
    found = margins.shares_within(
        (first == relevant)[kept], (second == relevant)[kept], claim, test, group
    )
    return replace(found, notes=(*notes, *of_labels, *of_groups, *found.notes))


def _yes(part: Membership, items: int) -> Bool:
    """Which items have a yes."""
    said = np.zeros(items, np.bool_)
    said[part.item] = True
    return said
