"""The registry as text: `precall measures`, `precall explain`, and the pages of docs/measures."""

from __future__ import annotations

import inspect
import re
from collections.abc import Sequence
from dataclasses import fields
from inspect import getdoc
from math import isclose
from typing import TYPE_CHECKING, Any, NamedTuple

from precall.core.counts import Counts
from precall.core.errors import MeasureError
from precall.core.notes import Note, Severity, catalogue, name_of_kind
from precall.core.spelling import spell_arguments
from precall.core.text import WIDTH, join_in_sentence, letters, many, number, wrap_text
from precall.location.hits import Hits
from precall.location.subtopics import Subtopics
from precall.measures import (
    REGISTRY,
    SOURCES,
    CategoryExample,
    CountsExample,
    Declaration,
    Example,
    Measure,
    SubtopicExample,
    measure,
)
from precall.measures.likeness import find_misspelled
from precall.measures.registry import text_of
from precall.results.forms import render
from precall.results.sheets import Sheet, sheet_of_rows

if TYPE_CHECKING:
    from precall.measures.words import Word

#: The meaning of prefixes such as macro- in macro-F, for decisions in categories.
AVERAGED = {
    "micro": "of the summed tables of all categories",
    "macro": "mean over categories",
    "weighted": "mean over categories, weighted by the items truly in each",
    "samples": "mean over items",
}
#: The results that measures of either kind apply to.
_ASKED = {
    "counts": (
        "decisions (average=), operating points, curves at each threshold, rankings cut at k "
        "(NAME@k) and retrieved sets (SetNAME). Ranks after the last item count as items that are "
        "not relevant"
    ),
    "categories": (
        "scores for several categories, if each item belongs to exactly one (precall.categorize)"
    ),
    "subtopics": (
        "rankings, with judgements by subtopic: TREC's diversity qrels (topic, subtopic, item, "
        "grade)"
    ),
    "rankings": (
        "rankings; curves (their cases as one ranking); scores of categories, in Python: "
        "status.by_category, status.by_item"
    ),
}
#: Of measures that look at grades, or at which items are judged; cases have neither.
_OF_JUDGEMENTS = "rankings"
_KINDS = {"Counts": "counts", "Hits": "rankings", "Subtopics": "subtopics"}
#: Suffix for measures of counts that use the cases neither relevant nor accepted.
_NEEDS = (
    ". Both rankings and sets need population=, the number of all items, as in "
    "NAME(population=800)@10"
)
_WITH_ARTICLE = {"test": "a test", "correction": "a correction", "interval": "an interval"}
#: Signs that may stand around a name, and those that stand in no name of a measure.
_AROUND = " \"'`?!,;:."
_NOT_IN_NAMES = re.compile(r"[^\w\s@.+-]+")


def declaration_of(name: str) -> Declaration:
    """The declaration with this name, precall's or trec_eval's, with or without parameters; k
    stands for any cutoff.
    """
    name = re.sub(r"(?:@| at )[kKnN]$", "@10", name.strip())
    try:
        return measure(name).declaration
    except MeasureError as error:
        try:  # what must be given may be left out
            return REGISTRY[name.strip()]
        except MeasureError:
            pass
        try:  # as alpha-nDCG, whose spelling only a complete name may have
            return measure(f"{name}@10").declaration
        except MeasureError:
            raise error from None


