"""`precall categories`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from precall.cli import options
from precall.errors import UsageError

if TYPE_CHECKING:
    from precall.contingency import Status


@click.command("categories", context_settings=options.HELP)
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
@options.max_expansion
def categories(
    file: str, truth: str, scores: str, separator: str | None, policy: str | None, pivot: str, undefined: str, form: str,
    output: str | None, input_format: str | None,
) -> int:  # fmt: skip
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
    from precall.case_tables import describe_table
    from precall.cli import outputs
    from precall.sheet.categories import categories_sheet, senses

    with reading(file, output, truth, scores, separator, policy, input_format) as (status, source):
        conventions = describe_table(
            source, truth=truth, scores=scores, separator=separator, policy=policy, ties="block", undefined=undefined,
            **senses(pivot),
        )  # fmt: skip
        sheet = categories_sheet(status, policy, undefined, conventions, pivot)
    return outputs.write_sheet(sheet, form, output)


@contextmanager
def reading(
    file: str, output: str | None, truth: str, scores: str, separator: str | None, policy: str | None, form: str | None
) -> Iterator[tuple[Status, str]]:  # fmt: skip
    """The scores and what their file is called; refused, before anything is read, is what cannot be."""
    from precall.case_tables import about
    from precall.cli import outputs
    from precall.contingency import categorize
    from precall.item_tables import read_status
    from precall.read.sources import label_of

    outputs.check_table(file, output)
    if scores.count("*") != 1:
        raise UsageError(f"--scores: got {scores!r}; write one *, such as 'p*'")
    try:
        # On a little example: what is wrong with a policy is said before anything is read.
        categorize(["a", "b"], [[1.0, 0.0], [0.0, 1.0]]).thresholds("rank:1" if policy is None else policy)
    except UsageError as error:
        raise UsageError(f"--policy: {str(error).removeprefix('method: ')}") from None
    source = label_of(file)
    with outputs.Progress(2) as progress, about(source):
        progress(0, file)
        status = read_status(file, truth, scores, separator=separator, format=form)
        progress(1, file)
        yield status, source
