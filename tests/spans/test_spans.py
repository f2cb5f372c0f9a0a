"""Spans of tags and of triples: how they are read, matched and averaged, and what is refused."""

from __future__ import annotations

import json
import math
from collections import Counter
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import precall as pc
from precall.core.errors import DataError, MeasureError, UsageError
from precall.core.notes.of_comparisons import FewGroupsOfCategory
from precall.core.notes.of_decisions import UndefinedIn
from precall.core.notes.of_intervals import NoSpread
from precall.core.notes.of_reading import NoCommonLabel
from precall.core.notes.of_spans import (
    EndsApart,
    IllegalTags,
    SameSpanTwice,
    SpansSeen,
    TypesOnlyPredicted,
)
from precall.spans.matches import MATCHES, OUTCOMES
from precall.spans.tags import SCHEMES, Split, is_legal, prefixes_in, read_tokens, spans_of
from tests.conftest import ROOT
from tests.noticed import noticed, warned
from tests.peers import peer

RECORDED = json.loads((ROOT / "tests/data/spans/recorded.json").read_text())
#: seqeval's strict mode returns parts of spans of these two schemes, and loses others.
_NOT_PARTS = {"IOB1", "IOE1"}
#: Tags that seqeval reads with a warning, or by other rules, and that are refused here; and
#: prefixes of BILOU, which it does not know.
_REFUSED, _OTHERWISE = {"d48", "d49", "d50", "d52", "d54"}, {"d40", "d41", "d47"}


def read(tags: list[str], scheme: str | None = None, suffix: bool = False) -> list[list[Any]]:
    """The spans of one unit as [type, start, end]."""
    kinds: dict[str, int] = {}
    tokens = read_tokens("truth", {0: tags}, kinds, Split(suffix))
    spans = spans_of(tokens)
    if scheme:
        spans = spans.chosen(is_legal(tokens, spans, scheme))
    rows = zip(spans.kind.tolist(), spans.start.tolist(), spans.end.tolist(), strict=True)
    return [[list(kinds)[kind], start, end] for kind, start, end in rows]


@pytest.mark.parametrize("case", RECORDED["tag_decoding"], ids=lambda case: case["id"])
def test_tags_as_seqeval_reads_them(case: dict[str, Any]) -> None:
    if case["id"] in _REFUSED:
        with pytest.raises(DataError):
            read(case["tags"])
        return
    if case["id"] not in _OTHERWISE:
        assert read(case["tags"]) == case["seqeval_default"]
    tokens = read_tokens("truth", {0: case["tags"]}, {}, Split())
    for name, expected in case["seqeval_strict"].items():
        scheme = {"IOBES": "BIOES"}.get(name, name)
        if scheme in _NOT_PARTS or case["id"] in _OTHERWISE:
            continue
        if set(prefixes_in(tokens)) <= set(SCHEMES[scheme]):
            assert read(case["tags"], scheme) == expected, name


@pytest.mark.parametrize("case", RECORDED["tag_suffix"], ids=lambda case: case["id"])
def test_suffixes_as_seqeval_reads_them(case: dict[str, Any]) -> None:
    assert read(case["tags"], suffix=True) == case["seqeval_default_suffix"]


def test_every_short_sequence_by_a_plain_reading() -> None:
    """All sequences of up to four tags of two types, against a reading token by token."""

    def plain(tags: tuple[str, ...]) -> list[list[Any]]:
        made: list[list[Any]] = []
        is_open, before = False, "O"
        for place, tag in enumerate(tags):
            prefix, _, kind = tag.partition("-")
            if tag != "O":
                goes_on = is_open and made[-1][0] == kind and prefix not in "BSU"
                if goes_on and before[0] not in "ELSU":
                    made[-1][2] = place + 1
                else:
                    made.append([kind, place, place + 1])
            is_open, before = tag != "O", tag
        return made

    tags = ["O", *(f"{prefix}-{kind}" for prefix in "BIES" for kind in "XY")]
    for length in (1, 2, 3):
        for sequence in product(tags, repeat=length):
            assert read(list(sequence)) == plain(sequence), sequence


