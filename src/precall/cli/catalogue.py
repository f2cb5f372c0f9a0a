"""`precall measures` and `precall explain`."""

from __future__ import annotations

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
@options.form_option(of_paper=False)
@options.output
@options.plugin
def explain(words: tuple[str, ...], form: str, output: str | None) -> int:
    """Explain a measure or a word: definition, parameters, range, sources, and a worked example.

    Also explains words of the literature, and words that other commands print.

    \b
    Examples:
      precall explain NDCG
      precall explain recip_rank
      precall explain SCut
      precall explain rejection recall
      precall explain AP --format json
    """
    from precall.cli import inputs, outputs
    from precall.cli.explanations import explain, explanation_sheet

    name = " ".join(words)
    try:
        sheet = explanation_sheet(name)
    except MeasureError as error:
        raise inputs.advise(name, error) from None
    return outputs.write_sheet(sheet, form, output, text=lambda: explain(name))
