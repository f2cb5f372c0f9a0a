"""Inputs of a page: which bytes its numbers are of."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any


def described(path: str) -> dict[str, Any]:
    """Name, size and SHA-256 of a file, as it lies there: compressed ones are not unpacked.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     place = Path(folder) / "a"
    ...     _ = place.write_bytes(b"abc")
    ...     facts = described(str(place))
    >>> facts["bytes"], facts["sha256"][:8]
    (3, 'ba7816bf')
    """
    with Path(path).open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
        return {"name": path, "bytes": file.tell(), "sha256": digest}
