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
        "compat/sklearn/confusion.py": 4,
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
        "stats/tests/least_size.py": 1,
        "stats/tests/power.py": 1,
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
        "results/sheets.py": 1,
        "read/columns.py": 1,
        "read/sources.py": 1,
        "core/rng.py": 1,
        "spark/jobs.py": 1,
        "testing/__init__.py": 1,
    },
}

#: Mistakes in data that have no value, by module, with the reason.
VALUELESS = {
    "a whole file or archive, or the end of one": {
        "comparison/baselines.py": 1,
        "hard_decisions/thresholds.py": 1,
        "page/record.py": 4,
        "read/arrow_batches.py": 1,
        "read/documents.py": 2,
        "read/folders.py": 1,
        "read/sources.py": 8,
        "read/tables.py": 1,
        "spark/sources.py": 1,
        "spark/cluster_scan.py": 1,
    },
    "a value is missing, hidden or undefined, or nothing is there": {
        "cases/columns.py": 1,
        "cases/curve_sheet.py": 1,
        "cases/scored_cases.py": 1,
        "cases/stored_counts.py": 1,
        "core/arguments.py": 1,
        "core/undefined.py": 1,
        "evaluation/extremes.py": 1,
        "hard_decisions/outcomes.py": 1,
        "hard_decisions/per_ranking.py": 1,
        "hard_decisions/pivots.py": 1,
        "hard_decisions/table_io.py": 1,
        "hard_decisions/two_systems.py": 1,
        "judges/case_files.py": 1,
        "judges/topics.py": 1,
        "read/cases.py": 1,
        "read/problems.py": 3,
        "spark/ranked_rows.py": 1,
        "stats/tests/pairing.py": 1,
        "stats/tests/tops.py": 1,
        "torch/tasks.py": 1,
    },
    "several values that do not go together": {
        "cases/score_counts.py": 1,
        "comparison/dispatch.py": 1,
        "hard_decisions/table_io.py": 3,
        "hard_decisions/thresholds.py": 1,
        "page/record.py": 1,
        "read/binary_labels.py": 1,
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


def quotes_without_got(call: ast.Call, function: ast.AST) -> list[str]:
    """The values that the words of an error quote, if the error has no `got`."""
    if any(word.arg in ("got", None) for word in call.keywords):
        return []
    words = [*call.args[:1], *(word.value for word in call.keywords if word.arg == "what")]
    return [
        ast.unparse(piece)
        for node in words
        for part in (node, *literals_of(node, function))
        for piece in ast.walk(part)
        if isinstance(piece, ast.FormattedValue)
        if piece.conversion == ord("r") or "short_repr(" in ast.unparse(piece.value)
    ]


def test_what_an_error_quotes_is_a_field() -> None:
    told = [
        f"{module}:{call.lineno}: {quoted}"
        for module, call, function in refusals()
        # scikit-learn's own sentences
        if not module.startswith("compat/sklearn/")
        for quoted in quotes_without_got(call, function)
    ]
    assert told == []


@pytest.mark.parametrize(
    "planted",
    [
        'UsageError(f"no column {name!r}", allowed=names)',
        'MeasureError(f"no measure {short_repr(name)}")',
        'UsageError(argument="a", what="two are called " + f"{name!r}")',
        'def f(name):\n    what = f"no {name!r}"\n    raise UsageError(what, argument="a")',
    ],
)
def test_a_planted_quotation_is_noticed(planted: str) -> None:
    ((call, function),) = calls(ast.parse(planted))
    assert quotes_without_got(call, function)


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


#: Functions that take a template of what is wrong with data: its place among their arguments.
TEMPLATES = {
    "Mistake": 0,
    "Problem": 2,
    "prefix": 0,
    "suffix": 0,
    "missing_label": 0,
    "_not_ours": 0,
    "_Template": 0,
    "JoinedLabel": 1,
}
FIELD = re.compile(r"\{(\w+)(?::[\w,.]+)?\}")


def mistakes(tree: ast.AST) -> Iterator[tuple[ast.Call, ast.AST, ast.expr]]:
    """Calls with a template of what is wrong with data, with the function that each stands in, and
    the template.
    """
    left = [(tree, tree)]
    while left:
        node, function = left.pop()
        if isinstance(node, ast.Call):
            called = node.func
            name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
            place = TEMPLATES.get(name, len(node.args))
            for word in node.keywords:
                if word.arg == "what" and name in TEMPLATES:
                    yield node, function, word.value
            if place < len(node.args) and not isinstance(node.args[place], ast.Starred):
                yield node, function, node.args[place]
        function = node if isinstance(node, ast.FunctionDef) else function
        left += [(part, function) for part in ast.iter_child_nodes(node)]


def literals_of(node: ast.AST, function: ast.AST) -> Iterator[ast.expr]:
    """The literals that a template may be: of a variable all that it is in the function."""
    if isinstance(node, ast.Name):
        for other in ast.walk(function):
            if isinstance(other, ast.Assign):
                for target in other.targets:
                    yield from _assigned(target, other.value, node.id)
    elif isinstance(node, ast.IfExp):
        yield from literals_of(node.body, function)
        yield from literals_of(node.orelse, function)
    elif isinstance(node, ast.BinOp):
        yield from literals_of(node.left, function)
        yield from literals_of(node.right, function)
    elif isinstance(node, ast.Constant | ast.JoinedStr):
        yield node


def _assigned(target: ast.expr, value: ast.expr, name: str) -> Iterator[ast.expr]:
    """The literals that an assignment gives to a variable."""
    if isinstance(target, ast.Name) and target.id == name:
        yield from literals_of(value, ast.Module([], []))
    elif isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        for one, other in zip(target.elts, value.elts, strict=True):
            yield from _assigned(one, other, name)


def faults_of_templates(tree: ast.AST) -> list[str]:
    """Templates of what is wrong with data that hold values or what is allowed, by line."""
    return [
        f"{call.lineno}: {ast.unparse(part)}"
        for call, function, template in mistakes(tree)
        for part in literals_of(template, function)
        if any(
            isinstance(piece, ast.FormattedValue) and not is_constant(piece.value)
            for piece in ast.walk(part)
        )
        or re.search(r"\bgot \{|allowed (are|is)\b|^must be ", literal(part))
    ]


def is_constant(node: ast.expr) -> bool:
    """Whether an expression is a constant of a module, or a template that a function was given."""
    return (
        ast.unparse(node).isupper()
        or re.fullmatch(r"what|[A-Z_]+\[\d\]", ast.unparse(node)) is not None
    )


@cache
def trees() -> dict[str, ast.AST]:
    """The modules that say what is wrong with data."""
    texts = {
        path.relative_to(PACKAGE).as_posix(): path.read_text(encoding="utf-8")
        for path in sorted(PACKAGE.rglob("*.py"))
    }
    return {
        name: ast.parse(text)
        for name, text in texts.items()
        if re.search(r"\b(Mistake|Problem|JoinedLabel)\b", text) and name != "core/errors.py"
    }


def test_what_is_wrong_with_data_is_a_template_without_values() -> None:
    told = [
        f"{name}:{fault}" for name, tree in trees().items() for fault in faults_of_templates(tree)
    ]
    assert told == []
    assert sum(1 for tree in trees().values() for _ in mistakes(tree)) > 150


@pytest.mark.parametrize(
    "planted",
    [
        'Mistake(f"label {label!r} is none", "x")',
        "Mistake(f\"label '{label}' is none\", 'x')",
        'Problem(source, None, f"topic {show_text(topic)} is missing", "x")',
        'Problem(source, None, what=f"topic {topic} is missing", todo="x")',
        'mistake.prefix(f"column {name!r}: ")',
        'Mistake("no number" + f" for {topic!r}", "x")',
        'def f(topic):\n    what = f"{topic!r} is missing"\n    return Mistake(what, "x")',
        'def f(t):\n    what, todo = f"{t!r} is missing", "x"\n    return Mistake(what, todo)',
        'Mistake("no number, allowed are 0 and 1", "x")',
        'Mistake("no number, got {name}", "x", name=name)',
    ],
)
def test_a_planted_value_in_a_template_is_noticed(planted: str) -> None:
    assert len(faults_of_templates(ast.parse(planted))) == 1


def test_every_field_of_a_template_has_a_value() -> None:
    lacking = [
        f"{name}:{call.lineno}: {field}"
        for name, tree in trees().items()
        for call, function, template in mistakes(tree)
        if getattr(call.func, "id", "") == "Mistake"
        if not any(word.arg is None for word in call.keywords)
        for part in literals_of(template, function)
        if isinstance(part, ast.Constant)
        for field in FIELD.findall(literal(part).replace("{topic: {item: value}}", ""))
        if not field.isupper() and field not in {word.arg for word in call.keywords}
    ]
    assert lacking == []


def test_mistakes_without_a_value_are_few() -> None:
    found = Counter(
        name
        for name, tree in trees().items()
        for call, _, _ in mistakes(tree)
        if getattr(call.func, "id", "") in ("Mistake", "_not_ours")
        if not any(word.arg in ("got", None) for word in call.keywords)
    )
    known: Counter[str] = Counter()
    for counts in VALUELESS.values():
        known.update(counts)
    assert dict(found - known) == {}, "give `got=`, or say here why there is none"
    assert dict(known - found) == {}, "fewer than are listed: lower the number"


def test_quotations_are_cut_in_one_place() -> None:
    """`core/text.py` cuts what messages quote, and says how long it was."""
    cut = re.compile(r"!r:\.\d+")
    told = [
        f"{path.relative_to(PACKAGE).as_posix()}: {found[0]}"
        for path in sorted(PACKAGE.rglob("*.py"))
        for found in cut.finditer(path.read_text(encoding="utf-8"))
    ]
    assert told == []
