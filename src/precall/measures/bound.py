"""A declared measure with its parameters: what is called with rankings, tables, curves and
decisions; how one is found.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property, partial
from typing import Any, TypeVar, overload

import numpy as np

from precall.core.arguments import check_beta
from precall.core.counts import Counts, Path, Paths, PopulationUnknown, of_each, parts
from precall.core.errors import Among, Kind, MeasureError, TiesUnresolved, UsageError
from precall.core.ragged import Float64
from precall.location.hits import Hits
from precall.location.located import Located
from precall.measures.declaration import Declaration, Formula, percent_of, text_of
from precall.measures.registry import REGISTRY, SUPPORT, parse, tell_how


@dataclass(frozen=True)
class Measure:
    """A declared measure with its parameters: call it with `Located` or `Hits`.

    Examples
    --------
    >>> from precall.measures import measure
    >>> measure("P@5")(Hits.of([1, 3], retrieved=10, relevant=3))
    array([0.4])
    """

    declaration: Declaration
    parameters: Mapping[str, Any]
    judged_only: bool = False
    aggregate: str = "mean"
    label: str = ""
    """A name that says how topics are averaged, too, in the place of the declaration's: GMAP."""
    given: frozenset[str] = field(default=frozenset(), compare=False, repr=False)
    """Names of the parameters that were given, be it their default."""
    average: str = ""
    """How decisions in categories are averaged: macro-F."""
    note: str = field(default="", compare=False, repr=False)
    """What is to be known of the number, where the name that it was asked for by is of another one
    elsewhere.
    """
    typed: str = field(default="", compare=False, repr=False)
    """The name that it was asked for by."""

    @cached_property
    def name(self) -> str:
        """The canonical name, which says what decides the value: parameters that differ from their
        defaults, and those that everybody sets otherwise, such as p of RBP; the cutoff stands
        behind @, as does the share of EF@1%.
        """
        known, behind = self.declaration.parameters, ("cutoff", self.declaration.percent)
        given = [
            key
            for key, value in self.parameters.items()
            if key not in behind and (value != known[key].default or key in self.declaration.shown)
        ]
        inside = [f"{key}={text_of(self.parameters[key])}" for key in given]
        inside += ["judged_only=true"] if self.judged_only else []
        brackets = f"({','.join(inside)})" if inside else ""
        at = self.parameters.get("cutoff")
        if self.declaration.percent:
            at = percent_of(self.parameters[self.declaration.percent])
        name = (self.label or self.declaration.name) + brackets + ("" if at is None else f"@{at}")
        if self.average == "weighted" and self.declaration.ordered:
            return SUPPORT + name
        return f"{self.average}-{name}" if self.average else name

    @cached_property
    def head(self) -> str:
        """What heads its numbers in print: the name that it was asked for by, if that says as much
        as the canonical one.

        Examples
        --------
        >>> from precall.measures import measure
        >>> [measure(name).head for name in ("MRR", "Recall@5", "RBP", "rbp.95")]
        ['MRR', 'Recall@5', 'RBP(p=0.8)', 'rbp.95']
        """
        needed = {*self.declaration.shown, self.declaration.percent} - {""}
        if not self.typed or not needed <= self.given:
            return self.name
        # What was made of the measure since, such as another grade, may be another measure.
        return self.typed if find(self.typed).name == self.name else self.name

    @property
    def range(self) -> tuple[float, float]:
        """The least and the greatest value that there can be, of these parameters.

        Examples
        --------
        >>> from precall.measures import measure
        >>> measure("AP").range, measure("EF@20%").range[1]
        ((0, 1), 5.0)
        """
        least, most = self.declaration.range
        return least, most if self.declaration.most is None else self.declaration.most(
            self.parameters
        )

    @property
    def said(self) -> frozenset[str]:
        """An older name of `given`."""
        return self.given

    def __hash__(self) -> int:
        return hash((self.name, self.aggregate))

    def __reduce__(self) -> tuple[object, ...]:
        # A declaration holds functions; it is found again by its name, in the process that
        # unpickles.
        rest = {part.name: getattr(self, part.name) for part in fields(self)[1:]}
        return _declared, (self.declaration.name, self.declaration.of, rest)

    def __str__(self) -> str:
        return self.name

    @cached_property
    def joint(self) -> Formula | None:
        """What it is of all categories at once, with its parameters; None if it is of each by
        itself.
        """
        formula = self.declaration.joint
        if formula is None:
            return None
        known = inspect.signature(formula).parameters
        return partial(
            formula, **{name: value for name, value in self.parameters.items() if name in known}
        )

    @property
    def is_ordered(self) -> bool:
        """Whether it looks at how far apart categories are, which then must have an order."""
        name = self.declaration.ordered
        return bool(name) and self.parameters[name] != self.declaration.parameters[name].default

    def at_grade(self, grade: int) -> Measure:
        """The same with items of `grade` and above relevant, where that plays a part and none was
        given.
        """
        known = self.declaration.parameters.get("grade")
        if (
            known is None
            or "grade" in self.given
            or self.parameters["grade"] != known.default
            or grade == known.default
        ):
            return self
        return replace(self, parameters={**self.parameters, "grade": known.read(grade, self.name)})

    def __call__(self, where: Any, **how: Any) -> Any:
        """One number per ranking, table or operating point; NaN where the measure is undefined.

        A measure of counts takes `Counts`, a curve (one value per threshold), an operating point,
        or decisions (`average=`, `undefined=` as in `Decisions.value`); others take rankings:
        `Located` or `Hits`, or a curve (`ties=` as in `Curve.value`).
        """
        if not isinstance(where, Hits | Located):
            return self._of_others(where, how)
        if (form := self.of_rankings()) is not self:
            return form(where, **how)
        if how:
            raise MeasureError(
                measure=self.name, what=f"{', '.join(how)} is for measures of decisions"
            )
        if isinstance(where, Hits):
            self._refuse_grades()
            return self._over_orders(
                where, self._of_places, where.ties == "expected" and not where.single
            )
        located = where.condensed() if self.judged_only else where
        return self._over_orders(located, self._of_located, self._open(located))

    def _over_orders(self, where: Any, values: Callable[[Any], Float64], is_open: bool) -> Float64:
        """The values; where orders of ties are left open, their means."""
        # A formula may take mean hits for hits without knowing: only a declared one averages by
        # itself.
        if not is_open or self.declaration.averages:
            try:
                return values(where)
            except TiesUnresolved:
                if not is_open:
                    raise
        from precall.measures import orders

        mean = orders.mean_over_places if isinstance(where, Hits) else orders.mean_over_orders
        return mean(self.name, values, where)

    def _of_others(self, where: Any, how: dict[str, Any]) -> Any:
        """Of tables, or of what says by itself what is measured there."""
        is_counted = self.declaration.of is Counts
        if is_counted and isinstance(where, Counts) and not how:
            return of_counts(self).of_table(where)
        if callable(getattr(where, "measured", None)):
            return where.measured(self, **how)
        raise MeasureError(
            measure=self.name,
            got=Kind(where),
            allowed=_MEASURED_BY_COUNTS if is_counted else _MEASURED_BY_RANKS,
            remedy=(
                "to declare a measure of your own, choose a new name and pass keywords such as "
                "sources="
            ),
        )

    def of_rankings(self) -> Measure:
        """Itself; raises for a measure of counts, which is of a ranking only where that is cut."""
        name, of = self.declaration.name, self.declaration.of
        if of is Hits:
            return self
        if self.declaration.means_set and not self.average:
            whole = find(f"Set{name}")
            return replace(
                self,
                declaration=whole.declaration,
                parameters={**whole.parameters, **self.parameters},
            )
        why = _KINDS.get(of.__name__, f"is of {of.__name__}")
        asked = replace(self, average="").name
        if self.average:
            why = f"averages decisions over categories; of a ranking write {asked}@k or Set{asked}"
        elif of is Counts:
            why = (
                f"of a ranking needs a cutoff; write {asked}@k, or Set{asked} for all that was "
                "retrieved"
            )
        raise MeasureError(f"{self.name} {why}")

    @np.errstate(divide="ignore", invalid="ignore", over="ignore")
    def of_table(self, counts: Any) -> Float64:
        """A measure of counts for every table of `Counts`, or of what has their cells and margins;
        NaN where undefined.
        """
        # Formulas of others may look at all rows.
        some = (
            parts(counts) if isinstance(counts, Path) and self.declaration.ours else [(..., counts)]
        )
        values = np.empty(counts.tp.shape)
        for rows, part in some:
            # Of a curve's margins alone it is one number for all thresholds.
            values[rows] = self.declaration.formula(part, **self.parameters)
        return values

    def _open(self, located: Located) -> bool:
        """Whether the measure sees items whose order is left open."""
        if located.ties != "expected":
            return False
        if self.declaration.graded:
            return not np.array_equal(*located.span)
        return not located.hits(self.parameters["grade"]).single

    def _refuse_grades(self) -> None:
        """Of hits and curves nobody knows grades, or what was judged."""
        if self.declaration.graded or self.judged_only:
            why = " needs grades: pass what precall.locate() returns, not its .hits()"
        elif self.parameters["grade"] != 1:
            why = ": the grade is chosen by located.hits(grade=...); leave it out here"
        else:
            return
        raise MeasureError(self.name + why)

    def _rest(self) -> dict[str, Any]:
        """The parameters that a formula of hits has: all but the grade."""
        return {key: value for key, value in self.parameters.items() if key != "grade"}

    def _of_places(self, hits: Hits) -> Float64:
        rest, declared = self._rest(), self.declaration
        where: Any = hits
        try:
            if declared.takes is Path:
                from precall.location.paths import paths  # most measures need none

                where = paths(hits, rest.pop("population", None), declared.averages)
            return _evaluated(declared.formula, where, rest)
        except PopulationUnknown:
            raise PopulationUnknown(
                f"{self.name} depends on how many items there are that are not relevant; write "
                f"{self.declaration.name}(population=N), N being the number of all items"
            ) from None

    def _of_located(self, located: Located) -> Float64:
        if self.declaration.graded:
            return _evaluated(self.declaration.formula, located, self.parameters)
        return self._of_places(located.hits(self.parameters["grade"]))

    @property
    def has_blocks(self) -> bool:
        """Whether it has a value if cases of equal score are accepted or rejected together; else
        ties need a rule.
        """
        return self._along is not None

    def of_path(self, path: Path) -> float | None:
        """What it is of blocks that are accepted or rejected as a whole; None where that is not
        declared.
        """
        values = self.of_paths([path])
        return None if values is None else float(values[0])

    def of_paths(self, paths: Sequence[Path] | Paths) -> Float64 | None:
        """The same of several."""
        return None if self._along is None else _evaluated(self._along[0], paths, self._along[1])

    @cached_property
    def _along(self) -> tuple[Formula, dict[str, Any]] | None:
        """The formula of one path, and its parameters."""
        declared = self.declaration
        if declared.takes is Path:
            self._refuse_grades()
            rest = self._rest()
            if rest.pop("population", None) is not None:
                why = "a curve knows how many items there are; leave population out"
                raise MeasureError(measure=self.name, what=why)
            return declared.formula, rest
        defaults = {key: parameter.default for key, parameter in declared.parameters.items()}
        if not declared.blocks or self.judged_only or dict(self.parameters) != defaults:
            return None
        return find(declared.blocks)._along


