"""Tests ask for what was noticed by its kind and its values: a template can be reworded, and no
test of numbers fails.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from string import Formatter

import pytest

from precall.core.notes import catalogue

TESTS = Path(__file__).resolve().parents[1]
#: Where words of notes may stand, and why.
ALLOWED = {
    "core/test_notes.py": "how a fact becomes a sentence, and several one",
    "laws/test_words_of_notes.py": "this law is tried here",
    "parity/test_sklearn_differences.py": "words of scikit-learn",
    "compat/test_scikit_learn.py": "words of scikit-learn",
}
#: Terms of the field, and names of values, that templates have, too.
TERMS = {
    "average precision",
    "did you mean",
    "differences of decisions",
    "equal scores",
    "is undefined for",
    "looks like a",
    "low scores are good",
    "lowest score",
    "the interval",
    "no difference",
    "no difference shown",
    "normal approximation",
    "people alone",
    "random selection",
    "standard error",
    "relative error",
    "topics differ",
    "topics that differ",
}
#: What calls compare with a text.
LOOKS = {
    "count",
    "endswith",
    "filterwarnings",
    "findall",
    "fullmatch",
    "match",
    "search",
    "startswith",
}
#: A note, notes, or one of them.
_NOTES = re.compile(r"\bnotes?(\(\))?(\[[^\]]*\])?$")
#: What matches anything, in a regular expression.
_ANYTHING = re.compile(r"\.[*+]|\\[dDsSwW][*+]?|\|")


# --- What templates say ---


def is_phrase(text: str) -> bool:
    """Whether a text is so long that nobody would write it by chance."""
    return (
        len(text) >= 12 and sum(bool(re.search("[A-Za-z]{2}", word)) for word in text.split()) >= 2
    )


def texts(tree: ast.AST, but: Callable[[ast.AST], bool]) -> Iterator[ast.Constant]:
    """Texts of a program, without documentation and what else is to be left out."""
    left = [tree]
    while left:
        node = left.pop()
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node
        documented = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if not documented and not but(node):
            left += ast.iter_child_nodes(node)


def called(node: ast.AST) -> str:
    """The name of what is called, without its module; empty if nothing is."""
    if not isinstance(node, ast.Call):
        return ""
    return str(getattr(node.func, "attr", getattr(node.func, "id", "")))


@cache
def fragments() -> frozenset[str]:
    """What the templates of all kinds have between their fields, and what their properties put
    there.
    """
    found = set()
    for module in {kind.__module__ for kind in catalogue().values()}:
        tree = ast.parse(Path(str(sys.modules[module].__file__)).read_text(encoding="utf-8"))
        for text in texts(tree, lambda node: called(node) == "Meaning"):
            # A word of the vocabulary is a word.
            for literal, *_ in Formatter().parse(re.sub(r"\{:(\w+)\}", r"\1", text.value)):
                found.update(part.strip() for part in re.split("[⟨⟩]", literal))
    return frozenset(part for part in found - TERMS if is_phrase(part))


@cache
def ends() -> tuple[frozenset[str], frozenset[str]]:
    """How fragments begin, and how they end: in four words or more."""
    cuts = [(part[:at], part[at:]) for part in fragments() for at in range(len(part) + 1)]
    first, last = (
        {cut[side] for cut in cuts if cut[side].strip().count(" ") > 2} for side in (0, 1)
    )
    return frozenset(filter(is_phrase, first)), frozenset(filter(is_phrase, last))


# --- What tests say ---


def is_of_errors(node: ast.AST) -> bool:
    """Whether a call says which error there is, which is no note."""
    if called(node) == "raises" and isinstance(node, ast.Call) and node.args:
        return "arning" not in ast.unparse(node.args[0])
    return called(node) == "refused"


def compared(tree: ast.AST) -> set[int]:
    """Texts that something is compared with: by operators, by `match=`, by what looks for texts."""
    found = set()
    for node in ast.walk(tree):
        operands: list[ast.expr] = []
        if isinstance(node, ast.Compare):
            operands = [node.left, *node.comparators]
        elif isinstance(node, ast.keyword) and node.arg == "match":
            operands = [node.value]
        elif isinstance(node, ast.Call) and called(node) in LOOKS:
            operands = node.args
        found.update(id(each) for operand in operands for each in ast.walk(operand))
    return found


def words_of_notes(tree: ast.AST) -> Iterator[int]:
    """Lines with a text that holds a fragment; or is compared and held by one, or is in part the
    end of one.
    """
    looked_for = compared(tree)
    declared, (first, last) = fragments(), ends()
    whole, begun = "\n".join(declared), {each[:12] for each in declared}
    longest = max(map(len, declared))
    for text in texts(tree, is_of_errors):
        for part in _ANYTHING.split(text.value):
            words = part.replace("\\", "").strip()
            if words in TERMS or not is_phrase(words):
                continue
            sizes = range(12, min(len(words), longest) + 1)
            held = id(text) in looked_for and (
                words in whole
                or any(words[-size:] in first or words[:size] in last for size in sizes)
            )
            holds = any(words[at : at + 12] in begun for at in range(len(words))) and any(
                each in words for each in declared
            )
            if held or holds:
                yield text.lineno


def notes_by_words(tree: ast.AST) -> Iterator[int]:
    """Lines where a note or a warning of ours is told by some of its words, though it has a class
    and values.
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and called(node) == "warns" and node.args:
            ours = re.search(r"PrecallWarning|\.warning$", ast.unparse(node.args[0]))
            if ours and any(keyword.arg == "match" for keyword in node.keywords):
                yield node.lineno
        elif isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.In | ast.NotIn):
            of_notes = _NOTES.search(ast.unparse(node.comparators[0]))
            if of_notes and isinstance(node.left, ast.Constant | ast.JoinedStr):
                yield node.lineno


@cache
def programs() -> dict[str, ast.Module]:
    """All tests, by their paths."""
    paths = {path.relative_to(TESTS).as_posix(): path for path in sorted(TESTS.rglob("*.py"))}
    return {
        name: ast.parse(path.read_text(encoding="utf-8"))
        for name, path in paths.items()
        if name not in ALLOWED
    }


@pytest.mark.nightly
@pytest.mark.parametrize("found_by", [words_of_notes, notes_by_words])
def test_no_test_asks_for_the_words_of_a_note(found_by: Callable[[ast.AST], Iterator[int]]) -> None:
    lines = [f"{name}:{line}" for name, tree in programs().items() for line in found_by(tree)]
    assert not lines, "ask for the kind and the values, as tests/noticed.py does:\n" + "\n".join(
        lines
    )


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ('assert "27 of 30 topics of the qrels missing" in str(report)', True),
        ('assert "of the qrels miss" in out', True),
        ('SAID = "1 topic of the qrels missing"', True),
        ('assert "20 cases have 5 different scores; cases of equal score are" in out', True),
        ('pytest.warns(UserWarning, match=r"LR\\\\+: .* of the qrels missing")', True),
        ('pytest.warns(PrecallWarning, match="few")', True),
        ('assert "few" in found.notes[0]', True),
        ('assert any("few" in note for note in found.notes)', True),
        ('pytest.raises(pc.DataError, match="1 topic of the qrels missing")', False),
        ('pytest.raises(FewItems.warning, match="1 topic of the qrels missing")', True),
        ('assert MissingTopics("run", 27, 30) in noticed(report)', False),
        ('assert note.values == {"missing": 27, "total": 30}', False),
    ],
)
def test_the_law_finds_words(line: str, found: bool) -> None:
    tree = ast.parse(line)
    assert bool([*words_of_notes(tree), *notes_by_words(tree)]) is found
