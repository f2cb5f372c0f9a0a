"""Refusals are facts first: what was got and what is allowed are fields of an error, and few errors
name no argument.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import precall

ROOT = Path(__file__).resolve().parents[2]
#: Where there is no checkout, as beside an installed wheel, the package itself is read.
PACKAGE = (
    ROOT / "src" / "precall"
    if (ROOT / "src" / "precall").is_dir()
    else Path(precall.__file__).parent
)

#: Errors that name no argument, by module, with the reason.
NAMELESS = {
    "scikit-learn's own sentences, which name the argument inside": {
        "compat/sklearn/classification.py": 1,
        "compat/sklearn/compared.py": 5,
        "compat/sklearn/confusion.py": 6,
        "compat/sklearn/confusion_display.py": 2,
        "compat/sklearn/discounting.py": 4,
        "compat/sklearn/displayed.py": 10,
        "compat/sklearn/displays.py": 1,
        "compat/sklearn/label_codes.py": 1,
        "compat/sklearn/label_rankings.py": 5,
        "compat/sklearn/ranking.py": 7,
        "compat/sklearn/responses.py": 4,
        "compat/sklearn/scorers.py": 1,
        "compat/sklearn/targets.py": 12,
        "compat/sklearn/tradeoffs.py": 3,
    },
    "several arguments or inputs that do not go together, which the sentence names": {
        "cli/curve.py": 3,
        "cli/eval.py": 1,
        "cli/inputs.py": 3,
        "cli/null.py": 2,
        "cli/options.py": 1,
        "cli/power.py": 2,
        "cli/report.py": 1,
        "comparison/reports.py": 2,
        "comparison/api.py": 1,
        "hard_decisions/membership.py": 3,
        "hard_decisions/score_matrix.py": 1,
        "hard_decisions/thresholds.py": 1,
        "cases/scored_cases.py": 1,
        "stats/tests/many.py": 1,
        "stats/tests/pairing.py": 2,
        "stats/tests/planning.py": 5,
        "stats/tests/power.py": 2,
        "stats/intervals/bands.py": 1,
        "stats/intervals/tuned.py": 1,
        "stats/null/description.py": 2,
        "cases/scored_intervals.py": 1,
        "measures/areas.py": 1,
        "plot/systems.py": 1,
        "read/runs.py": 1,
        "read/id_lists.py": 1,
        "evaluation/report_sheet.py": 1,
    },
    (
        "a measure, a file or a table: people name it as they like, and a name like that of an "
        "option is none"
    ): {
        "core/arguments.py": 1,
        "cli/outputs.py": 1,
        "hard_decisions/distances.py": 2,
        "stats/intervals/of_tables.py": 1,
        "stats/null/distribution.py": 1,
        "plot/files.py": 1,
        "read/select_columns.py": 2,
        "read/sources.py": 1,
        "read/indexes.py": 1,
        "read/list_tables.py": 1,
        "results/forms.py": 2,
        "spark/sources.py": 1,
    },
    "what an object is, or what the process has": {
        "core/arguments.py": 1,
        "compat/ir_measures/records.py": 1,
        "hard_decisions/scored_categories.py": 1,
        "cases/curves.py": 1,
        "cases/points.py": 1,
        "cases/intervals.py": 1,
        "location/hits.py": 1,
        "location/items.py": 1,
        "plot/canvas.py": 2,
        "results/base.py": 1,
        "read/columns.py": 1,
        "read/sources.py": 1,
        "core/rng.py": 1,
        "spark/jobs.py": 1,
        "testing/__init__.py": 1,
    },
}


@cache
def refusals() -> list[tuple[str, ast.Call, ast.AST]]:
    """Calls of the errors, with the module and the function that each stands in."""
    found = []
    for path in sorted(PACKAGE.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if "Error(" in text and path != PACKAGE / "core/errors.py":
            name = path.relative_to(PACKAGE).as_posix()
            found += [(name, *pair) for pair in calls(ast.parse(text))]
    assert len(found) > 400
    return found


def calls(tree: ast.AST) -> Iterator[tuple[ast.Call, ast.AST]]:
    left = [(tree, tree)]
    while left:
        node, function = left.pop()
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in ("UsageError", "MeasureError")
        ):
            yield node, function
        function = node if isinstance(node, ast.FunctionDef) else function
        left += [(part, function) for part in ast.iter_child_nodes(node)]


def texts(call: ast.Call, function: ast.AST) -> Iterator[str]:
    """What a call says is wrong: literals, values in braces; of a variable all that it is in the
    function.
    """
    given = [*call.args[:1], *(word.value for word in call.keywords if word.arg == "what")]
    for node in given:
        if isinstance(node, ast.Name):
            yield from (
                literal(other.value)
                for other in ast.walk(function)
                if isinstance(other, ast.Assign) and ast.unparse(other.targets[0]) == node.id
            )
        yield literal(node)


def literal(node: ast.AST) -> str:
    """A literal as it is written, values in braces; nothing of any other expression."""
    if isinstance(node, ast.Constant):
        return str(node.value)
    if isinstance(node, ast.JoinedStr):
        return "".join(map(literal, node.values))
    if isinstance(node, ast.BinOp):
        return literal(node.left) + literal(node.right)
    return "{" + ast.unparse(node.value) + "}" if isinstance(node, ast.FormattedValue) else ""


def says_fields(text: str) -> bool:
    """Whether a text has what fields are for: it begins with what is allowed, or says what was got
    beside it.

    Examples
    --------
    >>> [
    ...     says_fields(text)
    ...     for text in ("must be names", "one is enough, got {count}", "got {name}; give another")
    ... ]
    [True, True, False]
    """
    is_got = "got {" in text
    return (
        text.startswith("must be ")
        or (is_got and re.search("must be|allowed (are|is)", text) is not None)
        or re.search(r", got \{[^{}]*\}$", text) is not None
    )


@pytest.mark.nightly
def test_what_was_got_and_what_is_allowed_are_fields() -> None:
    told = {
        f"{module}:{call.lineno}: {text}"
        for module, call, function in refusals()
        for text in texts(call, function)
        if says_fields(text)
    }
    assert sorted(told) == []


def test_errors_that_name_no_argument_are_few() -> None:
    found = Counter(
        module
        for module, call, _ in refusals()
        if isinstance(call.func, ast.Name) and call.func.id == "UsageError"
        if not any(word.arg == "argument" for word in call.keywords)
    )
    known: Counter[str] = Counter()
    for counts in NAMELESS.values():
        known.update(counts)
    assert dict(found - known) == {}, "name the argument, or say here why there is none"
    assert dict(known - found) == {}, "fewer than are listed: lower the number"
