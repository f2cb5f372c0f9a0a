"""What a fuzzer's bytes are read as: numbers, one after another."""

from __future__ import annotations


class Input:
    """Takes numbers from bytes; zeros when they are used up."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def take(self) -> int:
        """The next byte."""
        self.at += 1
        return self.data[self.at - 1] if self.at <= len(self.data) else 0

    def small(self) -> int:
        """Mostly a number near 0, of either sign."""
        number = self.take()
        return number if number < 128 else number - 256

    @property
    def left(self) -> bool:
        """Whether there are bytes left."""
        return self.at < len(self.data)
