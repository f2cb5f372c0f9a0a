"""Notes: facts with words for them; laws of every kind, how several become one sentence, and how
they travel.
"""

from __future__ import annotations

import copy
import json
import pickle
import re
import warnings
from collections.abc import Iterator
from dataclasses import FrozenInstanceError, fields
from inspect import getsource
from math import inf
from pathlib import Path
from string import Formatter
from typing import Any

import numpy as np
import pytest

import precall as pc
from precall.core.notes import (
    Note,
    Quoted,
    Severity,
    catalogue,
    collect_notes,
    group_by_subject,
    name_of_kind,
    note_from_json,
    notes_to_json,
    run_and_collect,
    sentences,
    warn,
)
from precall.core.notes.of_curves import NeverReached, UndefinedGroups
from precall.core.notes.of_intervals import EFFECTS, FewCases, FewItems, WaldForFew
from precall.core.notes.of_reading import PartsRecur, RanksDisagree
from precall.core.notes.of_runs import MissingTopics, TiesThatMatter
from precall.results.forms import exact

KINDS = catalogue()
#: Values of fields by their types; words that name a variant of a sentence are tried one after
#: another.
VALUES: dict[str, Any] = {
    "int": 3,
    "float": 0.5,
    "bool": True,
    "str": "x y",
    "tuple[str, ...]": ("a: b", "c; d"),
    "tuple[int, ...]": (2, 5),
    "tuple[float, ...]": (0.25, 0.5),
    "tuple[str, str]": ("truth", "decided"),
    "tuple[int, int]": (1, 0),
    "tuple[str | float, ...]": ("a", 1.5),
    "tuple[tuple[str, str], ...]": (("qid", "topic"),),
    "tuple[tuple[str | float, ...], ...]": (("yes", "no"), (1, 0)),
}
WORDS = ("x y", *EFFECTS, "skewed", "drawn", "zero", "omit", "error")


def values_of(kind: type[Note], word: str) -> dict[str, Any]:
    values = {field.name: VALUES.get(str(field.type), 3) for field in fields(kind)}
    return {
        name: word if value == "x y" and name != "subject" else value
        for name, value in values.items()
    }


def example(kind: type[Note]) -> Note:
    for word in WORDS:
        try:
            return kind(**values_of(kind, word))
        except (KeyError, ValueError, TypeError):
            continue
    pytest.fail(f"no example of {kind.__name__}")


@pytest.mark.parametrize("kind", KINDS.values(), ids=list(KINDS))
def test_every_kind_has_words_for_its_fields_and_travels_as_data(kind: type[Note]) -> None:
    note = example(kind)
    assert kind.__doc__ and isinstance(note.severity, Severity)
    # What a dataclass writes itself is no description.
    assert not kind.__doc__.startswith(f"{kind.__name__}("), "say what it notices in a docstring"
    assert note.template().strip(), "give it a text"
    named = {name.split("!")[0] for _, name, _, _ in Formatter().parse(note.template()) if name}
    assert all(hasattr(note, name) for name in named)
    assert str(note) and not re.search(r"\{\w*\}|[⟨⟩]", str(note))
    assert "⟨" not in note.sentence("command")
    told = json.loads(json.dumps(note.to_dict()))
    assert set(told) == {"kind", "subject", "values", "text"} and told["kind"] == name_of_kind(kind)
    for same in (pickle.loads(pickle.dumps(note)), copy.deepcopy(note), copy.copy(note)):
        assert same == note and type(same) is kind and same.facts == note.facts
    inside = note.within("a: run").within("all")
    back = note_from_json(json.loads(json.dumps(inside.to_dict())))
    assert str(back) == str(inside) and back.context == ("all", "a: run") and type(back) is kind
    assert str(inside).startswith("all: a: run")
    assert issubclass(kind.warning, pc.PrecallWarning) and kind.warning is not pc.PrecallWarning
    assert pickle.loads(pickle.dumps(kind.warning)) is kind.warning
    with pytest.raises(FrozenInstanceError):
        note.subject = "another"


#: Fields that are data only: no sentence names them.
NOT_SHOWN = {
    "FarEndUnseen": ["values_seen"],
    "FewToShowSkewness": ["test"],
    "GateDecision": ["passed"],
    "LowestFirst": ["topics"],
    "NeverFails": ["topics"],
    "PartsAreLabels": ["mark"],
    "PartsRecur": ["mark"],
}


