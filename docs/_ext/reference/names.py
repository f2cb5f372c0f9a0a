"""The public names: what each is, on which page it stands, and how annotations name it."""

from __future__ import annotations

import ast
import builtins
import collections.abc
import dataclasses
import importlib.util
import inspect
import re
import types
import typing
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import Any

from precall.results.sheets import Presented

from .docstrings import Docstring, read
from .groups import GROUPS, Group
from .lent import lent

#: What annotations call by names that are no public ones, and what readers are told.
ALIASES = {
    "Rng": "int | Generator | SeedSequence | None",
    "np.random.Generator": "Generator",
    "os.PathLike": "PathLike",
    "Axes": "matplotlib Axes",
    "OfCurves": "str | Measure | Callable",
    "Value": "bool | str | float | Fraction | None",
    "Ids": "Sequence[str]",
    "Items": "Sequence[str]",
    "Membership": "sparse matrix",
    "Setting": "Description",
    "np.bool_": "bool",
    "np.float64": "float",
    "Means": "dict",
    "Tensor": "torch.Tensor",
    "Writer": "TextIO",
} | dict.fromkeys(
    ("Float64", "Int64", "Bool", "Count", "Scores", "Array", "np.ndarray", "npt.NDArray"), "ndarray"
)
#: Words of annotations that say what they mean.
WORDS = {
    *vars(builtins),
    *typing.__all__,
    *collections.abc.__all__,
    "Generator",
    "SeedSequence",
    "PathLike",
    "Path",
    "Fraction",
    "ndarray",
    "torch.Tensor",
    "matplotlib",
    "pandas.DataFrame",
    "polars.DataFrame",
}


@dataclass
class Entry:
    """A public name with a page of its own, or on the page of its module."""

    name: str
    value: Any
    kind: str
    group: Group
    parts: list[Entry] = field(default_factory=list)

    @cached_property
    def docstring(self) -> Docstring:
        """What its docstring says; that of a namespace which is called is what it says of the call,
        too.
        """
        value = self.value
        if self.kind == "namespace" and not inspect.ismodule(value):
            whole, call = read(type(value).__doc__), read(type(value).__call__.__doc__)
            examples = whole.examples or call.examples
            return dataclasses.replace(
                whole, lists=call.lists, prose=whole.prose | call.prose, examples=examples
            )
        if inspect.isclass(value):
            return read(value.__doc__)
        return read(inspect.getdoc(value))

    @property
    def last(self) -> str:
        """The name without what it is in."""
        return self.name.rpartition(".")[2]

    @property
    def page(self) -> str:
        """The name of its file: `Curve` and `curve` must differ where file names do not tell
        capitals.
        """
        return self.name + ("-class" if self.kind in ("class", "error") else "")

    @cached_property
    def signature(self) -> inspect.Signature | None:
        """What it is called with, without `self`."""
        value = (
            type(self.value).__call__
            if self.kind == "namespace"
            and callable(self.value)
            and not inspect.ismodule(self.value)
            else self.value
        )
        made = not getattr(
            value, "_is_protocol", False
        )  # nobody makes what says only what others must have
        if (
            not (callable(value) and made)
            or inspect.ismodule(value)
            or self.kind in ("error", "value")
        ):
            return None
        try:
            given = inspect.signature(value)
        except (TypeError, ValueError):
            return None
        kept = [
            one
            for one in given.parameters.values()
            if one.name not in ("self", "cls") and one.name[0] != "_"
        ]
        return given.replace(parameters=kept)

    @cached_property
    def fields(self) -> dict[str, str]:
        """What stands below the fields of a class, in its source, by their names."""
        return _field_prose(self.value) if inspect.isclass(self.value) else {}

    @property
    def parameters(self) -> list[str]:
        """The names of what it is called with."""
        return list(self.signature.parameters) if self.signature else []


