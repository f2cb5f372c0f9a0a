"""`precall null`: what may be typed, and the call of `pc.null.describe` that it is."""

from __future__ import annotations

from typing import Any

import click

from precall.cli import options
from precall.errors import UsageError


@click.command("null", context_settings=options.HELP)
@click.option("--items", type=options.Whole(min=1), metavar="N", help="Items in the ranking.")
@click.option("--relevant", type=int, metavar="N", help="Relevant items among them.")
@click.option("--retrieved", type=int, metavar="N", help="Ranks of recall and precision (default: relevant).")
@click.option(
    "--ap", metavar="VALUE",
    help="An average precision: is it better than chance? In decimals: the value that rounds to it.",
)  # fmt: skip
@click.option(
    "--published", is_flag=True, help="The approximation of Zhang & Su (2012), too; with --ap its p."
)
@click.option("--simulate", type=options.Whole(min=2), metavar="N", help="Draw so many random rankings, too.")
@options.seed("--simulate and --plot")
@click.option(
    "--plot", type=click.Path(), metavar="FILE",
    help="Draw the histogram of random rankings with the exact and the normal densities (png, svg, pdf).",
)  # fmt: skip
@options.form
@options.output
def null(seed: int | None, plot: str | None, form: str, output: str | None, **asked: Any) -> int:
    """Print the null distributions of recall, precision and average precision: items stand in random order.

    Mean, variance and the points below which 2.5, 50 and 97.5 % lie; with --published AP as Zhang & Su (2012)
    approximated it, too. Without --items and --relevant: both settings of their simulation study.

    \b
    Examples:
      precall null --items 2000 --relevant 500 --ap 0.27
      precall null --items 1000 --relevant 100 --simulate 10000 --format json
      precall null --simulate 10000
      precall null --items 1000 --relevant 100 --plot null.svg
    """
    study = asked["items"] is None and asked["relevant"] is None
    if study and any(value is not None for value in (asked["ap"], plot, asked["retrieved"])):
        raise UsageError("--ap, --plot and --retrieved need --items and --relevant")
    if seed is not None and asked["simulate"] is None and plot is None:
        raise UsageError("--seed is for --simulate and --plot; leave it out or give one of them")
    from precall.cli import outputs
    from precall.infer.null import describe

    description = describe(**asked, rng=seed or 0)
    outputs.check(output, [])
    outputs.check_picture(plot, None, [], output)
    if plot is not None:
        from precall.plot import NullDensity

        outputs.draw(NullDensity.of_setting(description.settings[0]).plot(), plot)
    return outputs.write_sheet(description.sheet(), form, output)
