"""What a measure's parameter may be: read from Python or from text, checked in one place."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from precall.checks import BETA, check_beta


@dataclass(frozen=True, slots=True)
class Domain:
    """The values that a parameter allows.

    `allowed` says them in words; `read` turns a value (or its text) into the parameter's type and
    raises ValueError or TypeError for anything else.
    """

    allowed: str
    read: Callable[[Any], Any]
    words: tuple[str, ...] = ()
    """All that is allowed, where that is a choice of words."""


#: Greater whole numbers are not exact as float64, and nothing counts so far.
_MOST = 2**53


def _whole(low: int) -> Callable[[Any], int]:
    def read(value: Any) -> int:
        if isinstance(value, bool) or (not isinstance(value, str) and int(value) != value):
            raise ValueError
        if int(value) < low:
            raise ValueError
        if int(value) > _MOST:
            raise OverflowError
        return int(value)

    return read


def _real(low: float, high: float, open_low: bool = False) -> Callable[[Any], float]:
    def read(value: Any) -> float:
        number = float(value)
        if isinstance(value, bool) or not low <= number <= high or (open_low and number == low):
            raise ValueError
        return number

    return read


def _beta(value: Any) -> float:
    return check_beta(float(value) if isinstance(value, str) else value)


def choice(*words: str, also: Mapping[str, str] | None = None) -> Domain:
    """One of several words; `also` has other words for some of them."""

    def read(value: Any) -> str:
        word = (also or {}).get(value, value)
        if word not in words:
            raise ValueError
        return str(word)

    return Domain(" or ".join(words), read, words)


def _flag(value: Any) -> bool:
    if str(value).lower() not in ("true", "false"):
        raise ValueError
    return str(value).lower() == "true"


def _gains(value: Any) -> tuple[tuple[int, float], ...]:
    if isinstance(value, str):
        pairs = [
            part.split(":") for part in value.strip().removeprefix("{").removesuffix("}").split(",") if part
        ]
    else:
        pairs = [list(pair) for pair in (value.items() if isinstance(value, dict) else value)]
    gains = {_whole(-(2**31))(grade): _real(0, 1e100)(gain) for grade, gain in pairs}
    if not gains:
        raise ValueError
    return tuple(sorted(gains.items()))


Cutoff = Annotated[int, Domain("an integer >= 1", _whole(1))]
Grade = Annotated[int, Domain("an integer >= 1", _whole(1))]
Count = Annotated[int, Domain("an integer >= 0", _whole(0))]
Real = Annotated[float, Domain("a number", _real(-1e100, 1e100))]
Positive = Annotated[float, Domain("a number > 0 and <= 1e6", _real(0, 1e6, open_low=True))]
Beta = Annotated[float, Domain(BETA, _beta)]
Share = Annotated[float, Domain("a number from 0 to 1", _real(0, 1))]
Part = Annotated[float, Domain("a number > 0 and <= 1", _real(0, 1, open_low=True))]
Flag = Annotated[bool, Domain("true or false", _flag, ("false", "true"))]
Persistence = Annotated[float, Domain("a number > 0 and < 1", _real(5e-324, 1 - 2**-53))]
Norm = Annotated[str, choice("relevant", "min", "found")]
Gain = Annotated[str, choice("linear", "exp")]
Gains = Annotated[
    tuple[tuple[int, float], ...], Domain("{grade:gain, ...} with gains >= 0, such as {1:3,2:9}", _gains)
]


def domain_of(annotation: Any) -> Domain:
    """The domain that an annotation such as `Cutoff` carries."""
    domain: Domain = annotation.__metadata__[0]
    return domain


def text_of(value: Any) -> str:
    """A parameter's value in the grammar of names: 2, 0.5, exp, {1:3,2:9}."""
    if isinstance(value, float):
        return repr(int(value)) if value.is_integer() and abs(value) < 1e16 else repr(value)
    if isinstance(value, tuple):
        return "{" + ",".join(f"{grade}:{text_of(gain)}" for grade, gain in value) + "}"
    return str(value).lower() if isinstance(value, bool) else str(value)