def test_legal_sequences_of_every_scheme_are_read_whole() -> None:
    written = {
        "IOB2": ["B-X", "B-X I-X I-X", "B-X B-X"],
        "IOB1": ["I-X", "I-X I-X", "I-X B-X I-X", "I-X I-Y"],
        "BIOES": ["S-X", "B-X E-X", "B-X I-X E-X S-Y"],
        "BILOU": ["U-X", "B-X L-X", "B-X I-X L-X U-Y"],
        "IOE2": ["E-X", "I-X E-X E-X"],
        "IOE1": ["I-X", "I-X E-X I-X", "I-X I-Y"],
    }
    for scheme, texts in written.items():
        for text in texts:
            assert read(text.split(), scheme) == read(text.split()), (scheme, text)


@pytest.mark.parametrize("case", RECORDED["tag_pairs"], ids=lambda case: case["id"])
@pytest.mark.parametrize(
    ("name", "choices"),
    [
        ("seqeval_default", {}),
        ("seqeval_strict_IOB2", {"scheme": "IOB2", "illegal": "drop"}),
        ("seqeval_strict_IOBES", {"scheme": "BIOES", "illegal": "drop"}),
    ],
)
@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
def test_averages_as_seqeval_has_them(
    case: dict[str, Any], name: str, choices: dict[str, Any]
) -> None:
    expected = case.get(name)
    if not isinstance(expected, dict):
        pytest.skip("seqeval refuses these tags")
    found = pc.decisions.spans(case["true"], case["pred"], **choices)
    for average, values in expected.items():
        ours = [found.value(measure, average) for measure in ("P", "R", "F")]
        if average == "weighted" and not found.support().sum():
            # Without a true span there is nothing to weigh by; seqeval says 0.
            assert np.isnan(ours).all()
            continue
        theirs = [math.nan if value is None else value for value in values]
        assert ours == pytest.approx(theirs, abs=1e-12, nan_ok=True), average
    if name == "seqeval_default" and "per_sentence_tp_fp_fn_default" in case:
        rows = found.by_unit.to_dict()
        counts = [list(row) for row in zip(rows["tp"], rows["fp"], rows["fn"], strict=True)]
        assert counts == case["per_sentence_tp_fp_fn_default"]


#: Rules of nervaluate by their names there.
_RULES = {"strict": "strict", "exact": "boundary", "partial": "partial", "ent_type": "type"}
#: Where nervaluate's numbers depend on the order of the spans, or it was asked for something that
#: `pc.decisions.spans` does not take.
_BY_ORDER = {
    "one gold, exact pred second",
    "chain: pred 1 takes gold 2's place",
    "greedy loses a match",
    "wrong type first takes the gold",
    "overlap 50 percent asked, 1/3 shared",
    "tags leaves out B",
    "random p14",
}


def _outcomes(found: Any) -> dict[str, list[int]]:
    table = found.outcomes().to_dict()
    return {
        match: [table[name.lower()][row] for name in OUTCOMES]
        for row, (match, kind) in enumerate(zip(table["match"], table["category"], strict=True))
        if kind == "all"
    }


@pytest.mark.parametrize("case", RECORDED["span_matching"], ids=lambda case: case["name"])
@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
def test_outcomes_as_nervaluate_has_them(case: dict[str, Any]) -> None:
    if case["name"] in _BY_ORDER:
        pytest.skip("depends on the order of the spans there")
    triples = [[list(map(tuple, unit)) for unit in case[side]] for side in ("true", "pred")]
    # One place shared of a hundred is its least overlap.
    if case["name"] == "gold of 200, 1 shared: below 1 percent":
        pytest.skip("any shared place is an overlap here")
    ours = _outcomes(pc.decisions.spans(*triples))
    for name, theirs in case["result"]["overall"].items():
        assert ours[_RULES[name]] == theirs, name


@pytest.mark.parametrize("case", RECORDED["tag_pairs"], ids=lambda case: case["id"])
@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
def test_outcomes_of_tags_as_nervaluate_has_them(case: dict[str, Any]) -> None:
    theirs = case.get("nervaluate_overall")
    if not isinstance(theirs, dict):
        pytest.skip("nervaluate refuses these tags")
    ours = _outcomes(pc.decisions.spans(case["true"], case["pred"]))
    for name, counts in theirs.items():
        if (case["id"], name) != ("p14", "ent_type"):  # an earlier prediction takes the span there
            assert ours[_RULES[name]] == [counts[outcome] for outcome in OUTCOMES], name


