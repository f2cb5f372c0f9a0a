"""How the command line is built: what imports what, and what a command waits for."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

import precall

ROOT = Path(__file__).parents[2]
HOME = Path(precall.__file__).parent
FILES = {
    ".".join(("precall", *path.relative_to(HOME).with_suffix("").parts)): path
    for path in HOME.rglob("*.py")
}
MODULES = {name.removesuffix(".__init__"): path for name, path in FILES.items()}


def imported(path: Path) -> Iterator[str]:
    """The modules of ours that a module imports, wherever in it; those for type checkers, which
    never run, not.
    """
    tree = ast.parse(path.read_text(encoding="utf-8"))
    unseen = {
        inner
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        for inner in ast.walk(node)
    }
    for node in ast.walk(tree):
        if node in unseen:
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            # A module of the package, or else a name in it.
            whole = [f"{node.module}.{alias.name}" for alias in node.names]
            yield from (name if name in MODULES else node.module for name in whole)


def graph() -> dict[str, set[str]]:
    edges = {name: {*imported(path)} & set(MODULES) - {name} for name, path in MODULES.items()}
    # What the contract of rooms excepts, with its reasons.
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    (contract,) = project["tool"]["importlinter"]["contracts"]
    for excepted in contract["ignore_imports"]:
        source, _, target = excepted.partition(" -> ")
        edges[source].remove(target)
    return edges


@pytest.mark.nightly
def test_no_module_imports_itself_by_others():
    edges = graph()
    assert sum(map(len, edges.values())) > 1000
    left = dict(edges)
    while leaves := [name for name, targets in left.items() if not targets & set(left)]:
        for name in leaves:
            del left[name]
    assert not left, f"imported in a circle: {sorted(left)}"


@pytest.mark.parametrize(
    ("line", "unwanted"),
    [
        ("--help", r"precall\.cli\.(eval|report|curve)|numpy"),
        ("trec_eval -c news.qrels one.run", "click"),
    ],
)
def test_what_is_not_waited_for(folder, line, unwanted):
    """Help imports no command to list it, and trec_eval, which reads its arguments itself, no
    click.
    """
    code = (
        "import sys; from precall.cli.main import run; run(sys.argv[1:]); sys.stderr.write(' "
        "'.join(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *line.split()], capture_output=True, text=True, check=True
    )
    assert done.stdout and not [
        name for name in done.stderr.split() if re.fullmatch(unwanted, name)
    ]


def test_help_of_the_whole_says_what_help_of_each_is_about():
    import click

    from precall.cli.commands import SUMMARIES, commands

    context = click.Context(commands)
    for name, text in SUMMARIES.items():
        command = commands.get_command(context, name)
        assert (
            command is not None
            and command.short_help == text
            and f"  {name}" in commands.get_help(context)
        )
