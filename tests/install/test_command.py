"""The installed command: version, help, about."""

from __future__ import annotations

import importlib.metadata
import os
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

import precall
from tests.processor import leasts, of_command

if not any(importlib.metadata.distributions(name="precall")):
    pytest.skip("precall is not installed, only imported", allow_module_level=True)

COMMAND = Path(sys.executable).with_name("precall")


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [COMMAND, *arguments],
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONWARNINGS": "error"} | environment,
    )


def test_version_is_said_once() -> None:
    done = run("--version")
    assert done.returncode == 0 and precall.__version__ in done.stdout
    assert importlib.metadata.version("precall") == precall.__version__


def test_module_is_the_command() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "precall", "--version"], capture_output=True, text=True
    )
    assert done.stdout == run("--version").stdout


@pytest.mark.nightly
@pytest.mark.parametrize("kernel", ["auto", "twin"])
def test_about_names_the_kernel(kernel: str) -> None:
    done = run("about", PRECALL_KERNEL=kernel)
    assert done.returncode == 0, done.stderr
    assert "twin" in done.stdout if kernel == "twin" else precall.about()["kernel"] in done.stdout


@pytest.mark.nightly
def test_native_kernel_is_there_or_an_error() -> None:
    done = run("about", PRECALL_KERNEL="native")
    code = "import importlib.util as u; print(u.find_spec('precall.native._kernel') is not None)"
    there = (
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.strip()
        == "True"
    )
    assert (done.returncode == 0) == there
    if not there:
        assert done.returncode == 2 and "PRECALL_KERNEL" in done.stderr


@pytest.mark.nightly
@pytest.mark.parametrize("option", ["--version", "--help"])
def test_answers_within_150_ms(option: str) -> None:
    # A machine on which Python alone takes more than 25 ms gets as much more.
    def short(python: float, ours: float) -> bool:
        return ours <= 0.150 * max(1.0, python / 0.025)

    alone, answer = (
        partial(of_command, [sys.executable, "-c", ""]),
        partial(of_command, [str(COMMAND), option]),
    )
    python, ours = leasts(alone, answer, short)
    assert short(python, ours), f"python {python:.3f} s, precall {option} {ours:.3f} s"
