"""trec_eval's lines: name, topic and value, for each topic and for all of them."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, TextIO

import numpy as np

from precall.compat.trec_eval.families import Family
from precall.compat.trec_eval.trec_rankings import total
from precall.compat.trec_eval.trec_values import FLOOR
from precall.text import encoded, visible

#: The z-score where there is none.
MISSING = -1000000.0


@dataclass(frozen=True)
class Measured:
    """A family's values: one array, or list of texts, per printed name."""

    family: Family
    names: tuple[str, ...]
    values: list[Any]


def zscores(
    measured: Measured, reference: dict[tuple[bytes, str], tuple[float, float]], topics: list[bytes]
) -> Measured:  # fmt: skip
    """A family's values as deviations from a reference, in its standard deviations; texts stay."""
    if not measured.values or measured.family.summary == "":
        return measured

    def score(topic: bytes, name: str, value: float) -> float:
        mean, spread = reference.get((topic, name), (math.nan, 0.0))
        if spread:
            return (value - mean) / spread
        return 0.0 if value == mean else MISSING

    values = [
        np.array([score(topic, name, float(value)) for topic, value in zip(topics, column, strict=True)])
        for name, column in zip(measured.names, measured.values, strict=True)
    ]
    return replace(measured, values=values)


def blocks(measured: list[Measured], topics: list[str], standardized: bool) -> str:
    """The lines of each topic."""
    columns = [
        (_format(column.family, name, standardized), value)
        for column in measured
        if column.family.per_topic
        for name, value in zip(column.names, column.values, strict=True)
    ]
    formats = [template for template, _ in columns]
    values = [value if isinstance(value, list) else value.tolist() for _, value in columns]
    return "".join(
        template % (topic, value)
        for topic, row in zip(topics, zip(*values, strict=True), strict=False)
        for template, value in zip(formats, row, strict=True)
    )


def _format(family: Family, name: str, standardized: bool) -> str:
    label = f"{name:<22}".replace("%", "%%")
    if family.summary == "":
        return f"{label}\t%s\t'%s'\n"
    if standardized:
        return f"Z{label}\t%s\t%6.4f\n"
    return f"{label}\t%s\t%d\n" if family.integer else f"{label}\t%s\t%6.4f\n"


def summary(
    measured: list[Measured], evaluated: int, topics: int, positive: int | None, tag: bytes, standardized: bool
) -> str:  # fmt: skip
    """The lines for all topics: `topics` is what means are over, `positive` the relevant items under -c."""
    lines = []
    for column in measured:
        family = column.family
        if family.summary == "run":
            lines.append(f"{'runid':<22}\tall\t{tag.decode(errors='surrogateescape')}\n")
        elif family.summary == "topics":
            lines.append(_format(family, "num_q", standardized) % ("all", topics))
        elif family.summary:
            for name, value in zip(column.names, column.values, strict=True):
                overall = _over_topics(family.summary, value, evaluated, topics, positive)
                lines.append(_format(family, name, standardized) % ("all", overall))
    return "".join(lines)


def _over_topics(kind: str, values: Any, evaluated: int, topics: int, positive: int | None) -> float:
    summed = total(values)
    if kind == "relevant" and positive is not None:
        return positive
    if kind in ("sum", "relevant"):
        return summed
    if kind == "geometric":
        # 9.0.8 has no value of the topics that are missing under -c.
        return math.exp((summed + (topics - evaluated) * math.log(FLOOR)) / topics)
    return summed / topics


def write(stream: TextIO, text: str) -> None:
    """Write text whose ids may be any bytes; on a terminal, what could move its cursor as escapes."""
    text = visible(text, "\t") if stream.isatty() else text
    buffer = getattr(stream, "buffer", None)
    if buffer is None:
        stream.write(text)
        return
    stream.flush()
    try:
        data = text.encode(errors="surrogateescape")
    except UnicodeEncodeError:  # of no file: a half of a character that Python was given
        data = encoded(text)
    buffer.write(data)
    buffer.flush()
