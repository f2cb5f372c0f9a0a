"""What may be typed after `null`; what it means is in `laws`.

Only click is imported here; help must not wait for NumPy.
"""

from __future__ import annotations

from typing import Any

import click

from precall.cli import options


class Decimal(click.ParamType):  # type: ignore[type-arg, unused-ignore]
    """A number as it was typed: how many decimals it has says what it may have been rounded from."""

    name = "decimal"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The text, checked to be a number."""
        try:
            float(value)
        except ValueError:
            self.fail(f"{value!r} is not a valid float.", param, ctx)
        return str(value)


@click.command("null", context_settings=options.HELP, short_help="Laws of measures under random selection.")
@click.option("--items", type=int, metavar="N", help="Items in the ranking.")
@click.option("--relevant", type=int, metavar="N", help="Relevant items among them.")
@click.option("--retrieved", type=int, metavar="N", help="Ranks of recall and precision (default: relevant).")
@click.option(
    "--ap", type=Decimal(), metavar="VALUE",
    help="An average precision: is it better than chance? In decimals: the value that rounds to it.",
)  # fmt: skip
@click.option(
    "--published", is_flag=True, help="The approximation of Zhang & Su (2012), too; with --ap its p."
)
@click.option("--simulate", type=int, metavar="N", help="Draw so many random rankings, too.")
@click.option("--seed", type=int, metavar="N", help="Seed of --simulate and --plot.  [default: 0]")
@click.option(
    "--plot", type=click.Path(), metavar="FILE",
    help="Draw the histogram of random rankings with the exact and the normal densities (png, svg, pdf).",
)  # fmt: skip
@options.form
@options.output
def null(**typed: Any) -> int:
    """Print the laws of recall, precision and average precision when items stand in random order.

    Mean, variance and the points below which 2.5, 50 and 97.5 % lie: exact, and of AP as Zhang & Su (2012)
    approximated it. Without --items and --relevant: both settings of their simulation study.

    \b
    Examples:
      precall null --items 2000 --relevant 500 --ap 0.27
      precall null --items 1000 --relevant 100 --simulate 10000 --format json
      precall null --simulate 10000
      precall null --items 1000 --relevant 100 --plot null.svg
    """
    from precall.cli.laws import NullCommand

    return NullCommand(**typed).execute()
