"""Headings of two systems: long names do not hide which is subtracted."""

import pytest

import precall as pc
from precall.core.notes.of_comparisons import DifferencesAlike
from tests.noticed import noticed

GOLD = {f"q{i}": ["a"] for i in range(12)}
BETTER, WORSE = {q: ["a"] for q in GOLD}, {q: ["b", "a"] for q in GOLD}


@pytest.mark.parametrize(
    ("names", "heading"),
    [
        (("a", "b"), "a - b"),
        (("components", "my pixels"), "components (A)  my pixels (B)   A - B"),
        (
            ("a long name of components", "狗" * 30),
            f"A is a long name of components, B is {'狗' * 30} mean, 12 queries A B A - B",
        ),
    ],
)
def test_the_direction_stays(names, heading):
    found = pc.compare(GOLD, dict(zip(names, (BETTER, WORSE), strict=True)), ["MRR", "HitRate"])
    assert " ".join(heading.split()) in " ".join(str(found).split())
    # Bounds that do not exist do not widen the table: the notes say why there are none.
    assert "none (" not in str(found) and noticed(found, DifferencesAlike)