#: What measures are of, if neither of counts nor of rankings.
#: What measures of counts, and those of rankings, are of.
_MEASURED_BY_COUNTS = ("Counts", "decisions", "curves and operating points")
_MEASURED_BY_RANKS = ("what precall.locate() returns", "its .hits()", "and curves")
_KINDS = {
    "CategoryScores": "is of scores for several categories; pass what precall.categorize() returns",
    "Subtopics": "is of rankings with subtopics; pass what precall.locate_subtopics() returns",
}


def _declared(name: str, of: type, rest: dict[str, Any]) -> Measure:
    return Measure(REGISTRY.of(name, of), **rest)


@np.errstate(divide="ignore", invalid="ignore")
def _evaluated(
    formula: Formula, where: Hits | Located | Sequence[Path] | Paths, parameters: Mapping[str, Any]
) -> Float64:
    # 0/0 is how a formula says "undefined"; the NaN is wanted.
    if isinstance(where, Hits | Located):
        values = np.asarray(formula(where, **parameters), np.float64)
    else:
        values = of_each(formula, where, parameters)
    if values.shape != (len(where),):
        raise MeasureError(
            f"{formula.__name__} returned an array of shape {values.shape}",
            remedy=f"a measure returns one number per ranking, here ({len(where)},)",
        )
    return values


