"""`precall about`."""

from __future__ import annotations

import click

from precall.cli import options

_FORMAT = "precall.about/1"


@click.command("about", context_settings=options.HELP)
@options.form
@options.output
def about(form: str, output: str | None) -> int:
    """Show the versions, kernel and machine that the numbers come from.

    \b
    Examples:
      precall about
      precall about --format json
    """
    import json

    from precall.cli import outputs
    from precall.native import installed
    from precall.results.sheets import sheet_of_rows

    facts = installed.about()
    if form == "json":
        outputs.write(json.dumps({"format": _FORMAT, **facts}, indent=2) + "\n", output)
        return 0
    rows = [(name, value or "-") for name, value in facts.items()]
    size = max(map(len, facts))
    text = "".join(f"{name:<{size}}  {value}\n" for name, value in rows)
    sheet = sheet_of_rows(_FORMAT, ("what", "version"), rows, dict(facts), left=2)
    return outputs.write_sheet(sheet, form, output, text=lambda: text)
