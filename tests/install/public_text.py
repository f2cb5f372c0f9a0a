"""All public names as text, a line each, so that a diff shows what a change adds, loses or calls
otherwise.

python -m tests.install.public_text > tests/data/public-names.txt
"""

from __future__ import annotations

import importlib
import inspect
import re
import sys
from collections.abc import Iterator
from typing import Any

from precall.results.sheets import Presented

#: Modules whose public names users import from them.
MODULES = (
    "precall",
    "precall.compat.ir_measures",
    "precall.compat.lingpipe",
    "precall.compat.pytrec_eval",
    "precall.compat.sklearn",
    "precall.plot",
    "precall.testing",
)


def signature(value: Any) -> str:
    """The parameters of a function, without their types, which type checkers look after."""
    try:
        given = inspect.signature(value)
    except (TypeError, ValueError):
        return "(...)"
    plain = [
        one.replace(annotation=inspect.Parameter.empty)
        for one in given.parameters.values()
        if one.name != "self"
    ]
    text = str(inspect.Signature(plain))
    return re.sub(r"<([\w.]+)[^<>]*>", r"<\1>", text)


def is_ours(value: Any) -> bool:
    """Whether a module, class or function is of this package."""
    name = value.__name__ if inspect.ismodule(value) else getattr(value, "__module__", "")
    return str(name).partition(".")[0] == "precall"


def members(name: str, owner: Any) -> Iterator[str]:
    """The public attributes of a class, or of an object that is called like a function and holds
    more of them.
    """
    for part in sorted(dir(owner)):
        if part.startswith("_") or (
            inspect.isclass(owner) and issubclass(owner, str) and hasattr(str, part)
        ):
            continue
        kind = inspect.getattr_static(owner, part, None)
        if isinstance(kind, property) or inspect.isdatadescriptor(kind):
            yield f"{name}.{part}"
            continue
        value = getattr(owner, part)
        if inspect.isclass(value) and is_ours(value):
            yield from of_class(f"{name}.{part}", value)
        elif callable(value) and not inspect.ismodule(value):
            yield f"{name}.{part}{signature(value)}"
            if not inspect.isroutine(value) and is_ours(value):
                yield from members(f"{name}.{part}", value)
        else:
            yield f"{name}.{part}"


def of_class(name: str, kind: type) -> Iterator[str]:
    """A class: how it is made, and its public attributes; an exception by its bases only."""
    if issubclass(kind, BaseException):
        yield f"{name}: {', '.join(base.__name__ for base in kind.__bases__)}"
        return
    shared = issubclass(kind, Presented)
    yield f"{name}{signature(kind)}{' and what is of every result' if shared else ''}"
    theirs = [f"{name}.{part}" for part in vars(Presented)] if shared else []
    for line in members(name, kind):
        if line.partition("(")[0] not in theirs or line.partition("(")[0].rpartition(".")[
            2
        ] in vars(kind):
            yield line


def of_module(name: str, module: Any) -> Iterator[str]:
    """The public names of a module, by its `__all__` where it has one."""
    names = getattr(module, "__all__", None) or [
        one for one in vars(module) if not one.startswith("_")
    ]
    kinds = tuple(value for part in names if inspect.isclass(value := getattr(module, part)))
    for part in sorted(names):
        value = getattr(module, part)
        full = f"{name}.{part}"
        if inspect.ismodule(value):
            if hasattr(module, "__all__"):
                yield from of_module(full, value)
        elif inspect.isclass(value) and is_ours(value):
            yield from of_class(full, value)
        elif callable(value) and is_ours(value):
            yield f"{full}{signature(value)}"
            # What is of a class that is public itself has its members there.
            if not inspect.isroutine(value) and not isinstance(value, kinds):
                yield from members(full, value)
        elif hasattr(module, "__all__"):
            yield full


def lines() -> list[str]:
    """One line for each public name."""
    named = [line for name in MODULES for line in of_module(name, importlib.import_module(name))]
    # Some objects list a name twice once it has been asked for.
    return list(dict.fromkeys([*named, *members("every result", Presented)]))


if __name__ == "__main__":
    sys.stdout.write("\n".join(lines()) + "\n")