def find(measure: str | Measure) -> Measure:
    """The measure that a name says; one that is a measure already, as it is."""
    if isinstance(measure, Measure):
        return measure
    if not isinstance(measure, str):
        raise MeasureError(
            argument="measure",
            allowed="a name, such as 'AP', or what measure() returned",
            got=measure,
        )
    return REGISTRY.find(measure, Measure)


def meant(measure: Any, allowed: Collection[str]) -> Any:
    """The one of those allowed that a name means, be it called as elsewhere: roc_auc is AUC. Others
    as they are.
    """
    if measure is None or measure in allowed:
        return measure
    try:
        name = find(measure).name if isinstance(measure, str) else str(measure)
    except MeasureError:
        return measure
    return name if name in allowed else measure


def of_counts(measure: str | Measure, averaged: bool = False) -> Measure:
    """A measure of counts, by its name or as it is; one of rankings is refused, and an average
    unless it may be `averaged`.
    """
    chosen = find(measure)
    if chosen.declaration.of is not Counts:
        raise MeasureError(
            f"{chosen.name} is a measure of rankings",
            allowed=Among("allowed are those of counts:", REGISTRY.names(Counts)),
        )
    if chosen.average and not averaged:
        raise MeasureError(
            f"{chosen.name} is an average over categories",
            allowed=Among("allowed here is", [chosen.declaration.name]),
        )
    return chosen


