"""The same data at every door, and what becomes of faults in them: a table for the documentation,
and its test.
"""

from __future__ import annotations

from tests.doors.cases import CASES
from tests.doors.decisions import DECISIONS
from tests.doors.runs import RUNS
from tests.doors.subject import Subject

SUBJECTS: dict[str, Subject] = {"runs": RUNS, "cases": CASES, "decisions": DECISIONS}