@pytest.mark.parametrize("kind", KINDS.values(), ids=list(KINDS))
def test_every_field_is_read_by_the_kind(kind: type[Note]) -> None:
    own = kind.__mro__[: kind.__mro__.index(Note)]
    source = "".join(map(getsource, own))
    unread = [
        field.name
        for field in fields(kind)
        if field.name != "subject" and not re.search(rf"(\bself\.|\{{){field.name}\b", source)
    ]
    assert unread == NOT_SHOWN.get(kind.__name__, []), "show it, or leave the field out"


def _leaves(kind: type[Note]) -> Iterator[type[Note]]:
    for below in kind.__subclasses__():
        yield from _leaves(below) if below.__subclasses__() else [below]


@pytest.mark.parametrize("kind", KINDS.values(), ids=list(KINDS))
def test_every_kind_says_how_severe_it_is(kind: type[Note]) -> None:
    """In its class or in one that it shares with others: a severity that was forgotten was that of
    `Note`, and a wrong number stood below what explains a right one.
    """
    own = kind.__mro__[: kind.__mro__.index(Note)]
    assert any("severity" in vars(each) for each in own), "write its severity"


def test_every_kind_is_declared() -> None:
    written = {one for one in _leaves(Note) if ".notes.of_" in one.__module__}
    assert written - {*KINDS.values()} == set(), "put @note_kind above it"


def test_every_kind_is_made_somewhere() -> None:
    written = "".join(
        path.read_text(encoding="utf-8")
        for path in Path(pc.__file__).parent.rglob("*.py")
        if path.parent.name != "notes"
    )
    beside_imports = re.sub(r"(?m)^ *from \S+ import (?:\([^)]*\)|.*)$", "", written)
    used = set(re.findall(r"\b[A-Z]\w+", beside_imports))
    unused = [kind.__name__ for kind in KINDS.values() if kind.__name__ not in used]
    assert unused == [], "declared, and noticed nowhere: warn(...) of it, or put it into `said`"


def test_warnings_carry_the_note_and_are_filtered_by_its_kind() -> None:
    with pytest.warns(FewCases.warning) as caught:
        warn(FewCases("AP", 9.0))
    note = caught[0].message.note
    assert isinstance(note, FewCases) and (note.subject, note.cases) == ("AP", 9.0)
    assert str(caught[0].message) == str(note)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", FewCases.warning)
        warn(FewCases("AP", 9.0))
        with pytest.raises(FewItems.warning):
            warn(FewItems("F1", 3))


def test_names_are_never_taken_apart() -> None:
    """A colon or a semicolon in a name of a run once parted the text."""
    notes = [MissingTopics(name, 27, 30) for name in ("bm25: 1 shard", "dense; v2")]
    assert sentences(notes) == [
        "bm25: 1 shard, dense; v2: 27 of 30 topics of the qrels are missing"
    ] or sentences(notes) == ["bm25: 1 shard, dense; v2: 27 of 30 topics of the qrels missing"]
    assert [note.subject for note in notes] == ["bm25: 1 shard", "dense; v2"]


def test_more_than_four_names_or_numbers_are_counted() -> None:
    (told,) = sentences([FewItems(f"s{i}", 1000 * i) for i in range(9, 0, -1)])
    assert told.startswith("s9, s8, s7, s6 and 5 more: ")
    (told,) = sentences([TiesThatMatter(f"s{i}", i) for i in range(9, 0, -1)])
    assert (
        told
        == "s9, s8, s7, s6 and 5 more: 1 to 9 topics with tied scores that can change a measure"
    )


def test_what_differs_in_words_stays_apart_and_what_is_twice_is_told_once() -> None:
    notes = [
        FewCases("a", 1.0),
        FewCases("b", 2.0, "wide"),
        FewCases("a", 1.0),
        TiesThatMatter("a", 1),
    ]
    assert len(group_by_subject(notes)) == 3
    assert len(notes_to_json(notes)) == 4


def test_notes_of_parts_have_the_names_of_the_parts() -> None:
    notes = [FewCases("AP", 9.0).within(name) for name in ("group 1", "group 2")]
    (told,) = sentences(notes)
    assert told.startswith("group 1, group 2: AP: only 9 relevant or other cases")


def test_numbers_of_numpy_are_numbers() -> None:
    note = FewCases("AP", np.float64(9))
    assert type(note.cases) is float and json.dumps(note.to_dict())


