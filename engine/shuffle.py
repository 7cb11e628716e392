"""The portable shuffle: the same seed gives the same order in every language and for ever.

A stream of bytes is drawn by SHA-256 in counter mode: block ``i`` (from 0) is
``SHA-256("cadogan/shuffle/1" 00 label 00 seed i)`` with ``i`` as eight bytes, big-endian. A number below ``n`` is drawn
from four bytes of the stream, big-endian, taking the rest by ``n``; values at or above the largest multiple of ``n``
below 2**32 are thrown away and four more bytes are drawn, so that every number is equally likely. The order is
Fisher and Yates's: for ``i`` from the last place down to 1, places ``i`` and ``draw(i + 1)`` change their contents.
(Durstenfeld 1964, Algorithm 235.) `docs/record.md` has test vectors.

>>> shuffle("ABCDEFGH", bytes(32), "deal")
['D', 'C', 'H', 'G', 'E', 'F', 'A', 'B']
"""

from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import TypeVar

Item = TypeVar("Item")
_DOMAIN = b"cadogan/shuffle/1\0"
_WORDS = 1 << 32


def _words(seed: bytes, label: str) -> Iterator[int]:
    start = sha256(_DOMAIN + label.encode() + b"\0" + seed)
    block = 0
    while True:
        drawn = start.copy()
        drawn.update(block.to_bytes(8, "big"))
        digest = drawn.digest()
        for at in range(0, 32, 4):
            yield int.from_bytes(digest[at : at + 4], "big")
        block += 1


def order(count: int, seed: bytes, label: str) -> list[int]:
    """A permutation of ``range(count)`` drawn from the seed; `label` keeps one game's several shuffles apart."""
    words = _words(seed, label)
    places = list(range(count))
    for last in range(count - 1, 0, -1):
        span = last + 1
        limit = _WORDS - _WORDS % span
        word = next(words)
        while word >= limit:
            word = next(words)
        other = word % span
        places[last], places[other] = places[other], places[last]
    return places


def shuffle(items: Sequence[Item], seed: bytes, label: str) -> list[Item]:
    """The items in an order drawn from the seed: a new list."""
    return [items[place] for place in order(len(items), seed, label)]
