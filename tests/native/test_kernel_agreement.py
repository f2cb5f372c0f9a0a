"""The native kernel and its twin agree bit for bit, errors included, on whatever Hypothesis thinks
of.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from precall.core.errors import Malformed
from precall.native import twin
from precall.read.columns import Ids
from tests.native.kernels import ABSENT, native, outcome

pytestmark = ABSENT

MARK = b"\xef\xbb\xbf"
NAMES = ["1", "2", "a", "aa", "é", "名" * 30, "#", "\v", "\u00a0", "0x1", "\ufeff1", "d" * 61]
FINE_SCORES = [
    "0",
    "-0.0",
    "0.0",
    "1",
    "1.0",
    "+1e0",
    ".5",
    "0.1",
    "16777217",
    "16777216",
    "1e300",
    "inf",
    "-Infinity",
]
BAD_SCORES = ["nan", "-NaN", "1e999", "0x1p3", "1,5", "1_0", "x", "+", "1e", "\u0661", "9" * 400]
FINE_GRADES = [
    "0",
    "1",
    "01",
    "+1",
    "-1",
    "2",
    "2147483647",
    "-2147483648",
    "0" * 30 + "2",
    "1.0",
    "-2.000",
    "2147483647.0",
]
BAD_GRADES = [
    "1.5",
    "1.",
    ".0",
    "1.0.0",
    "1.0e0",
    "2147483648.0",
    "x",
    "",
    "+",
    "2147483648",
    "-" + "9" * 30,
    "1e0",
    "nan",
]
# What a line may be besides a row; the first four are no problem.
OTHER_LINES = [
    b"",
    b" \t\r",
    b"#",
    b"# \0 \xff",
    b"x",
    b"1 0 a 1 1 1 1",
    b"\0",
    b"1 0 \xff 1",
    b"1 Q0 a 1 \xc3 x",
    MARK,
]

DUPLICATES = st.sampled_from(["error", "first", "last", "best"])
# Chunks of a few bytes put the seams between threads everywhere a line can have one.
SEAMS = st.fixed_dictionaries({"chunk": st.sampled_from([1, 2, 3, 16, 64, 1000])})
THREADS = st.integers(1, 3)
# Comments of such lengths bring the rows to where the native kernel's window of 32 KiB ends.
PADDING = st.just(0) | st.integers(2**15 - 500, 2**15 + 10)


def agree(name: str, *asked: Any, **seams: int) -> None:
    """Both kernels give the same for the same."""
    assert outcome(getattr(native, name), *asked, **seams) == outcome(
        getattr(twin, name), *asked, **seams
    )


def _values(
    fine: list[str], bad: list[str], others: st.SearchStrategy[str]
) -> st.SearchStrategy[str]:
    values = st.sampled_from(fine) | others
    return values | st.sampled_from(bad) if bad else values


SCORES = _values(FINE_SCORES, [], st.floats(-1e3, 1e3).map(repr))
ANY_SCORES = _values(FINE_SCORES, BAD_SCORES, st.floats().map(repr))
GRADES = _values(FINE_GRADES, [], st.integers(-9, 9).map(str))
ANY_GRADES = _values(FINE_GRADES, BAD_GRADES, st.integers().map(str))


@st.composite
def exchanged(draw: st.DrawFn, text: bytes) -> bytes:
    """With blanks and line ends in each other's place: as many fields as before, other lines."""
    separators = [at for at, byte in enumerate(text) if byte in b" \t\r\n"]
    changed = bytearray(text)
    for _ in range(draw(st.integers(0, 3)) if separators else 0):
        one, other = draw(st.sampled_from(separators)), draw(st.sampled_from(separators))
        changed[one], changed[other] = changed[other], changed[one]
    return bytes(changed)


@st.composite
def texts(draw: st.DrawFn, fields: int) -> bytes:
    """A run (6 fields) or qrels (4): rows with ties and repeats; half of the texts with broken
    lines too.
    """
    broken = draw(st.booleans())
    blank = st.sampled_from([" ", " ", "\t", " \t ", "\r"]) if draw(st.booleans()) else st.just(" ")
    name = st.sampled_from(draw(st.lists(st.sampled_from(NAMES), min_size=1, max_size=4)))
    item = st.sampled_from(NAMES[:4]) | st.integers(0, 10 ** draw(st.integers(1, 4))).map(str)
    fine, anything = (SCORES, ANY_SCORES) if fields == 6 else (GRADES, ANY_GRADES)
    value = anything if broken else fine

    def row() -> bytes:
        parts = [draw(name), "Q0", draw(item)]
        parts += [draw(value)] if fields == 4 else ["1", draw(value), draw(name)]
        return draw(blank).join(parts).encode()

    other = OTHER_LINES if broken else OTHER_LINES[:4]
    kinds = st.lists(st.sampled_from([None] * 9 + other), max_size=30)
    lines = [row() if kind is None else kind for kind in draw(kinds)]
    padding = draw(PADDING)
    if padding:
        lines.insert(0, b"#" * padding)
    end = draw(st.sampled_from([b"\n", b"\n", b"\r\n"]))
    text = (
        draw(st.sampled_from([b"", b"", MARK]))
        + end.join(lines)
        + draw(st.sampled_from([b"", end]))
    )
    return draw(exchanged(text)) if broken else text