def entry(declaration: Declaration) -> dict[str, Any]:
    """Everything declared about a measure, as plain data."""
    return {
        "name": declaration.name,
        "of": _KINDS.get(declaration.of.__name__, "categories"),
        "usage": declaration.usage,
        "summary": declaration.summary,
        "definition": declaration.definition,
        "parameters": [
            {
                "name": parameter.name,
                "allowed": parameter.domain.allowed,
                "required": parameter.default is ...,
                "default": None if parameter.default in (None, ...) else text_of(parameter.default),
            }
            for parameter in declaration.parameters.values()
        ],
        "range": [
            float(end) if abs(end) < float("inf") else str(float(end)) for end in declaration.range
        ],
        "undefined": declaration.undefined,
        "aggregate": declaration.aggregate,
        "best": {1: "high", -1: "low", 0: None}[declaration.direction],
        "averaged": REGISTRY.names_with_average(declaration),
        **_list_uses(declaration),
        "aliases": list(declaration.aliases),
        "elsewhere": list(dict.fromkeys(declaration.elsewhere.values())),
        "trec_eval": list(declaration.trec_eval),
        "sklearn": list(declaration.sklearn),
        "sources": [SOURCES.get(key, key) for key in declaration.sources],
        "example": example(declaration),
    }


def _list_uses(declaration: Declaration) -> dict[str, Any]:
    """The uses of a measure besides its value: the intervals, tests and averages it has."""
    from precall.comparison.api import tests
    from precall.intervals import methods, methods_by_object

    if declaration.of not in (Counts, Hits, Subtopics):
        return {"intervals": [], "interval_methods": {}, "tests": [], "averages": []}
    example_measure = _of_example(declaration) or measure(declaration.name)
    averages = list(AVERAGED) if declaration.of is Counts else [declaration.aggregate]
    by_object = {
        name: list(of_object) for name, of_object in methods_by_object(example_measure).items()
    }
    return {
        "intervals": list(methods(example_measure)),
        "interval_methods": by_object,
        "tests": list(tests(example_measure)),
        "averages": averages,
    }


def _of_example(declaration: Declaration) -> Measure | None:
    """The measure with the parameters of its worked example."""
    if declaration.example is None:
        return None
    parameters = declaration.example.parameters
    inside = ",".join(
        f"{key}={text_of(value)}" for key, value in parameters.items() if key != "cutoff"
    )
    name = declaration.name + (f"({inside})" if inside else "")
    return measure(name + (f"@{parameters['cutoff']}" if "cutoff" in parameters else ""))


#: Fields of an example that are shown, by its kind.
_TOLD = {
    CategoryExample: ("categories", "scores"),
    CountsExample: ("tp", "fp", "fn", "tn"),
    SubtopicExample: ("ranked", "missed"),
    Example: ("retrieved", "hits", "grades", "nonrelevant", "missed", "missed_nonrelevant"),
}


def example(declaration: Declaration) -> dict[str, Any] | None:
    """The worked example with its value computed now. An error if it differs from the declared
    value.
    """
    measured, case = _of_example(declaration), declaration.example
    if measured is None or case is None:
        return None
    if isinstance(case, CategoryExample):
        from precall.hard_decisions import categorize

        value = measured(categorize(case.categories, case.scores))
    elif isinstance(case, SubtopicExample):
        value = float(measured(case.subtopics())[0])
    else:
        value = float(
            measured(case.counts() if isinstance(case, CountsExample) else case.located())[0]
        )
    # The declared value may be rounded to four digits.
    if str(value) != str(case.value) and not isclose(value, case.value, rel_tol=1e-4, abs_tol=1e-4):
        problem = f"its example says {case.value:g}, the formula {value:g}"
        raise MeasureError(
            measure=measured.name, what=problem, remedy="correct the example or the formula"
        )
    shown = {name: getattr(case, name) for name in _TOLD[type(case)]}
    lists = {
        name: list(element) if isinstance(element, tuple) else element
        for name, element in shown.items()
    }
    return {"measure": measured.name, **lists, "value": value}


