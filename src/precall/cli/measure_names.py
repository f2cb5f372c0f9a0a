"""Names of measures as typed: what to do about one that is not known."""

from __future__ import annotations

import re

from precall.counts import Counts
from precall.errors import MeasureError
from precall.measures import REGISTRY, Measure, measure, of_counts

#: A comma outside of brackets.
_COMMA = re.compile(r",(?![^()]*\))")


def known(name: str) -> Measure:
    """The measure of a name.

    Raises
    ------
    MeasureError
        There is none, or its parameters are wrong; what only `precall trec_eval` knows is said to be so.

    Examples
    --------
    >>> known("P_10").name
    'P@10'
    """
    try:
        return measure(name).of_rankings()
    except MeasureError as error:
        raise advised(name, error) from None


def named_measures(names: tuple[str, ...]) -> tuple[Measure, ...]:
    """Measures of counts by their names, each once."""
    return tuple({measure.name: measure for measure in map(of_counts, names)}.values())


def curve_measures(names: tuple[str, ...]) -> tuple[Measure, ...]:
    """Measures that a curve has, of counts or of ranks, by their names, each once.

    Raises
    ------
    MeasureError
        There is none of a name, or it is of grades or categories.
    """
    from precall.curves import curve

    # Whatever a curve refuses is refused here, before anything is read.
    least = curve([1, 0], [1.0, 0.0])
    chosen = {asked.name: asked for asked in map(REGISTRY.find, names)}
    for asked in chosen.values():
        asked(least) if asked.declaration.of is Counts else least.value(asked, "expected")
    return tuple(chosen.values())


def advised(name: str, error: MeasureError) -> MeasureError:
    """The error about a name, or a better one for names that are no measure's but of a known kind."""
    if name in {entry.name for entry in REGISTRY} or "precall trec_eval" in str(error):
        return error
    theirs = of_trec_eval(name)
    if theirs is not None:
        return MeasureError(f"{name!r} is trec_eval's name; use `precall trec_eval -m {theirs} QRELS RUN`")
    parts = [part.strip() for part in _COMMA.split(name)]
    if len(parts) > 1 and all(parts):
        base, cut, _ = parts[0].rpartition("@")
        parts = [base + cut + part if cut and part.isdecimal() else part for part in parts]  # P@5,10
        repeated = " ".join(f"-m {part}" for part in parts)
        return MeasureError(f"no measure {name!r}; give each its own option: {repeated}")
    return error


def of_trec_eval(name: str) -> str | None:
    """How `precall trec_eval -m` spells a name; None if that does not know it either.

    Examples
    --------
    >>> of_trec_eval("official"), of_trec_eval("unj_5"), of_trec_eval("P.5,10"), of_trec_eval("P@5")
    ('official', 'unj.5', 'P.5,10', None)
    """
    from precall.compat.trec_eval.arguments import VERSIONS
    from precall.compat.trec_eval.families import NICKNAMES, families

    table = families(VERSIONS[0])
    base, dot, _ = name.partition(".")
    if base in NICKNAMES[VERSIONS[0]] or (base in table and (not dot or table[base].parameters)):
        return name
    match = re.fullmatch(r"(\w+?)_([0-9][0-9.,]*)", name)
    if match and match[1] in table and table[match[1]].parameters:
        return f"{match[1]}.{match[2]}"
    return None
