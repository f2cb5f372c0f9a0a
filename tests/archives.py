"""Archives as other programs write them."""

from __future__ import annotations

import sys
from typing import Any


def zstd(data: bytes) -> bytes:
    """With a checksum, as the program zstd writes it; by Python itself from 3.14 on, as precall
    reads it.
    """
    if sys.version_info >= (3, 14):
        from compression import zstd

        found: bytes = zstd.compress(data, options={zstd.CompressionParameter.checksum_flag: True})
        return found
    import zstandard

    compressor: Any = zstandard.ZstdCompressor(write_checksum=True)
    return bytes(compressor.compress(data))


def lz4(data: bytes) -> bytes:
    """A frame, as the program lz4 writes it."""
    import lz4.frame

    return bytes(lz4.frame.compress(data))
