"""Every usage error names the help of its own command; of options without a value that was
`precall --help`.
"""

from __future__ import annotations

import pytest

from precall.cli.main import run


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("curve c.csv --label y --score s --compare s", "precall curve"),
        ("curve c.csv --label y --score", "precall curve"),
        ("curve c.csv --label y --lower-is-better=3", "precall curve"),
        ("curve c.csv --unheard-of", "precall curve"),
        ("eval q.qrels a.run -m", "precall eval"),
        ("report --title", "precall report"),
        ("--unheard-of", "precall"),
        ("unheard-of", "precall"),
    ],
)
def test_of_the_command(line, command, capsys):
    assert run(line.split()) == 2
    assert capsys.readouterr().err.rstrip().endswith(f"see '{command} --help'")
