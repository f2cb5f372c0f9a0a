"""House rules that a program can check."""

from __future__ import annotations

import ast
import re
import tomllib
from pathlib import Path

import precall

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "src" if (ROOT / "src").is_dir() else Path(precall.__file__).parent
FILES = sorted(
    path
    for folder in (PACKAGE, *(ROOT / name for name in ("tests", "bench", "examples")))
    for path in folder.rglob("*")
    if path.suffix in (".py", ".cpp", ".hpp", ".sh")
    and "data" not in path.relative_to(folder).parts
)
HOME = PACKAGE / "precall" if (PACKAGE / "precall").is_dir() else PACKAGE
MODULES = [path for path in FILES if path.suffix == ".py" and PACKAGE in path.parents]
NO_SUBJECT = {"utils", "util", "helpers", "helper", "common", "misc"}
# With brackets, or this file would find itself.
UNFINISHED = re.compile("TO[D]O|FIX[M]E|X[X]X|NotImplemented[E]rror")


def test_nothing_is_left_for_later() -> None:
    assert not [path for path in FILES if UNFINISHED.search(path.read_text(encoding="utf-8"))]


def test_file_names_say_what_is_inside() -> None:
    assert not [path for path in FILES if path.stem in NO_SUBJECT]


def test_modules_begin_with_prose() -> None:
    assert len(MODULES) > 100
    for path in MODULES:
        text = path.read_text(encoding="utf-8")
        assert re.match('"""[^"]', text) or not text.strip(), path
        if re.search(r"^ *def \w+\(", text, re.MULTILINE):
            assert "from __future__ import annotations" in text, path


#: Packages whose public names are imported when they are first asked for: each name stands beside
#: the import that type checkers read. And the compiled kernel, which may be missing.
NAMED_IN_STRINGS = {
    "__init__.py",
    "cases/__init__.py",
    "compat/__init__.py",
    "compat/sklearn/__init__.py",
    "intervals/__init__.py",
    "judges/api.py",
    "native/__init__.py",
    "plot/__init__.py",
    "stats/null/__init__.py",
}


#: A module's path in the package → its code.
CODES = {
    path.relative_to(HOME).as_posix(): path.read_text(encoding="utf-8")
    for path in MODULES
    if HOME in path.parents
}
NAMES = {
    ".".join(Path(name).with_suffix("").parts).removesuffix("__init__").removesuffix(".")
    for name in CODES
} - {""}


def named_in_strings(code: str) -> set[str]:
    """The modules that strings name, without the package: a name may be put together of "precall."
    and "page.axes".
    """
    strings = {
        node.value.removeprefix("precall.").removesuffix(".")
        for node in ast.walk(ast.parse(code))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        if "." in node.value
    }
    return strings & NAMES


def test_no_module_is_named_in_a_string() -> None:
    """Such a name would lead upwards past the contract of rooms, and past type checkers."""
    assert {name for name, code in CODES.items() if "fetching(" in code} <= NAMED_IN_STRINGS
    named = {
        name: named_in_strings(code)
        for name, code in CODES.items()
        if name not in NAMED_IN_STRINGS and "import_module" in code
    }
    assert named and not any(named.values()), "import it in a function, where checkers see it"


def test_strings_name_no_module_of_a_higher_room() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    (contract,) = project["tool"]["importlinter"]["contracts"]
    height = {
        room: -index
        for index, layer in enumerate(contract["layers"])
        for room in layer.split(" | ")
    }
    higher = [
        (name, other)
        for name in NAMED_IN_STRINGS - {"__init__.py"}
        for other in named_in_strings(CODES[name])
        if height[other.partition(".")[0]] > height[name.partition("/")[0]]
    ]
    assert higher == []
