"""Evaluation on Spark for scored cases and runs that outgrow one machine, with equal numbers.

It needs `pip install precall[spark]` (PySpark 4 and PyArrow) on the driver and on every worker, and
Java 17. It uses only the DataFrame API, so it also works over Spark Connect.

Examples
--------
>>> import precall.spark as spark
>>> scanned = spark.scan("cases/*.parquet", label="label", score="score")  # doctest: +SKIP
>>> scanned.average_precision()  # doctest: +SKIP
0.8333333333333333
"""

from precall.core.errors import MissingExtra

try:
    import pyarrow as _pyarrow  # noqa: F401
    import pyspark as _pyspark  # noqa: F401
except ImportError as _error:
    raise MissingExtra(
        "precall.spark needs PySpark and PyArrow: pip install 'precall[spark]', or pip install "
        "pyspark pandas pyarrow"
    ) from _error

from precall.spark.evaluation import SparkReport, evaluate
from precall.spark.scored_cases import curve, scan

__all__ = ["SparkReport", "curve", "evaluate", "scan"]
