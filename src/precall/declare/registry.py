"""All declared measures, and how a name finds one."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from precall.checks import check_beta
from precall.counts import Counts
from precall.declare import forms
from precall.declare.bound import Measure
from precall.declare.declaration import Declaration
from precall.declare.grammar import parse
from precall.errors import MeasureError

#: ir_measures' words for ours.
_SPELLINGS = {"rel": "grade", "dcg": "gain"}
_VALUES = {"gain": {"log2": "linear", "exp-log2": "exp"}}
#: Names that say how topics are averaged, too: name → (label, measure, aggregate).
_AGGREGATED = {"gmap": ("GMAP", "AP", "geometric"), "gmbpref": ("GMBpref", "Bpref", "geometric")}
_GM = {"gm_map": "GMAP", "gm_bpref": "GMBpref"}
#: Names that would be found here, but mean another number elsewhere.
_FOREIGN = {
    "rbp": "trec_eval's rbp rescales the grades of each topic, with p = .9; write RBP(p=0.8) for Moffat and "
    "Zobel's, or use `precall trec_eval -m rbp`",
}


class Registry:
    """Declarations by name. Names are found whatever their case, as long as that is unambiguous."""

    def __init__(self) -> None:
        self._declared: dict[str, Declaration] = {}
        self._forms: dict[str, Declaration] = {}
        self._patterns: dict[str, list[tuple[re.Pattern[str], Declaration]]] = {}

    def __iter__(self) -> Iterator[Declaration]:
        return iter(self._declared.values())

    def __getitem__(self, name: str) -> Declaration:
        return self._base(name, name)

    def rankings(self) -> Iterator[Declaration]:
        """All measures of rankings, those of counts in both of their forms."""
        for declaration in self:
            if declaration.of is Counts:
                yield from (self._cut(declaration), self._retrieved(declaration))
            else:
                yield declaration

    def of(self, name: str, kind: type) -> Declaration:
        """A declaration by name: of a measure of counts this one, or its form for rankings."""
        declaration = self[name]
        return self._cut(declaration) if declaration.of is Counts and kind is not Counts else declaration

    def add(self, declaration: Declaration) -> None:
        """Declare; a name is declared once (again only by the same code: a module that is reloaded)."""
        old = self._declared.get(declaration.name)
        if old is not None and old.formula.__module__ != declaration.formula.__module__:
            raise MeasureError(
                f"{declaration.name!r} is declared already, in {old.formula.__module__}; choose another name"
            )
        if not declaration.formula.__module__.startswith("precall.measures."):
            # A faulty signature fails where it is declared. Ours are tested, and reading 30 takes a while.
            declaration.parameters  # noqa: B018
            # What the grammar does not read could be declared and never be found.
            parse(declaration.name)
            if declaration.averages:
                from precall.declare.orders import check_mean

                check_mean(self._ranked(declaration, at_rank=True))
        self._declared[declaration.name] = declaration
        self._patterns.clear()
        self._forms.clear()

    def find(self, text: str) -> Measure:
        """The measure that `text` names."""
        plain = text.strip()
        if plain in _FOREIGN:
            raise MeasureError(f"{plain}: {_FOREIGN[plain]}")
        for pattern, declaration in self._trec_eval(plain):
            match = pattern.fullmatch(plain)
            if match:
                found = self._ranked(declaration, "cutoff" in pattern.groupindex)
                return self._bound(found, match.groupdict(), declaration.aggregate)
        base, given, at = parse(_GM.get(plain.lower(), plain))
        base, given = _translated(base, given)
        label, base, aggregate = _AGGREGATED.get(base.lower(), ("", base, ""))
        declaration = self._base(base, text)
        if declaration.of is Counts and (at is not None or "cutoff" in given):
            declaration = self._cut(declaration)
        if at is not None:
            key = "cutoff" if "cutoff" in declaration.parameters else "recall"
            if key not in declaration.parameters or key in given:
                raise MeasureError(f"{text}: {declaration.name} takes no @k")
            given[key] = at
        return self._bound(declaration, given, aggregate or declaration.aggregate, label)

    def averaged(self, declaration: Declaration) -> dict[str, str]:
        """Names that say how a measure's topics are averaged, too, and trec_eval's: {"GMAP": "gm_map"}."""
        theirs = {ours: name for name, ours in _GM.items()}
        return {label: theirs[label] for label, base, _ in _AGGREGATED.values() if base == declaration.name}

    def _ranked(self, declaration: Declaration, at_rank: bool) -> Declaration:
        if declaration.of is not Counts:
            return declaration
        return self._cut(declaration) if at_rank else self._retrieved(declaration)

    def _cut(self, declaration: Declaration) -> Declaration:
        return self._form(declaration.name, declaration, forms.cut)

    def _retrieved(self, declaration: Declaration) -> Declaration:
        return self._form(f"Set{declaration.name}", declaration, forms.retrieved)

    def _form(
        self, name: str, declaration: Declaration, make: Callable[[Declaration], Declaration]
    ) -> Declaration:
        # Made when first asked for: who measures AP need not wait for the forms of MCC.
        if name not in self._forms:
            self._forms[name] = make(declaration)
        return self._forms[name]

    def _bound(
        self, declaration: Declaration, given: dict[str, Any], aggregate: str, label: str = ""
    ) -> Measure:
        name, known = declaration.name, declaration.parameters
        judged_only = str(given.pop("judged_only", "false")).lower()
        if judged_only not in ("true", "false"):
            raise MeasureError(f"{name}: judged_only must be true or false, got {judged_only}")
        for key in given:
            if key not in known:
                allowed = ", ".join([*known, "judged_only"])
                raise MeasureError(f"{name}: no parameter {key!r}; allowed are {allowed}")
        values = {}
        for key, parameter in known.items():
            if key not in given and parameter.default is ...:
                raise MeasureError(f"{name} needs {key}; write {declaration.usage}")
            values[key] = parameter.read(given[key], name) if key in given else parameter.default
        return Measure(declaration, values, judged_only == "true", aggregate, label, frozenset(given))

    def _base(self, base: str, text: str) -> Declaration:
        if base in self._declared:
            return self._declared[base]
        names = {name: one for one in self for name in (one.name, *one.aliases)}
        sets = {f"Set{one.name}": one for one in self if one.of is Counts}
        same = {id(one): (name, one) for name, one in (names | sets).items() if name.lower() == base.lower()}
        if len(same) == 1:
            name, one = next(iter(same.values()))
            return self._retrieved(one) if name in sets else one
        import difflib

        near = difflib.get_close_matches(base, names | sets, 3, 0.5)
        hint = f"did you mean {', '.join(near)}? " if near else ""
        raise MeasureError(f"no measure {text!r}; {hint}`precall measures` lists all")

    def _trec_eval(self, text: str) -> list[tuple[re.Pattern[str], Declaration]]:
        # By first letter: a name tries a handful of patterns, not a hundred, and no others are compiled.
        letter = text[:1]
        if letter not in self._patterns:
            self._patterns[letter] = [
                (re.compile(_pattern(template)), declaration)
                for declaration in self
                for template in declaration.trec_eval
                if template[0] == letter
            ]
        return self._patterns[letter]


def _pattern(template: str) -> str:
    """A name of trec_eval as a pattern: `P_{cutoff}` takes a number as its cutoff."""
    return re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>[0-9.]+)", re.escape(template))


def _translated(base: str, given: dict[str, str]) -> tuple[str, dict[str, str]]:
    """ir_measures' words for a measure and its parameters as ours."""
    if base == "NumRet" and "rel" in given:  # its name for what is relevant and retrieved
        base = "NumRelRet"
    if base == "SetP" and given.pop("relative", "false").lower() == "true":
        base = "SetRelP"
    given = {_SPELLINGS.get(key, key): value for key, value in given.items()}
    return base, {key: _VALUES.get(key, {}).get(value, value) for key, value in given.items()}


REGISTRY = Registry()


def of_counts(measure: str | Measure) -> Measure:
    """A measure of counts, by its name or as it is; one of rankings is refused."""
    one = REGISTRY.find(measure) if isinstance(measure, str) else measure
    if one.declaration.of is not Counts:
        names = ", ".join(declared.name for declared in REGISTRY if declared.of is Counts)
        raise MeasureError(f"{one.name} is a measure of rankings; allowed are those of counts: {names}")
    return one


def weighted(name: str, beta: float) -> Measure:
    """F or E with a weight of recall, checked."""
    return REGISTRY.find(f"{name}(beta={check_beta(beta)!r})")