def ranking(case: dict[str, Any]) -> str:
    """An example's ranking or table in words."""
    if "scores" in case:
        names, pairs = (
            sorted(set(case["categories"])),
            zip(case["categories"], case["scores"], strict=True),
        )
        rows = [f"{name} ({', '.join(map(str, row))})" for name, row in pairs]
        form = f"category ({', '.join(f'score for {name}' for name in names)})"
        return f"{many(len(rows), 'item')}, written as {form}: {', '.join(rows)}"
    if "ranked" in case:
        shown = [several or "none" for several in case["ranked"]]
        return (
            f"a ranking of {many(len(shown), 'item')}, relevant to subtopics "
            f"{join_in_sentence(shown)}, with {many(len(case['missed']), 'missed item')} relevant "
            f"to {join_in_sentence(case['missed'])}"
        )
    if "tp" in case:
        return ", ".join(f"{name.upper()} {case[name]}" for name in ("tp", "fp", "fn", "tn"))
    graded = set(case["grades"]) | set(case["missed"]) != {1}

    def grades(of: str) -> str:
        return f" (grades {_list_numbers(case[of])})" if graded else ""

    hits = (
        f"with relevant ones at {_ranks(case['hits'])}{grades('grades')}"
        if case["hits"]
        else "with no relevant one"
    )
    parts = [f"a ranking of {many(case['retrieved'], 'item')} {hits}"]
    if case["nonrelevant"]:
        parts.append(f"judged nonrelevant ones at {_ranks(case['nonrelevant'])}")
    if case["missed"]:
        parts.append(f"{many(len(case['missed']), 'relevant item')} missed{grades('missed')}")
    if case["missed_nonrelevant"]:
        parts.append(f"{many(case['missed_nonrelevant'], 'nonrelevant item')} not retrieved")
    return ", ".join(parts[:-1]) + f", and {parts[-1]}" if len(parts) > 1 else parts[0]


def _ranks(ranks: list[int]) -> str:
    return ("rank " if len(ranks) == 1 else "ranks ") + _list_numbers(ranks)


def _list_numbers(items: list[int]) -> str:
    return join_in_sentence([str(item) for item in items])


def averaging(name: str) -> dict[str, Any]:
    """Differences for a name that also says how topics are averaged: GMAP is the geometric mean of
    AP.
    """
    try:
        named = measure(name)
    except MeasureError:
        return {}
    if named.average:
        return {"usage": named.name, "average": AVERAGED[named.average]}
    if not named.label:
        return {}
    theirs = REGISTRY.names_with_average(named.declaration)[named.label]
    return {
        "usage": named.label,
        "aggregate": named.aggregate,
        "trec_eval": [theirs],
        "averaged": {},
        "aliases": [],
    }


class _Known(NamedTuple):
    """The meaning of a name: a word, a measure, or a prefixed form of another name."""

    name: str
    word: Word | None = None
    declaration: Declaration | None = None
    said: str = ""
    of: _Known | None = None


def _find_declaration(name: str) -> _Known:
    from precall.measures import words

    try:
        declared: Declaration | None = declaration_of(name)
    except MeasureError as error:
        declared, unknown = None, error
    # Err_i of text categorization is not ERR: a word in its exact spelling precedes a measure in
    # another case.
    word = words.word(name, exactly=declared is not None)
    if declared is not None and (word is None or name in (declared.name, *declared.aliases)):
        return _Known(name, declaration=declared)
    if word is not None:
        return _Known(name, word, REGISTRY[word.measure] if word.measure else declared)
    for declared in REGISTRY:  # expected reciprocal rank: titles are names, too
        if letters(declared.title) == letters(name):
            return _Known(declared.name, declaration=declared)
    if (word := words.similar_word(name)) is not None:
        return _Known(name, word, REGISTRY[word.measure] if word.measure else None)
    if (parts := words.derived_word(name)) is None:
        raise unknown
    core, prefix = parts
    try:
        return _Known(name, said=prefix, of=_find_declaration(core))
    except MeasureError:
        # "Log loss" is no logarithm of a loss; suggestions are for the whole.
        raise unknown from None


def explain(name: str, form: str = "table") -> str:
    """A complete explanation of a measure, or of a word of the field or of printed tables. The
    table form is text for the terminal.
    """
    if form != "table":
        return render(explanation_sheet(name), form)
    meaning = _find(name)
    return _text(meaning) if isinstance(meaning, _Known) else _note_text(meaning)


