"""Notes for readers: each thing once, with all names that it was said of."""

from __future__ import annotations

import warnings

import precall as pc
from precall.notes import merged, noted, together


def test_more_than_four_names_or_numbers_are_counted():
    said = together((f"s{i}", f"{1000 * i:,} cases of F1 are few") for i in range(9, 0, -1))
    assert said == ["s9, s8, s7, s6 and 5 more: 1,000 to 9,000 cases of F1 are few"]


def test_what_differs_in_words_stays_apart():
    said = [("a", "1 topic"), ("b", "2 topics"), ("a", "1 topic"), ("c", "0.5 is next to 1 for 20")]
    assert together(said) == ["a: 1 topic", "b: 2 topics", "c: 0.5 is next to 1 for 20"]
    assert together([("c", "0.5 of 20"), ("d", "0.25 of 20")]) == ["c, d: 0.5, 0.25 of 20"]


def test_a_note_about_nothing_in_particular_stays_alone():
    assert merged(["5 items", "7 items", "x: 5 items"]) == ["5 items", "7 items", "x: 5 items"]


def test_only_our_warnings_are_notes():
    def make():
        warnings.warn("theirs", UserWarning, stacklevel=1)
        for _ in range(2):
            warnings.warn("ours", pc.PrecallWarning, stacklevel=1)
        return 7

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert noted(make) == (7, ("ours",))
