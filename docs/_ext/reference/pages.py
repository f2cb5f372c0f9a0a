"""The pages of the reference, in reStructuredText: one for each public name, and one for each group of them."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Iterator
from typing import Any

from precall.presented import Presented

from .docstrings import Item, read
from .examples import Rewriter, kept
from .groups import GROUPS, Group
from .names import Entry, Names, collect
from .parameters import exact, shared, sources
from .prose import Prose, code
from .text import title


class Writer(Prose):
    """Writes the pages."""

    def __init__(self, names: Names) -> None:
        super().__init__(names)
        self.private: dict[str, list[str]] = {}

    def pages(self) -> dict[str, str]:
        """File name → text."""
        made = {
            f"{group.page}.rst": "\n".join(self._group(group)) + "\n" for group in GROUPS if self._of(group)
        }
        for entry in self.names.entries:
            if entry.kind != "value":
                made[f"{entry.page}.rst"] = "\n".join(self._page(entry)) + "\n"
        return made

    def _of(self, group: Group) -> list[Entry]:
        return [entry for entry in self.names.entries if entry.group is group]

    def _group(self, group: Group) -> Iterator[str]:
        yield from (title(group.title), "", self.prose(group.lead, ""), "")
        entries = self._of(group)
        spaces = [entry for entry in entries if entry.kind == "namespace"]
        inside = {
            entry.name for entry in entries for space in spaces if entry.name.startswith(f"{space.name}.")
        }
        yield from self._table(
            [entry for entry in entries if entry.name not in inside and entry not in spaces]
        )
        for space in spaces:
            yield from ("", title(space.name, "-"), "", f"{self.prose(space.docstring.summary, space.name)} "
                        f":py:obj:`More <{space.name}>`.", "")  # fmt: skip
            yield from self._table(self._within(space, entries))

    def _within(self, space: Entry, entries: list[Entry]) -> list[Entry]:
        return [entry for entry in entries if entry.name.rpartition(".")[0] == space.name]

    def _table(self, entries: list[Entry], within: str = "precall") -> Iterator[str]:
        if not entries:
            return
        yield from (".. list-table::", "   :class: names", "   :widths: auto", "")
        for entry in entries:
            shown = entry.name.removeprefix(f"{within}.")
            yield f"   * - :py:obj:`{shown} <{entry.name}>`"
            yield f"     - {self.prose(_first(self._summary(entry)), entry.name)}"
        yield ""

    def _summary(self, entry: Entry) -> str:
        if entry.kind != "value":
            return entry.docstring.summary
        if isinstance(entry.value, str):
            return f"The version: {entry.value!r}."
        name = getattr(entry.value, "NAME", None)
        return f"The measure {name}, as ir_measures names it." if name else type(entry.value).__name__ + "."

    def _page(self, entry: Entry) -> Iterator[str]:
        yield from (
            ":orphan:",
            "",
            title(entry.name),
            "",
            f"In :doc:`{entry.group.title} <{entry.group.page}>`.",
            "",
        )
        yield from self._described(entry)
        if entry.kind == "namespace":
            inside = self._within(entry, self.names.entries)
            yield from ("", ".. rubric:: Names", "")
            yield from self._table(inside)
            for value in inside:
                if value.kind == "value":
                    yield from (
                        f".. py:data:: {value.name}",
                        "",
                        f"   {self.prose(self._summary(value), value.name)}",
                        "",
                    )

    def _described(self, entry: Entry, inside: bool = False) -> Iterator[str]:
        """The directive of a name, and in it all that is known of it."""
        directive = {
            "class": "class",
            "error": "exception",
            "attribute": "attribute",
            "namespace": "function",
        }.get(entry.kind)
        method = entry.kind in ("method", "staticmethod", "classmethod")
        directive = directive or ("method" if method else "function")
        name = entry.last if inside else entry.name
        if inspect.ismodule(entry.value):
            yield from (f".. py:module:: {entry.name}", "")
            inner = ""
        else:
            yield f".. py:{directive}:: {name}{self.signature(entry)}"
            if entry.kind in ("staticmethod", "classmethod"):
                yield f"   :{entry.kind}:"
            yield ""
            inner = "   "
        yield from (inner + line if line else "" for line in self._told(entry))
        if entry.kind == "class":
            yield from (inner + line if line else "" for line in self._members(entry))

    def signature(self, entry: Entry) -> str:
        """The parameters, without types: those stand beside them below."""
        if entry.signature is None or (entry.kind == "class" and "." not in entry.name):
            return ""
        plain = [
            one.replace(annotation=inspect.Parameter.empty) for one in entry.signature.parameters.values()
        ]
        text = str(inspect.Signature(plain))
        return re.sub(r"<[^<>]*>", "...", text)

    def _told(self, entry: Entry) -> Iterator[str]:
        said = entry.docstring
        if entry.kind == "error":
            bases = ", ".join(code(base.__name__) for base in entry.value.__bases__)
            yield from (f"Bases: {bases}.", "")
        yield from (self.prose(said.summary, entry.name), "")
        yield from self._lines(said.body, entry)
        if entry.kind == "class" and issubclass(entry.value, Presented) and entry.value is not Presented:
            yield from ("", "It has :doc:`every form of a result <result-class>`, too.", "")
        yield from self._parameters(entry)
        yield from self._results(entry)
        for name, lines in said.prose.items():
            yield from ("", f".. rubric:: {name}", "")
            yield from self._lines(lines, entry)
        yield from self._examples(entry)
        yield ""

    def _examples(self, entry: Entry) -> Iterator[str]:
        """The examples of a name; of a class without any those of what returns it."""
        giver = entry
        told = entry.docstring.examples or any(part.docstring.examples for part in _methods(entry))
        own = "." in entry.name and told  # nobody can type those of a class that has no public name
        if entry.kind == "class" and not own:
            giver = self._giver(entry.last) or entry
        if not giver.docstring.examples:
            if entry.name in kept():
                yield from ("", ".. rubric:: Examples", "", *kept()[entry.name])
            return
        rewriter = Rewriter(self.names, giver.value)
        lines = rewriter.rewritten(giver.docstring.examples)
        if rewriter.private:
            self.private[giver.name] = rewriter.private
            return  # a reader cannot type it
        by = "" if giver is entry else f": what :py:obj:`{giver.name}` returns"
        yield from ("", f".. rubric:: Examples{by}", "", *lines)

    def _giver(self, last: str) -> Entry | None:
        """A function or a method with an example that returns a class."""
        for entry in self.names.entries:
            for one in (entry, *_methods(entry)):
                given = one.signature.return_annotation if one.signature and one.kind != "class" else None
                if (
                    given is not None
                    and self.names.annotation(given, one.name) == last
                    and one.docstring.examples
                ):
                    return one
        return None

    def parameters(self, entry: Entry) -> list[tuple[str, Item]]:
        """Each parameter with what describes it: its docstring, or where that is silent what holds for it, or everywhere."""
        told: dict[str, Item] = {}
        for name in reversed(sources(entry.name)):
            told |= _items(self.names.by_name[name])
        told = {name: item for name, item in told.items() if item.prose and not exact(entry.name, name)}
        told |= self._of_fields(entry) | _items(entry)
        return [(name, told.get(name) or shared(entry.name, name)) for name in entry.parameters]

    def _of_fields(self, entry: Entry) -> dict[str, Item]:
        return {name: Item((name,), tuple(text.split("\n"))) for name, text in entry.fields.items()}

    def _parameters(self, entry: Entry) -> Iterator[str]:
        attributes = {part.last for part in entry.parts if part.kind == "attribute"}
        rows: dict[int, tuple[list[str], Item]] = {}
        for name, item in self.parameters(entry):
            rows.setdefault(id(item), ([], item))[0].append(name)
        kept = [(listed, item) for listed, item in rows.values() if not attributes & set(listed)]
        if not kept:
            return
        yield from ("", ".. rubric:: Parameters", "")
        for listed, item in kept:
            yield from self._item(entry, listed, item)

    def _item(self, entry: Entry, listed: list[str], item: Item) -> Iterator[str]:
        given = entry.signature.parameters if entry.signature else {}
        stars = {inspect.Parameter.VAR_POSITIONAL: "\\*", inspect.Parameter.VAR_KEYWORD: "\\*\\*"}
        heads: list[tuple[list[str], str]] = []
        for name in listed:
            parameter = given.get(name)
            sort = self.names.annotation(parameter.annotation, entry.name) if parameter else ""
            if not heads or heads[-1][1] != sort:
                heads.append(([], sort))
            heads[-1][0].append(f"**{stars.get(parameter.kind, '') if parameter else ''}{name}**")
        # Types stand behind the names that have them, as in a declaration.
        yield ", ".join(
            ", ".join(names) + (f" : {self.typed(sort)}" if sort else "") for names, sort in heads
        )
        yield from self._indented(item.prose or ["(see above)"], entry)
        yield ""

    def _indented(self, lines: Iterable[str], entry: Entry) -> list[str]:
        return [f"   {line}" if line else "" for line in self._lines(list(lines), entry)]

    def results(self, entry: Entry, section: str) -> list[Item]:
        """What a section says: of the docstring, or of those whose parameters it has, or for what is returned the type."""
        if items := entry.docstring.items(section):
            return items
        if section in ("Raises", "Warns"):
            first = [self.names.by_name[name] for name in sources(entry.name)][:1]
            inherited = first[0].docstring.items(section) if first and entry.kind != "class" else []
            return inherited or self._kept(entry, section)
        if section == "Yields" or entry.docstring.items("Yields") or entry.kind == "class":
            return []
        if items := self._kept(entry, section):
            return items
        given = entry.signature.return_annotation if entry.signature else None
        sort = self.names.annotation(given, entry.name) if given is not None else ""
        return [Item((sort,), ())] if sort not in ("", "None") else []

    def _kept(self, entry: Entry, section: str) -> list[Item]:
        """What `parameters.ini` says of a section: a type and prose, or several behind bars."""
        texts = "".join(shared(entry.name, section.lower()).prose).split(" | ") if entry.parameters else []
        parts = [text.partition(": ") for text in texts if text]
        return [Item((sort,), (prose,)) for sort, _, prose in parts]

    def _results(self, entry: Entry) -> Iterator[str]:
        for section in ("Returns", "Yields", "Raises", "Warns"):
            for number, item in enumerate(self.results(entry, section)):
                if not number:
                    yield from ("", f".. rubric:: {section}", "")
                # A term without a definition is a paragraph.
                yield from (
                    self.typed(item.names[0]),
                    *(self._indented(item.prose, entry) if item.prose else []),
                    "",
                )

    def _members(self, entry: Entry) -> Iterator[str]:
        attributes = [part for part in entry.parts if part.kind == "attribute"]
        methods = [part for part in entry.parts if part.kind != "attribute"]
        if methods:
            yield from ("", ".. rubric:: Methods", "")
            yield from self._table(methods, entry.name)
        if attributes:
            yield from ("", ".. rubric:: Attributes", "")
            for part in attributes:
                yield from self._attribute(entry, part)
        for part in methods:
            yield from self._described(part, inside=True)

    def _attribute(self, owner: Entry, part: Entry) -> Iterator[str]:
        getter = _getter(part)
        annotation = getattr(getter, "__annotations__", {}).get("return") or _annotated(owner, part.last)
        sort = self.names.annotation(annotation, part.name)
        yield f".. py:attribute:: {part.last}"
        # By their whole names: Sphinx would have to guess among those of several modules.
        whole = re.sub(r"[A-Za-z_][\w.]*", lambda found: self.names.classes.get(found[0], found[0]), sort)
        yield from ([f"   :type: {whole}", ""] if sort else [""])
        yield from (f"   {line}" if line else "" for line in self._lines(self.attribute(owner, part), owner))
        yield ""

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
                    return item
        return self._of_fields(owner).get(name) or shared(owner.name, name)


def _items(entry: Entry) -> dict[str, Item]:
    return {name: item for item in entry.docstring.items("Parameters") for name in item.names}


def _methods(entry: Entry) -> list[Entry]:
    return [part for part in entry.parts if part.kind != "attribute"]


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


def _first(text: str) -> str:
    """The first sentence."""
    return re.split(r"(?<=[.?!])\s+(?=[A-Z`])", text, maxsplit=1)[0]


def pages() -> dict[str, str]:
    """File name → text of every page."""
    return Writer(collect()).pages()