def explanation_sheet(name: str) -> Sheet:
    """The explanation of a measure, of a word or of a note as a sheet."""
    meaning = _find(name)
    return _sheet(meaning) if isinstance(meaning, _Known) else _note_sheet(meaning)


def _find(name: str) -> _Known | type[Note]:
    """The meaning of a name, or the kind of note that has it. A kind in another spelling comes
    after words: "left out" is one. No measure is called like a kind.
    """
    from precall.measures import words

    if (kind := _kind_of_note(name)) is not None:
        return kind
    kinds = _kinds_by_letters()
    typed = letters(re.sub(_AROUND_KINDS, "", name.strip()))
    if typed in kinds and words.word(name) is None:
        return kinds[typed]
    try:
        return _find_meaning(name)
    except MeasureError as error:
        if error.fault != "unknown" or not (near := find_misspelled(typed, kinds)):
            raise
        remedy = f"did you mean `precall explain {name_of_kind(kinds[near[0]])}`?"
        raise MeasureError(error.what, remedy=remedy).because("unknown") from None


def measure_of_word(name: str) -> str:
    """The name of the measure that a word is about; an error if it is about none."""
    known = _find_meaning(name)
    while known.of is not None:
        known = known.of
    if known.word is not None and known.word.measure:
        return known.word.measure
    if known.declaration is None:
        raise MeasureError("{got} is no measure", got=name, remedy="name one, such as AP")
    return known.declaration.name


def _find_meaning(name: str) -> _Known:
    """The meaning of a name; the error says that it is neither a measure nor a word."""
    try:
        return _find_declaration(name)
    except MeasureError as error:
        if error.fault == "form":
            for plain in (name.strip(_AROUND), " ".join(_NOT_IN_NAMES.sub(" ", name).split())):
                if plain in ("", name):
                    continue
                try:
                    return _find_meaning(plain)
                except MeasureError as again:
                    error = again
                    break
        if error.fault != "unknown":
            raise
        # What was typed, not what was looked up.
        raise MeasureError("no measure or word {got}", got=name, remedy=error.remedy).because(
            "unknown"
        ) from None


def _kind_of_note(name: str) -> type[Note] | None:
    """The kind of note with this name, in JSON or in Python."""
    kinds = catalogue()
    return kinds.get(name) or next((kind for kind in kinds.values() if kind.__name__ == name), None)


#: What may stand around the name of a kind of note in Python.
_AROUND_KINDS = r"^(?:(?:pc|precall)\.)?(?:notes\.)?|(?:\.?[Ww]arning)$"


def _kinds_by_letters() -> dict[str, type[Note]]:
    """The kinds of notes by all their names, as `letters` writes them."""
    kinds = catalogue()
    also = {letters(name): kind for kind in kinds.values() for name in kind.also}
    return also | {letters(name): kind for name, kind in kinds.items()}


def note_facts(kind: type[Note]) -> dict[str, str]:
    """Facts about a kind of note, by their printed names."""
    severity: object = kind.severity
    facts = {
        "Severity": severity.name.lower() if isinstance(severity, Severity) else "by its values"
    }
    if kind.text:
        # A word of the vocabulary stands there as for runs; a field as its name.
        text = re.sub(r"{:(\w+)}", r"\1", spell_arguments(kind.text, "python"))
        facts["Sentence"] = re.sub(r"{(\w+)[^{}]*}", r"{\1}", text)
    if kind.meaning is not None:
        title, words = kind.meaning.in_words_of(kind.vocabulary)
        facts["Meaning"] = f"{title}. {words}"
    if kind.also:
        facts["Also called"] = ", ".join(kind.also)
    facts["Fields"] = ", ".join(field.name for field in fields(kind))
    return facts | {
        "In Python": (
            f"pc.notes.{kind.__name__}; its warnings are of pc.notes.{kind.__name__}.warning"
        )
    }


