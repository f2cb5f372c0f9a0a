"""docs/reference/methods.md, written from the declarations of tests, corrections and methods of
intervals: `python docs/method_page.py [FOLDER]`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

from precall.cli.explanations import inference_facts
from precall.results.forms import pipes
from precall.stats.intervals import methods
from precall.stats.tests import DECLARED, DECLARED_CORRECTIONS

_HEAD = """<!-- Written by `python docs/method_page.py`; do not edit. -->
# Tests and interval methods

Each name on this page is a value of `test=`, `correction=` or `method=`, and of the options of the commands. Case and punctuation do not matter, so
`BCa` is `bca`. `precall explain NAME` prints an entry, with an example.
"""  # noqa: E501
_TESTS = """## Tests

`pc.compare` and `precall compare --test` take these. p is *exact* if it has neither an error of sampling nor one of an assumed distribution.
[Which test](../how-to/compare.md#which-test) helps to choose.
"""  # noqa: E501
_INTERVALS = """
## Methods of intervals

`pc.interval` and `--interval` take these. A method is *exact* if it covers at least its level in samples of any size.
[Intervals](../how-to/intervals.md) shows the calls, and [how accurate they are](../why/intervals.md) says how often the others cover.
"""  # noqa: E501


def page() -> str:
    """The text of the page."""
    return "\n".join(
        [
            _HEAD,
            _TESTS,
            _table("test", DECLARED),
            "\n## Corrections for several pairs\n",
            _table("correction", DECLARED_CORRECTIONS),
            _INTERVALS,
            _table("interval", methods.DECLARED),
            "",
        ]
    )


def _table(what: str, names: Iterable[str]) -> str:
    rows = [
        (name, facts) for name in names for kind, facts in inference_facts(name) if kind == what
    ]
    shown = ("Of", "Exact", "Elsewhere", "Source")
    labels = [label for label in shown if any(label in facts for _, facts in rows)]
    cells = [[f"`{name}`", *(facts.get(label, "") for label in labels)] for name, facts in rows]
    heads = {"Of": "data" if what == "test" else "interval of", "Elsewhere": "names elsewhere"}
    return pipes(
        [what, *(heads.get(label, label.lower()) for label in labels)],
        cells,
        "l" * (len(labels) + 1),
    )


if __name__ == "__main__":
    place = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "reference"
    (place / "methods.md").write_text(page(), encoding="utf-8", newline="\n")
