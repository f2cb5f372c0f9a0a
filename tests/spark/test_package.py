"""The extra: what is missing is said, and the workers are those of the tests."""

from __future__ import annotations

import subprocess
import sys
from typing import Any


def test_without_pyspark_it_is_said_what_to_install() -> None:
    code = "import sys; sys.modules['pyspark'] = None\nimport precall.spark"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode and "pip install 'precall[spark]'" in done.stderr.splitlines()[-1]


def test_the_workers_run_this_interpreter(session: Any) -> None:
    def own(batches: Any) -> Any:
        import sys

        import pyarrow

        for _ in batches:
            yield pyarrow.RecordBatch.from_pydict({"is": [sys.prefix]})

    rows = session.range(0, 2, 1, 2).mapInArrow(own, "is string").collect()
    assert {row[0] for row in rows} == {sys.prefix}