def _note_text(kind: type[Note]) -> str:
    lines = [name_of_kind(kind), "", *reflow(getdoc(kind) or ""), ""]
    for label, text in note_facts(kind).items():
        lines += _hanging(f"{label:<13}", text)
    return "\n".join(lines) + "\n"


def _note_sheet(kind: type[Note]) -> Sheet:
    name, facts_of_kind = name_of_kind(kind), note_facts(kind)
    prose = " ".join((getdoc(kind) or "").split())
    rows = [(name, prose), *facts_of_kind.items()]
    body: dict[str, Any] = {
        "name": name,
        "meanings": [],
        "measure": None,
        "note": {"is": prose, **facts_of_kind},
    }
    return sheet_of_rows("precall.explain/1", ("what", "text"), rows, body, left=2)


def inference_facts(name: str) -> list[tuple[str, dict[str, str]]]:
    """What is declared of a test, a correction and a method of intervals of this name, as (what it
    is, facts by their printed names). Spelling does not matter.
    """
    from precall.stats import tests
    from precall.stats.intervals import methods

    declared: list[tuple[str, tests.Test | tests.Correction | methods.IntervalMethod]] = [
        *(("test", each) for each in tests.DECLARED.values()),
        *(("correction", each) for each in tests.DECLARED_CORRECTIONS.values()),
        *(("interval", each) for each in methods.DECLARED.values()),
    ]
    found = []
    for what, each in declared:
        if letters(each.name) != letters(name) or not each.source:
            continue
        facts = {"Elsewhere": ", ".join(_without_genitives(each.aliases)), "Source": each.source}
        if not isinstance(each, tests.Correction):
            call, value = each.example
            result = (
                "[{:.4f}, {:.4f}]".format(*value)
                if isinstance(value, tuple)
                else f"p = {value:.4f}"
            )
            facts = {"Of": ", ".join(each.of), **facts, "Exact": each.exact_when or "never"}
            facts["Example"] = f"{call}: {result}"
        found.append((what, {label: text for label, text in facts.items() if text}))
    return found


def _without_genitives(names: Sequence[str]) -> list[str]:
    """The names that are not another one with an s.

    Examples
    --------
    >>> _without_genitives(["fisher", "fishers", "fishertest", "fisherstest", "signs"])
    ['fisher', 'fishertest', 'signs']
    """
    return [
        name
        for name in names
        if not any(name[i] == "s" and name[:i] + name[i + 1 :] in names for i in range(len(name)))
    ]


def _text(known: _Known) -> str:
    if known.of is not None:
        return f"{known.name}\n\n{known.said[0].upper()}{known.said[1:]}:\n\n{_text(known.of)}"
    if known.word is not None:
        return _explain_word(known.word, known.name, known.declaration)
    assert known.declaration is not None
    return _explain_measure(known.declaration, known.name)


def _sheet(meaning: _Known) -> Sheet:
    """The explanation as data: the meaning of the words, and the measure if it is one."""
    name = meaning.name
    meanings: list[dict[str, Any]] = []
    while meaning.of is not None:
        meanings.append(
            {"name": meaning.name, "meaning": meaning.said, "symbol": "", "here": "", "also": []}
        )
        meaning = meaning.of
    if word := meaning.word:
        also = [other for other in word.names if other != meaning.name]
        facts_of_word = {
            "meaning": word.without_links,
            "symbol": word.symbol,
            "here": word.here,
            "also": also,
        }
        meanings.append({"name": meaning.name, **facts_of_word})
    measured = None
    if meaning.declaration is not None:
        measured = entry(meaning.declaration) | averaging(
            meaning.word.measure if meaning.word else meaning.name
        )
    inferred = inference_facts(meaning.name) if meaning.word else []
    rows: list[tuple[str, str]] = [(one["name"], one["meaning"]) for one in meanings]
    rows += [
        (f"{what}: {label}", text)
        for what, declared in inferred
        for label, text in declared.items()
    ]
    if measured:
        rows += [(measured["usage"], measured["summary"]), *facts(measured)]
    body: dict[str, Any] = {"name": name, "meanings": meanings, "measure": measured}
    if inferred:
        body["inference"] = [{"is": what, **declared} for what, declared in inferred]
    return sheet_of_rows("precall.explain/1", ("what", "text"), rows, body, left=2)


