"""A plugin of pytest: the fixture `assert_not_worse`, and the option --precall-update.

pytest loads it wherever precall is installed, so it imports only pytest, and precall not before a
test uses the fixture.

Examples
--------
A test that fails if its run is worse than the baseline beside it:

>>> def test_search(assert_not_worse):
...     import precall as pc
...     assert_not_worse(pc.evaluate("qrels.txt", "run.txt", "nDCG@10"), margin=0.01)
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from precall.stats.tests.gating import Gates

#: The user property in which a test notes the baselines that it wrote. Properties also reach the
#: terminal from workers of pytest-xdist.
_WRITTEN = "precall baseline written"
#: The baselines that were written, with the test that wrote each, and the content.
_FILES = pytest.StashKey[dict[Path, tuple[str, bytes]]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option --precall-update."""
    group = parser.getgroup("precall")
    group.addoption(
        "--precall-update",
        action="store_true",
        help="Write the baselines of assert_not_worse anew, and fail nothing.",
    )


@pytest.fixture
def assert_not_worse(request: pytest.FixtureRequest) -> Callable[..., Gates]:
    """Fail if a report is worse than its baseline, a file beside the test.

    See `precall.testing.assert_not_worse`.
    """
    update: bool = request.config.getoption("--precall-update")

    def check(
        report: Any, baseline: str | Path = "base.json", margin: Any = None, **choices: Any
    ) -> Gates:
        __tracebackhide__ = True
        from precall.core.arguments import check_path
        from precall.core.errors import PrecallError
        from precall.core.saving import names_folder
        from precall.core.text import printable
        from precall.testing import assert_not_worse as held

        path = request.path
        choices.setdefault("update", update)
        try:
            name = os.fsdecode(check_path(baseline, "baseline"))
            path = path.parent / name
            if path.is_relative_to(here := Path.cwd()):
                # Messages name the file relative to the same folder as pytest names tests.
                path = path.relative_to(here)
            before = path.exists()
            # A name with a slash at the end is no file; a Path drops the slash, so it is added
            # again.
            gates = held(
                report, f"{path}{os.sep}" if names_folder(name) else path, margin, **choices
            )
        except (AssertionError, PrecallError) as error:
            # The message says all that users need; a traceback into precall would not help them.
            text = str(error)
        except OSError as error:
            text = (
                f"{printable(str(path))}: {error.strerror or error}; give a file that can be read "
                "and written, baseline=..."
            )
        else:
            if not (choices["update"] or not before):
                return gates
            request.node.user_properties.append((_WRITTEN, str(path)))
            by, data = request.config.stash.setdefault(_FILES, {}).setdefault(
                path.resolve(), (request.node.nodeid, path.read_bytes())
            )
            if data == path.read_bytes():
                return gates
            text = (
                f"{printable(str(path))}: is the baseline of {by}, too, with other values; give "
                "each test its own, baseline=..."
            )
        pytest.fail(text, pytrace=False)

    return check


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Say which baselines were written, so that people check and commit them."""
    reports = (
        report for kind in ("passed", "failed") for report in terminalreporter.stats.get(kind, ())
    )
    properties = (pair for report in reports for pair in getattr(report, "user_properties", ()))
    for path in dict.fromkeys(path for name, path in properties if name == _WRITTEN):
        from precall.core.text import printable

        terminalreporter.write_line(f"precall: wrote the baseline {printable(path)}; commit it")
