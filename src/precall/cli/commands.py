"""The command `precall` and its subcommands, each imported when it is asked for.

Only click is imported here and by the commands: help must not wait for NumPy.
"""

from __future__ import annotations

from importlib import import_module

import click

from precall.cli.options import HELP
from precall.version import __version__

#: Command → the module that has it, in the order of help.
HOMES = {
    "about": "about.about", "categories": "categories.categories", "compare": "compare.compare", "curve": "curve.curve",
    "decisions": "decisions.decisions", "eval": "eval.evaluate", "explain": "catalogue.explain",
    "measures": "catalogue.measures", "null": "null.null", "power": "power.power", "report": "report.report",
    "trec_eval": "trec_eval.trec_eval",
}  # fmt: skip

EXIT_CODES = """\b
Exit codes:
  0    done
  1    a check that was asked for failed
  2    the command line or the input is wrong; the message says what to do
  70   a defect of precall
  130  interrupted (by SIGTERM 143, by SIGHUP 129)
"""


class Late(click.Group):
    """A group that imports the command which is run, and no others."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Their names."""
        return list(HOMES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of a name."""
        if cmd_name not in HOMES:
            return None
        module, _, name = HOMES[cmd_name].partition(".")
        command: click.Command = getattr(import_module(f"precall.cli.{module}"), name)
        return command


@click.group(
    cls=Late, context_settings=HELP, invoke_without_command=True, no_args_is_help=False, epilog=EXIT_CODES
)
@click.version_option(__version__, prog_name="precall", message="%(prog)s %(version)s")
@click.pass_context
def commands(context: click.Context) -> int:
    """Precision, recall and everything built on them.

    \b
    Examples:
      precall eval news.qrels bm25.run              the usual measures of one run
      precall eval news.qrels *.run -m AP -m P@10   several runs side by side
      precall explain nDCG                          what a measure means
      precall measures                              all of them
      precall curve cases.csv --label y --score s   scores of labelled cases
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help(), err=True)
        return 2
    return 0