def test_a_command_names_options() -> None:
    note = WaldForFew("precision")
    assert "method='wilson'" in str(note) and "the method wilson" in note.sentence("command")
    assert sentences([note], "command") == [note.sentence("command")]


def test_wrong_fields_are_refused() -> None:
    for wrong in ((), ("AP", 1, "miss", "interval", 5)):
        with pytest.raises(TypeError, match="FewCases takes subject, cases"):
            FewCases(*wrong)
    with pytest.raises(TypeError):
        FewCases("AP", cases=1.0, sizes=2)


def test_what_is_not_known_is_left_in_its_words() -> None:
    for told in (
        {"kind": "of-tomorrow", "subject": "a", "values": {"x": 1}, "text": "a: tomorrow"},
        {"kind": "few-cases", "subject": "a", "values": {"sizes": 1}, "text": "a: tomorrow"},
    ):
        assert (
            isinstance(note_from_json(told), Quoted) and str(note_from_json(told)) == "a: tomorrow"
        )


def test_numbers_that_json_lacks_come_back() -> None:
    for value in (inf, -inf):
        told = exact(NeverReached("F1", "R=.9", value).to_dict())
        assert note_from_json(json.loads(json.dumps(told))).facts["most"] == value


def test_only_our_warnings_are_notes() -> None:
    def make() -> int:
        warnings.warn("theirs", UserWarning, stacklevel=1)
        for _ in range(2):
            warnings.warn("ours", pc.PrecallWarning, stacklevel=1)
        return 7

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert run_and_collect(make) == (7, ("ours",))


def test_who_listens_hears_facts() -> None:
    with collect_notes() as heard:
        pc.interval.precision(1, 2)
        pc.interval.average_precision([1, 0, 1, 0], [4, 3, 2, 1])
    assert heard and all(isinstance(note, Note) for note in heard)


def test_values_stand_in_the_order_of_their_subjects():
    """Each subject has its own, though two have the same; of more than are named there is a least
    and a greatest.
    """

    def told(*missing):
        return sentences(
            [MissingTopics(f"run{place}", count, 30) for place, count in enumerate(missing)]
        )

    assert told(27, 3, 27) == ["run0, run1, run2: 27, 3, 27 of 30 topics of the qrels missing"]
    assert told(27, 27) == ["run0, run1: 27 of 30 topics of the qrels missing"]
    assert told(27, 3, 27, 3, 3) == [
        "run0, run1, run2, run3 and 1 more: 3 to 27 of 30 topics of the qrels missing"
    ]


def test_what_a_note_is_about_may_be_named_by_anything() -> None:
    for name in (pc.measure("AP"), 3, ("a", 1)):
        with pytest.warns(pc.PrecallWarning):
            interval = pc.interval.mean([0.1, 0.2, 0.3], measure=name)
        assert {note.subject for note in interval.notes} == {str(name)}


def test_one_case_is_no_cases() -> None:
    one, two = (str(FewCases("AP", count)) for count in (1, 2))
    assert two.replace("2", "1") != one
    assert len(two) == len(one) + 1
    (both,) = sentences([FewCases("AP", 1.0), FewCases("AUC", 1.0)])
    assert both == f"AP, AUC: {one.removeprefix('AP: ')}"


def test_numbers_of_one_place_follow_the_subjects_and_those_of_two_are_ranges() -> None:
    one = [TiesThatMatter(name, topics) for name, topics in (("a", 40), ("b", 3), ("c", 38))]
    assert sentences(one)[0].startswith("a, b, c: 40, 3, 38 topics")
    two = [
        UndefinedGroups(name, n, of) for name, n, of in (("a", 4, 40), ("b", 3, 38), ("c", 9, 40))
    ]
    assert sentences(two) == ["a, b and c are undefined (NaN) in 3 to 9 of 38 to 40 groups"]
    same = [RanksDisagree(name, "rank", "score", n, n, True) for name, n in (("a", 40), ("b", 38))]
    (told,) = sentences(same)
    assert told.startswith("a, b: rank and score give different orders in all 38 to 40 topics: ")
    within = [UndefinedGroups("AP", 3, 40).within(run) for run in ("r", "s")]
    assert sentences(within) == ["r, s: AP is undefined (NaN) in 3 of 40 groups"]


def test_values_of_several_notes_are_written_as_in_python() -> None:
    notes = [PartsRecur(name, 3, "a b", 2, " ") for name in ("x", "y")]
    assert "cell.split(' ')" in sentences(notes)[0]
