"""What may be typed after `compare` and `power`; what it means is in `comparisons` and `power`.

Only click is imported here; help must not wait for NumPy.
"""

from __future__ import annotations

from typing import Any

import click

from precall.cli import options
from precall.infer.compare import CORRECTIONS, TESTS

PICTURES = ("differences", "scatter", "means", "pairs")

EXIT_CODES = """\b
Exit codes:
  0    done, and no gate failed
  1    a gate of --fail-if-worse failed
  2    the command line or the input is wrong; the message says what to do
"""


_measure = options.measures("A measure, as for eval; repeat for more.")
_level = click.option(
    "--level", type=float, default=0.95, show_default=True, metavar="L",
    help="Of intervals; 1 - L is the significance.",
)  # fmt: skip
_seed = click.option(
    "--seed", type=int, metavar="N", help="Seed of all that is drawn at random.  [default: 0]"
)


@click.command(
    "compare", context_settings=options.HELP, epilog=EXIT_CODES,
    short_help="Test whether runs differ by more than chance.",
)  # fmt: skip
@click.argument("qrels", type=click.Path(allow_dash=True))
@click.argument("runs", type=click.Path(allow_dash=True), nargs=-1, required=True, metavar="RUN_A RUN_B...")
@_measure
@click.option(
    "--test", type=click.Choice(TESTS), default="randomization", show_default=True,
    help="Of each pair; exact where all signs of the differences can be gone through.",
)  # fmt: skip
@click.option(
    "--correction", type=click.Choice(CORRECTIONS), default="holm", show_default=True,
    help="For the number of pairs of a measure; tukey is randomised Tukey HSD, in the place of the test.",
)  # fmt: skip
@click.option(
    "--baseline", metavar="NAME", help="Compare all others with this run only (default: every pair)."
)
@click.option(
    "--fail-if-worse", "gates", multiple=True, metavar="MEASURE[:MARGIN]",
    help="Exit with 1 if a run is significantly worse than the baseline (default: the first run); with a margin, "
    "if it was not shown to lose less than that. Repeat for more.",
)  # fmt: skip
@_level
@_seed
@click.option(
    "--resamples",
    type=int,
    default=100_000,
    show_default=True,
    metavar="N",
    help="Drawn where p is not exact.",
)
@click.option(
    "--unpaired", type=click.Choice(("error", "drop")), default="error", show_default=True,
    help="What to do about topics that a run lacks; --topics qrels counts them as 0.",
)  # fmt: skip
@options.topics("compare on")
@click.option("-q", "--per-topic", is_flag=True, help="Print the values of each topic, too.")
@click.option(
    "--plot", type=click.Path(), metavar="FILE",
    help="Draw the first measure's comparison, too: FILE ends in .png, .svg or .pdf.",
)  # fmt: skip
@click.option(
    "--plot-kind", type=click.Choice(PICTURES),
    help="What is drawn: differences of each topic, or topics as points (both of two runs); means with intervals and "
    "letters; or intervals of the pairs' differences (default: differences of two runs; pairs with tukey or a "
    "baseline; else means).",
)  # fmt: skip
@options.form
@options.output
@options.ties("Items of equal score, as for eval.")
@options.undefined("topics")
@options.grade
@options.judged_only
@options.depth
@options.duplicates
@options.columns
@options.qrels_columns
@options.runs_format
@click.option("--threads", type=int, metavar="N", help="Use at most this many to read.")
@options.plugin
def compare(**typed: Any) -> int:
    """Measure runs against the judgements QRELS and test whether they differ by more than chance.

    Prints each run's mean, and for each pair the difference, its interval, p, and p adjusted for the
    number of pairs; a star marks what is significant. Runs that share a letter do not differ.

    \b
    Examples:
      precall compare news.qrels bm25.run dense.run -m AP -m nDCG@10
      precall compare news.qrels *.run -m AP --baseline bm25 --correction bh
      precall compare news.qrels *.run -m AP --correction tukey --seed 1 --plot tukey.svg
      precall compare news.qrels old.run new.run -m AP --fail-if-worse AP
      precall compare news.qrels old.run new.run -m AP --fail-if-worse AP:0.01
    """
    from precall.cli.comparisons import CompareCommand

    return CompareCommand(**typed).execute()


@click.command(
    "power", context_settings=options.HELP, short_help="Say how many topics or items a comparison needs."
)
@click.argument("inputs", type=click.Path(allow_dash=True), nargs=-1, metavar="[QRELS RUN_A RUN_B]")
@_measure
@click.option("--difference", type=float, metavar="D", help="Mean difference to be detected.")
@click.option("--deviation", type=float, metavar="S", help="Standard deviation of the differences.")
@click.option("--topics", type=int, metavar="N", help="Topics of the planned comparison.")
@click.option(
    "--width", type=float, metavar="W", help="Width of the interval of the difference to be reached."
)
@click.option("--systems", type=int, metavar="M", help="Systems to compare at once (analysis of variance).")
@click.option("--variance", type=float, metavar="V", help="Variance within systems, for --systems.")
@click.option(
    "--only-a", type=float, metavar="SHARE", help="Share of items on which only the first is right."
)
@click.option(
    "--only-b", type=float, metavar="SHARE", help="Share of items on which only the second is right."
)
@click.option("--items", type=int, metavar="N", help="Items of the planned comparison of decisions.")
@click.option(
    "--power", type=float, default=0.8, show_default=True, metavar="P", help="Chance of detecting it."
)
@_level
@_seed
@options.form
@options.output
def power(**typed: Any) -> int:
    """Say how many topics or items are needed to detect a difference, or what a given number detects.

    What is not given is what is computed: topics from --difference and --deviation, the least difference
    from --topics and --deviation, the power from all three. With QRELS and two runs the deviation is
    theirs, and the power of randomization is simulated from their differences.

    \b
    Examples:
      precall power --difference 0.02 --deviation 0.1
      precall power --topics 50 --deviation 0.1
      precall power news.qrels bm25.run dense.run -m AP --difference 0.02 --seed 1
      precall power --systems 10 --variance 0.05 --difference 0.1
      precall power --only-a 0.15 --only-b 0.05
    """
    from precall.cli.power import execute

    return execute(**typed)
