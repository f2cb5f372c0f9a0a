"""All declared measures, how a name finds one, and the forms that rankings have of measures of
counts: F@10, SetF.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from importlib import import_module
from typing import Any, TypeVar

import numpy as np

from precall.core.counts import Cells, Counts, PopulationUnknown
from precall.core.errors import Fact, MeasureError
from precall.location.hits import Hits, others_of
from precall.measures.declaration import (
    BINARY,
    COUNT,
    RANK,
    WEIGHT,
    Declaration,
    Example,
    Parameter,
)

#: Names as people write them: AP, P@10, AP(grade=2)@100, nDCG(gains={1:3,2:9})@10.
_NAME = re.compile(
    r"(?P<base>[A-Za-z0-9]+(?:[-_.][A-Za-z0-9]+)*[+-]?)(\((?P<inside>.*)\))?(@(?P<at>[^()@]+))?"
)
#: Commas that part parameters, not those inside {...}.
_COMMA = re.compile(r",(?![^{]*\})")
#: ir_measures' words for ours.
_SPELLINGS = {"rel": "grade", "dcg": "gain", "T": "wanted"}
_VALUES = {"gain": {"log2": "linear", "exp-log2": "exp"}}
#: Weights of utility by their places, as trec_eval has them, and by the cells that they are for.
_CELLS = {"tp": "found", "fp": "nonrelevant", "fn": "missed", "tn": "rejected"}
_WEIGHTS = _CELLS | {str(place): weight for place, weight in enumerate(_CELLS.values())}
_NUMBER = re.compile(r"[+-]?[0-9.]+(e[+-]?[0-9]+)?")
#: Names that say how topics are averaged, too: name → (label, measure, aggregate).
_AGGREGATED = {"gmap": ("GMAP", "AP", "geometric"), "gmbpref": ("GMBpref", "Bpref", "geometric")}
_GM = {"gm_map": "GMAP", "gm_bpref": "GMBpref"}
#: F and E as the literature writes them.
_F = re.compile(rf"([fFeE]){WEIGHT}")
#: The cutoff or the precision at a recall, as they are spoken of: k@recall(0.8), P@R=0.8.
_AT_RECALL = re.compile(r"(?i:(k|p|precision)@r(?:ecall)?)(?:[(=](?:recall=)?([^()=]+)\)?)?")
#: How decisions are averaged, before a name: macro-F1.
AVERAGES = ("micro", "macro", "weighted", "samples")
#: What says that it is the categories' items that a mean is weighted by; of kappa "weighted" alone
#: says something else.
SUPPORT = "support-weighted-"
#: Names that would be found here, but mean another number elsewhere.
FOREIGN = {
    "rbp": (
        "trec_eval's rbp rescales the grades of each topic, with p = .9; write RBP(p=0.8) for "
        "Moffat and Zobel's, or use `precall trec_eval -m rbp`"
    ),
}
_CUT = """
Of the first `cutoff` ranks of a ranking. Ranks past its end count as items that are not relevant, so a
ranking of two hits has P@5 = .4; some recommender libraries divide by the length of the ranking instead."""  # noqa: E501
_SET = "\nOf all that was retrieved, whatever its order."
_POPULATION = " `population` is the number of items that exist, retrieved or not."
_CELL = np.ones(1, np.int64)

Made = TypeVar("Made")


class Registry:
    """Declarations by name. Names are found whatever their case, as long as that is unambiguous."""

    def __init__(self) -> None:
        self._declared: dict[str, Declaration] = {}
        self._forms: dict[str, Declaration] = {}
        self._patterns: dict[str, list[tuple[re.Pattern[str], Declaration]]] = {}
        self._later: list[str] = []
        self._found: dict[str, Any] = {}

    def __iter__(self) -> Iterator[Declaration]:
        self._import_later()
        return iter(self._declared.values())

    def expect(self, *modules: str) -> None:
        """Modules that declare more, imported when a name is not known without them, or all are
        asked for.
        """
        self._later += modules

    def _import_later(self) -> bool:
        modules, self._later = self._later, []
        for module in modules:
            import_module(module)
        return bool(modules)

    def names(self, of: type) -> tuple[str, ...]:
        """The measures of one kind: of `Counts`, or of `Hits`, which rankings and curves have."""
        return tuple(declared.name for declared in self if declared.of is of)

    def __getitem__(self, name: str) -> Declaration:
        return self._base(name, name)

    def rankings(self) -> Iterator[Declaration]:
        """All measures of rankings, those of counts in both of their forms."""
        for declaration in self:
            if declaration.of is Counts:
                yield from (self.ranked(declaration), self.ranked(declaration, cut=False))
            elif declaration.of is Hits:
                yield declaration

    def of(self, name: str, kind: type) -> Declaration:
        """A declaration by name: of a measure of counts this one, or its form for rankings."""
        return self[name] if kind is Counts else self.ranked(self[name])

    def add(self, declaration: Declaration) -> None:
        """Declare; a name is declared once (again only by the same code: a module that is
        reloaded).
        """
        old = self._declared.get(declaration.name)
        if old is not None and (home := old.formula.__module__) != declaration.formula.__module__:
            raise MeasureError(
                f"{declaration.name!r} is declared already, in {home}", remedy="choose another name"
            )
        self._declared[declaration.name] = declaration
        for known in (self._patterns, self._forms, self._found):
            known.clear()

    def find(self, text: str, make: Callable[..., Made]) -> Made:
        """What is made of the parts that a name says, those of a `Measure`; once for each name."""
        if text not in self._found:
            parts = self._understood(text)
            self._found[text] = make(
                **parts, note=parts["declaration"].note(text), typed=text.strip()
            )
        return self._found[text]  # type: ignore[no-any-return]

    def _understood(self, text: str) -> dict[str, Any]:
        """What a name says, be it as another library spells it."""
        try:
            parts = self._read(text)
            self._refuse_other_letters(text)
            return parts
        except MeasureError as error:
            self._refuse_other_letters(text)
            from precall.measures.other_spellings import respelled

            first, other = error, respelled(text, self)
            if error.fault not in ("unknown", "form", "cutoff") or other == text:
                raise
        try:
            return self._read(other)
        except MeasureError as error:
            if error.fault == "form":  # of what was made of the name, which nobody typed
                raise first from None
            # Of a name that is known the error says what it lacks; who writes MCC2 need not mean
            # MCC of the first two.
            unknown = error.fault == "unknown" or (
                "@" in other and isinstance(error, PopulationUnknown)
            )
            raise (first if unknown and "@" not in text else error) from None

    def other_letters(self, name: str) -> tuple[str, str] | None:
        """The measures that a name may be: by the word that it is as written, and in other letters;
        None if it is one only.

        Err of text categorization is the error of a category, and ERR the expected reciprocal rank.
        """
        base = _base_of(name)
        if base == base.lower() or base in self._declared:
            return None
        same = self._known(base)
        if len(same) != 1 or base in same[0].aliases:
            return None
        from precall.measures.words import word

        other = word(base, exactly=True)
        if other is None or not other.measure or other.measure == same[0].name:
            return None
        return other.measure, same[0].name

    def _refuse_other_letters(self, text: str) -> None:
        if (pair := self.other_letters(text)) is not None:
            base = _base_of(text)
            what = f"is {pair[0]} where the literature has it, and {pair[1]} in other letters"
            raise MeasureError(measure=base, what=what, remedy=f"write {pair[0]} or {pair[1]}")

    def _read(self, text: str) -> dict[str, Any]:
        plain = text.strip()
        if plain in FOREIGN:
            raise MeasureError(measure=plain, what=FOREIGN[plain])
        for pattern, declaration in self._trec_eval(plain):
            match = pattern.fullmatch(plain)
            if match:
                # utility is of whatever is measured; see `Measure.of_rankings`.
                both = declaration.means_set and plain.lower() == declaration.name.lower()
                form = (
                    declaration
                    if both
                    else self.ranked(declaration, "cutoff" in pattern.groupindex)
                )
                return _reading(form, match.groupdict(), declaration.aggregate)
        base, given, at = parse(_GM.get(plain.lower(), _at_recall(plain)))
        base, given = _translated(base, given)
        label, base, aggregate = _AGGREGATED.get(base.lower(), ("", base, ""))
        average, base = _averaging(base)
        if (weight := _F.fullmatch(base)) and not self._known(base):
            if "beta" in given:
                name = f"{weight[1].upper()}(beta={given['beta']})"
                raise MeasureError(
                    measure=text,
                    what=f"{base} is of beta {weight[2]}",
                    remedy=f"write {name} or {base}",
                )
            base, given["beta"] = weight[1].upper(), weight[2]
        declaration = self._base(base, text)
        if average:
            if average == "weighted" and declaration.ordered:
                name = declaration.name
                ways = (
                    f"{name}({declaration.ordered}=linear) or "
                    f"{name}({declaration.ordered}=quadratic)"
                )
                raise MeasureError(
                    measure=text,
                    what=f"Cohen's weighted {name} is {ways}",
                    remedy=(
                        f"the mean of the categories' {name}, weighted by their items, is "
                        f"{SUPPORT}{name}"
                    ),
                )
            average = average.removeprefix("support-")
            if declaration.of is not Counts or at is not None:
                why = (
                    f"{average} averages measures of decisions in categories; leave {average}- out"
                )
                raise MeasureError(measure=text, what=why)
            return _reading(declaration, given, declaration.aggregate) | {"average": average}
        if at is not None or "cutoff" in given:
            declaration = self.ranked(declaration)
        elif declaration.means_set and given.keys() & {"population", "grade"}:
            declaration = self.ranked(declaration, cut=False)
        if at is not None:
            key = "cutoff" if "cutoff" in declaration.parameters else "recall"
            if declaration.percent and at.endswith("%"):
                key = declaration.percent
            if key not in declaration.parameters or key in given:
                raise MeasureError(measure=text, what=f"{declaration.name} takes no @k").because(
                    "cutoff"
                )
            given[key] = at
        return _reading(declaration, given, aggregate or declaration.aggregate, label)

    def averaged(self, declaration: Declaration) -> dict[str, str]:
        """Names that say how a measure's topics are averaged, too, and trec_eval's: {"GMAP":
        "gm_map"}.
        """
        theirs = {ours: name for name, ours in _GM.items()}
        return {
            label: theirs[label]
            for label, base, _ in _AGGREGATED.values()
            if base == declaration.name
        }

    def ranked(self, declaration: Declaration, cut: bool = True) -> Declaration:
        """Itself; of a measure of counts the form that rankings have, cut at a rank or of all that
        was retrieved.
        """
        if declaration.of is not Counts:
            return declaration
        name = declaration.name if cut else f"Set{declaration.name}"
        # Made when first asked for: who measures AP need not wait for the forms of MCC.
        if name not in self._forms:
            self._forms[name] = ranked_form(declaration, cut)
        return self._forms[name]

    def _base(self, base: str, text: str) -> Declaration:
        if base in self._declared:
            return self._declared[base]
        # Those that are imported already come first: who measures MAP need not wait for areas.
        same = self._known(base)
        if len(same) == 1:
            return same[0]
        if self._import_later():
            return self._base(base, text)
        plain = text.strip().partition("(")[0].partition("@")[0] or base
        raise MeasureError(
            f"no measure {text!r}", remedy=f"{_hint(plain, self)}`precall measures` lists all"
        ).because("unknown")

    def _known(self, base: str) -> list[Declaration]:
        """Those that have this name, whatever its case."""
        low, same = base.lower(), []
        for declared in self._declared.values():
            if low in map(str.lower, (declared.name, *declared.aliases)):
                same.append(declared)
            elif declared.of is Counts and low == f"set{declared.name}".lower():
                same.append(self.ranked(declared, cut=False))
        return same

    def _trec_eval(self, text: str) -> list[tuple[re.Pattern[str], Declaration]]:
        # By first letter: a name tries a handful of patterns, not a hundred, and no others are
        # compiled.
        letter = text[:1]
        if letter not in self._patterns:
            self._patterns[letter] = [
                # `P_{cutoff}` takes a number as its cutoff.
                (
                    re.compile(re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>[0-9.]+)", re.escape(template))),
                    declaration,
                )
                for declaration in self._declared.values()
                for template in declaration.trec_eval
                if template[0] == letter
            ]
        return self._patterns[letter]


def _base_of(name: str) -> str:
    """A name without its parameters and its cutoff, and without how decisions are averaged."""
    return _averaging(re.split(r"[(@]", name.strip(), maxsplit=1)[0])[1]


def _averaging(base: str) -> tuple[str, str]:
    """How a name says that decisions are averaged, and the rest of it."""
    if base.lower().startswith(SUPPORT):
        return SUPPORT.removesuffix("-"), base[len(SUPPORT) :]
    average, dash, rest = base.partition("-")
    return (average.lower(), rest) if dash and average.lower() in AVERAGES else ("", base)


def _reading(
    declaration: Declaration, given: dict[str, Any], aggregate: str, label: str = ""
) -> dict[str, Any]:
    """The parameters of a name read and checked, with the defaults of those that it does not
    give.
    """
    name, known = declaration.name, declaration.parameters
    judged_only = str(given.pop("judged_only", "false")).lower()
    if judged_only not in ("true", "false"):
        raise MeasureError(
            measure=name, parameter="judged_only", allowed="true or false", got=Fact(judged_only)
        )
    for key in given:
        if key not in known:
            allowed = (*known, "judged_only")
            if key.isdigit():
                todo = f"write name=value, where the name is one of {', '.join(allowed)}"
                raise MeasureError(
                    measure=name, what=f"got {given[key]!r} in the brackets", remedy=todo
                )
            raise MeasureError(f"no parameter {key!r}", measure=name, allowed=allowed)
    for key in given:
        if (other := known[key].domain.instead) in given:
            raise MeasureError(
                measure=name,
                what=f"{key} and {other} say the same in two ways",
                remedy="leave one of them out",
            )
    values = {}
    for key, parameter in known.items():
        if key not in given and parameter.default is ...:
            error = PopulationUnknown if key == "population" else MeasureError
            hit = "; whether there is a hit, which others call accuracy@k, is Success@k" * (
                name == "Accuracy"
            )
            raise error(f"{name} needs {key}; write {declaration.usage}{hit}")
        values[key] = parameter.read(given[key], name) if key in given else parameter.default
    return {
        "declaration": declaration,
        "parameters": values,
        "judged_only": judged_only == "true",
        "aggregate": aggregate,
        "label": label,
        "given": frozenset(given),
    }


def parse(text: str) -> tuple[str, dict[str, str], str | None]:
    """Split a name: nDCG(gains={1:3,2:9})@10 into nDCG, its parameters as text ({"gains":
    "{1:3,2:9}"}), and "10".
    """
    match = _NAME.fullmatch(_without_blanks(text))
    if match is None:
        what = f"{text!r} is not a measure's name; write NAME, NAME@k or NAME(parameter=value)@k"
        raise MeasureError(what).because("form")
    given: dict[str, str] = {}
    for part in _COMMA.split(match["inside"] or ""):
        if not part:
            continue
        key, sign, value = part.partition("=")
        if not sign and _NUMBER.fullmatch(part):
            key, sign, value = str(len(given)), "=", part
        if not sign or not value or key in given:
            todo = "write each parameter once, as name=value"
            raise MeasureError(measure=text, what=f"got {part!r} in the brackets", remedy=todo)
        given[key] = value.strip("'\"")
    return match["base"], given, match["at"]


def _without_blanks(text: str) -> str:
    """A name without its blanks, but those in a number: P@1 0 is not P@10."""
    return re.sub(r"(?<![0-9.])\s+|\s+(?![0-9.])", "", text)


def _hint(base: str, declared: Iterable[Declaration]) -> str:
    """Names that mean, or are written, or in other libraries called, much the same."""
    from precall.measures.likeness import nearest
    from precall.measures.other_spellings import instead

    if told := instead(base):
        return told + (" " if told.endswith("?") else "; ")
    names: dict[str, tuple[str, str]] = {}
    for declaration in declared:
        sets = [f"Set{declaration.name}"] if declaration.of is Counts else []
        theirs = (*declaration.sklearn, *declaration.trec_eval)
        shown = dict.fromkeys(theirs, declaration.name) | {
            name: name for name in (declaration.name, *declaration.aliases, *sets)
        }
        # Of several measures with one name elsewhere the first is the usual one.
        names = {name.lower(): (ours, declaration.summary) for name, ours in shown.items()} | names
    near = nearest(base, names) or nearest(base.rstrip("0123456789"), names)
    return f"did you mean {', '.join(near)}? " if near else ""


def tell_how(error: MeasureError, name: str) -> None:
    """Let a traceback tell how a measure is declared, where there is none of this name."""
    if error.fault == "unknown" and name.isidentifier():
        told = f"@measure({name!r}, sources=[...], range=(0, 1), example=Example(...))"
        error.add_note(f"a declaration needs keywords: {told}; help(precall.measure) has all")


def _at_recall(text: str) -> str:
    """k@recall(0.8) and its like as our names."""
    match = _AT_RECALL.fullmatch(_without_blanks(text))
    if match is None:
        return text
    return f"{'K' if match[1] in 'kK' else 'P'}AtRecall" + (
        f"(recall={match[2]})" if match[2] else ""
    )


def _translated(base: str, given: dict[str, str]) -> tuple[str, dict[str, str]]:
    """ir_measures' words for a measure and its parameters as ours."""
    if base == "NumRet" and "rel" in given:  # its name for what is relevant and retrieved
        base = "NumRelRet"
    if base == "SetP" and given.pop("relative", "false").lower() == "true":
        base = "SetRelP"
    if base.lower() in ("utility", "setutility", "linearutility"):
        weights = {_WEIGHTS.get(key, key): value for key, value in given.items()}
        # By their places, or by names; a fifth one has no cell.
        placed = {key.isdigit() for key in given if _WEIGHTS.get(key, key) in _CELLS.values()}
        if len(weights) < len(given) or "4" in given or len(placed) > 1:
            todo = (
                f"give each of {', '.join(_CELLS)} at most one weight, all by their places or all "
                "by name"
            )
            raise MeasureError(measure=base, got=Fact(", ".join(given.values())), remedy=todo)
        given = weights
    given = {_SPELLINGS.get(key, key): value for key, value in given.items()}
    return base, {key: _VALUES.get(key, {}).get(value, value) for key, value in given.items()}


