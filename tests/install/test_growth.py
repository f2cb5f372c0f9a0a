"""`bench/growth.py`: nothing public is forgotten, and what it says of numbers is right."""

from __future__ import annotations

import fnmatch
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

from precall.cli.commands import SUMMARIES
from tests.peers import peer

ROOT = Path(__file__).resolve().parents[2]
BENCH = ROOT / "bench"
NAMES = ROOT / "tests" / "data" / "public-names.txt"

for needed in ("scipy", "polars", "pandas"):
    peer(needed, f"{needed} is not installed: calls that need it were not made")


@pytest.fixture(autouse=True)
def found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(BENCH))


def functions() -> list[str]:
    """Public functions and methods by name; what begins with a capital is a type."""
    lines = NAMES.read_text(encoding="utf-8").splitlines()
    names = [line.partition("(")[0].removeprefix("precall.") for line in lines if "(" in line]
    return [name for name in names if not name.rpartition(".")[2][0].isupper()]


def test_every_function_is_measured_or_left_out_for_a_reason():
    from growth_calls import CALLS
    from growth_left_out import LEFT_OUT

    measured = {name.partition(",")[0] for name in CALLS}
    rest = [name for name in functions() if name not in measured]
    assert len(functions()) > 200 and len(measured) > 150
    lacking = [name for name in rest if not any(fnmatch.fnmatch(name, rule) for rule in LEFT_OUT)]
    assert lacking == [], "a row in bench/growth_calls.py, or a reason in bench/growth_left_out.py"
    assert all(LEFT_OUT.values())
    idle = [rule for rule in LEFT_OUT if not any(fnmatch.fnmatch(name, rule) for name in rest)]
    assert not idle, "left out, and not there"


def test_every_command_is_measured():
    from growth_calls import COMMANDS

    assert {name.split()[1] for name in COMMANDS} == set(SUMMARIES)


def test_rows_have_sizes_that_grow():
    from growth_calls import CALLS

    for name, call in CALLS.items():
        assert len(call.sizes) > 1 and list(call.sizes) == sorted(set(call.sizes)), name


def test_powers_and_cliffs():
    from growth import cliffs, exponents

    steep = {"10": 0.01, "100": 0.1, "1000": 10.0}
    assert exponents(steep) == pytest.approx([1, 2])
    assert cliffs(steep) == ["1000: 2.0"]
    assert cliffs({"10": 1e-6, "100": 1e-3}) == []  # below what calls cost anyway


def test_the_record_before_is_that_of_the_last_day():
    """Digests stood beside the records, so that nothing was recorded: no test read the folder."""
    from growth import before

    revision, results = before(BENCH / "records", "all")
    assert revision and len(results) > 150


def test_what_differs_from_the_record_before_is_told():
    from growth import compared

    def taken(seconds: float, room: int) -> dict[str, dict[str, float]]:
        return {"seconds": {"10": 1.0, "100": seconds}, "bytes": {"10": 1, "100": room}}

    mega = 10**7
    then = {
        "same": taken(2, 8),
        "slow": taken(2, mega),
        "greedy": taken(2, mega),
        "short": taken(1e-6, 8),
    }
    now = {
        "same": taken(2.1, 80),
        "slow": taken(3, mega),
        "greedy": taken(2, 10 * mega),
        "short": taken(9e-6, 8),
    }
    told = [["slow", "100", "1.50", "1.00"], ["greedy", "100", "1.00", "10.00"]]
    assert compared(now | {"new": taken(1, 1)}, then) == told


@pytest.mark.nightly
@pytest.mark.skipif(sys.platform == "win32", reason="no fork: nothing was measured")
def test_quick():
    asked = [
        "average_precision",
        "interval.mean",
        "every result.to_csv",
        "read_run, csv",
        "precall curve",
    ]
    only = [part for name in asked for part in ("--only", name)]
    done = subprocess.run(
        [sys.executable, str(BENCH / "growth.py"), "--quick", *only],
        capture_output=True,
        text=True,
        check=True,
    )
    rows = [line for line in done.stdout.splitlines() if line.startswith(tuple(asked))]
    assert len(rows) == len(asked) and "failed" not in done.stdout, done.stdout + done.stderr


@pytest.mark.nightly
def test_rows_run_at_their_least_size(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    """Rows of `judge` had too few topics there, so that they failed at every size."""
    import growth_data
    from growth_calls import CALLS

    monkeypatch.setattr(growth_data, "ROOT", tmp_path)
    failed = {}
    for name, call in CALLS.items():
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                call.make(growth_data.Data(call.sizes[0]))()
        except (Exception, SystemExit) as error:  # all are told of
            failed[name] = error
    assert not failed
