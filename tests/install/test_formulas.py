"""Formulas of the measures' pages: each measure has one, and those of counts, read as they stand, are what the functions do."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from docs.measure_pages import FORMULAS
from precall.counts import Counts
from precall.measures import REGISTRY

OURS = [one for one in REGISTRY if one.formula.__module__.startswith("precall.")]
OF_COUNTS = [one.name for one in OURS if one.of is Counts]
#: Symbols of parameters, and what the function calls them.
GIVEN = {
    "F": {r"\beta": ("beta", 2.0)},
    "E": {r"\beta": ("beta", 0.5)},
    "Utility": {"a": ("found", 3.0), "b": ("nonrelevant", -2.0), "c": ("missed", -0.5), "d": ("rejected", 0.25)},
}  # fmt: skip
_TOKEN = re.compile(r"\\?[A-Za-z]+|\d+|[-+/^(){}]")


class Formula:
    """A value of TeX: sums, products that stand side by side, \\frac, \\sqrt and powers."""

    def __init__(self, text: str, symbols: dict[str, np.ndarray | float]) -> None:
        self.tokens, self.symbols = [*_TOKEN.findall(text), ""], symbols
        assert "".join(self.tokens) == text.replace(" ", "")

    def value(self, end: str = "") -> np.ndarray | float:
        total = self._product()
        while (sign := self.tokens.pop(0)) in ("+", "-"):
            total = total + self._product() if sign == "+" else total - self._product()
        assert sign == end, sign
        return total

    def _product(self) -> np.ndarray | float:
        total = self._power()
        while self.tokens[0] not in ("", "+", "-", ")", "}"):
            if self.tokens[0] == "/":
                self.tokens.pop(0)
                total = total / self._power()
            else:
                total = total * self._power()
        return total

    def _power(self) -> np.ndarray | float:
        value = self._single()
        if self.tokens[0] == "^":
            self.tokens.pop(0)
            value = value ** self._single()
        return value

    def _single(self) -> np.ndarray | float:
        token = self.tokens.pop(0)
        if token in ("(", "{"):
            return self.value(")" if token == "(" else "}")
        if token == r"\frac":
            return self._single() / self._single()
        if token == r"\sqrt":
            return self._single() ** 0.5
        return self.symbols[token] if token in self.symbols else float(token)


def test_every_measure_has_a_formula() -> None:
    assert sorted(FORMULAS["counts"]) == sorted(OF_COUNTS)
    assert sorted(FORMULAS["ranks"]) == sorted({one.name for one in OURS} - set(OF_COUNTS))
    assert set(FORMULAS["where"]) <= set(FORMULAS["counts"]) | set(FORMULAS["ranks"])


@pytest.mark.parametrize("name", OF_COUNTS)
def test_formulas_of_counts_say_what_is_computed(name: str) -> None:
    tp, fp, fn, tn = np.random.default_rng(0).integers(1, 50, (4, 200))
    given = GIVEN.get(name, {})
    expected = REGISTRY[name].formula(Counts(tp, fp, fn, tn), **dict(given.values()))
    symbols = {
        "TP": tp,
        "FP": fp,
        "FN": fn,
        "TN": tn,
        **{symbol: value for symbol, (_, value) in given.items()},
    }
    assert Formula(FORMULAS["counts"][name], symbols).value() == pytest.approx(expected, rel=1e-12)


def test_pages_show_formulas() -> None:
    folder = Path(__file__).resolve().parents[2] / "docs" / "measures"
    shown = sum(path.read_text(encoding="utf-8").count("\n$$\n") for path in folder.glob("*.md"))
    assert shown == 2 * len(OURS)