def averaged(measure: str | Measure, average: str | None) -> tuple[Measure, str | None]:
    """A measure of counts and how decisions in categories are averaged: by its name (macro-F1) or
    by `average`.
    """
    chosen = of_counts(measure, averaged=True)
    if chosen.average and average not in (None, chosen.average):
        raise UsageError(
            argument="average",
            got=average,
            why=f"but {chosen.name} says {chosen.average}",
            remedy="leave one out",
        )
    return replace(chosen, average=""), chosen.average or average


def weighted(name: str, beta: float) -> Measure:
    """F or E with a weight of recall, checked."""
    return find(f"{name}(beta={check_beta(beta)!r})")


F = TypeVar("F", bound=Formula)
#: All but the name and the formula, and the cache at the end.
_KEYWORDS = tuple(part.name for part in fields(Declaration)[2:-1])


@overload
def measure(name: str, /) -> Measure: ...
@overload
def measure(name: str, /, *, sources: Sequence[str] = ..., **declared: Any) -> Callable[[F], F]: ...
def measure(name: str, /, **declared: Any) -> Measure | Callable[[F], F]:
    """Find a measure by its name, or declare one.

    Parameters
    ----------
    name : alone: any name of the grammar (`AP`, `P@10`, `AP(grade=2)@100`), trec_eval's (`map`,
        `P_10`) or ir_measures' (`AP(rel=2)`). With keywords: the base name to declare; what comes
        back decorates the formula.
    of : `Counts` for a measure of counts; otherwise the formula's first annotation says what it
        takes: `Hits`, `Located`, or `Path` for one ranking along its thresholds, of which it
        returns one number.
    sources : keys of `precall.measures.SOURCES`, or citations.
    example : a worked `Example`, or a `CountsExample`; `precall explain` shows it, and refuses one
        of another value.
    range : least and greatest possible value.
    undefined : when the value is NaN, in words.
    trec_eval : trec_eval's names, parameters in braces (`P_{cutoff}`); `aliases` likewise for
        others.
    linear : the value is a sum over hits of a weight of their rank (of counts: linear in TP while
        the margins stay), so that the formula takes mean hits under ties="expected".
    closed : how else the formula averages over orders of ties by itself, such as "hypergeometric";
        without either, ties="expected" writes the orders out. Both are checked here, on rankings
        with ties.
    blocks : the measure that it is of a curve, where cases of equal score are accepted as a whole:
        of AP "AreaPR".
    monotone : moving a relevant item one rank up never lowers the value.
    judging : it tells unjudged items from those judged not relevant.
    strict : the value changes whenever unlike items (within the cutoff) change places.
    aggregate : "mean", "geometric" or "sum" over topics.
    direction : 1 if high is good, -1 if low is, 0 if neither.
    zero : what `undefined="zero"` counts; if not said 0, of a loss its greatest value; of one
        without such no number, so that averages are undefined, too (NaN).
    chance_is_zero : what counts for undefined values is what chance gives. If not, as of areas
        under ROC (chance is .5), they are left out of means over categories, items and groups, if
        the truth alone says where it is undefined. Of topics they count, as a run that retrieves
        nothing must not gain by it.
    sklearn : scikit-learn's names of it.
    proportion : of counts: the cells counted and those that they are compared with, ("tp", "fp")
        for precision: the value is a proportion, and has the intervals of one.
    joint : of counts: what it is of single-label decisions with several categories, a function of
        the `Counts` of all categories (the last axis).
    ordered : of counts: a parameter with which `joint` looks at distances of ordered categories,
        unless it has its default: the tables of the K categories are followed by K - 1 more, whose
        `fp` says how many items are so many categories off.
    items : of counts: what it is of each item, a function of their `Counts`; of decisions it is the
        mean.
    shown : parameters whose default is one of several in use: names of the measure always have
        them, "RBP(p=0.8)".
    percent : a parameter that is a share: names have it behind @, "EF@1%".
    most : the greatest value, a function of the parameters by name, where that is less than the end
        of `range`.
    elsewhere : names that are of another number where they come from, as regular expressions, each
        with a note that says so; it is printed with the result where the measure was asked for by
        that name.

    Raises
    ------
    MeasureError
        No such measure or parameter, or a parameter outside of what it allows; or a measure that is
        declared to average by itself, and does not.

    Examples
    --------
    >>> from precall import Hits, measure
    >>> measure("map")(Hits.of([1, 3], retrieved=10, relevant=2))
    array([0.83333333])
    """
    if not declared:
        try:
            return find(name)
        except MeasureError as error:
            tell_how(error, name)
            raise
    for key in declared:
        if key not in _KEYWORDS:
            raise MeasureError(
                f"no keyword {key!r}", measure=f"measure({name!r})", allowed=_KEYWORDS
            )
    for key in ("sources", "trec_eval", "aliases", "sklearn", "shown"):
        value = declared.get(key, ())
        declared[key] = (value,) if isinstance(value, str) else tuple(value)

    def declare(formula: F) -> F:
        declaration = Declaration(name, formula, **declared)
        # Ours are tested, and reading 30 signatures takes a while.
        if not declaration.ours:
            _check(declaration)
        REGISTRY.add(declaration)
        return formula

    return declare


def _check(declaration: Declaration) -> None:
    """What is faulty fails where it is declared: its signature, a name that the grammar does not
    read, its means.
    """
    declaration.parameters  # noqa: B018
    parse(declaration.name)
    if declaration.averages:
        check_mean(REGISTRY.ranked(declaration))


def check_mean(declaration: Declaration) -> None:
    """Raise unless a formula that is declared to average over orders by itself gives their mean, on
    small rankings.
    """
    from precall.measures import orders

    orders.check_mean(declaration, lambda parameters: Measure(declaration, parameters))
