"""How the house stands: lines, modules that commands enter, file names, cycles.
`python bench/house.py`

The numbers of decision 0013. Edits for something new are counted by hand there.
"""

from __future__ import annotations

import ast
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

import record

ROOT = Path(__file__).resolve().parents[1] / "src"
QRELS = "".join(f"q{i} 0 d{j} {int(j < 2)}\n" for i in range(9) for j in range(5))
RUN = "".join(f"q{i} Q0 d{j} {j} {(i * j) % 5} {{}}\n" for i in range(9) for j in range(5))
CASES = "y,s\n" + "".join(f"{i % 2},{i % 7}\n" for i in range(40))
COMMANDS = {
    "eval": ["eval", "qrels", "one"],
    "compare": ["compare", "qrels", "one", "two"],
    "curve": ["curve", "cases.csv", "--label", "y", "--score", "s"],
    "report": ["report", "qrels", "one", "two", "-o", "page.html"],
}
#: Runs a command in this process, and then says how many modules of ours were loaded, and of how
#: many a function ran.
ENTERED = """
import sys
ran = set()
def see(frame, event, _):
    if event == "call" and not frame.f_code.co_name.startswith("<"):
        ran.add(frame.f_globals.get("__name__", ""))
sys.setprofile(see)
from precall.cli.main import run
status = run(sys.argv[1:])
sys.setprofile(None)
for names in (sys.modules, ran):
    print(sum(name.partition(".")[0] == "precall" for name in names))
print(status)
"""


def modules() -> dict[str, Path]:
    """Name → file of every module."""
    named = {}
    for path in sorted(ROOT.rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        named[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return named


def entered(arguments: list[str], folder: Path) -> str:
    """How many modules a command loads, and of how many a function runs."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", ENTERED, *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    )
    loaded, ran, status = done.stdout.split()[-3:]
    assert status == "0", done.stderr
    return f"{loaded} / {ran}"


def imported(name: str, path: Path, known: Mapping[str, Path]) -> Iterator[str]:
    """The modules that one imports at any time, also inside of functions; not those only for
    types.
    """
    tree = ast.parse(path.read_text(encoding="utf-8"))
    typed = {
        id(part)
        for node in ast.walk(tree)
        if isinstance(node, ast.If)
        and isinstance(node.test, ast.Name)
        and node.test.id == "TYPE_CHECKING"
        for part in ast.walk(node)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and id(node) not in typed and node.module:
            whole = [f"{node.module}.{one.name}" for one in node.names]
            yield from (one if one in known else node.module for one in whole)
        elif isinstance(node, ast.Import) and id(node) not in typed:
            yield from (one.name for one in node.names)


def cycles(graph: Mapping[str, set[str]]) -> list[set[str]]:
    """Modules that import each other, directly or not: those which reach themselves, put
    together.
    """
    reached: dict[str, set[str]] = {}
    for start in graph:
        seen: set[str] = set()
        waiting = [start]
        while waiting:
            new = graph[waiting.pop()] - seen
            seen |= new
            waiting += new
        reached[start] = seen
    groups = {
        frozenset(other for other in graph if other in reached[name] and name in reached[other])
        for name in graph
    }
    return [set(group) for group in sorted(groups, key=sorted) if group]


def names(known: Mapping[str, Path]) -> list[str]:
    """File names that several folders use, which are not those of packages."""
    count = Counter(path.stem for path in known.values() if not path.stem.startswith("__"))
    return sorted(name for name, times in count.items() if times > 1)


def main() -> None:
    """Print the table."""
    known = modules()
    graph = {
        name: {one for one in imported(name, path, known) if one in known and one != name}
        for name, path in known.items()
    }
    lines = sum(path.read_text(encoding="utf-8").count("\n") for path in known.values())
    rows = [["Python lines in src", str(lines)]]
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        texts = {
            "qrels": QRELS,
            "one": RUN.replace("{}", "one"),
            "two": RUN.replace("{}", "two"),
            "cases.csv": CASES,
        }
        for name, text in texts.items():
            (folder / name).write_text(text, encoding="utf-8")
        rows += [
            [f"modules loaded, run by {name}", entered(typed, folder)]
            for name, typed in COMMANDS.items()
        ]
    together = cycles(graph)
    rows.append(["file names in several folders", str(len(names(known)))])
    rows.append(["modules in cycles", str(sum(map(len, together)))])
    sys.stdout.write(record.table("House", ["what", "number"], rows))
    sys.stdout.write(f"names: {', '.join(names(known))}\n")
    for group in together:
        sys.stdout.write(f"cycle: {', '.join(sorted(group))}\n")


if __name__ == "__main__":
    main()
