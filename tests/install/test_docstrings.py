"""Every example in a docstring runs and shows what it says."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import precall
from precall.core.errors import MissingExtra

MODULES = [
    "precall",
    *(found.name for found in pkgutil.walk_packages(precall.__path__, "precall.")),
]
NOT_IMPORTED = ("precall.__main__", "precall.native._kernel")


@pytest.mark.nightly(keep=48)
@pytest.mark.parametrize("name", [name for name in MODULES if name not in NOT_IMPORTED])
def test_examples(name: str) -> None:
    try:
        module = importlib.import_module(name)
    except MissingExtra as missing:
        pytest.skip(str(missing))
    result = doctest.testmod(module, optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    assert result.failed == 0
