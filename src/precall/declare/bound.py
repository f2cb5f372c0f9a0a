"""A declared measure with its parameters bound: what is called with rankings, tables, curves and decisions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from precall.counts import Counts, Path, PopulationUnknown
from precall.declare.declaration import Declaration, Formula
from precall.declare.domains import text_of
from precall.errors import MeasureError, TiesUnresolved
from precall.location.hits import Hits
from precall.location.located import Located
from precall.ragged import Float64


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

    @property
    def name(self) -> str:
        """The canonical name: only what differs from the defaults, cutoff behind @."""
        known = self.declaration.parameters
        inside = [
            f"{key}={text_of(value)}"
            for key, value in self.parameters.items()
            if key != "cutoff" and value != known[key].default
        ]
        inside += ["judged_only=true"] if self.judged_only else []
        cutoff = self.parameters.get("cutoff")
        brackets = f"({','.join(inside)})" if inside else ""
        name = (self.label or self.declaration.name) + brackets + ("" if cutoff is None else f"@{cutoff}")
        return f"{self.average}-{name}" if self.average else name

    @property
    def said(self) -> frozenset[str]:
        """An older name of `given`."""
        return self.given

    def __hash__(self) -> int:
        return hash((self.name, self.aggregate))

    def __reduce__(self) -> tuple[object, ...]:
        # A declaration holds functions; it is found again by its name, in the process that unpickles.
        state = (
            dict(self.parameters),
            self.judged_only,
            self.aggregate,
            self.label,
            self.given,
            self.average,
        )
        return _declared, (self.declaration.name, self.declaration.of, *state)

    def __str__(self) -> str:
        return self.name

    def at_grade(self, grade: int) -> Measure:
        """The same with items of `grade` and above relevant, where that plays a part and none was given."""
        known = self.declaration.parameters.get("grade")
        if known is None or "grade" in self.given or self.parameters["grade"] != known.default:
            return self
        return replace(self, parameters={**self.parameters, "grade": known.read(grade, self.name)})

    def __call__(self, where: Any, **how: Any) -> Any:
        """One number per ranking, table or operating point; NaN where the measure is undefined.

        A measure of counts takes `Counts`, a curve (one value per threshold), an operating point, or decisions
        (`average=`, `undefined=` as in `Decisions.value`); others take rankings: `Located` or `Hits`, or a curve
        (`ties=` as in `Curve.value`).
        """
        if self.declaration.of is Counts:
            return self._of_counts(where, how)
        if not isinstance(where, Hits | Located):
            if callable(getattr(where, "measured", None)):
                return where.measured(self, **how)
            raise self._not_taken(where, "what precall.locate() returns, its .hits(), and curves")
        if how:
            raise MeasureError(f"{self.name}: {', '.join(how)} is for measures of decisions")
        self.of_rankings()
        if isinstance(where, Hits):
            self._refuse_grades()
            return self._over_orders(where, self._of_places, where.ties == "expected" and not where.single)
        located = where.condensed() if self.judged_only else where
        return self._over_orders(located, self._of_located, self._open(located))

    def _over_orders(self, where: Any, values: Callable[[Any], Float64], is_open: bool) -> Float64:
        """The values; where orders of ties are left open, their means."""
        # A formula may take mean hits for hits without knowing: only a declared one averages by itself.
        if not is_open or self.declaration.averages:
            try:
                return values(where)
            except TiesUnresolved:
                if not is_open:
                    raise
        from precall.declare import orders

        mean = orders.mean_over_places if isinstance(where, Hits) else orders.mean_over_orders
        return mean(self, values, where)

    def _of_counts(self, where: Any, how: dict[str, Any]) -> Any:
        if isinstance(where, Hits | Located):
            self.of_rankings()
        if isinstance(where, Counts) and not how:
            from precall.declare.registry import of_counts

            return of_counts(self).of_table(where)
        if not callable(getattr(where, "measured", None)):
            raise self._not_taken(where, "Counts, decisions, curves and operating points")
        return where.measured(self, **how)

    def of_rankings(self) -> Measure:
        """Itself; raises for a measure of counts, which is of a ranking only where that is cut."""
        name = self.declaration.name
        if self.average:
            raise MeasureError(
                f"{self.name} averages decisions over categories; of a ranking write {name}@k or Set{name}"
            )
        if self.declaration.of not in (Counts, Hits):
            raise MeasureError(
                f"{self.name} is of scores for several categories; pass what precall.categorize() returns"
            )
        if self.declaration.of is Counts:
            raise MeasureError(
                f"{self.name} of a ranking needs a cutoff; write {name}@k, or Set{name} for all that was retrieved"
            )
        return self

    @np.errstate(divide="ignore", invalid="ignore", over="ignore")
    def of_table(self, counts: Any) -> Float64:
        """A measure of counts for every table of `Counts`, or of what has their cells and margins; NaN where undefined."""
        values = np.asarray(self.declaration.formula(counts, **self.parameters), np.float64)
        # Of a curve's margins alone it is one number for all thresholds.
        return values if values.shape == counts.tp.shape else np.full(counts.tp.shape, values)

    def _not_taken(self, where: object, allowed: str) -> MeasureError:
        return MeasureError(
            f"{self.name}: got {type(where).__name__}, allowed are {allowed}; to declare a measure of your own, choose a "
            "new name and pass keywords such as sources="
        )

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
            raise MeasureError(
                f"{self.name} needs grades: pass what precall.locate() returns, not its .hits()"
            )
        if self.parameters["grade"] != 1:
            raise MeasureError(
                f"{self.name}: the grade is chosen by located.hits(grade=...); leave it out here"
            )

    def _of_places(self, hits: Hits) -> Float64:
        rest = {key: value for key, value in self.parameters.items() if key != "grade"}
        if self.declaration.takes is not Path:
            return _evaluated(self.declaration.formula, hits, rest)
        if not self.declaration.averages:
            _ = hits.location
        from precall.declare.of_rankings import paths

        try:
            return _evaluated(self.declaration.formula, paths(hits, rest.pop("population", None)), rest)
        except PopulationUnknown:
            name = self.declaration.name
            raise PopulationUnknown(
                f"{self.name} depends on how many items there are that are not relevant; write {name}(population=N), N "
                "being the number of all items"
            ) from None

    def _of_located(self, located: Located) -> Float64:
        if self.declaration.graded:
            return _evaluated(self.declaration.formula, located, self.parameters)
        return self._of_places(located.hits(self.parameters["grade"]))

    def of_path(self, path: Path) -> float | None:
        """What it is of blocks that are accepted or rejected as a whole; None where that is not declared."""
        return None if self._along is None else float(_evaluated(self._along[0], [path], self._along[1])[0])

    @cached_property
    def _along(self) -> tuple[Formula, dict[str, Any]] | None:
        """The formula of one path, and its parameters."""
        declared = self.declaration
        if declared.takes is Path:
            self._refuse_grades()
            rest = {key: value for key, value in self.parameters.items() if key != "grade"}
            if rest.pop("population", None) is not None:
                raise MeasureError(
                    f"{self.name}: a curve knows how many items there are; leave population out"
                )
            return declared.formula, rest
        defaults = {key: parameter.default for key, parameter in declared.parameters.items()}
        if not declared.blocks or self.judged_only or dict(self.parameters) != defaults:
            return None
        from precall.declare.registry import REGISTRY

        return REGISTRY.find(declared.blocks)._along


def _declared(name: str, of: type, *state: Any) -> Measure:
    from precall.declare.registry import REGISTRY

    return Measure(REGISTRY.of(name, of), *state)


@np.errstate(divide="ignore", invalid="ignore")
def _evaluated(
    formula: Formula, where: Hits | Located | Sequence[Path], parameters: Mapping[str, Any]
) -> Float64:
    # 0/0 is how a formula says "undefined"; the NaN is wanted.
    if isinstance(where, Hits | Located):
        values = np.asarray(formula(where, **parameters), np.float64)
    else:
        values = np.array([formula(path, **parameters) for path in where], np.float64)
    if values.shape != (len(where),):
        raise MeasureError(
            f"{formula.__name__} returned an array of shape {values.shape}; "
            f"a measure returns one number per ranking, here ({len(where)},)"
        )
    return values
