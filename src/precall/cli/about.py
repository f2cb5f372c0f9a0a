"""`precall about`."""

from __future__ import annotations

import click

from precall.cli import options


@click.command("about", context_settings=options.HELP)
@click.option(
    "--format",
    "form",
    type=click.Choice(("table", "json")),
    default="table",
    show_default=True,
    help="Form of the output.",
)
def about(form: str) -> int:
    """Say which versions, kernel and machine the numbers come from.

    \b
    Examples:
      precall about
      precall about --format json
    """
    import json

    from precall.cli import outputs
    from precall.native import installed

    facts = installed.about()
    size = max(map(len, facts))
    lines = "".join(f"{name:<{size}}  {value or '-'}\n" for name, value in facts.items())
    document = json.dumps({"format": "precall.about/1", **facts}, indent=2) + "\n"
    outputs.write(document if form == "json" else lines, None)
    return 0