BYTES = st.binary(max_size=200) | st.text("1a #.-+ein\n\r\t\0\ufeffé", max_size=200).map(str.encode)


@given(texts(6) | BYTES, st.booleans(), DUPLICATES, THREADS, SEAMS)
@example(MARK + b"#\n1 Q0 a 1 1 x", False, "error", 2, {"chunk": 1})
def test_runs(
    text: bytes, float32: bool, duplicates: str, threads: int, seams: dict[str, int]
) -> None:
    agree("read_run", text, float32, duplicates, threads, **seams)


@given(texts(4) | BYTES, DUPLICATES, THREADS, SEAMS)
@example(MARK + b"#\n1 0 a 1", "error", 2, {"chunk": 1})
def test_qrels(text: bytes, duplicates: str, threads: int, seams: dict[str, int]) -> None:
    agree("read_qrels", text, duplicates, threads, **seams)


@given(st.text("0123456789.eE+-infatyINFNA_x,", max_size=30), st.booleans())
def test_every_spelling_of_a_number(literal: str, float32: bool) -> None:
    agree("read_run", f"1 Q0 a 1 {literal} x".encode(), float32, "error", 1)
    agree("read_qrels", f"1 0 a {literal}".encode(), "error", 1)


@given(
    st.floats(allow_nan=False) | st.floats(allow_nan=False, width=32),
    st.integers(0, 40),
    st.booleans(),
)
def test_every_float_is_read_as_python_reads_it(score: float, digits: int, float32: bool) -> None:
    literals = [repr(score), f"{score:.{digits}e}", f"{score:.{digits}f}", f"{score:g}"]
    text = "".join(f"1 Q0 {i} 1 {literal} x\n" for i, literal in enumerate(literals))
    agree("read_run", text.encode(), float32, "error", 1)


VALUES = st.sampled_from(
    [
        None,
        "1",
        b"1",
        1j,
        np.float32(0.1),
        np.int64(-1),
        np.uint64(2**63),
        True,
        np.True_,
        2**70,
        10**400,
        [],
    ]
)
KEYS = st.sampled_from(["1", "a", "é", "", "\ud800", 1, None]) | st.text(max_size=3)
MAPPINGS = st.dictionaries(
    KEYS,
    st.dictionaries(KEYS, st.integers(-9, 9) | st.floats() | VALUES, max_size=5) | st.just([]),
    max_size=5,
)
FINE_MAPPINGS = st.dictionaries(
    st.text(max_size=3), st.dictionaries(st.text(max_size=3), st.integers(-5, 5), max_size=9)
)


# What several threads read, and now and then what they leave to one.
NUMBERS = st.integers(0, 99).map(str)
PLAIN_MAPPINGS = st.dictionaries(
    NUMBERS | NUMBERS | st.sampled_from(NAMES),
    st.dictionaries(
        NUMBERS | NUMBERS | st.sampled_from(NAMES), st.integers(-2, 2**30 - 1), max_size=9
    ),
    max_size=9,
)


@pytest.mark.nightly
@given(MAPPINGS | FINE_MAPPINGS | PLAIN_MAPPINGS, st.booleans(), THREADS, SEAMS)
def test_mappings(mapping: Any, float32: bool, threads: int, seams: dict[str, int]) -> None:
    agree("run_from_dict", mapping, float32, threads, **seams)
    agree("qrels_from_dict", mapping, threads, **seams)


ROWS = st.lists(
    st.tuples(
        st.sampled_from(NAMES), st.sampled_from([*NAMES, "", "a b", "\0"]), st.integers(-2, 2)
    ),
    max_size=30,
)


@given(ROWS, st.sampled_from([0.0, 1.0, np.inf, -np.inf, -0.0]), DUPLICATES, THREADS)
def test_columns(
    rows: list[tuple[str, str, int]], odd: float, duplicates: str, threads: int
) -> None:
    topics, items = Ids.of([topic for topic, _, _ in rows]), Ids.of([item for _, item, _ in rows])
    ids = (topics.data, topics.start, items.data, items.start)
    grade = np.array([value for _, _, value in rows], np.int64)
    agree("group_run", *ids, np.where(grade == 2, odd, grade / 2), duplicates, threads)
    agree("group_qrels", *ids, grade, duplicates, threads)


@pytest.mark.nightly
@given(texts(6), texts(4), st.booleans(), st.booleans(), THREADS)
def test_locations(
    run_text: bytes, qrels_text: bytes, float32: bool, by_input: bool, threads: int
) -> None:
    try:
        *run, _tag, _dropped, _one_tag, _ascends = twin.read_run(run_text, float32, "best", 1)
        *qrels, _dropped = twin.read_qrels(qrels_text, "best", 1)
    except Malformed:
        return
    agree("locate", *run, *qrels, by_input, threads)


