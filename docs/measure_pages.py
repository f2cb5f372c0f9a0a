"""The pages of docs/measures, written from the registry:
`python docs/measure_pages.py [FOLDER]`.
"""

from __future__ import annotations

import re
import sys
import tomllib
from importlib import import_module
from pathlib import Path
from typing import Any

from precall.cli.explanations import default, describe_example, entry, facts, show_result
from precall.measures import REGISTRY, Declaration
from precall.results.forms import pipes

_NOTICE = "<!-- Written by `python docs/measure_pages.py`; do not edit. -->\n"
_LEAD = """A measure takes the ranks of the hits and gives one number for each ranking. `precall explain NAME`
prints an entry of these pages; `precall eval QRELS RUN -m NAME` computes it.
"""  # noqa: E501

#: What formulas are written with, the formula of each measure in TeX, and what single ones need
#: besides.
FORMULAS = tomllib.loads((Path(__file__).parent / "formulas.toml").read_text(encoding="utf-8"))
_UPRIGHT = re.compile(r"(TP|FP|FN|TN)(?![A-Za-z])")


def pages() -> dict[str, str]:
    """File name → text: an index and a page per family."""
    families: dict[str, list[Declaration]] = {}
    for declaration in REGISTRY:
        if not declaration.formula.__module__.startswith("precall."):
            continue  # a user's own
        families.setdefault(declaration.formula.__module__, []).append(declaration)
    result = {"README.md": _index(families)}
    for module, declared in families.items():
        result[f"{_name(module)}.md"] = _page(module, declared)
    return result


def _name(module: str) -> str:
    return module.rpartition(".")[2]


def _anchor(heading: str) -> str:
    """As GitHub and the site make it of a heading."""
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


def _title(module: str) -> str:
    prose = (import_module(module).__doc__ or _name(module)).strip().partition("\n\n")[0]
    return " ".join(prose.split()).rstrip(".")


def _index(families: dict[str, list[Declaration]]) -> str:
    lines = [_NOTICE, "# Measures\n", _LEAD]
    for module, declared in families.items():
        rows = []
        for measure in map(entry, declared):
            link = f"[`{measure['usage']}`]({_name(module)}.md#{_anchor(measure['name'])})"
            names = ", ".join(f"`{name}`" for name in measure["trec_eval"])
            rows.append([link, names, _cell(measure["summary"])])
        lines += [
            f"## [{_title(module)}]({_name(module)}.md)\n",
            pipes(["measure", "trec_eval", "summary"], rows, "lll"),
            "",
        ]
    rows = [[f"${_tex(symbol)}$", _cell(text)] for symbol, text in FORMULAS["symbols"].items()]
    lines += ["## Symbols\n", "The formulas of these pages use these symbols.\n"]
    lines += [pipes(["symbol", "meaning"], rows, "ll"), ""]
    return "\n".join(lines)


def _tex(formula: str) -> str:
    return _UPRIGHT.sub(r"\\text{\1}", formula)


def _formula(name: str) -> list[str]:
    """A measure as a formula, with what its symbols are that are its own."""
    tex = FORMULAS["counts"].get(name) or FORMULAS["ranks"][name]
    label = r"\_".join(f"\\text{{{part}}}" for part in name.split("_"))
    where = FORMULAS["where"].get(name)
    return [f"$$\n{label} = {_tex(tex)}\n$$\n", *([f"Here {where}.\n"] if where else [])]


def _page(module: str, declared: list[Declaration]) -> str:
    lines = [
        _NOTICE,
        f"# {_title(module)}\n",
        "The formulas use [these symbols](README.md#symbols).\n",
    ]
    for declaration in declared:
        lines += _section(entry(declaration))
    return "\n".join(lines)


def _section(measure: dict[str, Any]) -> list[str]:
    lines = [f"## {measure['name']}\n", f"`{measure['usage']}`\n", measure["summary"] + "\n"]
    lines += _formula(measure["name"])
    if measure["definition"]:
        lines.append(measure["definition"] + "\n")
    if measure["parameters"]:
        rows = [
            [f"`{parameter['name']}`", default(parameter), _cell(parameter["allowed"])]
            for parameter in measure["parameters"]
        ]
        lines += [pipes(["parameter", "default", "allowed"], rows, "lll"), ""]
    lines += [f"- {label}: {text}" for label, text in facts(measure, "`")]
    if case := measure["example"]:
        what = describe_example(case)
        lines.append(f"- Example: {what[0].lower()}{what[1:]}, `{show_result(case)}`.")
    lines += [f"- Source: {source}" for source in measure["sources"]]
    return [*lines, ""]


def _cell(text: str) -> str:
    # Docstrings are Markdown already; only a bar would end the cell.
    return text.replace("|", "\\|")


def write(folder: str) -> list[str]:
    """Write the pages into `folder`; returns their paths."""
    place = Path(folder)
    place.mkdir(parents=True, exist_ok=True)
    written = []
    for name, text in pages().items():
        (place / name).write_text(text, encoding="utf-8", newline="\n")
        written.append(str(place / name))
    return written


if __name__ == "__main__":
    sys.stdout.write(
        "\n".join(
            write(sys.argv[1] if len(sys.argv) > 1 else str(Path(__file__).parent / "measures"))
        )
        + "\n"
    )