def _explain_word(word: Word, name: str, declared: Declaration | None) -> str:
    """The meaning of a word, its use here, and the measure that it is about or that has this name
    in another case.
    """
    others = ", ".join(other for other in word.names if other != name)
    meaning = word.without_links
    symbol = f" ({word.symbol})" if word.symbol else ""
    sentence = f"{meaning[0].upper()}{meaning[1:]}{symbol}."
    lines = [name, "", *reflow(sentence), ""]
    for label, text in (("Also called", others), ("Here", word.here)):
        lines += _hanging(f"{label:<13}", text) if text else []
    for what, facts_of_it in inference_facts(name):
        lines += ["", f"As {_WITH_ARTICLE[what]}"]
        lines += [
            line for label, text in facts_of_it.items() for line in _hanging(f"{label:<13}", text)
        ]
    text = "\n".join(lines).rstrip() + "\n"
    if declared is None:
        return text
    title = "" if word.measure else f"\nAs a name of a measure {name} is {declared.name}.\n"
    if pair := REGISTRY.other_letters(name):
        title = f"\nAs a name of a measure write {pair[0]} or {pair[1]}: {name} may be either.\n"
    return f"{text}{title}\n{_explain_measure(declared, word.measure or declared.name)}"


def _explain_measure(declaration: Declaration, name: str) -> str:
    """A complete explanation of one measure."""
    measure = entry(declaration) | averaging(name)
    lines = [measure["usage"], "", *reflow(measure["summary"])]
    if measure["definition"]:
        lines += ["", *reflow(measure["definition"])]
    if measure["parameters"]:
        lines += ["", "Parameters"]
        rows = [
            [each["name"], "default " * (not each["required"]) + default(each), each["allowed"]]
            for each in measure["parameters"]
        ]
        name_width, default_width, _ = (max(map(len, column)) for column in zip(*rows, strict=True))
        for name, usual, allowed in rows:
            lines += _hanging(f"  {name:<{name_width}}  {usual:<{default_width}}  ", allowed)
    lines += [
        "",
        *(line for label, text in facts(measure) for line in _hanging(f"{label:<13}", text)),
    ]
    if case := measure["example"]:
        lines += [
            "",
            "Example",
            *_hanging("  ", f"{describe_example(case)}:"),
            f"  {show_result(case)}",
        ]
    if measure["name"] == "IAP":
        from precall.hard_decisions import eleven

        lines += ["", *reflow(inspect.getdoc(eleven) or "")]
    if measure["sources"]:
        lines += [
            "",
            "Sources",
            *(line for source in measure["sources"] for line in _hanging("  ", source)),
        ]
    return "\n".join(lines) + "\n"


def reflow(text: str, width: int = WIDTH) -> list[str]:
    """Paragraphs and lists of a docstring in lines of `width`."""
    lines: list[str] = []
    for paragraph in text.split("\n\n"):
        lines += [""] if lines else []
        lead, *items = f"\n{paragraph}".split("\n- ")
        lines += _hanging("", " ".join(lead.split()), width)
        for item in items:
            lines += _hanging("- ", " ".join(item.split()), width)
    return lines


def _hanging(first: str, text: str, width: int = WIDTH) -> list[str]:
    """`text` after `first`, with later lines indented to the beginning of `text`."""
    return wrap_text(text, width, first, " " * len(first))


def show_result(case: dict[str, Any]) -> str:
    """The result of an example: P@5 = 0.4000."""
    return f"{case['measure']} = {number(case['value'])}"


