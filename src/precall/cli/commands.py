"""The command `precall` and its subcommands; each is imported only when it runs.

This module and the commands import only click at the top, because help must not wait for NumPy.
"""

from __future__ import annotations

from typing import Any

import click

from precall.cli import HELP
from precall.version import __version__

#: Command → its line of help, in the order of help. Help imports no module of a command.
SUMMARIES = {
    "about": "Show versions, kernel and machine.",
    "categories": "Measure scores of many categories.",
    "compare": "Test whether runs differ by more than chance.",
    "curve": "Measure scores of labelled cases.",
    "decisions": "Measure decisions against the truth.",
    "detections": "Measure detected objects.",
    "eval": "Measure runs against relevance judgements.",
    "explain": "Explain a measure, or a word.",
    "judge": "Measure runs or cases if a judge gave most labels.",
    "measures": "List all measures.",
    "null": "Show what measures look like for a random ranking.",
    "overlap": "Measure how alike two runs are, without judgements.",
    "posterior": "Show what bare counts tell, as probabilities.",
    "power": "Compute how many topics or items a comparison needs.",
    "ranking": "Measure one ranking of ids.",
    "report": "Write a report as one HTML page.",
    "trec_eval": "Print what trec_eval prints, byte for byte.",
}

EXIT_CODES = """\b
Exit codes:
  0    done
  1    a requested check failed
  2    the command line or the input is wrong; the message says what to do
  70   a defect of precall
  130  interrupted (by SIGTERM 143, by SIGHUP 129)
"""


def _import_command(name: str) -> click.Command:
    match name:
        case "about":
            from precall.cli.about import about

            return about
        case "categories":
            from precall.cli.categories import categories

            return categories
        case "compare":
            from precall.cli.compare import compare

            return compare
        case "curve":
            from precall.cli.curve import curve

            return curve
        case "decisions":
            from precall.cli.decisions import decisions

            return decisions
        case "detections":
            from precall.cli.detections import detections

            return detections
        case "eval":
            from precall.cli.eval import evaluate

            return evaluate
        case "explain":
            from precall.cli.catalogue import explain

            return explain
        case "judge":
            from precall.cli.judge import judge

            return judge
        case "measures":
            from precall.cli.catalogue import measures

            return measures
        case "null":
            from precall.cli.null import null

            return null
        case "overlap":
            from precall.cli.overlap import overlap

            return overlap
        case "posterior":
            from precall.cli.posterior import posterior

            return posterior
        case "power":
            from precall.cli.power import power

            return power
        case "ranking":
            from precall.cli.ranked_items import ranking

            return ranking
        case "report":
            from precall.cli.report import report

            return report
        case "trec_eval":
            from precall.cli.trec_eval import trec_eval

            return trec_eval
    raise KeyError(name)


class Late(click.Group):
    """A group that imports only the command to be run."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of the commands."""
        return list(SUMMARIES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command with this name."""
        if cmd_name not in SUMMARIES:
            return None
        command = _import_command(cmd_name)
        command.short_help = SUMMARIES[cmd_name]
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
            formatter.write_dl(list(SUMMARIES.items()))


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