@dataclass
class Names:
    """All entries, those that stand elsewhere already, and what annotations may say."""

    entries: list[Entry] = field(default_factory=list)
    also: dict[str, str] = field(default_factory=dict)
    known: dict[int, str] = field(default_factory=dict)
    kept: list[Any] = field(default_factory=list)
    strange: dict[str, str] = field(default_factory=dict)

    @cached_property
    def pages(self) -> dict[str, str]:
        """Public name → the page on which it stands."""
        placed = {entry.name: entry.page for entry in self.entries}
        for entry in self.entries:
            placed |= {part.name: entry.page for part in entry.parts}
        return placed | {
            name: placed[there] for name, there in self.also.items() if there in placed
        }

    def by_exact(self, name: str) -> Entry:
        """The entry of a name."""
        return next(entry for entry in self.entries if entry.name == name)

    @cached_property
    def by_name(self) -> dict[str, Entry]:
        """All entries and their parts."""
        return {one.name: one for entry in self.entries for one in (entry, *entry.parts)}

    @cached_property
    def others(self) -> dict[str, list[str]]:
        """Name of an entry or a part → the other names that it is public by."""
        found: dict[str, list[str]] = {}
        for name, there in self.also.items():
            entry = self.by_name[there]
            found.setdefault(there, []).append(name)
            for part in entry.parts:
                found.setdefault(part.name, []).append(f"{name}.{part.last}")
        return found

    @cached_property
    def classes(self) -> dict[str, str]:
        """Last part of the name of a class → its name; those of `precall` before those of its
        parts.
        """
        found = sorted(
            (entry for entry in self.entries if entry.kind in ("class", "error")),
            key=lambda one: one.name.count("."),
        )
        return {entry.last: entry.name for entry in reversed(found)}

    def of(self, value: Any) -> str | None:
        """The public name of a value."""
        return self.known.get(id(inspect.unwrap(value) if callable(value) else value))

    def annotation(self, given: Any, owner: str) -> str:
        """A type as readers know it; "" where it says nothing."""
        given = getattr(given, "__forward_arg__", given)  # of a named tuple
        text = given if isinstance(given, str) else getattr(given, "__name__", str(given))
        text = re.sub(r"^(?:ClassVar|Final)\[(.*)\]$", r"\1", text)
        if text in ("Any", "_empty", "object"):
            return ""
        text = re.sub(
            r"(?<![\w.])(?:npt\.NDArray|PathLike)\[[\w.]+\]",
            lambda found: found[0].partition("[")[0],
            text,
        )
        text = re.sub(r"os\.PathLike\[\w+\]", "PathLike", text)

        def word(match: re.Match[str]) -> str:
            name = match[0]
            if match.start() and text[match.start() - 1] in "'\"":
                return name
            meant = ALIASES.get(name, name)
            last = meant.rpartition(".")[2]
            if (
                meant is name
                and name not in WORDS
                and last not in WORDS
                and last not in self.classes
            ):
                self.strange.setdefault(name, owner)
            return meant if "." not in meant or meant in WORDS else last

        shown = re.sub(r"[A-Za-z_][\w.]*", word, text)
        if any(name in self.strange for name in re.findall(r"[A-Za-z_][\w.]*", text)):
            return ""  # what it is, its prose says
        return re.sub(r"\b(.+) \| \1\b", r"\1", shown)


def collect() -> Names:
    """Every public name."""
    names = Names()
    with lent():
        for group in GROUPS:
            for given in group.names.split():
                for name, value in _meant(given):
                    _add(names, name, value, group)
            for given in group.forms.split():
                path, _, called = given.partition("=")
                module, _, last = path.rpartition(".")
                _add(names, called or last, getattr(import_module(module), last), group)
    return names


def _meant(given: str) -> Iterator[tuple[str, Any]]:
    """The names that a word of a declaration stands for."""
    if not given.endswith(".*"):
        yield f"precall.{given}", _value(given)
        return
    owner = given.removesuffix(".*")
    place = _value(owner)
    for part in _public(place):
        yield f"precall.{owner}.{part}", getattr(place, part)


def _value(path: str) -> Any:
    """What stands at a path: a module, or an attribute of one."""
    value: Any = import_module("precall")
    done = "precall"
    for part in filter(None, path.split(".")):
        done = f"{done}.{part}"
        if not hasattr(value, part):
            import_module(done)
        value = getattr(value, part)
    return value


