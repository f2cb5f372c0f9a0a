"""`precall overlap`: rank-biased overlap of two runs, by `pc.compare.rbo`, and how alike two orders
of systems are, by `pc.compare.orders`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import click

from precall.cli import kinds, options
from precall.core.errors import Many, UsageError, map_problems, read_again

if TYPE_CHECKING:
    from precall.comparison.order_files import Order


def _p(context: click.Context, parameter: click.Parameter, p: float) -> float:
    if not 0 < p < 1:
        raise UsageError(argument="--persistence", got=p, allowed="a number > 0 and < 1")
    return p


@click.command("overlap", context_settings=options.HELP)
@click.argument("first", metavar="RUN", type=click.Path(allow_dash=True))
@click.argument("second", metavar="RUN", type=click.Path(allow_dash=True))
@click.option(
    "-p",
    "--persistence",
    type=options.Number(),
    default=0.9,
    show_default=True,
    callback=_p,
    metavar="P",
    help="Probability to go on to the next rank: the nearer to 1, the more deep ranks count.",
)
@click.option(
    "--orders",
    is_flag=True,
    help="The files are orders of systems: Kendall's tau and AP correlation. A file has a system "
    "and its value on each line, or only names, best first; or is what `precall eval --format "
    "json` printed.",
)
@click.option(
    "-m",
    "--measure",
    "measures",
    multiple=True,
    metavar="NAME",
    help="With --orders: the measure of a report with several. Repeat for one of each file.",
)
@options.per_topic
@options.convention("depth")
@options.convention("lower_is_better")
@options.convention("columns")
@options.unpaired()
@options.short_form
@options.output
@options.runs_format
@options.max_expansion
def overlap(
    first: str,
    second: str,
    persistence: float,
    orders: bool,
    measures: tuple[str, ...],
    per_topic: bool,
    depth: int | None,
    lower_is_better: bool,
    columns: Mapping[str, str] | None,
    unpaired: str,
    form: str,
    output: str | None,
    input_format: str | None,
) -> int:
    """Measure how alike two runs are, without judgements: rank-biased overlap (RBO). With --orders,
    how alike two orders of systems are.

    RBO is 1 if all rankings are equal, and 0 if they share no item; the top counts most. Rankings
    end, so the overlap below is unknown. The first value assumes that they go on as they began. The
    second is the least possible overlap, and the residual how much greater it can be.

    \b
    Examples:
      precall overlap bm25.run dense.run
      precall overlap bm25.run dense.run -p 0.98 -q
      precall overlap bm25.run dense.run --depth 10 --format json
      precall overlap --orders people.txt judge.txt
      precall overlap --orders report.json report.json -m AP -m nDCG
    """
    if orders:
        return _overlap_of_orders((first, second), measures, lower_is_better, form, output)
    if measures:
        raise UsageError(
            argument="--measure", what="applies to --orders", remedy="add --orders, or leave it out"
        )
    from precall.cli import files, outputs
    from precall.cli.inputs import refuse_one_run_twice
    from precall.comparison.run_overlap import rbo
    from precall.read.readers import columns_for_source, read_run

    paths = (first, second)
    if paths.count("-") > 1:
        raise read_again(2)
    refuse_one_run_twice(paths)
    files.check([*paths], output)
    runs = [
        read_run(
            path,
            format=input_format if path == "-" or "-" not in paths else None,
            columns=columns_for_source(path, columns),
            lower_is_better=lower_is_better,
        )
        for path in paths
    ]
    found = rbo(runs[0], runs[1], persistence, depth=depth, unpaired=unpaired)
    return outputs.write_sheet(found.sheet(per_topic=per_topic), form, output)


#: Options of orders; all others are of runs.
_OF_ORDERS = ("first", "second", "orders", "measures", "lower_is_better", "form", "output")


def _overlap_of_orders(
    paths: tuple[str, str],
    measures: tuple[str, ...],
    lower_is_better: bool,
    form: str,
    output: str | None,
) -> int:
    """Compare two orders of systems; the first one is the true one."""
    from precall.cli import files, outputs
    from precall.cli.inputs import refuse_one_run_twice
    from precall.comparison.order_files import read_order
    from precall.comparison.system_orders import orders
    from precall.read.sources import label_of

    for parameter in kinds.typed_parameters(click.get_current_context()):
        if parameter.name not in (*_OF_ORDERS, "max_expansion"):
            raise UsageError(
                argument=parameter.opts[-1],
                what="applies to runs, and --orders are of systems",
                remedy="leave it out",
            )
    if len(measures) > len(paths):
        raise UsageError(
            argument="--measure",
            what="there are two files",
            got=Many(len(measures), "measure"),
            remedy="name one measure, or one of each file",
        )
    if len(measures) < len(paths):
        refuse_one_run_twice(paths)
    files.check([*paths], output)
    of_each = measures if len(measures) == len(paths) else (measures or (None,)) * len(paths)
    a, b = (read_order(path, name) for path, name in zip(paths, of_each, strict=True))
    if lower_is_better and any(order.higher_is_better is not None for order in (a, b)):
        raise UsageError(
            argument="--lower-is-better",
            what="a report tells which values are good",
            remedy="leave it out",
        )
    of = dict(zip("ab", map(label_of, paths), strict=True))
    with map_problems(lambda problem: problem._replace(source=of[problem.source])):
        found = orders(*(_good_high(order, lower_is_better) for order in (a, b)))
    return outputs.write_sheet(found.sheet(), form, output)


def _good_high(order: Order, lower_is_better: bool) -> Mapping[str, float] | list[str]:
    """An order whose high values are good."""
    is_low = lower_is_better if order.higher_is_better is None else not order.higher_is_better
    if isinstance(order.systems, list) or not is_low:
        return order.systems
    return {name: -value for name, value in order.systems.items()}