def ranked_form(declaration: Declaration, cut: bool) -> Declaration:
    """The form of a measure of counts that rankings have: of the first k ranks, NAME@k, or of the
    retrieved set, SetNAME.
    """
    own = declaration.parameters
    little = Counts(_CELL, _CELL, _CELL)
    whole = declaration.needs_population(little, own)
    # Some weights of utility need it, and the usual ones do not.
    may = declaration.needs_population(little, own, **declaration.in_example)
    known = {"cutoff": Parameter("cutoff", RANK, ...)} if cut else {}
    more = {"population": Parameter("population", COUNT, ... if whole else None)} if may else {}

    def formula(hits: Hits, **given: Any) -> Any:
        population = given.pop("population", None)
        if cut:
            cutoff = given.pop("cutoff")
            counts = _table(
                hits.within(cutoff), np.full(len(hits), cutoff), hits.relevant, population
            )
        else:
            counts = _table(hits.found, hits.retrieved, hits.relevant, population)
        return declaration.formula(counts, **given)

    formula.__name__ = declaration.formula.__name__
    formula.__module__ = declaration.formula.__module__
    prose = (
        inspect.getdoc(declaration.formula) or "",
        "\n",
        _CUT if cut else _SET,
        _POPULATION * whole,
    )
    formula.__doc__ = "".join(prose)
    return replace(
        declaration,
        name=declaration.name if cut else f"Set{declaration.name}",
        formula=formula,
        of=Hits,
        example=_example(declaration.example, cut, may),
        undefined=_undefined(declaration, formula, known | more | own),
        trec_eval=tuple(name for name in declaration.trec_eval if ("{cutoff}" in name) == cut),
        aliases=declaration.aliases if cut else (),
        linear=declaration.linear and cut,
        closed="" if cut else "no order changes it",
        sklearn=(),
        proportion=None,
        joint=None,
        items=None,
        ordered="",
        cache={"takes": Hits, "parameters": known | own | more | BINARY},
    )


