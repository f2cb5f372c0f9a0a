"""Labels that say yes or no without further information: 0/1, -1/1 and false/true, as numbers or
texts.
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from precall.core.errors import Mistake
from precall.core.text import as_text
from precall.native import literals
from precall.read.values import label_text

#: Whether a label of this text is relevant.
RELEVANT = {"1": True, "true": True, "0": False, "-1": False, "false": False}
#: What is wrong if labels 0/1 and -1/1 are mixed, and what to do.
BOTH = Mistake("both 0 and -1 are labels", "write 0/1 or -1/1")


def binary_text(cell: object) -> str | None:
    """A label as text, with one spelling each for 0, 1 and the truth values.

    Examples
    --------
    >>> [binary_text(cell) for cell in ("1.0", "TRUE", -1.0, True, "yes")]
    ['1', 'true', '-1', 'true', 'yes']
    """
    text = label_text(cell)
    if text is None or text.lower() in RELEVANT:
        return text and text.lower()
    number = literals.score(text)
    return str(int(number)) if number in (0.0, 1.0, -1.0) else text


def meant_label(positive: object, labels: Collection[object]) -> str:
    """The label of a table that the positive label means; labels of tables are texts.

    A truth value means the same label in any spelling, if all labels are truth values. A truth
    value of Python also means 1 or 0, if that is a label. A positive label that is none of the
    labels is returned as text.

    Examples
    --------
    >>> meant_label(False, ["true", "false"]), meant_label("False", ["true", "false"])
    ('false', 'false')
    >>> meant_label(True, ["0", "1"]), meant_label("True", ["True", "true"])
    ('1', 'True')
    """
    text = label_text(positive) or as_text(positive)
    if text in labels:
        return text
    spelled = {choice.lower(): choice for choice in labels if isinstance(choice, str)}
    if len(spelled) == len(labels) and spelled.keys() <= {"true", "false"}:
        if not isinstance(positive, str):
            text = {"1": "true", "0": "false"}.get(text, text)
        return spelled.get(text.lower(), text)
    if isinstance(positive, bool | np.bool_) and (number := str(int(positive))) in labels:
        return number
    return text


def are_binary(texts: Collection[str | None]) -> bool:
    """Whether all labels say yes or no, and are of one kind."""
    return RELEVANT.keys() >= set(texts) and not has_both_negatives(texts)


def has_both_negatives(texts: Collection[str | None]) -> bool:
    """Whether both -1 and 0 occur; false counts as 0."""
    return "-1" in texts and ("0" in texts or "false" in texts)


def as_numbers(texts: Collection[str]) -> dict[str, int] | None:
    """The number of each text, if all say yes or no; else None.

    Examples
    --------
    >>> as_numbers(["1.0", "false"]), as_numbers(["1", "yes"])
    ({'1.0': 1, 'false': 0}, None)
    """
    read = {text: binary_text(text) for text in texts}
    if not all(label in RELEVANT for label in read.values()):
        return None
    return {
        text: -1 if label == "-1" else int(RELEVANT[str(label)]) for text, label in read.items()
    }
