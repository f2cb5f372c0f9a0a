"""What is said of a name: its parameters, results and attributes, of its docstring or of where that
says it stands.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from typing import Any

from .docstrings import Item, read
from .names import Entry
from .parameters import exact, shared, sources, typed_as
from .prose import Prose

#: Prose that begins with where else a parameter is described.
_AS = re.compile(
    r"(?:as\s+of|as\s+for|as|see)\s+`([\w.]+)(?:\([^`]*\))?`(?:\s+takes\s+(?:it|them))?"
    r"(?:$|[.;:]\s*)(.*)",
    re.DOTALL,
)


class Said(Prose):
    """Finds what is said."""

    def parameters(self, entry: Entry) -> list[tuple[str, Item]]:
        """Each parameter with what describes it: its docstring, or where that is silent what holds
        for it, or everywhere.
        """
        told: dict[str, Item] = {}
        for name in reversed(sources(entry.name)):
            told |= _items(self.names.by_name[name])
        told = {
            name: item for name, item in told.items() if item.prose and not exact(entry.name, name)
        }
        told |= self._of_fields(entry) | _items(entry)
        return [
            (name, self._followed(entry, name, told.get(name) or shared(entry.name, name)))
            for name in entry.parameters
        ]

    def _followed(self, entry: Entry, name: str, item: Item) -> Item:
        """What an item says; of one that says "see `evaluate`" what stands there, and what it says
        besides.
        """
        match = _AS.match("\n".join(item.prose))
        there = self.meant(match[1], entry.name) if match else None
        if match is None or there is None:
            return item
        target = self.names.by_name[there]
        known = dict(self.parameters(target)) | {
            part.last: self.described(target, part.last)
            for part in target.parts
            if part.kind == "attribute"
        }
        if not known.get(name, Item((), ())).prose:
            return item
        besides = match[2][:1].upper() + match[2][1:] if match[2] else ""
        apart = [""] if any(line.startswith("- ") for line in known[name].prose) else []
        return Item(
            (name,), (*known[name].prose, *(apart + besides.split("\n") if besides else ()))
        )

    def sort(self, entry: Entry, name: str) -> str:
        """The type of a parameter: its annotation, or where that says nothing what `types.ini`
        says.
        """
        given = entry.signature.parameters.get(name) if entry.signature else None
        shown = self.names.annotation(given.annotation, entry.name) if given else ""
        return shown or typed_as(entry.name, name)

    def sort_of(self, owner: Entry, part: Entry) -> str:
        """The type of an attribute, likewise."""
        getter = _getter(part)
        annotation = getattr(getter, "__annotations__", {}).get("return") or _annotated(
            owner, part.last
        )
        return self.names.annotation(annotation, part.name) or typed_as(owner.name, part.last)

    def _of_fields(self, entry: Entry) -> dict[str, Item]:
        return {name: Item((name,), tuple(text.split("\n"))) for name, text in entry.fields.items()}

    def results(self, entry: Entry, section: str) -> list[Item]:
        """What a section says: of the docstring, or of those whose parameters it has, or for what
        is returned the type.
        """
        if items := entry.docstring.items(section):
            return items
        if section in ("Raises", "Warns"):
            there = [
                self.names.by_name[name].docstring.items(section) for name in sources(entry.name)
            ]
            inherited = (
                []
                if entry.kind == "class" or exact(entry.name, section.lower())
                else list(filter(None, there))
            )
            return inherited[0] if inherited else self._kept(entry, section)
        if section == "Yields" or entry.docstring.items("Yields") or entry.kind == "class":
            return []
        if entry.signature is None:
            return []
        given = entry.signature.return_annotation
        sort = self.names.annotation(given, entry.name) if given is not None else ""
        kept = self._kept(entry, section)
        # What holds for many holds for those that say nothing else.
        if kept and (
            exact(entry.name, "returns") or sort in ("", kept[0].names[0].replace(" or ", " | "))
        ):
            return kept
        return [Item((sort,), ())] if sort not in ("", "None", "NoReturn") else []

    def _kept(self, entry: Entry, section: str) -> list[Item]:
        """What `parameters.ini` says of a section: a type and prose, or several behind bars."""
        given = entry.parameters and entry.kind != "class"
        if section != "Returns" and not (given or exact(entry.name, section.lower())):
            return []  # nothing is given that could be refused
        texts = "".join(shared(entry.name, section.lower()).prose).split(" | ")
        parts = [text.partition(": ") for text in texts if text not in ("", "nothing")]
        return [Item((sort,), (prose,)) for sort, _, prose in parts]

    def attribute(self, owner: Entry, part: Entry) -> list[str]:
        """What is said of an attribute: by its property, or by its class."""
        getter = _getter(part)
        if getter is None:
            return list(self.described(owner, part.last).prose)
        told = read(inspect.getdoc(part.value) or getter.__doc__ or _inherited(owner, part.last))
        return [told.summary, "", *told.body] if told.summary else []

    def described(self, owner: Entry, name: str) -> Item:
        """What a class says of one of its fields."""
        for section in ("Attributes", "Parameters"):
            for item in owner.docstring.items(section):
                if name in item.names:
                    return self._followed(owner, name, dict(_each(item))[name])
        return self._of_fields(owner).get(name) or shared(owner.name, name)


def _items(entry: Entry) -> dict[str, Item]:
    sections = ("Attributes", "Parameters") if entry.kind == "class" else ("Parameters",)
    items = (item for section in sections for item in entry.docstring.items(section))
    return {name: part for item in items for name, part in _each(item)}


def _each(item: Item) -> Iterator[tuple[str, Item]]:
    """An item of several names by name: "n, m : items, relevant items; m <= n" says one thing of
    each, in their order.
    """
    told, mark, besides = "\n".join(item.prose).partition(";")
    parts = re.split(r",\s+", told)
    respective = bool(mark) and len(item.names) == len(parts) > 1 and not _AS.match(told + mark)
    for place, name in enumerate(item.names):
        prose = tuple(f"{parts[place]}{mark}{besides}".split("\n")) if respective else item.prose
        yield name, Item((name,), prose)


def _getter(part: Entry) -> Any:
    """The function of a property."""
    return getattr(part.value, "fget", None) or getattr(part.value, "func", None)


def _inherited(owner: Entry, name: str) -> str | None:
    """What a base says of an attribute, where the class says nothing."""
    texts = (getattr(vars(base).get(name), "__doc__", None) for base in owner.value.__mro__)
    return next(filter(None, texts), None)


def _annotated(owner: Entry, name: str) -> Any:
    bases = (inspect.get_annotations(base) for base in owner.value.__mro__)
    return next((held[name] for held in bases if name in held), "Any")
