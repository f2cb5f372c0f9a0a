"""What people typed was spelled as our own words: a measure '⟨level=0.3⟩' was told as '--level
0.3'.

And advice about intervals named `method=`, which no command has. Older tests typed no brackets, and
took notes in Python.
"""

from __future__ import annotations

import pytest

import precall as pc
from precall.core.errors import Among, Fact, Names, UsageError
from precall.core.notes.of_intervals import EachByItself, FewValues, SkewedValues, TwoValues
from precall.core.spelling import STYLE, spell_arguments

TYPED = "⟨level=0.3⟩ ⟨a¦b⟩"


@pytest.mark.parametrize("style", ["python", "command"])
def test_what_was_typed_stays_as_it_is(style: str) -> None:
    for error in (
        UsageError(argument="ties", got=TYPED, remedy="leave ⟨ties=⟩ out"),
        UsageError(argument="ties", got=Fact(TYPED), remedy="leave ⟨ties=⟩ out"),
        UsageError(
            argument="ties",
            got=3,
            allowed=Among("the runs are", [TYPED]),
            remedy="leave ⟨ties=⟩ out",
        ),
        UsageError(f"no {TYPED!r}", remedy="leave ⟨ties=⟩ out"),
        pc.MeasureError("is none", measure=TYPED, remedy="leave ⟨ties=⟩ out"),
    ):
        told = error.words(style)  # type: ignore[arg-type]
        assert TYPED in told and told.endswith(
            "leave --ties out" if style == "command" else "leave ties= out"
        )


def test_apostrophes_are_no_quotes() -> None:
    assert (
        spell_arguments("a measure's ⟨ties='best'⟩ and runs' ⟨level=⟩", "command")
        == "a measure's --ties best and runs' --level"
    )


@pytest.mark.parametrize(
    "note",
    [
        FewValues("AP", 12, "topics", "drawn"),
        TwoValues("AP", "bayesian-bootstrap"),
        SkewedValues("AP", 3.0, 12, "topics", "bayesian-bootstrap"),
        EachByItself("", 3, 0.95, 0.98),
    ],
)
def test_advice_is_spelled_as_commands_take_it(note: pc.notes.Note) -> None:
    """Options differ by command, and some have none: methods stand by their names."""
    assert "=" not in note.sentence("command")


def test_json_of_a_command_tells_notes_as_its_table_does() -> None:
    note = EachByItself("", 3, 0.95, 0.98)
    assert note.sentence("python") != note.sentence("command")
    assert note.to_dict()["text"] == note.sentence("python")
    token = STYLE.set("command")
    try:
        assert note.to_dict()["text"] == note.sentence("command")
    finally:
        STYLE.reset(token)


def test_names_of_systems_that_a_list_would_tear_are_quoted() -> None:
    assert (
        str(Names("the runs are", ["a", "x, y", "x\ny", ""]))
        == "the runs are a, 'x, y', 'x\\ny', ''"
    )


def test_a_system_without_a_name_is_named_in_errors() -> None:
    qrels, run = {"q1": {"a": 1}, "q2": {"a": 1}}, {"q1": {"a": 1.0}}
    with pytest.raises(pc.DataError) as caught:
        pc.compare(qrels, {"": run, "b": {"q1": {"a": 1.0}, "q2": {"a": 1.0}}}, ["AP"])
    assert caught.value.problems[0].source == "''"
