"""`precall ranking`."""

from __future__ import annotations

from typing import Any

import click

from precall.cli import options
from precall.core.errors import UsageError

_PATH = click.Path(allow_dash=True)


@click.command("ranking", context_settings=options.HELP)
@click.argument("relevant", metavar="[RELEVANT RANKED]", required=False, type=_PATH)
@click.argument("ranked", metavar="", required=False, type=_PATH)
@click.option(
    "--hits",
    metavar="01...",
    help="The ranking itself instead of two files: 1 for each hit, 0 for each other item.",
)
@click.option(
    "--relevant",
    "total",
    type=options.Whole(min=1),
    metavar="N",
    help="With --hits: number of all relevant items (default: the hits).",
)
@options.measures(
    "Measure, such as AP, P@20 or nDCG@10, instead of the usual ones; repeat for more. With "
    "--points: one more column, for a measure of counts."
)
@click.option(
    "--population",
    type=options.Whole(min=1),
    metavar="N",
    help="Number of all items. Adds tn, specificity and accuracy; AUC, EF and BEDROC then count "
    "all items.",
)
@options.points
@options.interval_of_ap("AP and the greatest F")
@options.level(options.LEVEL_OF_INTERVAL)
@options.seed("--interval")
@options.plot(
    ("ranks", "cumulative-gain", "pr", "roc"),
    "a picture",
    "What to draw: precision, recall and F by rank; cumulative gain; precision-recall; or ROC.  "
    "[default: ranks]",
)
@options.short_form
@options.output
@options.max_expansion
@options.plugin
def ranking(
    relevant: str | None,
    ranked: str | None,
    hits: str | None,
    total: int | None,
    measures: tuple[str, ...],
    population: int | None,
    points: int | None,
    interval: str | None,
    level: float,
    seed: int | None,
    plot: str | None,
    plot_kind: str | None,
    form: str,
    output: str | None,
) -> int:
    """Measure one ranking. RANKED and RELEVANT are lists of ids, one on a line; RANKED has the
    best first.

    Prints AP, R-precision, RR, P@5, P@10 and the greatest F. --all adds break-even, precision at 11
    levels of recall and the first and last ten operating points: rank, item, tp, fp, fn, precision,
    recall, F; --points --all prints all of them.
    Relevant items that are not ranked count as missed. Files may be .gz or .zst; - is standard
    input.

    \b
    Examples:
      precall ranking relevant.txt ranked.txt
      precall ranking relevant.txt ranked.txt -m AP -m P@20 --format json
      precall ranking relevant.txt ranked.txt --population 100000 --points 10
      precall ranking relevant.txt ranked.txt --points -m E --format csv -o points.csv
      precall ranking relevant.txt ranked.txt --interval --level 0.9
      precall ranking relevant.txt ranked.txt --plot gain.svg --plot-kind cumulative-gain
      zcat ranked.txt.gz | precall ranking relevant.txt -
      precall ranking --hits 11010000 --relevant 4
    """
    from precall.cli import files, outputs
    from precall.evaluation.hit_lists import ranking as measured
    from precall.evaluation.single_ranking import DEFAULT

    options.check_level(level, {"interval": interval})
    options.check_seed(seed, {"interval": interval})
    if points is not None:
        options.check_points({"interval": interval})
    outputs.check_picture(plot, plot_kind)
    shown = measures or DEFAULT if points is None else DEFAULT
    choices: dict[str, Any] = {
        "measures": shown,
        "population": population,
        "interval": interval or False,
        "level": level,
        "rng": seed or 0,
    }
    if hits is None:
        if relevant is None or ranked is None:
            raise click.MissingParameter(param_hint="RELEVANT RANKED", param_type="argument")
        if total is not None:
            raise UsageError(argument="--relevant", what="applies to --hits", remedy="leave it out")
        files.check([relevant, ranked], output, plot=plot)
        result = measured(relevant, ranked, **choices)
    else:
        if relevant is not None:
            raise UsageError(argument="--hits", what="takes no files", got=relevant)
        files.check([], output, plot=plot)
        result = measured.of(hits, relevant=total, **choices)
    if plot is not None:
        from precall.plot import from_result

        outputs.draw(
            from_result.display_of_cases({"": {"": result.curve}}, plot_kind or "ranks"), plot
        )
    sheet = result.sheet()
    if points is not None:
        sheet = result.points(*measures).sheet(rows=options.rows_to_show(points, form))
    return outputs.write_sheet(sheet, form, output)
