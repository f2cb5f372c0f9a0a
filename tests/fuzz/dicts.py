"""Any bytes as a dict of dicts, and its keys as lists, through the kernel: what
`target_python.cpp` calls under libFuzzer and the sanitizers.

Keys and values of every kind, among them ones whose methods and finalizers change the dicts while
they are walked. Nothing may end the process; where nobody changes anything, the kernel must say
what its twin says.
"""

from __future__ import annotations

import gc
from collections import OrderedDict
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import _kernel  # type: ignore[import-not-found]  # made known by target_python.cpp
import numpy as np
from inputs import Input  # type: ignore[import-not-found]  # this folder is on the path

from precall.core.errors import Malformed
from precall.native import twin

Dicts = dict[Any, Any]


class Name(str):
    """A key that is a string and no plain one."""


class Rude:
    """A value that changes the dicts when it is looked at, one way or another."""

    def __init__(self, change: Callable[[], None]) -> None:
        self.change = change

    def __float__(self) -> float:
        self.change()
        return 0.5

    def __index__(self) -> int:
        self.change()
        return 1

    def __repr__(self) -> str:
        self.change()
        return "rude"


class Dying:
    """Garbage in a circle, which changes the dicts when it is collected."""

    def __init__(self, change: Callable[[], None]) -> None:
        self.change, self.circle = change, self

    def __del__(self) -> None:
        self.change()


def changer(outer: Dicts, inner: Dicts, kind: int) -> Callable[[], None]:
    """A way to change dicts that are being walked."""

    def grow() -> None:
        if len(inner) < 1000:
            inner.update({f"new {i}" * 9: i * 1.5 for i in range(50)})

    def empty() -> None:
        outer.clear()
        inner.clear()

    return (inner.clear, outer.clear, grow, empty)[kind % 4]


def key(given: Input, number: int) -> Any:
    """A key: mostly plain."""
    kind, text = given.take(), f"d{number}" * (1 + given.take() % 8)
    odd = (
        text + "\u00e9",
        text + "\U0001f600",
        Name(text),
        text + "\udc80",
        number,
        None,
        b"d",
        text + "\0",
        "",
    )
    return text if kind < 160 else odd[kind % len(odd)]


def value(given: Input, outer: Dicts, inner: Dicts) -> tuple[Any, bool]:
    """A value, and whether it changes the dicts."""
    kind, number = given.take(), given.take()
    if kind < 120:
        return (number / 8 if kind % 2 else number - 128), False
    if kind >= 240:
        return Rude(changer(outer, inner, number)), True
    odd = (
        2**31 + number,
        -(2**31),
        2**53 + 1,
        10**400,
        float("nan"),
        float("-inf"),
        np.float32(number),
        np.int64(number),
        Fraction(number, 8),
        Fraction(number, 3),
        "1",
        b"1",
        None,
        True,
        1j,
        np.longdouble(number),
        Decimal(number),
        Decimal(2**53 + 1),
        f"{number}.5e{number}",
        Name(number),
        "9007199254740993",
        2**62 + number,
        np.float64(number),
        np.datetime64(number, "s"),
        1e39,
        np.array(number),
    )
    return odd[kind % len(odd)], False


def dicts(given: Input) -> tuple[Dicts, bool]:
    """Topics of items, and whether something changes them."""
    outer: Dicts = {}
    rude = False
    while given.left and len(outer) < 40:
        kind = given.take()
        inner: Dicts = OrderedDict() if kind % 16 == 15 else {}
        for number in range(kind // 4):
            if not given.left:
                break
            name = key(given, number)
            inner[name], bad = value(given, outer, inner)
            rude |= bad
        if kind % 16 == 14:
            Dying(changer(outer, inner, given.take()))
            rude = True
        outer[key(given, len(outer))] = inner if kind != 7 else [1]
    return outer, rude


def told(function: Callable[[], Any]) -> Any:
    """What a kernel makes of it, comparable."""
    try:
        return [one.tobytes() for one in function()]
    except Malformed as error:
        return [tuple(map(str, one)) for one in error.problems], error.total


def one_input(data: bytes) -> None:
    """One input of the fuzzer."""
    given = Input(data)
    choice = given.take()
    gc.set_threshold(1 + (choice & 3) * 50)
    of_run, threads, chunk = choice & 4, 1 + (choice >> 3) % 3, choice >> 5
    outer, rude = dicts(given)
    if of_run:
        found = told(lambda: _kernel.run_from_dict(outer, bool(choice & 128), threads, chunk))
        wanted = None if rude else told(lambda: twin.run_from_dict(outer, bool(choice & 128)))
    else:
        found = told(lambda: _kernel.qrels_from_dict(outer, threads, chunk))
        wanted = None if rude else told(lambda: twin.qrels_from_dict(outer))
    lists, distinct = listed(outer, choice), bool(choice & 4)
    of_lists = flat(_kernel.texts_of_lists(lists, distinct))
    gc.set_threshold(700)
    if wanted is not None and found != wanted:
        raise AssertionError(f"broken law: kernel and twin agree: {outer}, {found}, {wanted}")
    if of_lists != flat(twin.texts_of_lists(lists, distinct)):
        raise AssertionError(f"broken law: kernel and twin agree: {lists}, {of_lists}")


def listed(outer: Dicts, choice: int) -> list[Any]:
    """The keys of each topic, and some keys twice, in lists of every kind."""
    kinds: tuple[Callable[[Any], Any], ...] = (list, tuple, set, objects, lambda keys: keys)
    return [
        kinds[(choice + number) % len(kinds)]([*inner, *list(inner)[: choice >> 5]])
        for number, inner in enumerate(list(outer.values()))
    ]


def objects(keys: list[Any]) -> Any:
    """A column of objects, every other of which is left out."""
    column = np.empty(2 * len(keys), object)
    column[::2] = keys
    return column[::2]


def flat(packed: Any) -> Any:
    """What a kernel makes of lists, comparable."""
    return packed and [one if isinstance(one, bool) else one.tobytes() for one in packed]
