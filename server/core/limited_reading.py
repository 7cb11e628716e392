"""Reads a network stream, which returns chunks of any size, up to a limit."""

from typing import Protocol


class Readable(Protocol):
    """A readable stream of bytes."""

    async def read(self, n: int = -1) -> bytes:
        """Return some bytes, at most `n`; none at the end."""


class TooLong(ValueError):
    """The stream is longer than the limit."""


async def read_at_most(stream: Readable, most: int) -> bytes:
    """Return all bytes of a stream. Raises TooLong for more than `most` bytes."""
    pieces, left = [], most
    while piece := await stream.read(left + 1):
        left -= len(piece)
        if left < 0:
            raise TooLong(f"it is longer than {most} bytes")
        pieces.append(piece)
    return b"".join(pieces)
