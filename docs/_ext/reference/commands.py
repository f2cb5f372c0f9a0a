"""The pages of the command line, made of click's declarations: what `--help` says, with an anchor
for each option.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator

import click

from precall.cli.commands import SUMMARIES, commands

from .text import escaped, title

LEAD = """Each command is one call of Python and a form of its result: whatever a command shows, Python gives, too.
``precall COMMAND --help`` says in the terminal what these pages say."""  # noqa: E501


def pages() -> dict[str, str]:
    """File name → text: a list of the commands, and a page for each."""
    whole = click.Context(commands, info_name="precall")
    made = {"commands.rst": "\n".join(_list(whole)) + "\n"}
    for name in SUMMARIES:
        command = commands.get_command(whole, name)
        assert command is not None
        context = click.Context(command, info_name=name, parent=whole)
        made[f"precall-{name}.rst"] = "\n".join(_page(command, context)) + "\n"
    return made


def _list(context: click.Context) -> Iterator[str]:
    yield from (
        title("The command line"),
        "",
        LEAD,
        "",
        ".. list-table::",
        "   :class: names",
        "   :widths: auto",
        "",
    )
    for name, summary in SUMMARIES.items():
        yield from (f"   * - :doc:`precall {name} <precall-{name}>`", f"     - {escaped(summary)}")
    yield ""
    yield from _text(commands.help or "")
    yield from _text(commands.epilog or "")
    yield from _options(commands, context)


def _page(command: click.Command, context: click.Context) -> Iterator[str]:
    yield from (
        ":orphan:",
        "",
        title(context.command_path),
        "",
        "In :doc:`The command line <commands>`.",
        "",
    )
    yield from (
        ".. code-block:: text",
        "",
        f"   {' '.join([context.command_path, *command.collect_usage_pieces(context)])}",
        "",
    )
    yield from _text(command.help or "")
    yield from _options(command, context)
    yield from _text(command.epilog or "")


def _text(text: str) -> Iterator[str]:
    r"""Paragraphs of help; those behind \b stand as they are."""
    for paragraph in inspect.cleandoc(text.partition("\f")[0]).split("\n\n"):
        if not paragraph.startswith("\b"):
            yield from (escaped(paragraph), "")
            continue
        head, *lines = paragraph.removeprefix("\b\n").split("\n")
        if not head.endswith(":"):
            head, lines = "", [head, *lines]
        language = "console" if head == "Examples:" else "text"
        prompt = "$ " if language == "console" else ""
        if head:
            yield from (f".. rubric:: {head.rstrip(':')}", "")
        # What goes on from the line above has no prompt of its own.
        shown = (
            prompt + line[2:] if line[2:3].strip() and line.startswith("  ") else line
            for line in lines
        )
        yield from (
            f".. code-block:: {language}",
            "",
            *(f"   {line}".rstrip() for line in shown),
            "",
        )


def _options(command: click.Command, context: click.Context) -> Iterator[str]:
    options = [
        one
        for one in command.get_params(context)
        if isinstance(one, click.Option) and not one.hidden
    ]
    if options:
        yield from (".. rubric:: Options", "", f".. program:: {context.command_path}", "")
    for option in options:
        record = option.get_help_record(context)
        if record is not None:
            yield from (
                f".. option:: {record[0]}",
                "",
                f"   {escaped(' '.join(record[1].split()))}",
                "",
            )
