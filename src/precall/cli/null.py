"""`precall null`: its options, and the call of `pc.null.describe` that it makes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
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
    "bep": "The break-even point of precision and recall.",
    "iap": "11-point average precision.",
    "ef": "The enrichment factor in the first --share of the ranks.",
    "bedroc": "BEDROC (alpha 20).",
    "maxf": "The greatest F1 at any rank.",
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


class _Counts(click.ParamType):  # type: ignore[type-arg, unused-ignore]
    """A whole number, or several with commas between them as a list."""

    name = "integer"

    def __init__(self, each: options.Integer) -> None:
        self.each = each

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> Any:
        """The number or the numbers, each checked."""
        if not isinstance(value, str) or "," not in value:
            return self.each.convert(value, param, ctx)
        return [self.each.convert(part, param, ctx) for part in value.split(",")]


def _value_option(name: str, help: str) -> Callable[[F], F]:
    return click.option(
        f"--{name}", type=_Asked(), is_flag=False, flag_value=True, metavar="[VALUE]", help=help
    )


def _measures(function: F) -> F:
    """Add an option for each measure. Decorators are listed from the bottom up."""
    for name, help in reversed(_VALUES.items()):
        function = _value_option(name, help)(function)
    return function


#: Measures that random orders or permutations may be drawn for.
_DRAWN = ("ndcg", "bedroc", "iap", "maxf")
#: As in `precall.stats.null.early_stops`, which needs NumPy.
SPENDING = ("linear", "pocock", "obrien-fleming")
#: Options of the test while a ranking is read.
_SEQUENTIAL = ("budget", "at_most", "alpha", "spending", "hits", "read")
#: Options that have nothing to do with it.
_OF_DISTRIBUTIONS = (
    "retrieved",
    "ap",
    *_VALUES,
    "at",
    "level",
    "grades",
    "published",
    "simulate",
    "share",
    "limit",
)


def _ranks(
    context: click.Context, parameter: click.Parameter, text: str | None
) -> list[int] | None:
    """Ranks with commas between them; an empty text is no hit."""
    if text is None:
        return None
    try:
        return [int(rank) for rank in text.split(",")] if text.strip() else []
    except ValueError:
        raise UsageError(
            argument="--hits",
            allowed="ranks with commas between them, such as 2,9,17",
            got=Fact(text),
        ) from None


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
@click.option(
    "--items",
    type=_Counts(options.Whole(min=1)),
    metavar="N",
    help="Items in the ranking; N,N,... for several queries, whose mean AP is shown.",
)
@click.option(
    "--relevant",
    type=_Counts(options.Integer()),
    metavar="N",
    help="Relevant items among them; N,N,... for several queries.",
)
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
    "--share",
    type=options.Number(),
    metavar="S",
    help="The share of the ranks for --ef (default: 0.01).",
)
@click.option(
    "--limit",
    is_flag=True,
    help="Also show the limit law of AP, normal with mean s and variance s²(1-s)/m for a share s "
    "of relevant items, without and with its skewness; with --ap also its p, and by how much that "
    "is wrong.",
)
@click.option(
    "--published",
    is_flag=True,
    help="Also show the approximation of Zhang & Su (2012); with --ap also its p.",
)
@click.option(
    "--simulate", type=options.Whole(min=2), metavar="N", help="Also simulate N random rankings."
)
@click.option(
    "--sequential",
    is_flag=True,
    help="Test while the ranking is read: how many hits, by which rank, show that it "
    "is better than chance.",
)
@click.option(
    "--budget",
    type=options.Whole(min=1),
    metavar="N",
    help="With --sequential: the greatest number of items to read (default: no limit).",
)
@click.option(
    "--at-most",
    type=options.Whole(min=1),
    metavar="N",
    help="Instead of --relevant: the greatest possible number of relevant items.",
)
@click.option(
    "--alpha",
    type=options.Share(0.05),
    metavar="A",
    help="Greatest probability of a stop in random order (default: 0.05).",
)
@click.option(
    "--spending",
    type=click.Choice(SPENDING),
    help="How alpha is spread over the budget (default: linear).",
)
@click.option(
    "--hits",
    callback=_ranks,
    metavar="R,...",
    help="Ranks of the relevant items found so far; '' if there are none.",
)
@click.option(
    "--read",
    type=options.Whole(min=0),
    metavar="N",
    help="How many items were read (default: up to the last hit).",
)
@options.seed("--simulate, --plot and measures that are drawn")
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
    deviation and quantiles of random rankings follow. They are those of the named measures, or of
    recall, precision and average precision. For named measures --all adds critical values.
    Numbers with commas between them stand for several queries; it then shows their mean AP.
    Without --items and --relevant it shows both settings of Zhang & Su (2012); --published adds
    their approximation of AP.

    --sequential tests a ranking while you read it: it prints how many relevant items by which rank
    show that it is better than chance. With --hits it says whether those found so far do.

    \b
    Examples:
      precall null --items 2000 --relevant 500 --ap 0.27
      precall null --items 1000 --relevant 100 --precision 0.3 --recall --at 10
      precall null --items 200 --relevant 20 --rprec --auc 0.62 --ndcg --level 0.99
      precall null --items 1000 --relevant 5,12,40 --ap 0.05
      precall null --items 5000 --relevant 50 --ef 4 --share 0.02 --bedroc --maxf 0.1
      precall null --items 2000 --relevant 500 --ap 0.28 --limit
      precall null --items 1000 --relevant 100 --simulate 10000 --format json
      precall null --simulate 10000
      precall null --items 1000 --relevant 100 --plot null.svg
      precall null --sequential --items 1000 --relevant 20 --budget 100
      precall null --sequential --items 1000 --relevant 20 --budget 100 --hits 2,9,17
    """
    of_reading = {name: asked.pop(name) for name in _SEQUENTIAL}
    if asked.pop("sequential"):
        unused = [name for name in _OF_DISTRIBUTIONS if asked[name] not in (None, False)]
        unused += ["seed"] * (seed is not None) + ["plot"] * (plot is not None)
        _refuse_unused(unused, "--sequential reads hits, and draws nothing")
        return _show_sequential(asked["items"], asked["relevant"], form, output, **of_reading)
    unused = [name for name, value in of_reading.items() if value is not None]
    _refuse_unused(unused, "it belongs to --sequential")
    _check_together(seed, plot, asked)
    if isinstance(asked["items"], list) or isinstance(asked["relevant"], list):
        return _show_mean(seed, plot, form, output, **asked)
    from precall.cli import files, outputs
    from precall.stats.null import describe

    description = describe(**asked, rng=seed or 0)
    outputs.check_picture(plot, None)
    files.check([], output, plot=plot)
    if plot is not None:
        from precall.plot import NullDensity

        outputs.draw(NullDensity.of_setting(description.settings[0]).plot(), plot)
    return outputs.write_sheet(description.sheet(), form, output)