_KINDS = st.sampled_from("XY")
_SPAN = st.tuples(_KINDS, st.integers(0, 5), st.integers(1, 3)).map(
    lambda span: (span[0], span[1], span[1] + span[2])
)
_UNITS = st.lists(st.lists(_SPAN, max_size=4), min_size=1, max_size=4)


@given(st.data())
@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
def test_laws_of_spans(data: st.DataObject) -> None:
    truth = data.draw(_UNITS)
    size = {"min_size": len(truth), "max_size": len(truth)}
    guess = data.draw(st.lists(st.lists(_SPAN, max_size=4), **size))  # type: ignore[arg-type]
    found = pc.decisions.spans(truth, guess)
    # By multisets of each unit.
    right = sum(
        sum((Counter(gold) & Counter(seen)).values())
        for gold, seen in zip(truth, guess, strict=True)
    )
    total = found.counts("micro")
    gold, seen = (sum(map(len, side)) for side in (truth, guess))
    assert (total.tp[0], total.relevant[0], total.accepted[0]) == (right, gold, seen)
    counts = _outcomes(found)
    for match in MATCHES:
        cor, inc, par, mis, spu = counts[match]
        assert (cor + inc + par + mis, cor + inc + par + spu) == (gold, seen)
        by = found.by(match).counts("micro")
        assert (by.tp[0], by.relevant[0], by.accepted[0]) == (cor + par / 2, gold, seen)
        units = found.by(match).counts("samples")
        for name in ("tp", "fp", "fn"):
            assert getattr(units, name).sum() == getattr(by, name)[0]
    assert counts["strict"][0] == right <= counts["boundary"][0] == counts["partial"][0]
    assert right <= counts["type"][0]
    # The order of the spans does not matter.
    turned = pc.decisions.spans([unit[::-1] for unit in truth], [unit[::-1] for unit in guess])
    assert _outcomes(turned) == counts
    swapped = _outcomes(pc.decisions.spans(guess, truth))
    assert swapped["strict"][0] == right
    # Changed names of units do not matter, nor does their form.
    named = [dict(zip("abcd", side, strict=False)) for side in (truth, guess)]
    assert pc.decisions.spans(*named).f(average="micro") == pytest.approx(
        found.f(average="micro"), nan_ok=True
    )


TRUTH = [["B-PER", "I-PER", "O", "B-LOC"], ["B-ORG", "O"], ["O"]]
GUESS = [["B-PER", "O", "O", "B-ORG"], ["B-ORG", "O"], ["O"]]


def test_results_of_spans() -> None:
    found = pc.decisions.spans(TRUTH, GUESS)
    assert found.table.to_dict() == {
        "category": ["LOC", "ORG", "PER"],
        "tp": [0, 1, 0],
        "fp": [0, 1, 1],
        "fn": [1, 0, 1],
    }
    assert found.value("P", "micro") == found.precision("micro") == pytest.approx(1 / 3)
    assert found.by("partial").table.to_dict()["tp"] == [1, 1, 0.5]
    # A pair belongs to the type of its true span.
    assert found.by("boundary").table.to_dict()["tp"] == [1, 1, 0]
    assert found.value("F", "samples") == pytest.approx(1 / 3)
    assert found.value("Jaccard", "micro") == pytest.approx(1 / 5)
    assert found.scheme == "IOB2"
    (seen,) = noticed(found.sheet(), SpansSeen)
    assert (seen.units, seen.true, seen.predicted) == (3, 3, 3)
    data = json.loads(found.to_json())
    assert data["format"] == "precall.spans/2"
    assert data["averages"]["micro"]["recall"] == pytest.approx(1 / 3)
    assert found == pc.decisions.spans(TRUTH, GUESS) != found.by("type")
    assert "<svg" not in found.to_html() or "confusion" not in found.to_html()


def test_types_that_are_measured() -> None:
    found = pc.decisions.spans(TRUTH, GUESS, types=["ORG", "PER"])
    assert found.categories == ("ORG", "PER")
    assert found.table.to_dict()["fn"] == [0, 1]
    assert pc.decisions.spans(TRUTH, GUESS, types=iter(["ORG", "PER"])) == found  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="LOC"):
        pc.decisions.spans(TRUTH, GUESS, types=["place"])