def _public(place: Any) -> list[str]:
    """The public names of a namespace: of a module without `__all__` what it defines and gives an
    example of.
    """
    if not inspect.ismodule(place):
        # What a note has as a text is no part of ours.
        of_texts = dir(str) if isinstance(place, type) and issubclass(place, str) else ()
        return sorted(name for name in dir(place) if not (name.startswith("_") or name in of_texts))
    if hasattr(place, "__all__"):
        return sorted(place.__all__)
    return sorted(
        name
        for name, value in vars(place).items()
        if not name.startswith("_")
        and getattr(value, "__module__", "") == place.__name__
        and inspect.isroutine(inspect.unwrap(value))
        and ">>>" in (value.__doc__ or "")
    )


def _kind(value: Any) -> str:
    if inspect.isclass(value):
        return "error" if issubclass(value, BaseException) else "class"
    if inspect.ismodule(value):
        return "namespace"
    if inspect.isroutine(value) or hasattr(value, "__wrapped__"):
        return "function"
    return (
        "namespace"
        if type(value).__module__
        in (
            "precall.comparison.api",
            "precall.intervals",
            "precall.judges.api",
            "precall.page.writing",
        )
        else "value"
    )


def _add(names: Names, name: str, value: Any, group: Group) -> None:
    value = (
        getattr(value, "__wrapped__", value)
        if type(value).__name__ == "FixtureFunctionDefinition"
        else value
    )
    plain = inspect.unwrap(value) if callable(value) else value
    kind = _kind(value)
    if kind != "value" and (before := names.known.get(id(plain))) is not None:
        its = getattr(plain, "__name__", "")
        above = before.rpartition(".")[2] == its and before.count(".") <= name.count(".")
        if name.rpartition(".")[2] != its or above:
            names.also[name] = before
            return
        # It bears this name, and the other is one for those who know it by that.
        old = names.by_exact(before)
        names.entries.remove(old)
        names.also[before] = name
    entry = Entry(name, value, kind, group)
    if kind != "value" or type(plain).__module__.startswith("precall."):
        names.known.setdefault(id(plain), name)
        names.known |= {id(plain): name} if kind != "value" else {}
        names.kept.append(plain)
    if kind == "class":
        entry.parts = list(_members(entry))
    names.entries.append(entry)


def _field_prose(kind: type) -> dict[str, str]:
    prose: dict[str, str] = {}
    ours = [base for base in kind.__mro__ if base.__module__.partition(".")[0] == "precall"]
    for base in reversed(ours):
        for node in _tree(base.__module__).body:
            if not isinstance(node, ast.ClassDef) or node.name != base.__name__:
                continue
            for field_, below in pairwise(node.body):
                named = isinstance(field_, ast.AnnAssign) and isinstance(field_.target, ast.Name)
                if named and isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant):
                    prose[field_.target.id] = inspect.cleandoc(str(below.value.value))  # type: ignore[union-attr]
    return prose


@cache
def _tree(module: str) -> ast.Module:
    try:
        spec = importlib.util.find_spec(module)
    except ImportError:  # an extra is lacking
        return ast.parse("")
    return ast.parse(Path(spec.origin).read_text(encoding="utf-8") if spec and spec.origin else "")


def _members(owner: Entry) -> Iterator[Entry]:
    """The public members of a class but those of Python's own bases and, which all results have,
    the forms.
    """
    kind = owner.value
    given = (
        [one.name for one in dataclasses.fields(kind)]
        if dataclasses.is_dataclass(kind)
        else getattr(kind, "_fields", ())
    )
    fields = dict.fromkeys(given)
    order = list(fields)
    for part in sorted(
        dir(kind), key=lambda part: (order.index(part) if part in fields else len(order), part)
    ):
        home = next((base for base in kind.__mro__ if part in vars(base)), kind)
        ours = home.__module__.partition(".")[0] == "precall" or home is tuple
        if part.startswith("_") or not ours or (home is Presented and kind is not Presented):
            continue
        value = inspect.getattr_static(kind, part)
        if (
            part in fields
            or isinstance(value, property | types.MemberDescriptorType)
            or inspect.isdatadescriptor(value)
        ):
            yield Entry(f"{owner.name}.{part}", value, "attribute", owner.group)
        elif callable(bound := getattr(kind, part)) and not inspect.isclass(bound):
            sort = {staticmethod: "staticmethod", classmethod: "classmethod"}.get(
                type(value), "method"
            )
            yield Entry(f"{owner.name}.{part}", bound, sort, owner.group)
        else:
            yield Entry(f"{owner.name}.{part}", value, "attribute", owner.group)
