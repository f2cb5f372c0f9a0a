"""`precall measures` and `precall explain`."""

from __future__ import annotations

import click

from precall.cli import options
from precall.core.errors import MeasureError


@click.command("measures", context_settings=options.HELP)
@options.form_option(of_paper=False)
@options.plugin
def measures(form: str) -> int:
    """List all measures, how they are written, and trec_eval's names for them.

    \b
    Examples:
      precall measures
      precall measures --format json
    """
    from precall.cli import outputs
    from precall.cli.explanations import list_measures

    outputs.write(list_measures(form), None)
    return 0


@click.command("explain", context_settings=options.HELP)
@click.argument("words", metavar="WORD...", nargs=-1, required=True, shell_complete=options.words)
@options.form_option(of_paper=False)
@options.plugin
def explain(words: tuple[str, ...], form: str) -> int:
    """Explain a measure, or a word: definition, parameters, range, sources, and an example worked
    out.

    Words of the literature and those that other commands print are explained, too.

    \b
    Examples:
      precall explain NDCG
      precall explain recip_rank
      precall explain SCut
      precall explain rejection recall
      precall explain AP --format json
    """
    from precall.cli import inputs, outputs
    from precall.cli.explanations import explain

    name = " ".join(words)
    try:
        text = explain(name, form)
    except MeasureError as error:
        raise inputs.advise(name, error) from None
    outputs.write(text, None)
    return 0