def test_illegal_tags_are_told_dropped_or_refused() -> None:
    guess = [["I-PER", "I-PER", "O", "B-LOC"], ["B-ORG", "O"], ["O"]]
    with warned(IllegalTags) as told:
        kept = pc.decisions.spans(TRUTH, guess)
    assert kept.f(average="micro") == 1
    (note,) = told
    assert (note.subject, note.illegal, note.total, note.scheme) == ("predicted", 1, 3, "IOB2")
    assert (note.unit, note.token, note.tag, note.before) == ("0", 0, "I-PER", "")
    with warned(IllegalTags):
        dropped = pc.decisions.spans(TRUTH, guess, scheme="BIO", illegal="drop")
    assert dropped.recall("micro") == pytest.approx(2 / 3)
    with pytest.raises(DataError, match="1 of 3 spans"):
        pc.decisions.spans(TRUTH, guess, illegal="error")


def test_notes_on_types_and_repeated_spans() -> None:
    with warned(TypesOnlyPredicted) as told:
        pc.decisions.spans([[("PER", 0, 1)]], [[("PER", 0, 1), ("PERSON", 1, 2)]])
    assert told[0].types == ("PERSON",)
    with warned(NoCommonLabel):
        pc.decisions.spans([[("PER", 0, 1)]], [[("PERSON", 0, 1)]])
    with warned(SameSpanTwice) as twice:
        found = pc.decisions.spans([[("X", 0, 1)]], [[("X", 0, 1), ("X", 0, 1)]])
    assert (twice[0].subject, twice[0].repeated) == ("predicted", 1)
    assert found.table.to_dict()["fp"] == [1]


def test_ends_that_are_in_the_span_on_one_side() -> None:
    """All was wrong in silence: one tool gives the last token, the other the one after it."""
    after = [[("A", 0, 5), ("B", 6, 10)], [("A", 1, 3)]]
    last = [[(kind, start, end - 1) for kind, start, end in unit] for unit in after]
    for sides, side in (((after, last), "predicted"), ((last, after), "truth")):
        with warned(EndsApart) as told:
            pc.decisions.spans(*sides)
        assert [(note.subject, note.spans) for note in told] == [(side, 3)]
    assert not noticed(pc.decisions.spans(after, [*last[:1], *after[1:]]), EndsApart)
    assert not noticed(pc.decisions.spans(after[1:], last[1:]), EndsApart)


def test_no_spans_at_all() -> None:
    found = pc.decisions.spans([["O"]], [["O"]])
    assert found.categories == ()
    assert math.isnan(found.f(average="macro"))
    assert found.f(average="micro") == 0
    with pytest.raises(DataError):
        found.f(average="micro", undefined="error")
    assert str(found)
    assert not noticed(found.sheet(), UndefinedIn)


@pytest.mark.parametrize(
    ("truth", "guess", "words"),
    [
        ([["PER"]], [["O"]], "has no prefix"),
        ([["b-X"]], [["O"]], "has no prefix"),
        ([["B_X"]], [["O"]], "separator='_'"),
        ([["X-B"]], [["O"]], "suffix=True"),
        ([[("X", 2, 1)]], [[]], "start < end"),
        ([[("X", 0, 1.5)]], [[]], "start < end"),
        ([[("X", True, 2)]], [[]], "start < end"),
        ([[(0, 2, "X")]], [[]], "the type first"),
        ([["B-X", "O"]], [["O"]], "2 true tags and 1 predicted tag"),
        (["B-X", "O"], ["O", "O"], r"\[truth\]"),
        ([[3]], [[0]], "as texts"),
        ([{"B-X", "O"}], [["O", "O"]], "no list"),
        ([{"B-X": 1}], [["O"]], "no list"),
        ([[("X", 0, 2**70)]], [[]], "start < end"),
        ([[{"label": "X", "start": 1, "end": 1}]], [[]], r"start < end"),
    ],
)
def test_spans_that_are_refused(truth: Any, guess: Any, words: str) -> None:
    with pytest.raises(DataError, match=words):
        pc.decisions.spans(truth, guess)


