"""The command `precall` and its subcommands; each is imported only when it runs.

This module and the commands import only click at the top, because help must not wait for NumPy.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

import click

from precall.cli import HELP
from precall.version import __version__

#: Command → its module and its line of help, in the order of help. Help imports none of these
#: modules.
COMMANDS = {
    "about": ("about.about", "Show versions, kernel and machine."),
    "categories": ("categories.categories", "Measure scores of many categories."),
    "compare": ("compare.compare", "Test whether runs differ by more than chance."),
    "curve": ("curve.curve", "Measure scores of labelled cases."),
    "decisions": ("decisions.decisions", "Measure decisions against the truth."),
    "eval": ("eval.evaluate", "Measure runs against relevance judgements."),
    "explain": ("catalogue.explain", "Explain a measure, or a word."),
    "judge": ("judge.judge", "Measure runs if a judge gave most labels."),
    "measures": ("catalogue.measures", "List all measures."),
    "null": ("null.null", "Show what measures look like for a random ranking."),
    "power": ("power.power", "Compute how many topics or items a comparison needs."),
    "ranking": ("ranked_items.ranking", "Measure one ranking of ids."),
    "report": ("report.report", "Write a report as one HTML page."),
    "trec_eval": ("trec_eval.trec_eval", "Print what trec_eval prints, byte for byte."),
}
HOMES = {name: home for name, (home, _) in COMMANDS.items()}

EXIT_CODES = """\b
Exit codes:
  0    done
  1    a requested check failed
  2    the command line or the input is wrong; the message says what to do
  70   a defect of precall
  130  interrupted (by SIGTERM 143, by SIGHUP 129)
"""


class Late(click.Group):
    """A group that imports only the command to be run."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of the commands."""
        return list(HOMES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command with this name."""
        if cmd_name not in HOMES:
            return None
        module, _, name = HOMES[cmd_name].partition(".")
        command: click.Command = getattr(import_module(f"precall.cli.{module}"), name)
        command.short_help = COMMANDS[cmd_name][1]
        return command

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command. A usage error names the command, which click omits if a value is
        missing.
        """
        try:
            return super().invoke(ctx)
        except click.UsageError as error:
            name = ctx.invoked_subcommand
            command = None if name is None else self.get_command(ctx, name)
            if error.ctx is None and command is not None:
                error.ctx = click.Context(command, parent=ctx, info_name=name)
            raise

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands. click's own list would import all of them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])


@click.group(
    cls=Late,
    context_settings=HELP,
    invoke_without_command=True,
    no_args_is_help=False,
    epilog=EXIT_CODES,
)
@click.version_option(__version__, prog_name="precall", message="%(prog)s %(version)s")
@click.pass_context
def commands(context: click.Context) -> int:
    """Precision, recall and everything built on them.

    \b
    Examples:
      precall eval news.qrels bm25.run              the usual measures of one run
      precall eval news.qrels *.run -m AP -m P@10   several runs side by side
      precall explain nDCG                          what a measure or a word means
      precall measures                              all of them
      precall curve cases.csv --label y --score s   scores of labelled cases
    """
    if context.invoked_subcommand is None:
        from precall.cli.outputs import tell

        tell(f"{context.get_help()}\n")
        return 2
    return 0