def _check_together(seed: int | None, plot: str | None, asked: Mapping[str, Any]) -> None:
    """Refuse options that lack those that they need, and --plot of another measure."""
    is_study = asked["items"] is None and asked["relevant"] is None
    has_value = any(asked[name] not in (None, True) for name in ("ap", *_VALUES))
    has_cutoff = any(asked[name] is not None for name in ("retrieved", "at"))
    if is_study and (has_value or has_cutoff or plot is not None):
        raise UsageError(
            "--ap, --plot and --retrieved need --items and --relevant",
            remedy="give both; --at and other values need them as well",
        )
    named = [name for name in (*_VALUES, "at", "level") if asked[name] is not None]
    if plot is not None and named:
        raise UsageError(
            argument="--plot",
            what="draws average precision over all ranks",
            remedy=f"leave out --{named[0]}",
        )
    drawn = any(asked[name] is not None for name in ("simulate", *_DRAWN))
    if seed is not None and not drawn and plot is None:
        names = ", ".join(f"--{name}" for name in ("simulate", "plot", *_DRAWN[:-1]))
        raise UsageError(
            f"--seed applies to {names} and --{_DRAWN[-1]}",
            remedy="leave it out, or give one of them",
        )


def _show_mean(
    seed: int | None,
    plot: str | None,
    form: str,
    output: str | None,
    *,
    items: Any,
    relevant: Any,
    ap: Any,
    at: int | None,
    **others: Any,
) -> int:
    """Show the distribution of the mean of AP over queries, or a value of it."""
    unused = [name for name, value in others.items() if value not in (None, False)]
    unused += ["seed"] * (seed is not None) + ["plot"] * (plot is not None)
    _refuse_unused(unused, "several queries have the mean of AP, and nothing is drawn")
    for name, counts in (("items", items), ("relevant", relevant)):
        if counts is None:
            raise UsageError(
                argument=f"--{name}",
                what="is needed for the mean over queries",
                remedy="give one number, or one for each query",
            )
    from precall.cli import files, outputs
    from precall.stats.null.description import value_typed
    from precall.stats.null.several_queries import mean_average_precision
    from precall.stats.null.significance import Outcome

    files.check([], output)
    null = mean_average_precision(items, relevant, at)
    if ap in (None, True):
        return outputs.write_sheet(null.sheet(), form, output)
    value, note = value_typed(null, ap, "mean AP")
    sheet = Outcome.of(value, null).sheet()
    notes = (note,) if note is not None else ()
    return outputs.write_sheet(sheet.sheet(notes=(*sheet.notes, *notes)), form, output)


def _refuse_unused(names: list[str], why: str) -> None:
    if names:
        option = f"--{names[0].replace('_', '-')}"
        raise UsageError(argument=option, what=f"is not used: {why}", remedy="leave it out")


def _show_sequential(
    items: int | None,
    relevant: int | None,
    form: str,
    output: str | None,
    *,
    hits: list[int] | None,
    read: int | None,
    **test: Any,
) -> int:
    """Show when reading may stop, or whether it may stop now."""
    if items is None:
        raise UsageError(
            argument="--items",
            what="is needed with --sequential",
            remedy="give how many items the list has",
        )
    if hits is None and read is not None:
        raise UsageError(
            argument="--hits", what="is needed with --read", remedy="with no hit so far, give ''"
        )
    from precall.cli import files, outputs
    from precall.stats.null import sequential

    given = {name: value for name, value in test.items() if value is not None}
    result: Any = sequential(items, relevant, **given)
    if hits is not None:
        result = result.read(hits, read)
    files.check([], output)
    return outputs.write_sheet(result.sheet(), form, output)