@pytest.mark.parametrize(
    ("truth", "guess", "choices", "words"),
    [
        ([["O"]], [["O"], ["O"]], {}, "1 unit"),
        ({"a": ["O"]}, {"b": ["O"]}, {}, "missing, got none of a"),
        ({"a": ["O"]}, [["O"]], {}, "one form"),
        ([["B-X"]], [[("X", 0, 1)]], {}, "truth has tags"),
        ([["O"]], [["O"]], {"match": "exact"}, "'boundary'"),
        ([["O"]], [["O"]], {"scheme": "BIOX"}, "IOB2"),
        ([["O"]], [["O"]], {"illegal": "ignore"}, "keep"),
        ("B-X", [["O"]], {}, "list of units"),
        ({("O",)}, {("O",)}, {}, "no order"),
        ([["O"]], [["O"]], {"separator": 3}, "a text"),
        ([["O"]], [["O"]], {"suffix": "yes"}, "allowed are False, True"),
        ([["O"]], [["O"]], {"types": []}, "at least one"),
    ],
)
def test_arguments_that_are_refused(
    truth: Any, guess: Any, choices: dict[str, Any], words: str
) -> None:
    with pytest.raises(UsageError, match=words):
        pc.decisions.spans(truth, guess, **choices)


def test_a_prefix_of_another_scheme() -> None:
    with pytest.raises(DataError, match="BIOES"):
        pc.decisions.spans([["S-X"]], [["O"]], scheme="IOB2")


@pytest.mark.parametrize("measure", ["accuracy", "MCC", "Specificity", "kappa", "error"])
def test_measures_that_need_true_negatives(measure: str) -> None:
    found = pc.decisions.spans(TRUTH, GUESS)
    with pytest.raises(MeasureError, match="true negatives"):
        found.value(measure)
    with pytest.raises(MeasureError, match="true negatives"):
        pc.interval(found, measure)
    with pytest.raises(MeasureError, match="true negatives"):
        pc.compare(found, found, measure)


def test_what_decisions_have_and_spans_do_not() -> None:
    found = pc.decisions.spans(TRUTH, GUESS)
    for name in ("confusion", "right", "baselines"):
        with pytest.raises(UsageError):
            getattr(found, name)()
    rows = found.report().table.to_dict()
    assert rows["category"][-4:] == ["micro", "macro", "weighted", "samples"]


def worked() -> pc.Decisions:
    """The spans of the worked interval: of each unit so many right, wrong and missed ones."""
    truth: list[Any] = []
    guess: list[Any] = []
    for right, wrong, missed in RECORDED["interval_worked"]["per_sentence"]:
        truth.append([("X", place, place + 1) for place in range(right + missed)])
        others = [("X", 100 + place, 101 + place) for place in range(wrong)]
        guess.append([("X", place, place + 1) for place in range(right)] + others)
    return pc.decisions.spans(truth, guess)


@pytest.mark.parametrize("name", ["P", "R", "F1"])
def test_intervals_take_the_units_as_the_sample(name: str) -> None:
    expected = RECORDED["interval_worked"]
    made = pc.interval(worked(), name, average="micro", resamples=4000)
    assert made.estimate == pytest.approx(expected[name])
    width = made.high - made.low  # type: ignore[operator]
    error = expected["se_bootstrap_4000"][name]
    assert width / (2 * 1.959964) == pytest.approx(error, rel=0.04)
    # A fifth shorter if spans were independent.
    assert width / (2 * 1.959964) > 1.15 * expected["se_binomial"].get(name, 0)


@pytest.mark.filterwarnings("ignore::precall.PrecallWarning")
def test_intervals_of_types_and_averages() -> None:
    found = pc.decisions.spans(TRUTH * 20, GUESS * 20)
    several = pc.interval(found)
    assert {key for key in several if not isinstance(key, tuple)} == {
        "micro-precision",
        "micro-recall",
        "micro-f",
        "macro-f",
    }
    # A type that is always found has no spread.
    every = several["ORG", "recall"]
    assert every.high == 1
    assert 0.8 < every.low < 0.9
    assert noticed(every, NoSpread)
    assert pc.interval(found, "F", average="samples").method == "t"
    sheet = json.loads(found.sheet(intervals=several).to_json())
    assert sheet["intervals"]["averages"]["micro"]["F1 low"] == several["micro-f"].low
    with pytest.raises(UsageError, match="groups"):
        pc.interval(found, "F", groups=[1])


