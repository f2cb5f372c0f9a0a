"""Notes: a fact about data or a number, with a template for its sentence; and how notes of one kind
become one sentence.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import FrozenInstanceError, dataclass, fields
from enum import IntEnum
from functools import cache
from string import Formatter
from typing import Any, ClassVar, NamedTuple, Self, TypeVar, dataclass_transform

from precall.core.errors import Kind, PrecallWarning, UsageError
from precall.core.spelling import STYLE, Style, spell_arguments
from precall.core.text import (
    as_text,
    format_difference,
    join_in_sentence,
    number,
    number_of_things,
    p_text,
    percent,
    short_repr,
    shorten_quotations,
)
from precall.core.vocabulary import RUNS, VOCABULARY, Vocabulary, find_vocabulary

#: A sentence lists at most this many subjects, or values in one place.
_LISTED = 4


class Severity(IntEnum):
    """What a note means for a number: it is probably wrong, it is doubtful, or the note explains
    how it was computed.
    """

    WRONG = 0
    DOUBTFUL = 1
    INFORMATIVE = 2


class Meaning(NamedTuple):
    """What notes of some kinds mean for a reader of the numbers: templates, as of notes."""

    title: str
    words: str

    def in_words_of(self, vocabulary: Vocabulary) -> Meaning:
        """The texts in a vocabulary.

        Parameters
        ----------
        vocabulary : that of the notes.
        """
        return Meaning(*(fill_template(text, str, "python", vocabulary) for text in self))


@dataclass(init=False, repr=False, eq=False, match_args=False)
class Note(str):
    """A fact that was noticed; as a text it is its sentence. Each kind of fact is a subclass.

    Parameters
    ----------
    subject : what it is about: a run, a measure, a group, a column; empty if it is about all that
        was given.

    Attributes
    ----------
    severity : how much it says of a number.
    text : the template of the sentence. `{field}` is a value of the note; behind a colon stands how
        it is shown: a format, a name of `_SHOWN`, or a noun, as in `{missing:topic}`, "1 topic" or
        "3 topics"; `{:qrels}` is a word alone, `{noun:word}` one that a field holds. They follow
        the vocabulary. Arguments stand in angle brackets, ⟨ties='best'⟩, so that a command can name
        its options.
    several : the template for notes of the kind about several subjects, if it is another.
    joint : the template for notes of the kind that differ in all of their context, such as pairs of
        systems by measures. Its fields are those of `joint_values`, and it names no other subjects.
    apart : fields in which notes may differ that have one `joint` sentence, besides numbers.
    meaning : what it means for who reads the numbers; None if its sentence says so.
    also : other names by which `precall explain` knows the kind.
    warning : the class of warnings that carry notes of the kind, to filter them by.
    context : in what the subject is, outermost first, as a measure is in a run.
    vocabulary : the words of what was evaluated, runs or lists.

    Examples
    --------
    >>> from precall import evaluate
    >>> report = evaluate({"q1": {"a": 1}, "q2": {"b": 1}}, {"q1": {"a": 1.0}}, ["AP"])
    >>> (note,) = report.notes
    >>> print(note)
    run: 1 of 2 topics of the qrels missing
    >>> note.kind, note.subject, note.values, note.severity.name
    ('missing-topics', 'run', {'missing': 1, 'total': 2}, 'WRONG')
    """

    subject: str

    severity: ClassVar[Severity] = Severity.INFORMATIVE
    text: ClassVar[str] = ""
    several: ClassVar[str] = ""
    joint: ClassVar[str] = ""
    apart: ClassVar[tuple[str, ...]] = ()
    meaning: ClassVar[Meaning | None] = None
    also: ClassVar[tuple[str, ...]] = ()
    warning: ClassVar[type[PrecallWarning]] = PrecallWarning
    context: ClassVar[tuple[str, ...]] = ()
    vocabulary: ClassVar[Vocabulary] = RUNS

    def __new__(cls, *values: object, **named: object) -> Self:
        facts = _bind_fields(cls, values, named)
        # Names of subjects need not be texts.
        subject = "" if facts.get("subject") is None else as_text(facts["subject"])
        return cls._made(facts | {"subject": subject} if "subject" in facts else facts, ())

    def __init__(self, *values: object, **named: object) -> None:
        """Nothing to do: a text cannot be changed after it is made, so `__new__` does
        everything.
        """

    # Pickles of notes refer to this method, so its name stays.
    @classmethod
    def _made(
        cls, facts: Mapping[str, object], context: tuple[str, ...], words: str | None = None
    ) -> Self:
        vocabulary = VOCABULARY.get() if words is None else find_vocabulary(words)
        blank = str.__new__(cls)
        vars(blank).update(facts, context=context)
        if vocabulary is not RUNS:
            vars(blank).update(vocabulary=vocabulary)
        note = str.__new__(cls, blank.sentence())
        vars(note).update(vars(blank))
        return note

    def __setattr__(self, name: str, value: object) -> None:
        raise FrozenInstanceError(f"cannot assign to field {name!r}")

    def __delattr__(self, name: str) -> None:
        raise FrozenInstanceError(f"cannot delete field {name!r}")

    def __repr__(self) -> str:
        arguments = ", ".join(f"{name}={value!r}" for name, value in self.facts.items())
        return f"{type(self).__name__}({arguments})"

    def __reduce__(self) -> tuple[object, ...]:
        return type(self)._made, (self.facts, self.context, self.vocabulary.name)

    @property
    def kind(self) -> str:
        """The name of its kind in JSON and for `precall explain`."""
        return name_of_kind(type(self))

    @property
    def facts(self) -> dict[str, Any]:
        """Its fields with their values, the subject first."""
        return {name: getattr(self, name) for name in _names_of_fields(type(self))}

    @property
    def values(self) -> dict[str, object]:
        """Its fields with their values, without the subject."""
        return {name: value for name, value in self.facts.items() if name != "subject"}

    def template(self) -> str:
        """The template of its sentence, which may depend on its values."""
        return self.text

    @classmethod
    def joint_values(cls, notes: Sequence[Self]) -> Mapping[str, object]:
        """The values of the `joint` template for several notes of the kind.

        Parameters
        ----------
        notes : the notes, one for each subject.
        """
        return {}

    def sentence(self, style: Style = "python") -> str:
        """Its sentence.

        Parameters
        ----------
        style : "python" names arguments, "command" the options of the command line.
        """
        words = fill_template(
            self.template(), lambda name: getattr(self, name), style, self.vocabulary
        )
        return shorten_quotations(_head([self]) + words)

    def within(self, name: str) -> Note:
        """The same note of what has its subject, such as the run that has a measure.

        Parameters
        ----------
        name : of the run, the group, or what else it is; empty if that need not be said.
        """
        context = (as_text(name), *self.context)
        return self._made(self.facts, context, self.vocabulary.name) if name else self

    def in_words_of(self, vocabulary: Vocabulary) -> Self:
        """The same note in a vocabulary.

        Parameters
        ----------
        vocabulary : that of the result that the note belongs to.
        """
        if self.vocabulary is vocabulary:
            return self
        if not isinstance(vocabulary, Vocabulary):
            raise UsageError(argument="vocabulary", allowed="a vocabulary", got=Kind(vocabulary))
        return self._made(self.facts, self.context, vocabulary.name)

    def to_dict(self, style: Style | None = None) -> dict[str, Any]:
        """Plain data for JSON: kind, subject, values, and the sentence; `within` if it has any, and
        `vocabulary` if it is not that of runs.

        Parameters
        ----------
        style : of the sentence: "python", "command", or None for that of the place.
        """
        context: dict[str, object] = {"within": list(self.context)} if self.context else {}
        context |= {"vocabulary": self.vocabulary.name} if self.vocabulary.name else {}
        return {
            "kind": self.kind,
            "subject": self.subject,
            **context,
            "values": self.values,
            "text": self.sentence(style or STYLE.get()),
        }


@cache
def _names_of_fields(kind: type[Note]) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind))


def _bind_fields(
    kind: type[Note], values: Sequence[object], keywords: Mapping[str, object]
) -> dict[str, Any]:
    """The fields of a kind with the values given for them."""
    names = _names_of_fields(kind)
    facts = {**dict(zip(names, values, strict=False)), **keywords}
    missing = [name for name in names if name not in facts and not hasattr(kind, name)]
    if missing or len(values) > len(names) or len(facts) > len(set(names).intersection(facts)):
        raise TypeError(
            f"{kind.__name__} takes {', '.join(names)}; got {len(values)} values and "
            f"{', '.join(keywords) or 'no names'}"
        )
    return {
        name: _to_python(facts[name]) if name in facts else getattr(kind, name) for name in names
    }


def _to_python(value: Any) -> Any:
    """A NumPy number as one of Python, and lists as tuples, so that facts can be compared and
    written as JSON.
    """
    if isinstance(value, list | tuple):
        return tuple(map(_to_python, value))
    return value.item() if hasattr(value, "dtype") and not isinstance(value, str) else value


#: Every kind of note, by its name.
KINDS: dict[str, type[Note]] = {}
_Kind = TypeVar("_Kind", bound=type[Note])


@dataclass_transform(eq_default=False)
def note_kind(kind: _Kind) -> _Kind:
    """Declare a kind of note: its class becomes a dataclass and gets its own class of warnings."""
    # `Note` is frozen for all kinds: a frozen dataclass for each kind would slow down the import.
    dataclass(init=False, repr=False, eq=False, match_args=False)(kind)
    about = {
        "__module__": kind.__module__,
        "__doc__": f"A warning that carries a `{kind.__name__}`.",
    }
    warning: type[PrecallWarning] = type(f"{kind.__name__}Warning", (PrecallWarning,), about)
    kind.warning = warning
    # pickle looks for it there.
    setattr(sys.modules[kind.__module__], warning.__name__, warning)
    declared = KINDS.setdefault(name := name_of_kind(kind), kind)
    # A module that is loaded anew declares the same kinds again.
    if (declared.__module__, declared.__qualname__) != (kind.__module__, kind.__qualname__):
        raise TypeError(f"there is a note {name} already, of {declared.__module__}")
    KINDS[name] = kind
    return kind


def name_of_kind(kind: type[Note]) -> str:
    """The name of a kind of note, as JSON has it.

    Examples
    --------
    >>> from precall.core.notes import MissingTopics
    >>> name_of_kind(MissingTopics)
    'missing-topics'
    """
    return re.sub(r"(?<!^)(?=[A-Z])", "-", kind.__name__).lower()


@note_kind
class Quoted(Note):
    """A message of another program, or of an older page, in its own words."""

    words: str
    severity = Severity.INFORMATIVE
    text = "{words}"


# --- Words ---


#: Formats of values, by the word after the colon of a field; a format of Python or a noun may be
#: there instead.
_SHOWN: dict[str, Callable[[Any], str]] = {
    "value": number,
    "p": p_text,
    "percent": percent,
    "signed": format_difference,
    "written": short_repr,
}
#: The format of a field that holds a word for runs, such as "topics".
_WORD = "word"
_NOUN = re.compile(r"[a-z]{2,}[a-z ]*(\|[a-z ]+)?")


class _Column(list[Any]):
    """The values of one field in several notes, shown one by one."""


class _Range(_Column):
    """The same, shown as the least and the greatest."""


def fill_template(
    template: str,
    value_of: Callable[[str], object],
    style: Style,
    vocabulary: Vocabulary = RUNS,
) -> str:
    """A template filled with values and words, with arguments in the spelling of the style."""
    text = ""
    for literal, name, form, conversion in Formatter().parse(spell_arguments(template, style)):
        text += literal
        if name == "":
            text += vocabulary.word(form or "")
        elif name is not None:
            value = value_of(name)
            if conversion == "r":
                value = _Column(map(repr, value)) if isinstance(value, _Column) else repr(value)
            text += (
                _show_column(value, form or "", vocabulary)
                if isinstance(value, _Column)
                else _show(value, form or "", vocabulary)
            )
    return text


def _show(value: Any, form: str, vocabulary: Vocabulary) -> str:
    if isinstance(value, list | tuple):
        return ", ".join(_show(each, form, vocabulary) for each in value)
    if form in _SHOWN:
        return _SHOWN[form](value)
    if form == _WORD:
        return vocabulary.word(value)
    if _NOUN.fullmatch(form):
        return vocabulary.count(value, *form.split("|"))
    return format(value, form)


def _show_column(values: _Column, form: str, vocabulary: Vocabulary) -> str:
    """The values of several notes in one place: one by one, or from the least to the greatest."""
    is_noun = form not in (*_SHOWN, _WORD) and _NOUN.fullmatch(form)

    def show(value: Any) -> str:
        return number_of_things(value) if is_noun else _show(value, form, vocabulary)

    if isinstance(values, _Range):
        text = f"{show(min(values))} to {show(max(values))}"
    else:
        text = ", ".join(map(show, values))
    if not is_noun:
        return text
    return f"{text} {vocabulary.noun(max(values), *form.split('|'))}"


def _are_numbers(values: Sequence[object]) -> bool:
    return all(isinstance(value, int | float) for value in values)


def _head(notes: Sequence[Note]) -> str:
    """The subjects of notes of one kind, in front of their sentence."""
    names = [
        [
            *note.context,
            *[note.subject] * (bool(note.subject) and "{subject}" not in note.template()),
        ]
        for note in notes
    ]
    heads = list(dict.fromkeys(map(": ".join, names)))
    rest = ""
    if (
        len(names) > 1
        and all(len(name) > 1 for name in names)
        and len({tuple(name[1:]) for name in names}) == 1
    ):
        rest = f"{': '.join(names[0][1:])}: "
        heads = list(dict.fromkeys(name[0] for name in names))
    more = f" and {len(heads) - _LISTED} more" if len(heads) > _LISTED else ""
    return f"{', '.join(heads[:_LISTED])}{more}: {rest}" if any(heads) else ""


# --- Several notes ---


class Together(Note):
    """Notes of one kind about several subjects, as one sentence."""

    notes: ClassVar[tuple[Note, ...]] = ()

    def __new__(cls, notes: Sequence[Note]) -> Self:
        note = str.__new__(cls, _sentence_of(notes, "python"))
        vars(note).update(
            notes=tuple(notes), subject="", severity=notes[0].severity, meaning=notes[0].meaning
        )
        vars(note).update(warning=notes[0].warning, vocabulary=notes[0].vocabulary)
        return note

    def __init__(self, notes: Sequence[Note]) -> None:
        """Nothing to do, as for every note."""

    def __reduce__(self) -> tuple[object, ...]:
        return Together, (self.notes,)

    def sentence(self, style: Style = "python") -> str:
        """The sentence about all of them."""
        return _sentence_of(self.notes, style)


def _sentence_of(notes: Sequence[Note], style: Style) -> str:
    # Lists in one place go with the subjects one by one; in several places nobody reads them so.
    in_order = len(notes) <= _LISTED and len(_varying(notes)) < 2

    def value_of(name: str) -> object:
        values = [getattr(note, name) for note in notes]
        distinct = list(dict.fromkeys(values))
        if name == "subject":
            return _list_subjects(distinct)
        if len(distinct) == 1 or not (in_order or _are_numbers(values)):
            return _Column(distinct)
        return _Column(values) if in_order else _Range(values)

    if template := notes[0].joint:
        values = type(notes[0]).joint_values(notes)
        return shorten_quotations(
            fill_template(template, values.__getitem__, style, notes[0].vocabulary)
        )
    template, several = notes[0].template(), notes[0].several
    # One subject in several contexts, such as AP of two runs, is still one in its sentence.
    if several and ("{subject}" not in several or len({note.subject for note in notes}) > 1):
        template = several
    return shorten_quotations(
        _head(notes) + fill_template(template, value_of, style, notes[0].vocabulary)
    )


def _varying(notes: Sequence[Note]) -> list[str]:
    """The fields whose numbers differ between notes."""
    values = {name: [note.values[name] for note in notes] for name in notes[0].values}
    return [name for name, of in values.items() if _are_numbers(of) and len(set(of)) > 1]


def _list_subjects(names: Sequence[str]) -> str:
    """Subjects within a sentence."""
    if len(names) > _LISTED:
        return f"{', '.join(names[:_LISTED])} and {len(names) - _LISTED} more"
    return join_in_sentence(names)


class Notes(tuple[Note, ...]):
    """The notes of a result. Calling them returns them as a list, as `report.notes()` once did.

    Examples
    --------
    >>> notes = Notes([Quoted("", "odd")])
    >>> notes[0] in notes(), len(notes)
    (True, 1)
    """

    __slots__ = ()

    def __call__(self) -> list[Note]:
        """The notes as a list."""
        return list(self)


def iterate_notes(notes: Iterable[str]) -> Iterator[Note]:
    """Notes one by one, also those inside `Together`; a plain text becomes a `Quoted` note."""
    for note in notes:
        if isinstance(note, Together):
            yield from note.notes
        else:
            yield note if isinstance(note, Note) else Quoted("", note)


def notes_of(name: str, notes: Iterable[str]) -> list[Note]:
    """Notes of a part of something, such as those of the measures of a run, with the name of the
    whole as context.
    """
    return [note.within(name) for note in iterate_notes(notes)]


def notes_to_json(notes: Iterable[str]) -> list[dict[str, Any]]:
    """Notes one by one, as plain data for JSON."""
    return [note.to_dict() for note in iterate_notes(notes)]


def group_by_subject(notes: Iterable[str]) -> list[Note]:
    """Notes that differ only in subjects and numbers as one sentence, in the order of the first
    note of each kind.

    Examples
    --------
    >>> from precall.core.notes import MissingTopics
    >>> for note in group_by_subject([MissingTopics("a: 1", 27, 30), MissingTopics("b", 3, 30)]):
    ...     print(note)
    a: 1, b: 27, 3 of 30 topics of the qrels missing
    """
    groups: dict[object, list[Note]] = {}
    for note in dict.fromkeys(iterate_notes(notes)):
        groups.setdefault(_key(note), []).append(note)
    return [group[0] if len(group) == 1 else Together(group) for group in groups.values()]


def _key(note: Note) -> object:
    """What notes in one sentence have in common: all values but numbers, the context except the
    outermost subject, and so the template.
    """
    words = tuple(
        value
        for name, value in note.values.items()
        if name not in note.apart
        and (isinstance(value, bool) or not isinstance(value, int | float))
    )
    if note.joint:
        return type(note), words, note.vocabulary.name
    template = note.several or note.template()
    if note.context:
        return type(note), words, template, len(note.context), note.context[1:], note.subject
    return type(note), words, template, note.vocabulary.name, bool(note.subject)


def sentences(notes: Iterable[str], style: Style | None = None) -> list[str]:
    """The sentences of notes, one for each kind, in the style of the reader."""
    return [note.sentence(style or STYLE.get()) for note in group_by_subject(notes)]
