"""`precall trec_eval`, which is implemented in `precall.compat.trec_eval`."""

from __future__ import annotations

import sys

import click


class Verbatim(click.Command):
    """A command whose arguments are not parsed by click, including -h and --."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Keep the arguments unchanged."""
        ctx.args = list(args)
        return []


@click.command("trec_eval", cls=Verbatim, add_help_option=False)
@click.pass_context
def trec_eval(context: click.Context) -> int:
    """Print what trec_eval prints: `precall trec_eval -q -m map QRELS RUN`."""
    from precall.cli import files
    from precall.compat.trec_eval import main

    files.check_any(context.args)
    return main(context.args, sys.stdout, sys.stderr)