@pytest.mark.parametrize("match", MATCHES)
def test_systems_are_exchanged_by_units(match: str) -> None:
    """p by all exchanges of units, counted by hand."""
    truth = [["B-X", "O", "B-Y", "I-Y"], ["B-X", "I-X", "O", "O"]] * 3
    first = [["B-X", "O", "B-Y", "I-Y"], ["B-X", "O", "O", "B-Y"]] * 3
    other = [["O", "O", "B-Y", "O"], ["B-X", "I-X", "O", "O"]] * 3
    a, b = (pc.decisions.spans(truth, side).by(match) for side in (first, other))
    found = pc.compare(a, b, "F")
    assert found.difference == pytest.approx(a.f(average="micro") - b.f(average="micro"))

    def f(counts: np.ndarray[Any, Any]) -> float:
        tp, fp, fn = counts.sum(axis=0)
        return float(2 * tp / (2 * tp + fp + fn))

    units = [
        np.stack([of.tp, of.fp, of.fn], axis=1) for of in (a.counts("samples"), b.counts("samples"))
    ]
    far = 0
    for swaps in product([0, 1], repeat=len(truth)):
        turned = np.array(swaps)[:, None]
        one, two = np.where(turned, units[1], units[0]), np.where(turned, units[0], units[1])
        far += abs(f(one) - f(two)) >= abs(found.difference) - 1e-12
    assert found.p == pytest.approx(far / 2 ** len(truth))


def test_systems_that_cannot_be_compared() -> None:
    found = pc.decisions.spans(TRUTH, GUESS)
    for other in (
        pc.decisions.spans(GUESS, GUESS),
        pc.decisions.spans(TRUTH[:2], GUESS[:2]),
        found.by("type"),
        pc.decisions([1, 0], [1, 1]),
    ):
        with pytest.raises(UsageError):
            pc.compare(found, other)


def _moved(truth: list[list[str]], share: float, seed: int) -> list[list[str]]:
    rng = np.random.default_rng(seed)
    others = np.array(["O", "B-X", "B-Y"])
    return [[tag if rng.random() > share else rng.choice(others) for tag in tags] for tags in truth]


@pytest.mark.parametrize("average", ["micro", "macro", "weighted"])
@pytest.mark.parametrize("measure", ["F", "P", "Jaccard"])
def test_the_difference_of_two_taggers_has_bounds_over_units(measure: str, average: str) -> None:
    """Against the bootstrap of units. The tests of comparisons asked for p alone: averages over
    categories had no interval with groups, and interval="t" changed nothing.
    """
    rng = np.random.default_rng(1)
    tags = np.array(["O", "O", "B-X", "B-Y", "B-Z"])
    truth = [rng.choice(tags, 8).tolist() for _ in range(80)]
    a, b = (
        pc.decisions.spans(truth, _moved(truth, share, seed))
        for share, seed in ((0.05, 1), (0.2, 2))
    )
    found = pc.compare(a, b, measure, average=average)
    assert found.interval == "t"

    def table(system: Any) -> np.ndarray[Any, Any]:
        cells = np.zeros((len(truth), len(system.categories), 3))
        for at, side in enumerate((system._both, system.predicted, system.truth)):
            np.add.at(cells[:, :, at], (system.unit[side.item], side.category), 1)
        return cells

    def value(cells: np.ndarray[Any, Any]) -> float:
        sums = cells.sum(axis=0, keepdims=True) if average == "micro" else cells
        tp, accepted, relevant = sums.reshape(-1, 3).T
        each = {
            "F": 2 * tp / (accepted + relevant),
            "P": tp / accepted,
            "Jaccard": tp / (accepted + relevant - tp),
        }[measure]
        return float(np.average(each, weights=relevant if average == "weighted" else None))

    first, second = table(a), table(b)
    assert found.difference == pytest.approx(value(first.sum(axis=0)) - value(second.sum(axis=0)))
    drawn = [
        value(first[rows].sum(axis=0)) - value(second[rows].sum(axis=0))
        for rows in rng.integers(0, len(truth), (1000, len(truth)))
    ]
    assert (found.low, found.high) == pytest.approx(np.quantile(drawn, [0.025, 0.975]), abs=0.015)


