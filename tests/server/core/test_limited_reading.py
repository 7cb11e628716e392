"""Reading up to a limit: whatever the sizes of the pieces are in which something comes."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cadogan.server.core.untrusted_input import TooLong, read_at_most


class Pieces:
    """A stream that gives these pieces, one at each reading, or less if less is asked for."""

    def __init__(self, pieces: list[bytes]) -> None:
        self._pieces = [piece for piece in pieces if piece]

    async def read(self, n: int = -1) -> bytes:
        """The next bytes."""
        if not self._pieces:
            return b""
        piece = self._pieces.pop(0)
        if 0 <= n < len(piece):
            self._pieces.insert(0, piece[n:])
        return piece[:n] if n >= 0 else piece


@given(st.lists(st.binary(max_size=9), max_size=9), st.integers(0, 40))
def test_all_of_it_is_read_or_it_is_too_long(pieces: list[bytes], most: int) -> None:
    whole = b"".join(pieces)
    if len(whole) > most:
        with pytest.raises(TooLong):
            asyncio.run(read_at_most(Pieces(pieces), most))
    else:
        assert asyncio.run(read_at_most(Pieces(pieces), most)) == whole
