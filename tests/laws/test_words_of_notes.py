"""Tests ask for what was noticed by its kind and its values: a template can be reworded, and no test of numbers fails."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

from precall.notes import catalogue

TESTS = Path(__file__).resolve().parents[1]
#: Where words of notes may stand, and why.
ALLOWED = {
    "unit/test_notes.py": "how a fact becomes a sentence, and several one",
}
#: Terms of the field, and names of values, that templates have, too.
TERMS = {
    "did you mean",
    "is undefined for",
    "low scores are good",
    "lowest score",
    "no difference",
    "no difference shown",
    "normal approximation",
    "random selection",
    "relative error",
    "topics that differ",
}
#: What calls compare with a text.
LOOKS = {"count", "endswith", "filterwarnings", "findall", "fullmatch", "match", "search", "startswith"}
#: What matches anything, in a regular expression.
_ANYTHING = re.compile(r"\.[*+]|\\[dDsSwW][*+]?|\|")


def texts(tree: ast.AST) -> Iterator[ast.Constant]:
    """Texts of a program that are no documentation, and not what a `Meaning` says."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            continue
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Meaning":
            continue
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node
        yield from texts(node)


def is_phrase(text: str) -> bool:
    """Whether a text is so long that nobody would write it by chance."""
    return len(text) >= 12 and sum(bool(re.search("[A-Za-z]{2}", word)) for word in text.split()) >= 2


def fragments() -> set[str]:
    """What the templates of all kinds have between their fields, and what their properties put there."""
    found = set()
    for module in {kind.__module__ for kind in catalogue().values()}:
        tree = ast.parse(Path(str(sys.modules[module].__file__)).read_text(encoding="utf-8"))
        for text in texts(tree):
            for literal, *_ in Formatter().parse(text.value):
                found.update(part.strip() for part in re.split("[⟨⟩]", literal))
    return {part for part in found - TERMS if is_phrase(part)}


def of_refusals(tree: ast.AST) -> set[int]:
    """Texts of errors, which are no notes: what `pytest.raises` and `refused` of the command's tests are given."""
    calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call))
    named = ((getattr(call.func, "attr", getattr(call.func, "id", "")), call) for call in calls)
    return {id(each) for name, call in named if name in ("raises", "refused") for each in ast.walk(call)}


def compared(tree: ast.AST) -> set[int]:
    """Texts that something is compared with: by operators, by `match=`, by what looks for texts."""
    found = set()
    for node in ast.walk(tree):
        operands: list[ast.expr] = []
        if isinstance(node, ast.Compare):
            operands = [node.left, *node.comparators]
        elif isinstance(node, ast.keyword) and node.arg == "match":
            operands = [node.value]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in LOOKS:
            operands = node.args
        found.update(id(each) for operand in operands for each in ast.walk(operand))
    return found


def overlap(text: str, fragment: str) -> bool:
    """Whether one ends as the other begins."""
    return any(
        first.endswith(second[:size]) and is_phrase(second[:size]) and second[:size].strip().count(" ") > 2
        for first, second in ((text, fragment), (fragment, text))
        for size in range(12, min(len(text), len(fragment)) + 1)
    )


def test_no_test_matches_the_words_of_a_note() -> None:
    declared = fragments()
    assert len(declared) > 100
    found = []
    for path in sorted(TESTS.rglob("*.py")):
        name = path.relative_to(TESTS).as_posix()
        if name in ALLOWED or path == Path(__file__):
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        looked_for, refusals = compared(tree), of_refusals(tree)
        for text in (text for text in texts(tree) if id(text) not in refusals):
            for part in _ANYTHING.split(text.value):
                words = part.replace("\\", "").strip()
                if words in TERMS or not is_phrase(words):
                    continue
                if any(
                    each in words or (id(text) in looked_for and (words in each or overlap(words, each)))
                    for each in declared
                ):
                    found.append(f"{name}:{text.lineno}: {words[:100]}")
    assert not found, "\n".join(found)
