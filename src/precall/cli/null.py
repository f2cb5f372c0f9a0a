"""`precall null`: its options, and the call of `pc.null.describe` that it makes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from precall.cli import options
from precall.core.errors import Fact, UsageError
from precall.core.text import typed_number

F = TypeVar("F", bound=Callable[..., Any])

#: Option → its help, which names the measure.
_VALUES = {
    "recall": "Recall at --at K.",
    "precision": "Precision at --at K.",
    "rprec": "R-precision.",
    "auc": "The area under the ROC curve.",
    "ndcg": "nDCG; of grades 1, or of --grades.",
}
_ROUNDED = "Average precision; with VALUE, is it better than chance? VALUE may be rounded."


class _Asked(click.ParamType):  # type: ignore[type-arg, unused-ignore]
    """A typed value; True if the option has no value."""

    name = "value"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> Any:
        """The value unchanged; the function that uses it checks it."""
        return value


def _value_option(name: str, help: str) -> Callable[[F], F]:
    return click.option(
        f"--{name}", type=_Asked(), is_flag=False, flag_value=True, metavar="[VALUE]", help=help
    )


def _measures(function: F) -> F:
    """Add an option for each measure. Decorators are listed from the bottom up."""
    for name, help in reversed(_VALUES.items()):
        function = _value_option(name, help)(function)
    return function


class _Grades(list[float]):
    """Grades that are told back as they were typed."""

    def __init__(self, text: str) -> None:
        super().__init__(typed_number(grade) for grade in text.split(","))
        self._text = text

    def __repr__(self) -> str:
        return self._text


def _grades(
    context: click.Context, parameter: click.Parameter, text: str | None
) -> list[float] | None:
    if text is None:
        return None
    try:
        return _Grades(text)
    except ValueError:
        raise UsageError(
            argument="--grades",
            allowed="numbers with commas between them, such as 3,2,1",
            got=Fact(text),
        ) from None


@click.command("null", context_settings=options.HELP)
@click.option("--items", type=options.Whole(min=1), metavar="N", help="Items in the ranking.")
@click.option("--relevant", type=options.Integer(), metavar="N", help="Relevant items among them.")
@click.option(
    "--retrieved",
    type=options.Integer(),
    metavar="N",
    help="Cutoff of recall and precision (default: --relevant).",
)
@_value_option("ap", _ROUNDED)
@_measures
@click.option(
    "--at",
    type=options.Integer(),
    metavar="K",
    help="Cutoff of recall, precision, AP and nDCG.",
)
@click.option(
    "--level",
    type=options.Share(options.LEVEL),
    metavar="L",
    help="Show the interval that holds a share L of random rankings, and the least value with p "
    "<= 1 - L (default: 0.95).",
)
@click.option(
    "--grades", callback=_grades, metavar="G,...", help="Grades of the relevant items, for --ndcg."
)
@click.option(
    "--published",
    is_flag=True,
    help="Also show the approximation of Zhang & Su (2012); with --ap also its p.",
)
@click.option(
    "--simulate", type=options.Whole(min=2), metavar="N", help="Also simulate N random rankings."
)
@options.seed("--simulate, --plot and --ndcg")
@click.option(
    "--plot",
    type=click.Path(),
    metavar="FILE",
    help=(
        "Draw the histogram of random rankings with the exact and the normal densities (png, svg, "
        "pdf)."
    ),
)
@options.short_form
@options.output
def null(seed: int | None, plot: str | None, form: str, output: str | None, **asked: Any) -> int:
    """Show what measures look like for a random ranking, and whether a value is better than chance.

    With a value, such as --ap 0.27, prints its p and the mean by chance first. The mean, standard
    deviation and quantiles of random rankings follow, for the named measures or else for recall,
    precision and average precision. For named measures --all adds critical values. Without
    --items and --relevant it shows both settings of Zhang & Su (2012); --published adds their
    approximation of AP.

    \b
    Examples:
      precall null --items 2000 --relevant 500 --ap 0.27
      precall null --items 1000 --relevant 100 --precision 0.3 --recall --at 10
      precall null --items 200 --relevant 20 --rprec --auc 0.62 --ndcg --level 0.99
      precall null --items 1000 --relevant 100 --simulate 10000 --format json
      precall null --simulate 10000
      precall null --items 1000 --relevant 100 --plot null.svg
    """
    named = [name for name in (*_VALUES, "at", "level") if asked[name] is not None]
    study = asked["items"] is None and asked["relevant"] is None
    valued = any(asked[name] not in (None, True) for name in ("ap", *_VALUES))
    if study and (
        valued or any(asked[name] is not None for name in ("retrieved", "at")) or plot is not None
    ):
        raise UsageError(
            "--ap, --plot and --retrieved need --items and --relevant",
            remedy="give both; --at and other values need them as well",
        )
    if plot is not None and named:
        raise UsageError(
            argument="--plot",
            what="draws average precision over all ranks",
            remedy=f"leave out --{named[0]}",
        )
    if seed is not None and asked["simulate"] is None and plot is None and asked["ndcg"] is None:
        raise UsageError(
            "--seed applies to --simulate, --plot and --ndcg",
            remedy="leave it out, or give one of them",
        )
    from precall.cli import files, outputs
    from precall.stats.null import describe

    description = describe(**asked, rng=seed or 0)
    outputs.check_picture(plot, None)
    files.check([], output, plot=plot)
    if plot is not None:
        from precall.plot import NullDensity

        outputs.draw(NullDensity.of_setting(description.settings[0]).plot(), plot)
    return outputs.write_sheet(description.sheet(), form, output)
