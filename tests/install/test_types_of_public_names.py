"""A type checker knows the type of every name that is no private one: `pyright --verifytypes` finds
none that is unknown, or that another checker might infer otherwise.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import precall

OPTIONS = ("--verifytypes", "precall", "--ignoreexternal", "--outputjson")
#: What says nothing but that torchmetrics is not installed.
OF_METRICS = ("Type of metaclass unknown", "Type of base class")


def symbols() -> list[Mapping[str, Any]]:
    """The names of the installed package, as pyright sees them."""
    pytest.importorskip("pyright", reason="pyright is of `make lint`")
    # The interpreter that it asks where packages are is the first on the path.
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    ran = subprocess.run(
        [sys.executable, "-m", "pyright", *OPTIONS],
        env=os.environ | {"PATH": path},
        cwd=Path(precall.__file__).parent.parent,
        capture_output=True,
        text=True,
    )
    answer = json.loads(ran.stdout)["typeCompleteness"]
    assert Path(answer["packageRootDirectory"]) == Path(precall.__file__).parent
    return list(answer["symbols"])


def is_known(symbol: Mapping[str, Any]) -> bool:
    """Whether its type is known and no matter of the checker."""
    if symbol["isTypeKnown"] and not symbol["isTypeAmbiguous"]:
        return True
    told = [each["message"].startswith(OF_METRICS) for each in symbol["diagnostics"]]
    return symbol["name"].startswith("precall.torch.") and all(told)


# Ten seconds, of which `make test` has no need.
@pytest.mark.nightly
def test_the_type_of_every_name_is_known() -> None:
    seen = symbols()
    names = {each["name"] for each in seen}
    assert {"precall.evaluate", "precall.compat.sklearn.Scorer"} <= names
    # With these a checker would take every name for known.
    assert not {f"precall{of}.__getattr__" for of in ("", ".stats.null", ".plot")} & names
    assert [each["name"] for each in seen if not is_known(each)] == []


def test_what_is_unknown_is_found() -> None:
    known: dict[str, Any] = {"name": "precall.x", "isTypeKnown": True, "isTypeAmbiguous": False}
    metric = known | {"name": "precall.torch.X", "isTypeKnown": False}
    assert is_known(known | {"diagnostics": []})
    assert not is_known(known | {"isTypeAmbiguous": True, "diagnostics": []})
    assert not is_known(known | {"isTypeKnown": False, "diagnostics": [{"message": "?"}]})
    assert is_known(metric | {"diagnostics": [{"message": "Type of base class unknown"}]})
    assert not is_known(metric | {"diagnostics": [{"message": "Return type unknown"}]})
