"""The help of an option speaks of options that the command has."""

from __future__ import annotations

import re

import click

from precall.cli.commands import commands


def test_the_help_of_an_option_names_options_of_its_command() -> None:
    context = click.Context(commands)
    unknown = []
    for name in commands.list_commands(context):
        command = commands.get_command(context, name)
        assert command is not None
        options = {spelled for one in command.params for spelled in one.opts}
        unknown += [
            (name, one.opts[0], word)
            for one in command.params
            for word in re.findall(r"(?<!\w)--[a-z][a-z-]*", getattr(one, "help", None) or "")
            if word not in options
        ]
    assert not unknown
