"""A parser makes the states that it comes to, not the fifteen that it might: they took a twelfth of the time."""

from __future__ import annotations

from typing import Any

from docutils.statemachine import State, StateMachine
from sphinx.application import Sphinx


def setup(app: Sphinx) -> dict[str, Any]:
    StateMachine.add_states = _later  # type: ignore[method-assign,assignment]
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _later(machine: StateMachine[Any], classes: list[type[State[Any]]]) -> None:
    machine.states = _States(machine, classes)


class _States(dict[str, Any]):
    """States by name, made when they are first asked for."""

    def __init__(self, machine: StateMachine[Any], classes: list[type[State[Any]]]) -> None:
        super().__init__()
        self.machine, self.classes = machine, {one.__name__: one for one in classes}

    def __missing__(self, name: str) -> Any:
        state = self[name] = self.classes[name](self.machine, self.machine.debug)
        if hasattr(self.machine, "memo"):  # it runs, and has told its states so
            state.runtime_init()
        return state
