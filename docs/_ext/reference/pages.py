"""The pages of the reference, in reStructuredText: one for each public name, and one for each group
of them.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Iterator
from typing import Any

from precall.results.sheets import Presented

from .examples import Rewriter, kept
from .groups import GROUPS, Group
from .names import Entry, Names, collect
from .parameters import shared
from .prose import code
from .said import Said
from .text import title


class Writer(Said):
    """Writes the pages."""

    def __init__(self, names: Names) -> None:
        super().__init__(names)
        self.private: dict[str, list[str]] = {}

    def pages(self) -> dict[str, str]:
        """File name → text."""
        made = {
            f"{group.page}.rst": "\n".join(self._group(group)) + "\n"
            for group in GROUPS
            if self._of(group)
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
            entry.name
            for entry in entries
            for space in spaces
            if entry.name.startswith(f"{space.name}.")
        }
        yield from self._table(
            [entry for entry in entries if entry.name not in inside and entry not in spaces]
        )
        for space in spaces:
            yield from (
                "",
                title(space.name, "-"),
                "",
                f"{self.prose(space.docstring.summary, space.name)} :py:obj:`More <{space.name}>`.",
                "",
            )
            yield from self._table(self._within(space, entries))
        for entry in entries:
            if entry.kind == "value" and entry.name not in inside:
                yield from self._data(entry, entry.name)

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
        if told := "".join(shared(entry.name, "this").prose):
            return told
        if isinstance(entry.value, str):
            return f"The version: {entry.value!r}."
        name = entry.value.NAME
        return f"The measure {name} of ir_measures." + (
            f" The same as `{name}`." if name != entry.last else ""
        )

    def _data(self, entry: Entry, name: str) -> Iterator[str]:
        """What is no function and no class: in a line, and of a measure the parameters that it may
        be called with.
        """
        odd = not name.isascii()  # Sphinx would make another anchor of it
        yield from _anchors("data", [entry.name] * odd)
        told = [self._summary(entry)]
        infos = getattr(entry.value, "SUPPORTED_PARAMS", {})
        if infos and not shared(entry.name, "this").prose:
            told += [
                "",
                "Parameters: " + "; ".join(_parameter(entry.value, name) for name in infos) + ".",
            ]
        yield from (f".. py:data:: {name}", *["   :no-index:"] * odd, "")
        yield from (*(f"   {self.prose(line, entry.name)}" for line in told), "")

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
                    yield from self._data(value, value.last)

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
        yield from _anchors(directive, self.names.others.get(entry.name, []))
        if inspect.ismodule(entry.value):
            yield from _anchors("id", [entry.name])  # Sphinx calls it otherwise
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
            one.replace(annotation=inspect.Parameter.empty)
            for one in entry.signature.parameters.values()
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
        if others := self.names.others.get(entry.name):
            yield from (f"It is {' and '.join(map(code, others))}, too.", "")
        if (
            entry.kind == "class"
            and issubclass(entry.value, Presented)
            and entry.value is not Presented
        ):
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
        if not (lines := self._typed_out(giver)):
            if entry.name in kept():
                yield from ("", ".. rubric:: Examples", "", *kept()[entry.name])
            return
        by = "" if giver is entry else f": what :py:obj:`{giver.name}` returns"
        yield from ("", f".. rubric:: Examples{by}", "", *lines)

    def _typed_out(self, entry: Entry) -> list[str]:
        """The examples of a docstring as a reader types them; none where a reader cannot."""
        if not entry.docstring.examples:
            return []
        rewriter = Rewriter(self.names, entry.value)
        lines = rewriter.rewritten(entry.docstring.examples)
        if rewriter.private:
            self.private[entry.name] = rewriter.private
        return [] if rewriter.private else lines

    def _giver(self, last: str) -> Entry | None:
        """A function or a method with an example that returns a class."""
        for entry in self.names.entries:
            for one in (entry, *_methods(entry)):
                given = (
                    one.signature.return_annotation
                    if one.signature and one.kind != "class"
                    else None
                )
                if (
                    given is not None
                    and self.names.annotation(given, one.name) == last
                    and one.docstring.examples
                ):
                    return one
        return None

    def _parameters(self, entry: Entry) -> Iterator[str]:
        attributes = {part.last for part in entry.parts if part.kind == "attribute"}
        if entry.kind == "class" and "." not in entry.name:
            return  # nobody makes it by hand
        rows = [(name, item) for name, item in self.parameters(entry) if name not in attributes]
        fields = [part for part in entry.parts if _is_made_with(entry, part)]
        if rows or fields:
            yield from ("", ".. rubric:: Parameters", "")
        stars = {inspect.Parameter.VAR_POSITIONAL: "\\*", inspect.Parameter.VAR_KEYWORD: "\\*\\*"}
        for name, item in rows:
            given = entry.signature.parameters[name]  # type: ignore[union-attr]
            sort = self.sort(entry, name)
            default = f", default {code(repr(given.default))}" if _is_plain(given.default) else ""
            head = f"**{stars.get(given.kind, '')}{name}**" + (
                f" : {self.typed(sort)}" if sort else ""
            )
            yield from (head + default, *self._indented(item.prose, entry), "")
        for part in fields:
            yield from self._attribute(entry, part)

    def _indented(self, lines: Iterable[str], entry: Entry) -> list[str]:
        return [f"   {line}" if line else "" for line in self._lines(list(lines), entry)]

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
        if rest := [part for part in attributes if not _is_made_with(entry, part)]:
            yield from ("", ".. rubric:: Attributes", "")
        for part in rest:
            yield from self._attribute(entry, part)
        for part in methods:
            yield from self._described(part, inside=True)

    def _attribute(self, owner: Entry, part: Entry) -> Iterator[str]:
        sort = self.sort_of(owner, part)
        yield from _anchors("attribute", self.names.others.get(part.name, []))
        yield f".. py:attribute:: {part.last}"
        # By their whole names: Sphinx would have to guess among those of several modules.
        whole = re.sub(
            r"[A-Za-z_][\w.]*", lambda found: self.names.classes.get(found[0], found[0]), sort
        )
        yield from ([f"   :type: {whole}", ""] if sort else [""])
        yield from (
            f"   {line}" if line else "" for line in self._lines(self.attribute(owner, part), owner)
        )
        yield ""


def _is_made_with(entry: Entry, part: Entry) -> bool:
    """Whether an attribute is a parameter of its class, and users make it; of others' docstrings
    "Attributes" has all.
    """
    made = "." in entry.name and bool(entry.docstring.items("Parameters"))
    return made and part.kind == "attribute" and part.last in entry.parameters


def _is_plain(default: Any) -> bool:
    """Whether a default is said beside the type: None and what has no short form are said in
    words.
    """
    return isinstance(default, bool | int | float | str | tuple) and len(repr(default)) < 12


def _methods(entry: Entry) -> list[Entry]:
    return [part for part in entry.parts if part.kind != "attribute"]


def _anchors(kind: str, names: list[str]) -> list[str]:
    return [f".. anchors:: {kind}", "", *(f"   {name}" for name in names), ""] if names else []


def _parameter(measure: Any, name: str) -> str:
    """A parameter of a measure of ir_measures, in words."""
    info = measure.SUPPORTED_PARAMS[name]
    given = ", given by `@`" if name == measure.AT_PARAM else ""
    must = (
        ", required"
        if info.required
        else f", by default {info.default!r}"
        if "NOT" not in repr(info.default)
        else ""
    )
    return f"`{name}`, {info.desc} ({info.allowed}{given}{must})"


def _first(text: str) -> str:
    """The first sentence."""
    return re.split(r"(?<=[.?!])\s+(?=[A-Z`])", text, maxsplit=1)[0]


def pages() -> dict[str, str]:
    """File name → text of every page."""
    return Writer(collect()).pages()
