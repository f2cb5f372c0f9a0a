"""Examples as a reader may type them: docstrings use what their module has; here public names, and
where they come from.
"""

from __future__ import annotations

import ast
import doctest
import inspect
import re
import sys
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from .names import Names

#: Modules that are imported for themselves; what is in the others hangs under `pc`.
_OWN = ("precall.plot", "precall.compat", "precall.torch", "precall.spark", "precall.testing")


@cache
def kept() -> dict[str, list[str]]:
    """Name → the lines of the examples in `examples.txt`."""
    text = Path(__file__).with_suffix(".txt").read_text(encoding="utf-8")
    parts = re.split(r"^\[(.+)\]$", text, flags=re.MULTILINE)[1:]
    return {
        name: lines.strip().split("\n") for name, lines in zip(parts[::2], parts[1::2], strict=True)
    }


class Rewriter:
    """Rewrites the examples of one docstring."""

    def __init__(self, names: Names, value: Any) -> None:
        self.names = names
        plain = inspect.unwrap(value) if callable(value) else value
        self.globals: dict[str, Any] = getattr(plain, "__globals__", None) or _globals_of(plain)
        self.imports: list[str] = []
        self.stored: set[str] = set()
        self.public: dict[str, str] = {}
        self.private: list[str] = []

    def rewritten(self, lines: list[str]) -> list[str]:
        """The lines of a section of examples, behind the imports that they need."""
        result: list[str] = []
        for part in doctest.DocTestParser().parse("\n".join(lines) + "\n"):
            if isinstance(part, str):
                # Nothing stands between examples of adjacent lines.
                result += part.rstrip("\n").split("\n") * ("\n" in part or bool(part.strip()))
                result += [""] * bool(part.strip())
                continue
            source = self._source(part.source)
            if source:
                prompts = [f">>> {source[0]}", *(f"... {line}".rstrip() for line in source[1:])]
                result += prompts + part.want.rstrip("\n").split("\n") * bool(part.want)
        while result and not result[0].strip():
            del result[0]
        if result and not result[0].startswith(">>>"):
            # Prose first: the imports stand before the first example.
            place = next(
                (number for number, line in enumerate(result) if line.startswith(">>>")),
                len(result),
            )
        else:
            place = 0
        return (
            result[:place]
            + [f">>> {line}" for line in dict.fromkeys(self.imports)]
            + result[place:]
        )

    def _source(self, text: str) -> list[str]:
        tree = ast.parse(text)
        if (
            len(tree.body) == 1
            and isinstance(tree.body[0], ast.ImportFrom | ast.Import)
            and self._imported(tree.body[0])
        ):
            return []
        here = {
            node.id
            for node in ast.walk(tree)
            if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)
        }
        inner = {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
        inner |= _targets(tree)
        edits = []
        for node in ast.walk(tree):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                if node.id in self.stored or node.id in inner:
                    continue
                if (meant := self._meant(node.id)) is not None and meant != node.id:
                    edits.append((node.lineno, node.col_offset, len(node.id.encode()), meant))
        self.stored |= here
        self.stored |= {
            node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)
        }
        lines = [
            line.partition("  # doctest:")[0].encode() for line in text.rstrip("\n").split("\n")
        ]
        for row, column, length, meant in sorted(edits, reverse=True):
            line = lines[row - 1]
            lines[row - 1] = line[:column] + meant.encode() + line[column + length :]
        return [line.decode() for line in lines]

    def _imported(self, node: ast.ImportFrom | ast.Import) -> bool:
        """Whether an import of ours is not needed as it stands; what it names is then known."""
        if isinstance(node, ast.Import):
            self.stored |= {name.asname or name.name.partition(".")[0] for name in node.names}
            return False
        if not (node.module or "").startswith("precall"):
            self.stored |= {name.asname or name.name for name in node.names}
            return False
        module = import_module(str(node.module))
        for name in node.names:
            called = name.asname or name.name
            self.stored.discard(called)
            try:
                value = getattr(module, name.name)
            except AttributeError:
                value = import_module(f"{node.module}.{name.name}")
            public = self.names.of(value)
            if public is None:
                self.private.append(f"{node.module}.{name.name}")
            else:
                self.public[called] = public
        return True

    def _meant(self, name: str) -> str | None:
        """What a free name is written as; None where it is Python's own."""
        if name in self.public:
            return self._written(self.public[name])
        if name not in self.globals:
            return None
        value = self.globals[name]
        public = self.names.of(value)
        if public is not None:
            return self._written(public)
        if inspect.ismodule(value):
            path = value.__name__
            self.imports.append(f"import {path}" + (f" as {name}" if path != name else ""))
            return name
        home = getattr(value, "__module__", "")
        if str(home).startswith("precall") or not home:
            self.private.append(f"{home}.{name}")
            return name
        self.imports.append(f"from {home} import {name}")
        return name

    def _written(self, public: str) -> str:
        home, _, last = public.rpartition(".")
        if not home:
            self.private.append(public)  # a class that nobody makes by hand
        if home.startswith(_OWN):
            self.imports.append(f"from {home} import {last}")
            return last
        self.imports.insert(0, "import precall as pc")
        return "pc" + public.removeprefix("precall")


def _targets(tree: ast.AST) -> set[str]:
    """Names that comprehensions bind, which hold only there."""
    bound: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.comprehension):
            bound |= {part.id for part in ast.walk(node.target) if isinstance(part, ast.Name)}
    return bound


def _globals_of(value: Any) -> dict[str, Any]:
    if inspect.ismodule(value):
        return vars(value)
    module = sys.modules.get(getattr(value, "__module__", "") or "")
    if module is not None:
        return vars(module)
    parts = (
        part
        for part in vars(value).values()
        if hasattr(inspect.unwrap(part) if callable(part) else part, "__globals__")
    )
    found: dict[str, Any] = next((inspect.unwrap(part).__globals__ for part in parts), {})
    return found
