"""Prose of docstrings as reStructuredText: what stands in backticks, types, lists, pages that are
named by their files.
"""

from __future__ import annotations

import re
from pathlib import Path

from .examples import Rewriter
from .names import Entry, Names
from .text import escaped

DOCS = Path(__file__).resolve().parents[2]
_CODE = re.compile(r"``(.+?)``|`([^`]+)`")
_PAGE = re.compile(r"docs/([\w/-]+)\.md(#[\w-]+)?")


class Prose:
    """Writes prose, in which public names are links."""

    def __init__(self, names: Names) -> None:
        self.names = names

    def typed(self, text: str) -> str:
        """A type, its public classes linked."""

        def word(match: re.Match[str]) -> str:
            name = self.names.classes.get(match[0])
            return f":py:obj:`{match[0]} <{name}>`" if name else match[0]

        parts = re.split(r"([A-Za-z_][\w.]*)", text)
        shown = [
            word(re.match(".*", part)) if number % 2 else escaped(part)
            for number, part in enumerate(parts)
        ]  # type: ignore[arg-type]
        return re.sub(
            r"(?<=\S)(:py:obj:`)", r"\\ \1", re.sub(r"(>`)(?=\w|\[)", r"\1\\ ", "".join(shown))
        )

    def _lines(self, lines: list[str], entry: Entry) -> list[str]:
        """Prose and lists of a docstring; examples as they are."""
        result, run = [], []
        for line in [*lines, ""]:
            if line.strip():
                run.append(line)
                continue
            if run and _is_example(run[0].lstrip()):
                result += [
                    *Rewriter(self.names, entry.value).rewritten([row.strip() for row in run]),
                    "",
                ]
            elif run:
                result += [*self.prose("\n".join(run), entry.name).split("\n"), ""]
            run = []
        while result and not result[-1]:
            result.pop()
        return [*result, ""]

    def prose(self, text: str, owner: str) -> str:
        """A text: names in backticks are links where they are public, and code otherwise; the rest
        is as it is.
        """
        parts, end = [], 0
        for match in _CODE.finditer(text):
            parts += [
                _linked(escaped(text[end : match.start()])),
                self._named(match[1] or match[2], owner),
            ]
            end = match.end()
        parts.append(_linked(escaped(text[end:])))
        shown = ""
        for part in filter(None, parts):
            # A role must stand by itself.
            touches = (
                shown
                and part[0] in "`:"
                and shown[-1] not in " \n([{\"'-/"
                and part.startswith((":py", "``"))
            )
            follows = shown.endswith("`") and (part[0].isalnum() or part[0] in "_`")
            shown += ("\\ " if touches or follows else "") + part
        return shown

    def _named(self, text: str, owner: str) -> str:
        text = text.replace("\n", " ")
        full = self.meant(text.partition("(")[0], owner)
        return f":py:obj:`{text} <{full}>`" if full and "<" not in text else code(text)

    def meant(self, text: str, owner: str) -> str | None:
        """The public name that a text means, in what is said of another: of `precall`, or of what
        that is in.
        """
        name = text.removeprefix("pc.").removeprefix("precall.")
        own = self.names.by_name.get(owner)
        if not re.fullmatch(r"[\w.]+", name) or (own is not None and text in own.parameters):
            return None
        # Beside it, in it, and then further up: of `interval.max_f`, `average_precision` is the
        # interval's.
        parts = owner.split(".") if name == text else []
        places = [
            ".".join(parts[:end]) for end in (len(parts) - 1, *range(len(parts), 0, -1)) if end > 0
        ]
        found = (
            full for full in [*(f"{place}.{name}" for place in places), f"precall.{name}", name]
        )
        return next((full for full in found if full in self.names.pages and full != owner), None)


def _is_example(line: str) -> bool:
    return line.startswith(">>>")


def code(text: str) -> str:
    """As code."""
    return f"``{text}``"


def _linked(text: str) -> str:
    """Pages of the documentation that a text names by their file."""

    def link(match: re.Match[str]) -> str:
        return f":doc:`/{match[1]}`" if (DOCS / f"{match[1]}.md").is_file() else match[0]

    return _PAGE.sub(link, text)
