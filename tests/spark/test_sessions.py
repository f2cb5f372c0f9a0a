"""Sessions of other kinds: a cluster whose executors are killed, Spark Connect, workers that run
another Python.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.conftest import ROOT

#: A program that hangs is ended; beside other work the starts of Java alone take minutes.
_SECONDS = 1800


def told(kind: str, flag: Path) -> Any:
    """What the program said last."""
    # Spark's own switch for a server of Spark Connect at any port that is free.
    env = os.environ | {"PRECALL_TEST_FLAG": str(flag), "SPARK_TESTING": "1"}
    command = [sys.executable, "-W", "ignore", "-m", "tests.spark.sessions", kind]
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=_SECONDS, env=env
    )
    assert not done.returncode, done.stderr[-3000:]
    return json.loads(done.stdout.splitlines()[-1])


def test_killed_executors_change_nothing(tmp_path: Path) -> None:
    facts = told("killed", tmp_path / "flag")
    whole = facts.pop("whole")
    assert facts.pop("killed") == 5 and facts.pop("runs") == [True, True]
    assert len(facts) == 4 and all(numbers == whole for numbers in facts.values())


def test_spark_connect(tmp_path: Path) -> None:
    facts = told("connect", tmp_path)
    assert ".connect." in facts["module"]
    assert facts["gaps"] == facts["range"] == facts["whole"]
    assert facts["runs"] == [True, True]
    # Where it does not take them.
    assert "route range" in facts["chosen"]
    assert "(spark.connect.grpc.maxInboundMessageSize); use route='range', or" in facts["large"]


def test_another_interpreter_is_named(tmp_path: Path) -> None:
    said = told("interpreter", tmp_path)["said"]
    assert said.startswith("PYSPARK_PYTHON: the workers run another Python")
    assert f"set PYSPARK_PYTHON={sys.executable} before the session is made" in said