TIES = st.sampled_from([0.0, -0.0, 1.0, 16777216.0, 16777217.0, np.inf, -np.inf, 5e-324])
TOPICS = st.sampled_from(["1", "01", "é", ""])
ITEMS = st.integers(0, 30).map(str) | st.text(max_size=9)
RUNS = st.dictionaries(
    TOPICS, st.dictionaries(ITEMS, TIES | st.floats(allow_nan=False), max_size=40), min_size=1
)
QRELS = st.dictionaries(TOPICS, st.dictionaries(ITEMS, st.integers(-2, 4), max_size=40), min_size=1)


@pytest.mark.nightly
@given(RUNS, QRELS, st.booleans(), st.booleans(), st.booleans(), THREADS)
def test_locations_of_mappings(
    run: Any, qrels: Any, falling: bool, float32: bool, by_input: bool, threads: int
) -> None:
    if falling:
        # As most runs come, and as the native kernel has shorter ways for.
        run = {
            topic: dict(sorted(items.items(), key=lambda pair: -pair[1]))
            for topic, items in run.items()
        }
    if float32:
        # What is beyond its range is refused.
        run = {
            topic: {item: max(min(s, 3e38), -3e38) for item, s in items.items()}
            for topic, items in run.items()
        }
    agree(
        "locate", *twin.run_from_dict(run, float32), *twin.qrels_from_dict(qrels), by_input, threads
    )


@pytest.mark.nightly
def test_collections_of_many_seams() -> None:
    """Larger than what Hypothesis makes: topics that come and go, ties, three threads."""
    rng = np.random.default_rng(11)
    topic, item = rng.integers(300, size=40_000), rng.permutation(40_000) % 20_000
    score = rng.integers(50, size=40_000)
    rows = zip(topic.tolist(), item.tolist(), score.tolist(), strict=True)
    run_text = "".join(f"{t} Q0 d{i}\t1 {s}.5 x\n" for t, i, s in rows).encode()
    chosen = rng.permutation(40_000)[:15_000]
    qrels_text = "".join(f"{topic[i]} 0 d{item[i]} {i % 4 - 1}\n" for i in chosen).encode()
    agree("read_run", run_text, False, "error", 3, chunk=1000)
    for duplicates, chunk in (("best", 1000), ("last", 1 << 20)):
        agree("read_run", run_text, True, duplicates, 3, chunk=chunk)
        agree("read_qrels", qrels_text, duplicates, 3, chunk=chunk)
    *run, _tag, _dropped, _one_tag, _ascends = native.read_run(run_text, False, "best", 3)
    *qrels, _dropped = native.read_qrels(qrels_text, "best", 3)
    for by_input in (False, True):
        agree("locate", *run, *qrels, by_input, 3)


ODD_PAIRS = [
    ("é", 1),
    ("\ud800", 1),
    (np.str_("s"), 1),
    (7, 1),
    ("a" * 5000, 1),
    ("", 1),
    ("a", True),
    ("a", 2**30),
    ("a", -(2**30)),
    ("a", 2**31),
    ("a", 10**400),
    ("a", 0.1),
    ("a", float("nan")),
    ("a", -0.0),
    ("a", np.float64(0.5)),
    ("a", np.int8(3)),
    ("a", None),
]


def mappings(rows: int, topics: int) -> tuple[Any, Any]:
    """A run and qrels of nothing odd, topics of very different sizes."""
    rng = np.random.default_rng(12)
    seams = [0, *np.sort(rng.integers(rows, size=topics - 1)).tolist(), rows]
    columns = (rng.random(rows) * 9).tolist(), rng.integers(-1, 4, size=rows).tolist()
    run, qrels = (
        {
            str(topic): {f"doc{i}": values[i] for i in range(*ends)}
            for topic, ends in enumerate(pairwise(seams))
        }
        for values in columns
    )
    return run, qrels


@pytest.mark.nightly
@pytest.mark.parametrize("threads", [1, 2, 3])
def test_mappings_of_many_seams(threads: int) -> None:
    """Large enough for several threads and batches as users have them."""
    run, qrels = mappings(150_000, 200)
    agree("qrels_from_dict", qrels, threads)
    agree("run_from_dict", run, False, threads)
    agree("run_from_dict", run | qrels, True, threads)


@pytest.mark.nightly(keep=1)
@pytest.mark.parametrize("pair", ODD_PAIRS, ids=range(len(ODD_PAIRS)))
def test_mappings_with_one_odd_pair(pair: tuple[Any, Any]) -> None:
    """Whatever is odd is found wherever it is: in any thread's part, in the first batch or a later
    one.
    """
    run, qrels = mappings(400, 40)
    for topic in run:
        for threads in (2, 3):
            odd_run = run | {topic: dict([*run[topic].items(), pair])}
            odd_qrels = qrels | {topic: dict([pair, *qrels[topic].items()])}
            agree("run_from_dict", odd_run, False, threads, chunk=7)
            agree("qrels_from_dict", odd_qrels, threads, chunk=7)
