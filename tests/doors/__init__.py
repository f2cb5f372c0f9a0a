"""The same data at every door, and what becomes of faults in them: a table for the documentation,
and its test.
"""

from __future__ import annotations

from tests.doors.cases import CASES
from tests.doors.decisions import DECISIONS
from tests.doors.detections import DETECTIONS
from tests.doors.runs import RUNS
from tests.doors.spans import SPANS
from tests.doors.subject import Subject
from tests.doors.topics import TOPIC_GROUPS, TOPIC_WEIGHTS

SUBJECTS: dict[str, Subject] = {
    "runs": RUNS,
    "groups": TOPIC_GROUPS,
    "weights": TOPIC_WEIGHTS,
    "cases": CASES,
    "decisions": DECISIONS,
    "spans": SPANS,
    "detections": DETECTIONS,
}
