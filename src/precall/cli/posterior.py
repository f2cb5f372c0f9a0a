"""`precall posterior`: what bare counts tell, by `pc.compare.bayes.counts` and `.wins`."""

from __future__ import annotations

from typing import Any

import click

from precall.cli import options
from precall.core.errors import Fact, UsageError
from precall.core.text import many, typed_number

_OF_WINS = ("wins", "ties", "losses")


def _prior(
    context: click.Context, parameter: click.Parameter, text: str | None
) -> float | list[float] | None:
    """One number, or several with commas between them."""
    if text is None:
        return None
    try:
        weights = [typed_number(part) for part in text.split(",")]
    except ValueError:
        raise UsageError(
            argument="--prior",
            allowed="a number such as 0.5; of wins also three such as 0,1,0",
            got=Fact(text),
        ) from None
    return weights if len(weights) > 1 else weights[0]


def _whole(count: float) -> float:
    """A count without decimals if it has none."""
    return int(count) if count.is_integer() else count


@click.command("posterior", context_settings=options.HELP)
@click.argument("cells", type=options.Number(), nargs=-1, metavar="[TP FP FN [TN]]")
@options.measures("A measure of counts, such as MCC or F(beta=2); repeat for more.")
@click.option(
    "--wins", type=options.Number(), metavar="N", help="How often the first of two systems won."
)
@click.option(
    "--ties", type=options.Number(), metavar="N", help="How often neither did (default: 0)."
)
@click.option("--losses", type=options.Number(), metavar="N", help="How often the second won.")
@click.option(
    "--rope",
    type=options.Number(),
    metavar="D",
    help="Region of practical equivalence: shares of wins and losses that differ by at most D are "
    "equal (default: 0).",
)
@click.option(
    "--prior",
    callback=_prior,
    metavar="W",
    help="Weight of each cell beforehand (default: 0.5, Jeffreys'; 1 is flat). For wins also "
    "W,W,W: for a win, a tie and a loss.",
)
@options.level("Level of the credible intervals.", "L")
@options.short_form
@options.output
def posterior(
    cells: tuple[float, ...],
    measures: tuple[str, ...],
    rope: float | None,
    prior: Any,
    level: float,
    form: str,
    output: str | None,
    **counted: float | None,
) -> int:
    """Show what bare counts tell, as probabilities: of one table, or of wins and losses.

    With the counts of a table it prints the posterior of precision, recall, F and other measures:
    the median and a credible interval. Without TN it prints the measures that need no true
    negatives.

    With --wins and --losses of two systems it prints the probabilities that the first is better,
    that they are practically equal, and that the second is better.

    \b
    Examples:
      precall posterior 80 20 30 870
      precall posterior 80 20 30 -m F -m Jaccard --prior 1
      precall posterior --wins 30 --ties 50 --losses 20 --rope 0.02
      precall posterior --wins 30 --losses 20 --prior 0,1,0
    """
    from precall.cli import files, outputs
    from precall.comparison import bayes

    of_wins = {name: _whole(count) for name in _OF_WINS if (count := counted[name]) is not None}
    how: dict[str, Any] = {"level": level} | ({} if prior is None else {"prior": prior})
    files.check([], output)
    if of_wins and not cells:
        for name in ("wins", "losses"):
            if name not in of_wins:
                raise UsageError(argument=f"--{name}", what="is missing", remedy="give the count")
        if measures:
            raise UsageError(
                argument="--measure", what="applies to a table TP FP FN TN", remedy="leave it out"
            )
        found: Any = bayes.wins(**{"ties": 0} | of_wins, rope=rope or 0.0, **how)
        return outputs.write_sheet(found.sheet(), form, output)
    if of_wins or len(cells) not in (3, 4):
        raise UsageError(
            argument="TP FP FN [TN]",
            allowed="three or four counts; or --wins, --ties and --losses",
            got=Fact(many(len(cells), "count") + " and wins" * bool(of_wins)),
        )
    if rope is not None:
        raise UsageError(
            argument="--rope", what="applies to --wins and --losses", remedy="leave it out"
        )
    tp, fp, fn, *rest = map(_whole, cells)
    tn = rest[0] if rest else None
    found = bayes.counts(tp, fp, fn, tn, list(measures) or None, **how)
    return outputs.write_sheet(found.sheet(), form, output)
