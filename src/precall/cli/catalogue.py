"""`precall measures` and `precall explain`."""

from __future__ import annotations

from typing import Any

import click

from precall.cli import options
from precall.core.errors import MeasureError


@click.command("measures", context_settings=options.HELP)
@options.form_option(of_paper=False)
@options.output
@options.plugin
def measures(form: str, output: str | None) -> int:
    """List all measures, how they are written, and trec_eval's names for them.

    \b
    Examples:
      precall measures
      precall measures --format json
      precall measures -o measures.html
    """
    from precall.cli import outputs
    from precall.cli.explanations import list_measures, measures_sheet

    return outputs.write_sheet(measures_sheet(), form, output, text=list_measures)


@click.command("explain", context_settings=options.HELP)
@click.argument("words", metavar="WORD...", nargs=-1, required=True, shell_complete=options.words)
@click.option(
    "--on",
    type=click.Path(allow_dash=True),
    metavar="FILE",
    help="Show the sum behind the measure step by step, from this file of scored cases or run.",
)
@options.column("--label", help="For cases: column that says which are relevant.")
@options.column("--score", help="For cases: column of scores.")
@options.positive
@options.low_scores
@options.missed
@click.option(
    "--qrels", type=click.Path(allow_dash=True), metavar="FILE", help="For a run: its judgements."
)
@click.option("--topic", metavar="ID", help="For a run: the topic to show.")
@click.option("--all", "everything", is_flag=True, help="Print every step, not only ten.")
@options.picture("the rectangles of AP, AUC, IAP, DCG or nDCG")
@options.form_option(of_paper=False)
@options.output
@options.input_format
@options.max_expansion
@options.plugin
def explain(
    words: tuple[str, ...],
    on: str | None,
    plot: str | None,
    everything: bool,
    form: str,
    output: str | None,
    **rows: Any,
) -> int:
    """Explain a measure or a word: definition, parameters, range, sources, and a worked example.

    Also explains words of the literature, and words that other commands print.

    With --on FILE: the sum behind the value from your own rows, a line for each step, up to the
    number that `precall curve` or `precall eval` prints. It shows AP, P@k, R@k, F@k, R-precision,
    RR, IAP and the area under ROC of cases, or nDCG and DCG of a topic of a run.

    \b
    Examples:
      precall explain NDCG
      precall explain recip_rank
      precall explain SCut
      precall explain rejection recall
      precall explain AP --format json
      precall explain AP --on cases.csv --label y --score s
      precall explain P@10 --on cases.csv --label y --score s --all
      precall explain AUC --on cases.csv --label y --score s --plot area.svg
      precall explain nDCG@10 --on bm25.run --qrels news.qrels --topic 301
      precall explain alpha-nDCG@10 --on bm25.run --qrels web.qrels --topic 151
    """
    from precall.cli import inputs, outputs, steps
    from precall.cli.explanations import explain, explanation_sheet

    name = " ".join(words)
    if on is not None:
        return steps.write(name, steps.StepsInput(on, **rows), plot, everything, form, output)
    steps.refuse_without_file(click.get_current_context())
    try:
        sheet = explanation_sheet(name)
    except MeasureError as error:
        raise inputs.advise(name, error) from None
    return outputs.write_sheet(sheet, form, output, text=lambda: explain(name))
