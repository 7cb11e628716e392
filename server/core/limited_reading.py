"""Reading what somebody sends over the network, up to a limit: a stream gives it in pieces of any size."""

from typing import Protocol


class Readable(Protocol):
    """A stream of bytes that are still to come."""

    async def read(self, n: int = -1) -> bytes:
        """Return some bytes, at most `n`; none at the end."""


class TooLong(ValueError):
    """More was sent than is read."""


async def read_at_most(stream: Readable, most: int) -> bytes:
    """Return all that a stream gives until its end. Raises TooLong for more than `most` bytes."""
    pieces, left = [], most
    while piece := await stream.read(left + 1):
        left -= len(piece)
        if left < 0:
            raise TooLong(f"it is longer than {most} bytes")
        pieces.append(piece)
    return b"".join(pieces)