def describe_example(case: dict[str, Any]) -> str:
    """The input of an example: Of TP 1, FP 0 ..., In a ranking of 5 items ..."""
    return f"{'Of' if 'tp' in case else 'In'} {ranking(case)}"


def default(parameter: dict[str, Any]) -> str:
    """The value of a parameter if none is given."""
    return "must be given" if parameter["required"] else parameter["default"] or "none"


def facts(measure: dict[str, Any], quote: str = "") -> list[tuple[str, str]]:
    """Short facts about a measure, as (label, text); names stand between `quote`s."""

    def names(key: str) -> str:
        return ", ".join(f"{quote}{name}{quote}" for name in measure[key])

    best, (low, high), topics = measure["best"], measure["range"], measure["of"] != "categories"
    good = f"{best} values are good" if best else "neither high nor low is good"
    over = measure["aggregate"].replace("geometric", "geometric mean")
    pairs = [
        ("Range", f"{_end(low)} to {_end(high)}; {good}"),
        ("Undefined", f"when {measure['undefined']}" if measure["undefined"] else "never"),
        ("Averaged", measure.get("average", "")),
        ("Over topics", over if topics else "none (one number for all categories)"),
        ("Averages", ", ".join(measure["averages"]) if measure["of"] == "counts" else ""),
        ("Intervals", _of_objects(measure["interval_methods"]) or "none"),
        ("Tests", ", ".join(measure["tests"]) or "none"),
        ("Also", ", ".join(f"{quote}{a}{quote}, its geometric mean" for a in measure["averaged"])),
        ("Also called", names("aliases")),
        ("trec_eval", names("trec_eval")),
        ("scikit-learn", names("sklearn")),
        ("Elsewhere", "; ".join(measure["elsewhere"])),
        ("Works on", _tell_uses(measure)),
    ]
    return [(name, text) for name, text in pairs if text]


def _of_objects(methods: dict[str, list[str]]) -> str:
    """Methods, each group with its objects: method, method (a, b); method (c)."""
    alike: dict[str, list[str]] = {}
    for name, of_object in methods.items():
        several = "reports of several rankings" if name == "reports" else name
        alike.setdefault(", ".join(of_object), []).append(several)
    return "; ".join(f"{text} ({', '.join(names)})" for text, names in alike.items())


def _tell_uses(measure: dict[str, Any]) -> str:
    """The objects that a measure applies to."""
    counted = measure["of"] == "counts"
    population = (
        REGISTRY.of(measure["name"], Hits).parameters.get("population") if counted else None
    )
    needs = population is not None and population.default is ...
    if measure["of"] == "rankings" and REGISTRY[measure["name"]].graded:
        return _OF_JUDGEMENTS
    return (_ASKED[measure["of"]] + _NEEDS * needs).replace("NAME", measure["name"])


def _end(bound: float | str) -> str:
    return bound.replace("inf", "infinity") if isinstance(bound, str) else f"{bound:g}"


def measures_sheet() -> Sheet:
    """The sheet of all measures, one line each."""
    entries = [entry(declaration) for declaration in REGISTRY]
    columns = ("measure", "trec_eval", "summary")
    rows = [(each["usage"], ", ".join(each["trec_eval"]), each["summary"]) for each in entries]
    return sheet_of_rows(
        "precall.measures/1", columns, rows, {"measures": entries}, left=len(columns)
    )


def list_measures(form: str = "table") -> str:
    """All measures, one line each. The table fits into 80 columns."""
    sheet = measures_sheet()
    if form != "table":
        return render(sheet, form)
    size = max(len(str(usage)) for usage, *_ in sheet.tidy)
    lines = [
        line
        for usage, _, summary in sheet.tidy
        for line in _hanging(f"{usage:<{size}}  ", str(summary))
    ]
    return "\n".join([*lines, "", "`precall explain NAME` tells more."]) + "\n"
