"""Pages that were damaged or changed on purpose: byte by byte, or value by value with a fitting
SHA-256.
"""

from __future__ import annotations

import base64
import copy
import json
import random
import re
from collections.abc import Callable, Iterator
from typing import Any

from tests.pages import element_of

RECORD = re.compile(r'<script type="application/json" id="record".*?</script>', re.DOTALL)
INSIDE = re.compile(r"(?<=>)\{.*(?=</script>)", re.DOTALL)
TOKENS = (b"9", b"-", b"[", b"]", b"{", b'"', b",", b"null", b"NaN", b"[" * 100_000)
#: What may stand in the place of any other value.
ODD: tuple[Any, ...] = (
    None,
    True,
    -1,
    0,
    1,
    7,
    2**63,
    10**400,
    -1e308,
    1e308,
    5e-324,
    0.5,
    "",
    "x",
    "inf",
    "-inf",
    "nan",
    "\ud800",
    "\x1b[2J",
    "</script>",
    [],
    [[]],
    [None],
    {},
    {"f8": ""},
    {"f8": "AAAA"},
    {"f8": "AAAAAAAA8D8=", "at": "AAAA"},
    {"f8": "AAAAAAAA8D8=", "at": "Bw=="},
    {"f8": base64.b64encode(bytes(range(256))).decode()},
)


def of_page(page: str, seed: int) -> bytes:
    """One of many changes of a page, told by its seed."""
    draw = random.Random(seed)
    if draw.random() < 0.4:
        return _bytes(page.encode(), draw)
    found = RECORD.search(page)
    assert found is not None
    inside = INSIDE.search(found[0])
    assert inside is not None
    record = json.loads(inside[0])
    for _ in range(draw.choice((1, 1, 1, 2, 5))):
        record = _value(record, draw)
    if not isinstance(record, dict):
        record = {"format": record}
    made = element_of(record, draw.random() < 0.5)
    return (page[: found.start()] + made + page[found.end() :]).encode("utf-8", "backslashreplace")


def _bytes(page: bytes, draw: random.Random) -> bytes:
    # Most of a page's changes would be of its style and drawings, which are not read.
    begin = page.index(b'id="record"') - 40 if draw.random() < 0.8 else 0
    at = draw.randrange(begin, len(page))
    size = draw.choice((1, 1, 2, 10, 1000, 100_000))
    change: Callable[[], bytes] = draw.choice(
        (
            lambda: page[:at] + bytes([page[at] ^ 1 << draw.randrange(8)]) + page[at + 1 :],
            lambda: page[:at] + page[at + size :],
            lambda: page[:at] + page[at : at + size] * 2 + page[at + size :],
            lambda: page[:at] + draw.randbytes(min(size, 1000)) + page[at:],
            lambda: page[:at],
            lambda: page[:at] + draw.choice(TOKENS) + page[at:],
        )
    )
    return change()


def _places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if path:
        yield path
    keys = (
        value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    )
    for key in keys:
        yield from _places(value[key], (*path, key))


def _value(record: Any, draw: random.Random) -> Any:
    """One change of a value at any depth; shallow ones as often as deep ones."""
    record = copy.deepcopy(record)
    places = list(_places(record))
    if not places:
        return draw.choice(ODD)
    depth = draw.choice(sorted({len(one) for one in places}))
    *way, last = draw.choice([one for one in places if len(one) == depth])
    holder = record
    for key in way:
        holder = holder[key]
    kind = draw.randrange(5)
    if kind == 0:
        del holder[last]
    elif kind == 1 and isinstance(holder, list):
        holder.insert(last, copy.deepcopy(draw.choice(holder)))
    elif kind == 2 and isinstance(holder[last], int | float):
        holder[last] = draw.choice((-holder[last], holder[last] * 10**300, holder[last] + 1, 10**9))
    elif kind == 3:
        # A value from elsewhere in the record: of a kind that occurs, in a place where it does not.
        found = record
        for key in draw.choice(places):
            found = found[key]
        holder[last] = copy.deepcopy(found)
    else:
        holder[last] = draw.choice(ODD)
    return record
