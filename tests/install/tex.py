"""What a formula of docs/formulas.toml is worth: TeX, read as it stands."""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any

#: Symbol → number, or for one with an index ("L_", "e*_") a function of the index; "over t" → the
#: places of an index whose limits a formula leaves out.
Symbols = dict[str, Any]
Meaning = Callable[[Symbols], Any]

_TOKEN = re.compile(
    r"\\text\{\w+\}|\\[a-z]+|TP|FP|FN|TN|[A-Za-z]|\d+(?:\.\d+)?|[-+/^_*(){}\[\],<=]"
)
_UNSEEN = (r"\left", r"\right", r"\cdot")
_RELATIONS = {r"\le": operator.le, r"\ge": operator.ge, "<": operator.lt}
#: The greatest of none is 0: measures are where a recall is not reached.
_OVER = {
    r"\sum": sum,
    r"\prod": math.prod,
    r"\max": lambda several: max(several, default=0),
    r"\min": min,
}
_ENDS = {"", "+", "-", ")", "}", "]", ",", "=", *_RELATIONS}


@cache
def read(text: str) -> Meaning:
    """The value of a formula as a function of its symbols."""
    reader = _Reader(text)
    meaning = reader.expression()
    assert reader.tokens == [""], f"{text}: {reader.tokens} is left"
    return meaning


def definitions(text: str) -> dict[str, tuple[str, str]]:
    """Symbol → its index, or "", and its formula: what stands first as `$symbol = formula$` in a
    text.
    """
    found: dict[str, tuple[str, str]] = {}
    for symbol, formula in re.findall(r"\$([^$=]+)=([^$]+)\$", text):
        name, _, index = symbol.strip().partition("_")
        found.setdefault(f"{name}_" if index else name, (index, formula))
    return found


def divide(above: Any, below: Any) -> Any:
    """Exactly, where both are whole or fractions."""
    exact = isinstance(above, int | Fraction) and isinstance(below, int | Fraction)
    return Fraction(above) / below if exact else above / below


class _Reader:
    def __init__(self, text: str) -> None:
        self.tokens = [*(one for one in _TOKEN.findall(text) if one not in _UNSEEN), ""]
        assert "".join(_TOKEN.findall(text)) == text.replace(" ", ""), (
            f"{text}: not all of it is understood"
        )

    def take(self, wanted: str | None = None) -> str:
        token = self.tokens.pop(0)
        assert wanted is None or token == wanted, f"{wanted} was expected, not {token}"
        return token

    def expression(self) -> Meaning:
        """Terms, added up."""
        negative = self.tokens[0] == "-" and self.take() == "-"
        first = self.product()
        total: Meaning = (lambda at: -first(at)) if negative else first
        while self.tokens[0] in ("+", "-"):
            total = _both(
                operator.add if self.take() == "+" else operator.sub, total, self.product()
            )
        return total

    def product(self) -> Meaning:
        """Factors side by side; a sum takes all that are behind it."""
        total = self.power()
        while self.tokens[0] not in _ENDS:
            divided = self.tokens[0] == "/" and self.take() == "/"
            total = _both(divide if divided else operator.mul, total, self.power())
        return total

    def power(self) -> Meaning:
        value = self.single()
        if self.tokens[0] == "^":
            self.take()
            value = _both(operator.pow, value, self.single())
        return value

    def single(self) -> Meaning:
        token = self.take()
        if token in ("(", "{"):
            return self.until(")" if token == "(" else "}")
        if token == "[":
            return self.relation("]")
        if token in _OVER:
            return (
                self.least_or_greatest(token) if self.tokens[0] == "(" else self.over(_OVER[token])
            )
        if token == r"\frac":
            return _both(divide, self.single(), self.single())
        if token == r"\sqrt":
            root = self.single()
            return lambda at: root(at) ** 0.5
        if token == r"\log":
            return self.logarithm()
        if token[0].isdigit():
            number = Fraction(token) if "." in token else int(token)
            return lambda at: number
        return self.symbol(token)

    def until(self, end: str) -> Meaning:
        value = self.expression()
        self.take(end)
        return value

    def relation(self, end: str) -> Meaning:
        """1 where each side stands to the next as is said, else 0."""
        sides, signs = [self.expression()], []
        while self.tokens[0] in _RELATIONS:
            signs.append(_RELATIONS[self.take()])
            sides.append(self.expression())
        self.take(end)
        return lambda at: int(
            all(sign(a(at), b(at)) for sign, a, b in zip(signs, sides, sides[1:], strict=False))
        )

    def least_or_greatest(self, token: str) -> Meaning:
        self.take("(")
        first = self.until(",")
        second = self.until(")")
        return _both(min if token == r"\min" else max, first, second)

    def logarithm(self) -> Meaning:
        two = self.tokens[0] == "_" and [self.take("_"), self.take("2")]
        of = self.single()
        return lambda at: (math.log2 if two else math.log)(of(at))

    def over(self, reduce: Callable[..., Any]) -> Meaning:
        """A sum, product, maximum or minimum over an index."""
        self.take("_")
        braced = self.tokens[0] == "{" and self.take() == "{"
        index, lowest, such_that = self.tokens[0], None, None
        if braced and self.tokens[1] == "=":
            del self.tokens[:2]
            lowest = self.until("}")
        elif braced:
            such_that = self.relation("}")
        else:
            self.take()
        highest = self.single() if self.tokens[0] == "^" and self.take() else None
        body = self.product()

        def value(at: Symbols) -> Any:
            limits = (lowest(at), int(highest(at)) + 1) if lowest and highest else None
            places = range(*limits) if limits else at[f"over {index}"]
            inside = ({**at, index: place} for place in places)
            return reduce([body(each) for each in inside if such_that is None or such_that(each)])

        return value

    def symbol(self, token: str) -> Meaning:
        name = (
            token.removeprefix(r"\text{").removesuffix("}") if token.startswith(r"\text") else token
        )
        if self.tokens[:2] == ["^", "*"]:
            del self.tokens[:2]
            name += "*"
        if self.tokens[0] == "_":
            self.take()
            indices = self.indices()
            return lambda at: at[f"{name}_"](*[index(at) for index in indices])
        if name != token and self.tokens[0] == "(":
            argument = self.single()
            return lambda at: at[name](argument(at))
        return lambda at: at[name]

    def indices(self) -> list[Meaning]:
        """One, or several letters side by side, which are no product here."""
        if self.tokens[0] != "{":
            return [self.single_token()]
        inside = self.tokens[1 : self.tokens.index("}")]
        if len(inside) > 1 and all(len(one) == 1 and one.isalpha() for one in inside):
            self.take()
            several = [self.single_token() for _ in inside]
            self.take("}")
            return several
        return [self.single()]

    def single_token(self) -> Meaning:
        token = self.take()
        return (lambda at: int(token)) if token.isdigit() else (lambda at: at[token])


def _both(operation: Callable[[Any, Any], Any], first: Meaning, second: Meaning) -> Meaning:
    return lambda at: operation(first(at), second(at))
