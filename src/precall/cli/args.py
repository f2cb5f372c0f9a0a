"""What may be typed: commands, options, help and completion. What it means is in `plan`.

Only click is imported here; help must not wait for NumPy.
"""

from __future__ import annotations

from typing import Any

import click

from precall.cli import case_args, compare_args, null_args, options, page_args
from precall.cli.options import HELP, measure_names
from precall.sheet.forms import names
from precall.version import __version__

AGGREGATES = ("mean", "geometric", "sum")
SCORES = ("float64", "float32")
FORMATS = names("precall.report/1")
INTERVALS = ("t", "bca", "percentile")
LISTS = ("table", "csv", "json", "markdown")


EXIT_CODES = """\b
Exit codes:
  0    done
  1    a check that was asked for failed
  2    the command line or the input is wrong; the message says what to do
  70   a defect of precall
  130  interrupted (by SIGTERM 143, by SIGHUP 129)
"""


@click.group(context_settings=HELP, invoke_without_command=True, no_args_is_help=False, epilog=EXIT_CODES)
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


@commands.command("eval", context_settings=HELP, short_help="Measure runs against relevance judgements.")
@click.argument("qrels", type=click.Path(allow_dash=True))
@click.argument("runs", type=click.Path(allow_dash=True), nargs=-1, required=True, metavar="RUN...")
@options.measures("A measure, such as AP, P@10, nDCG(gain=exp)@10 or trec_eval's map; repeat for more.")
@click.option("-q", "--per-topic", is_flag=True, help="Print the values of each topic, too.")
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    default="table",
    show_default=True,
    help="Form of the output. csv and trec have no place for notes and conventions: those go to standard error.",
)
@options.output
@options.ties(
    "Items of equal score: by id, greatest first, as trec_eval does (docno); in the order of the file (input); "
    "the mean over all their orders (expected); relevant ones first or last (best, worst); or shuffled (random)."
)
@click.option(
    "--seed",
    type=int,
    metavar="N",
    help="Seed of --ties random, and of --interval bca|percentile.  [default: 0]",
)
@options.topics("average")
@options.undefined("topics")
@options.grade
@options.judged_only
@options.depth
@click.option("--aggregate", type=click.Choice(AGGREGATES), help="How to average topics, for all measures.")
@options.duplicates
@click.option(
    "--score-dtype",
    type=click.Choice(SCORES),
    default="float64",
    show_default=True,
    help="Precision of scores.",
)
@options.columns
@options.qrels_columns
@options.runs_format
@click.option("--threads", type=int, metavar="N", help="Use at most this many.")
@options.interval("every average", INTERVALS)
@options.level
@options.plugin
def evaluate(**typed: Any) -> int:
    """Measure each RUN against the judgements QRELS and print the averages over topics.

    Inputs are TREC files (also .gz, .zst), CSV, TSV, JSON lines, Parquet or Arrow tables; - is
    standard input. Without -m: AP, P@10, RR, Rprec and nDCG@10.

    \b
    Examples:
      precall eval news.qrels bm25.run dense.run -m AP -m nDCG@10
      precall eval news.qrels bm25.run -m map -m P_10 -q --format trec
      precall eval news.qrels bm25.run --topics qrels --format json -o bm25.json
      precall eval news.qrels bm25.run --interval --level 0.9
      precall eval q.csv run.parquet --columns topic=qid,item=docid
      zcat bm25.run.gz | precall eval news.qrels -
    """
    from precall.cli import plan

    options.check_level(typed, ("interval",))
    return plan.Evaluation(**typed).execute()


class Verbatim(click.Command):
    """A command whose arguments are not looked at here, not even -h or --."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Keep the arguments as they are."""
        ctx.args = list(args)
        return []


@commands.command(
    "trec_eval", cls=Verbatim, add_help_option=False, short_help="Print what trec_eval prints, byte for byte."
)
@click.pass_context
def trec_eval(context: click.Context) -> int:
    """Print what trec_eval prints: `precall trec_eval -q -m map QRELS RUN`."""
    from precall.cli import plan

    return plan.trec_eval(context.args)


@commands.command("measures", context_settings=HELP, short_help="List all measures.")
@click.option(
    "--format",
    "form",
    type=click.Choice(LISTS),
    default="table",
    show_default=True,
    help="Form of the output.",
)
@options.plugin
def measures(form: str, plugins: tuple[str, ...]) -> int:
    """List all measures, how they are written, and trec_eval's names for them.

    \b
    Examples:
      precall measures
      precall measures --format json
    """
    from precall.cli import plan

    return plan.measures(form, plugins)


@commands.command("explain", context_settings=HELP, short_help="Explain a measure.")
@click.argument("name", metavar="MEASURE", shell_complete=measure_names)
@options.plugin
def explain(name: str, plugins: tuple[str, ...]) -> int:
    """Explain a measure: definition, parameters, range, sources, and an example worked out.

    \b
    Examples:
      precall explain NDCG
      precall explain recip_rank
    """
    from precall.cli import plan

    return plan.explain(name, plugins)


@commands.command("about", context_settings=HELP, short_help="Say which versions and kernel are in use.")
@click.option(
    "--format",
    "form",
    type=click.Choice(("table", "json")),
    default="table",
    show_default=True,
    help="Form of the output.",
)
def about(form: str) -> int:
    """Say which versions, kernel and machine the numbers come from.

    \b
    Examples:
      precall about
      precall about --format json
    """
    from precall.cli import plan

    return plan.about(form)


#: The commands that read files.
READING = (
    evaluate, case_args.curve, case_args.decisions, case_args.categories, compare_args.compare, compare_args.power,
    page_args.report,
)  # fmt: skip
for _command in READING:
    options.max_expansion(_command)
for _command in (*READING[1:], null_args.null):
    commands.add_command(_command)
