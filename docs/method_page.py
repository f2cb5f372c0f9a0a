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

The names in the first columns are values of `test=`, `correction=` and `method=`, and of options such as `--test`. The names elsewhere are accepted as well.
Case, blanks and punctuation do not matter: `signflip` stands for "Sign-flip". `precall explain NAME` prints an entry, with an example.
"""  # noqa: E501
_TESTS = """## Tests

Use them as `pc.compare(..., test="t")` or `precall compare --test t`. p is *exact* if it is neither sampled nor based on an assumed distribution.
[Which test](../how-to/compare.md#which-test) helps you choose.
"""  # noqa: E501
_INTERVALS = """
## Methods of intervals

Use them as `pc.interval(..., method="t")` or `precall eval --interval t`. A method is *exact* if, for samples of any size, its intervals contain the true value
at least as often as their level says. [Intervals](../how-to/intervals.md) shows the calls, and [how accurate intervals are](../why/intervals.md) has the
coverage of the other methods.
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
