"""Input made to break a reader: it may be refused, it may not crash, hang or be misread; both
kernels.
"""

from __future__ import annotations

import random
from types import ModuleType

import pytest

from precall.native import twin
from tests.native.kernels import EITHER, outcome, problems, qrels, run, table

pytestmark = EITHER

MILLION = 10**6


def test_a_line_of_a_million_bytes(kernel: ModuleType) -> None:
    long = b"a" * MILLION
    assert problems(run, kernel, long) == [(1, "fields", 1)]
    assert problems(qrels, kernel, long + b"\n" + long) == [(1, "fields", 1), (2, "fields", 1)]
    assert table(qrels(kernel, b"1 0 " + long + b" 1\n2 0 a 1")) == {
        "1": [(long.decode(), 1)],
        "2": [("a", 1)],
    }
    assert run(kernel, b"1 Q0 a 1 1 " + long)[6] == long


def test_a_line_of_a_million_blanks_or_fields(kernel: ModuleType) -> None:
    assert problems(run, kernel, b" \t\r\n" * (MILLION // 4)) == [(0, "empty")]
    assert problems(run, kernel, b" " * MILLION) == [(0, "empty")]
    assert problems(run, kernel, b"x " * (MILLION // 2)) == [(1, "fields", MILLION // 2)]
    blanks = b"\t" * MILLION
    assert table(qrels(kernel, blanks.join([b"1", b"0", b"a", b"1"]))) == {"1": [("a", 1)]}


@pytest.mark.parametrize("digit", [b"0", b"1", b"9"])
def test_a_million_digits(kernel: ModuleType, digit: bytes) -> None:
    digits = digit * MILLION
    assert problems(run, kernel, b"1 Q0 a 1 " + digits + b"x x") == [(1, "score", digit * 60)]
    assert problems(qrels, kernel, b"1 0 a " + digits + b".") == [(1, "grade", digit * 60)]
    small = b"1 Q0 a 1 0." + digits + b" x"
    assert table(run(kernel, small)) == {"1": [("a", float(b"0." + digits[:100]))]}
    if digit == b"0":
        assert table(run(kernel, b"1 Q0 a 1 " + digits + b" x")) == {"1": [("a", 0.0)]}
        assert table(qrels(kernel, b"1 0 a " + digits)) == {"1": [("a", 0)]}
    else:
        assert problems(run, kernel, b"1 Q0 a 1 " + digits + b" x") == [
            (1, "score-range", digit * 60)
        ]
        assert problems(qrels, kernel, b"1 0 a " + digits) == [(1, "grade-range", digit * 60)]


def test_an_exponent_of_a_million_digits(kernel: ModuleType) -> None:
    exponent = b"1" * MILLION
    assert problems(run, kernel, b"1 Q0 a 1 1e" + exponent + b" x") == [
        (1, "score-range", b"1e" + b"1" * 58)
    ]
    assert table(run(kernel, b"1 Q0 a 1 1e-" + exponent + b" x")) == {"1": [("a", 0.0)]}
    assert table(run(kernel, b"1 Q0 a 1 0e" + exponent + b" x")) == {"1": [("a", 0.0)]}
    # Digits and exponent undo each other.
    assert table(run(kernel, b"1 Q0 a 1 1" + b"0" * 5000 + b"e-5000 x")) == {"1": [("a", 1.0)]}


def test_a_million_nuls(kernel: ModuleType) -> None:
    assert problems(run, kernel, b"\0" * MILLION) == [(1, "nul")]
    found = problems(run, kernel, b"\0\n" * 1000)
    assert found == [(line, "nul") for line in range(1, 21)]


def test_very_many_problems(kernel: ModuleType) -> None:
    facts, _, total = outcome(run, kernel, b"x\n" * 100_000)
    assert facts == [(line, "fields", 1) for line in range(1, 21)] and total == 100_000
    text = b"1 Q0 a 1 1 x\n" * 100_000
    facts, _, total = outcome(run, kernel, text)
    assert (
        facts == [(line, "duplicate", b"1", b"a", 1) for line in range(2, 22)] and total == 99_999
    )


@pytest.mark.nightly(keep=1)
def test_very_many_topics_and_comments(kernel: ModuleType) -> None:
    text = "".join(f"#\xff\0\n{i} 0 d {i}\n" for i in range(20_000)).encode("latin-1")
    assert table(qrels(kernel, text)) == {str(i): [("d", i)] for i in range(20_000)}


def test_a_binary_file_under_a_wrong_name(kernel: ModuleType) -> None:
    gzip = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03" + random.Random(1).randbytes(5000)
    assert all(kind in ("nul", "utf8", "fields") for _, kind, *_ in problems(run, kernel, gzip))


@pytest.mark.parametrize("seed", range(20))
def test_random_bytes_are_refused_alike(kernel: ModuleType, seed: int) -> None:
    rng = random.Random(seed)
    text = (
        rng.randbytes(3000)
        if seed % 2
        else bytes(rng.choices(b"1a .-e\n\t\r#\0\xef\xbb\xbf", k=3000))
    )
    for read, given in ((run, ("best",)), (qrels, ("first",))):
        assert outcome(read, kernel, text, *given) == outcome(read, twin, text, *given)


@pytest.mark.parametrize("read", [run, qrels])
@pytest.mark.parametrize(
    "text", [b"1 Q0 a 1 0.5 tag\n1 Q0 b 2 0.25 tag\n", b"1 0 a 1\r\n1 0 b 2\r\n"]
)
def test_a_file_cut_anywhere(kernel: ModuleType, read: object, text: bytes) -> None:
    for end in range(len(text)):
        assert outcome(read, kernel, text[:end]) == outcome(read, twin, text[:end])  # type: ignore[arg-type]
