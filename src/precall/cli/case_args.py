"""What may be typed after `curve`, `decisions` and `categories`; what it means is in `cases` and `items`.

Only click is imported here; help must not wait for NumPy.
"""

from __future__ import annotations

from typing import Any

import click

from precall.cli import options

INTERVALS = ("logit", "bca", "percentile", "normal")
TIES = ("expected", "best", "worst", "block")
PICTURES = ("pr", "roc", "gain", "ranks", "thresholds", "scores")


@click.command("curve", context_settings=options.HELP, short_help="Measure scores of labelled cases.")
@click.argument("file", type=click.Path(allow_dash=True))
@click.option("--label", required=True, metavar="COLUMN", help="Column that says which cases are relevant.")
@click.option(
    "--score", "scores", multiple=True, metavar="COLUMN",
    help="Column of scores; repeat to set several side by side.",
)  # fmt: skip
@click.option(
    "--compare", multiple=True, nargs=2, metavar="COLUMN COLUMN",
    help="Test whether AP and area under ROC of two columns of scores differ; repeat for more.",
)  # fmt: skip
@click.option("--positive", metavar="LABEL", help="The label of relevant cases, if not 1 or true.")
@click.option("--group", metavar="COLUMN", help="Measure each group of cases by itself, then average.")
@click.option("--weight", metavar="COLUMN", help="Column of weights.")
@click.option(
    "--missed", type=int, default=0, show_default=True, metavar="N",
    help="Relevant cases that exist but were never scored.",
)  # fmt: skip
@click.option("--lower-is-better", is_flag=True, help="Low scores are good ones.")
@click.option(
    "--at", multiple=True, metavar="CONDITION",
    help="Choose an operating point: threshold=S, recall=R, precision=P, accept=N, cost=fp:1,fn:20, or max=MEASURE, where a "
    "measure is best; repeat for more.",
)  # fmt: skip
@options.measures(
    "Also this measure of counts, such as MCC: its best value, and its value at each operating point; repeat for more."
)
@click.option(
    "--ties", type=click.Choice(TIES), default="expected", show_default=True,
    help="Order of equal scores for R-precision and RR; for all else they are one block.",
)  # fmt: skip
@options.interval("AP, the area under ROC and the greatest F", INTERVALS)
@options.level
@click.option(
    "--null",
    is_flag=True,
    help="Set AP and the area under ROC beside what they are when the same cases stand in random order: "
    "the mean, the interval of the --level, what the score adds to chance, and the p-value.",
)
@click.option(
    "--seed",
    type=int,
    metavar="N",
    help="Seed of what --compare and --interval draw at random.  [default: 0]",
)
@click.option(
    "--plot", type=click.Path(), metavar="FILE", help="Draw a picture, too: FILE ends in .png, .svg or .pdf."
)
@click.option(
    "--plot-kind", type=click.Choice(PICTURES), default="pr", show_default=True,
    help="What is drawn: precision-recall, ROC, gain or rank curves, of several scores or of groups with their mean; "
    "precision, recall and F against thresholds; or histograms of the scores.",
)  # fmt: skip
@options.undefined("groups")
@options.form
@options.output
@options.input_format
def curve(**typed: Any) -> int:
    """Measure the scores of labelled cases in FILE, a table with a row per case.

    Prints counts, average precision, the areas under precision-recall and ROC curves by their names,
    greatest F, break-even, 11-point precision, R-precision and RR. FILE is CSV, TSV, JSON lines, Parquet
    or Arrow (also .gz, .zst); - is standard input. Labels are 0/1, -1/1 or false/true, else see --positive.

    \b
    Examples:
      precall curve cases.csv --label y --score s
      precall curve cases.csv --label y --score s --interval --level 0.9
      precall curve cases.csv --label y --score s --score t --at recall=0.9 --at cost=fp:1,fn:20
      precall curve cases.csv --label y --score s -m MCC -m 'F(beta=2)' --at max=MCC
      precall curve cases.csv --label y --compare s t --seed 1
      precall curve cases.csv --label kind --positive yes --score s --group fold --format json -o s.json
      precall curve cases.csv --label y --score s --score t --at recall=0.9 --plot curves.svg
      zcat cases.csv.gz | precall curve - --input-format csv --label y --score s
    """
    from precall.cli.cases import CurveCommand

    if not typed["scores"] and not typed["compare"]:
        raise click.UsageError("Missing option '--score'", click.get_current_context())
    options.check_level(typed, ("interval", "null", "compare"))
    return CurveCommand(**typed).execute()


@click.command("decisions", context_settings=options.HELP, short_help="Measure decisions against the truth.")
@click.argument("file", type=click.Path(allow_dash=True))
@options.truth
@click.option("--predicted", required=True, metavar="COLUMN", help="Column of the decided categories.")
@options.separator
@click.option("--positive", metavar="LABEL", help="Measure this category only: a yes or no about each item.")
@options.measures("Also this measure of counts, such as MCC or kappa; repeat for more.")
@options.undefined("categories")
@options.form
@options.output
@options.input_format
def decisions(**typed: Any) -> int:
    """Compare the decisions in FILE, a table with a row per item, with the truth.

    Prints precision, recall, F1, support and the contingency table of each category, their averages,
    accuracy, error and both macro-F. Where all labels are 0/1, -1/1 or false/true there is one category.

    \b
    Examples:
      precall decisions items.csv --truth t --predicted p
      precall decisions items.csv --truth t --predicted p -m MCC -m kappa
      precall decisions tags.csv --truth t --predicted p --separator ';' --format markdown
      precall decisions items.csv --truth t --predicted p --positive spam
    """
    from precall.cli.items import DecisionsCommand

    return DecisionsCommand(**typed).execute()


@click.command("categories", context_settings=options.HELP, short_help="Measure scores of many categories.")
@click.argument("file", type=click.Path(allow_dash=True))
@options.truth
@click.option(
    "--scores", required=True, metavar="PATTERN",
    help="Columns of scores, such as 'p*': what * stands for is the category.",
)  # fmt: skip
@options.separator
@click.option(
    "--policy", metavar="POLICY",
    help="Decide, too: break-even (where precision and recall are nearest), max-f (scut), fixed:S, rank:K (rcut:K) or "
    "proportion[:X] (pcut[:X]), learned from these items.",
)  # fmt: skip
@click.option(
    "--pivot", type=click.Choice(("category", "item")), default="category", show_default=True,
    help="The 11 points are a mean over each category's ranking of the items, or over each item's ranking of the "
    "categories, as Yang's.",
)  # fmt: skip
@options.undefined("categories")
@options.form
@options.output
@options.input_format
def categories(**typed: Any) -> int:
    """Measure the scores that each item in FILE, a table with a row per item, has for each category.

    Prints average precision, area under ROC, break-even, greatest F and 11-point precision of each
    category, their mean and those of all pairs as one list; 11 points by Yang's steps and after TREC,
    averaged over categories or, by --pivot item, over items; the area of Hand and Till; and by --policy
    thresholds and what is decided by them.

    \b
    Examples:
      precall categories scored.csv --truth t --scores 'p*'
      precall categories scored.csv --truth t --scores 'p*' --policy max-f --format json
    """
    from precall.cli.items import CategoriesCommand

    return CategoriesCommand(**typed).execute()
