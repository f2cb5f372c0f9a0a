"""One Spark within this process for all tests; without PySpark or Java they are skipped, and say
why.
"""

from __future__ import annotations

import os
import shutil
import sys
import warnings
from collections.abc import Iterator
from typing import Any

import pytest

#: Why nothing here is tested; "" where it is.
LACKING = ""
try:
    import pyspark  # noqa: F401
except ImportError:
    LACKING = "NOT TESTED: precall.spark, as PySpark is not installed"
if not LACKING and not (shutil.which("java") or os.environ.get("JAVA_HOME")):
    LACKING = "NOT TESTED: precall.spark, as there is no Java (17 or newer)"

#: Java that runs for a minute is compiled as little as can be, which halves its start.
_JAVA = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
#: What every session of the tests has: no page, little memory, few tasks, no lines of its own.
SETTINGS = {
    "spark.driver.extraJavaOptions": _JAVA,
    "spark.executor.extraJavaOptions": _JAVA,
    "spark.ui.enabled": "false",
    "spark.driver.memory": "1g",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.sql.shuffle.partitions": "4",
    "spark.log.level": "OFF",
}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip what is in this folder, and say why; PySpark's own warnings are none of ours."""
    for item in items:
        if "spark" in item.path.parts[-2:-1]:
            item.add_marker(pytest.mark.filterwarnings("ignore:PySpark does not yet:FutureWarning"))
            item.add_marker(pytest.mark.filterwarnings("ignore::ResourceWarning"))
            item.add_marker(pytest.mark.filterwarnings("ignore::DeprecationWarning:pyspark"))
            if LACKING:
                item.add_marker(pytest.mark.skip(reason=LACKING))


def workers_see_this() -> None:
    """The interpreter and the packages of the tests are those of the workers."""
    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["PYTHONPATH"] = os.pathsep.join(path for path in sys.path if path)
    # Each task is one thread of work.
    os.environ["PRECALL_THREADS"] = "1"


@pytest.fixture(scope="session")
def session() -> Iterator[Any]:
    """Spark with two workers in this process."""
    from pyspark.sql import SparkSession

    workers_see_this()
    builder = SparkSession.builder.master("local[2]").appName("precall")
    for name, value in SETTINGS.items():
        builder = builder.config(name, value)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        made = builder.getOrCreate()
    yield made
    made.stop()
