"""Pages and their records, as tests make and read them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from precall.core.notes import iterate_notes
from precall.core.ragged import Float64
from precall.page.record import digest, embed, page_of, record_of
from precall.page.sections import Page, Section, SectionPart
from precall.page.writing import page_about
from precall.results.sentence import Sentence


def page(
    *sections: Section,
    title: str = "t",
    headline: Sequence[Sentence] = (),
    notes: Sequence[str] = (),
) -> Page:
    """A page of sections."""
    made = page_of([SectionPart(section, [], []) for section in sections], title)
    return replace(made, headline=list(headline), notes=list(iterate_notes(notes)))


def record_about(result: Any, **choices: Any) -> dict[str, Any]:
    """The record of the page about a result; columns are arrays."""
    return record_of(page_about(result, **choices))


def element_of(record: Any, signed: bool = True) -> str:
    """The element of a page that holds a record, with its SHA-256 or without."""
    text = embed(record)
    sha = f' data-sha256="{digest(text)}"' if signed else ""
    return f'<script type="application/json" id="record"{sha}>{text}</script>'


def numbers(column: Any) -> Float64:
    """A column of a record as floats; null is NaN."""
    return np.array([np.nan if value is None else value for value in column], np.float64)
