"""`precall overlap`: rank-biased overlap of two runs, by `pc.compare.rbo`."""

from __future__ import annotations

from collections.abc import Mapping

import click

from precall.cli import options
from precall.core.errors import UsageError, read_again


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
    per_topic: bool,
    depth: int | None,
    lower_is_better: bool,
    columns: Mapping[str, str] | None,
    unpaired: str,
    form: str,
    output: str | None,
    input_format: str | None,
) -> int:
    """Measure how alike two runs are, without judgements: rank-biased overlap (RBO).

    RBO is 1 if all rankings are equal, and 0 if they share no item; the top counts most. Rankings
    end, so the overlap below is unknown. The first value assumes that they go on as they began. The
    second is the least possible overlap, and the residual how much greater it can be.

    \b
    Examples:
      precall overlap bm25.run dense.run
      precall overlap bm25.run dense.run -p 0.98 -q
      precall overlap bm25.run dense.run --depth 10 --format json
    """
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