def _table(tp: Cells, accepted: Cells, relevant: Cells, population: int | None) -> Counts:
    margins = {"accepted": accepted, "relevant": relevant}
    tn = None
    if population is not None:
        margins["other"] = others_of(population, accepted, relevant, tp)
        tn = margins["other"] - accepted + tp
    return Counts(tp, accepted - tp, relevant - tp, tn, margins)


def _undefined(
    declaration: Declaration, formula: Callable[..., Any], parameters: Mapping[str, Parameter]
) -> str:
    """When the form is undefined, in the words of rankings; cut at a rank, something is always
    accepted.
    """
    none, sizes = np.zeros(0, np.int64), np.arange(3)
    given = {name: parameter.default for name, parameter in parameters.items()}
    usual = {
        name: value for name, value in (("cutoff", 1), ("population", 4)) if name in parameters
    }
    with np.errstate(all="ignore"):
        values = formula(
            Hits(none, none, none, none, np.repeat(sizes, 3), np.tile(sizes, 3)),
            **given | declaration.required(declaration.parameters) | usual,
        )
    if not np.isnan(values).any():
        # With this weight F is recall.
        return "of alpha 0, no item is relevant" if "alpha" in parameters else ""
    text = declaration.undefined.replace("nothing is accepted", "nothing was retrieved")
    return text.replace("nothing is relevant", "no item is relevant")


def _example(table: Any, cut: bool, whole: bool) -> Example | None:
    """The same table as a ranking: all hits on top."""
    if table is None:
        return None
    more = {"cutoff": table.tp + table.fp} if cut else {}
    more |= {"population": table.tp + table.fp + table.fn + table.tn} if whole else {}
    return Example(
        hits=range(1, table.tp + 1),
        retrieved=table.tp + table.fp,
        relevant=table.tp + table.fn,
        value=table.value,
        **table.parameters,
        **more,
    )


REGISTRY = Registry()
