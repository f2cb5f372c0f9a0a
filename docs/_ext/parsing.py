"""What takes time and is for nothing here: states that a parser never comes to, changes of pages
that none of ours needs.
"""

from __future__ import annotations

from typing import Any

from docutils.statemachine import State, StateMachine
from sphinx.application import Sphinx

#: Of directives that no page has, of translations, of LaTeX and of other languages: they look
#: through each page for nothing.
_UNUSED = {
    "myst_nb.ext.execution_tables",
    "myst_nb.ext.glue.crossref",
    "sphinx.builders.latex.transforms",
    "sphinx.domains.c",
    "sphinx.domains.citation",
    "sphinx.domains.cpp",
    "sphinx_design.aside",
    "sphinx_design.dropdown",
    "sphinx_design.tabs",
}
_UNUSED_TOO = {"AddTranslationClasses", "RemoveTranslatableInline", "TranslationProgressTotaliser"}


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("builder-inited", _leave_out)
    StateMachine.add_states = _later  # type: ignore[method-assign,assignment]
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _leave_out(app: Sphinx) -> None:
    for transforms in (app.registry.transforms, app.registry.post_transforms):
        transforms[:] = [
            one
            for one in transforms
            if one.__module__ not in _UNUSED and one.__name__ not in _UNUSED_TOO
        ]


def _later(machine: StateMachine[Any], classes: list[type[State[Any]]]) -> None:
    machine.states = _States(machine, classes)


class _States(dict[str, Any]):
    """States by name, made when they are first asked for: all fifteen for each nested text took 3
    of 28 processor seconds.
    """

    def __init__(self, machine: StateMachine[Any], classes: list[type[State[Any]]]) -> None:
        super().__init__()
        self.machine, self.classes = machine, {one.__name__: one for one in classes}

    def __missing__(self, name: str) -> Any:
        state = self[name] = self.classes[name](self.machine, self.machine.debug)
        if hasattr(self.machine, "memo"):  # it runs, and has told its states so
            state.runtime_init()
        return state