def test_a_type_in_few_units_is_told_beside_the_bounds_of_a_macro_average() -> None:
    truth = [["B-X", "O", "B-X"]] * 60 + [["B-Y", "O", "O"]] * 3
    guess = [
        [[tag if seed * at % 5 else "O" for tag in tags] for at, tags in enumerate(truth)]
        for seed in (1, 0)
    ]
    a, b = (pc.decisions.spans(truth, side) for side in guess)
    told = noticed(pc.compare(a, b, "macro-F"), FewGroupsOfCategory)
    assert [(note.category, note.groups) for note in told] == [("Y", 3)]
    assert not noticed(pc.compare(a, b, "F"), FewGroupsOfCategory)


def test_means_over_units_are_not_compared() -> None:
    """The mean was over spans, and no value of either system."""
    a, b = pc.decisions.spans(TRUTH, GUESS), pc.decisions.spans(TRUTH, TRUTH)
    for choices in ({"average": "samples"}, {"measure": "samples-F"}):
        with pytest.raises(UsageError, match="by_unit"):
            pc.compare(a, b, choices.get("measure", "F"), average=choices.get("average"))


def test_sums_by_partial_are_of_spans_not_of_their_halves() -> None:
    """Bounds of utility were twice too far out, and its difference twice too great: only quotients
    had been tried.
    """
    truth = [["B-X", "O", "B-Y"]] * 30
    guess = [["B-X", "O", "B-Y"]] * 20 + [["O", "B-X", "B-Y"]] * 10
    found = pc.decisions.spans(truth, guess).by("partial")
    made = pc.interval(found, "Utility(2,-1)", average="micro")
    assert made.low < made.estimate == 90 < made.high < 120
    with pytest.raises(MeasureError, match="half a span"):
        pc.compare(found, found, "Utility(2,-1)")


def test_a_page_of_spans_is_that_of_their_tables(tmp_path: Any) -> None:
    found = pc.decisions.spans(TRUTH, GUESS)
    with pytest.raises(UsageError, match=r"save\('page.html'\)"):
        pc.report(found, tmp_path / "page.html")
    found.save(tmp_path / "page.html")
    assert "Micro-F1" in (tmp_path / "page.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("key", ["label", "entity_group", "type"])
def test_spans_as_dicts(key: str) -> None:
    """MantisAI/nervaluate#3: spans of Prodigy, nervaluate and pipelines of Hugging Face are dicts,
    which were refused.
    """
    truth = [[("PER", 0, 2), ("LOC", 5, 9)], []]
    predicted = [[("PER", 0, 2), ("LOC", 5, 8)], [("PER", 1, 2)]]
    dicts = [
        [
            [{"start": start, "end": end, key: kind, "score": 0.5} for kind, start, end in unit]
            for unit in side
        ]
        for side in (truth, predicted)
    ]
    assert pc.decisions.spans(*dicts) == pc.decisions.spans(truth, predicted)


@pytest.mark.parametrize(
    "span", [{"start": 0, "end": 2}, {"entity": "B-PER", "start": 0, "end": 2}, {"label": "PER"}]
)
def test_dicts_that_are_no_spans(span: dict[str, object]) -> None:
    with pytest.raises(DataError, match=r"spans are \(type, start, end\)"):
        pc.decisions.spans([[span]], [[]])


def test_columns_of_pyarrow_hold_tags() -> None:
    """Their cells were no texts; no test gave spans in columns of a library."""
    column = peer("pyarrow").array
    truth, predicted = [["B-PER", "O"], ["B-LOC"]], [["B-PER", "O"], ["O"]]
    found = pc.decisions.spans(column(truth), column(predicted))
    assert found == pc.decisions.spans(truth, predicted)
    assert pc.decisions.spans([*map(column, truth)], [*map(column, predicted)]) == found
    with pytest.raises(DataError, match="unit 1"):
        pc.decisions.spans(column([["O"], None]), column(predicted))
