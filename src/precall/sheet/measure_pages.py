"""The pages of docs/measures, written from the registry: `python -m precall.sheet.measure_pages docs/measures`."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from typing import Any

from precall.measures import REGISTRY, Declaration
from precall.sheet.catalogue import entry, facts, ranking, worked

_NOTICE = "<!-- Written by `python -m precall.sheet.measure_pages docs/measures`; do not edit. -->\n"
_LEAD = """A measure is a function from where the hits are to a number per ranking. `precall explain NAME`
prints an entry of these pages; `precall eval QRELS RUN -m NAME` computes it.
"""


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


def _title(module: str) -> str:
    return (import_module(module).__doc__ or _name(module)).strip().partition("\n")[0].rstrip(".")


def _index(families: dict[str, list[Declaration]]) -> str:
    lines = [_NOTICE, "# Measures\n", _LEAD]
    for module, declared in families.items():
        lines.append(f"## [{_title(module)}]({_name(module)}.md)\n")
        lines += ["| measure | trec_eval | summary |", "| :-- | :-- | :-- |"]
        for said in map(entry, declared):
            names = ", ".join(f"`{name}`" for name in said["trec_eval"])
            link = f"[`{said['usage']}`]({_name(module)}.md#{said['name'].lower()})"
            lines.append(f"| {link} | {names} | {_cell(said['summary'])} |")
        lines.append("")
    return "\n".join(lines)


def _page(module: str, declared: list[Declaration]) -> str:
    lines = [_NOTICE, f"# {_title(module)}\n"]
    for declaration in declared:
        lines += _section(entry(declaration))
    return "\n".join(lines)


def _section(said: dict[str, Any]) -> list[str]:
    lines = [f"## {said['name']}\n", f"`{said['usage']}`\n", said["summary"] + "\n"]
    if said["definition"]:
        lines.append(said["definition"] + "\n")
    if said["parameters"]:
        lines += ["| parameter | default | allowed |", "| :-- | :-- | :-- |"]
        for one in said["parameters"]:
            default = "must be given" if one["required"] else one["default"] or "none"
            lines.append(f"| `{one['name']}` | {default} | {_cell(one['allowed'])} |")
        lines.append("")
    lines += [f"- {label}: {text}" for label, text in facts(said, "`")]
    if said["example"]:
        lines.append(
            f"- Example: {'of' if 'tp' in said['example'] else 'in'} {ranking(said['example'])}, `{worked(said['example'])}`."
        )
    lines += [f"- Source: {source}" for source in said["sources"]]
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
    sys.stdout.write("\n".join(write(sys.argv[1] if len(sys.argv) > 1 else "docs/measures")) + "\n")
