"""The tests of ir_measures and pytrec_eval, run on our modules of their names;
docs/why/verification.md counts them.

python -m tests.parity.peer_tests ir_measures CHECKOUT/tests
python -m tests.parity.peer_tests pytrec_eval CHECKOUT/tests/pytrec_eval_tests.py

Those of pytrec_eval find trec_eval's test data in CHECKOUT/trec_eval/test.
"""

from __future__ import annotations

import sys
import unittest
from importlib.util import module_from_spec, spec_from_file_location
from types import ModuleType, SimpleNamespace
from typing import Any

from precall.compat import ir_measures, pytrec_eval
from precall.compat.ir_measures import names

#: Providers that the tests ask by name; here there is one.
PROVIDERS = (
    "accuracy",
    "compat",
    "cwl_eval",
    "gdeval",
    "judged",
    "msmarco",
    "pyndeval",
    "pytrec_eval",
    "ranx",
    "trectools",
)


def metric_of_cwl_eval(query_id: str, measure: Any, value: float, *_: float) -> ir_measures.Metric:
    """Theirs has costs and utilities, too."""
    return ir_measures.Metric(query_id, measure, value)


def module(name: str, **more: Any) -> ModuleType:
    """Ours, under one of their names."""
    made = ModuleType(name)
    ours = {key: getattr(ir_measures, key) for key in ir_measures.__all__}
    made.__dict__.update(ours | more)
    sys.modules[name] = made
    return made


def of_ir_measures(folder: str) -> int:
    """Run pytest on their folder of tests."""
    import pytest

    measures = module("ir_measures.measures", registry=names.registry)
    module("ir_measures.measures.accuracy")
    one = ir_measures.DefaultPipeline
    providers = SimpleNamespace(
        PytrecEvalProvider=ir_measures.Provider,
        RuntimeProvider=ir_measures.Provider,
        registry={"precall": one},
    )
    asked = dict.fromkeys(PROVIDERS, one)
    module(
        "ir_measures", measures=measures, CwlMetric=metric_of_cwl_eval, providers=providers, **asked
    )
    return int(
        pytest.main(
            ["-q", "-p", "no:cacheprovider", "--import-mode=importlib", "--rootdir", folder, folder]
        )
    )


def of_pytrec_eval(path: str) -> int:
    """Run their file of tests, with the two that it makes as a script."""
    sys.modules["pytrec_eval"] = pytrec_eval
    spec = spec_from_file_location("__main__", path)
    assert spec is not None and spec.loader is not None
    sys.argv = [path]
    made = sys.modules["__main__"] = module_from_spec(spec)
    try:
        spec.loader.exec_module(made)
    except SystemExit as end:
        return int(bool(end.code))
    return int(not unittest.main(made, exit=False).result.wasSuccessful())


if __name__ == "__main__":
    chosen = {"ir_measures": of_ir_measures, "pytrec_eval": of_pytrec_eval}[sys.argv[1]]
    sys.exit(chosen(sys.argv[2]))
