"""The portable shuffle: the same seed always gives the same order, in every programming language.

SHA-256 in counter mode gives a stream of bytes: block ``i`` (from 0) is
``SHA-256("cadogan/shuffle/1" 00 label 00 seed i)`` with ``i`` as eight bytes, big-endian. A number below ``n`` is drawn
from four bytes of the stream, big-endian, as the remainder of a division by ``n``. Values at or above the largest
multiple of ``n`` below 2**32 are thrown away and four more bytes are drawn, so that every number is equally likely. The
shuffle is that of Fisher and Yates: for ``i`` from the last place down to 1, places ``i`` and ``draw(i + 1)`` exchange
their contents (Durstenfeld 1964, Algorithm 235). `docs/record.md` has test vectors.

>>> shuffle("ABCDEFGH", bytes(32), "deal")
['D', 'C', 'H', 'G', 'E', 'F', 'A', 'B']
"""

from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import TypeVar

Item = TypeVar("Item")
_DOMAIN = b"cadogan/shuffle/1\0"
_WORD_COUNT = 1 << 32
"""How many different numbers four bytes can hold."""


def _draw_words(seed: bytes, label: str) -> Iterator[int]:
    """Draw numbers of four bytes from the stream."""
    start = sha256(_DOMAIN + label.encode() + b"\0" + seed)
    block = 0
    while True:
        drawn = start.copy()
        drawn.update(block.to_bytes(8, "big"))
        digest = drawn.digest()
        for at in range(0, 32, 4):
            yield int.from_bytes(digest[at : at + 4], "big")
        block += 1


def draw_order(count: int, seed: bytes, label: str) -> list[int]:
    """Draw a permutation of ``range(count)`` from a seed of 32 bytes.

    `label` makes the several shuffles of one game different, although they share the seed.
    """
    return order_from(count, _draw_words(seed, label))


def order_from(count: int, words: Iterator[int]) -> list[int]:
    """Return the permutation of ``range(count)`` that these numbers of four bytes give.

    Numbers at or above the largest multiple of the span are discarded; here the first one is, because it is at least
    4294967295, the largest multiple of 3 below 2**32:

    >>> order_from(3, iter([4294967295, 4294967294, 0]))
    [1, 0, 2]
    """
    places = list(range(count))
    for last in range(count - 1, 0, -1):
        span = last + 1
        limit = _WORD_COUNT - _WORD_COUNT % span
        word = next(words)
        while word >= limit:
            word = next(words)
        other = word % span
        places[last], places[other] = places[other], places[last]
    return places


def shuffle(items: Sequence[Item], seed: bytes, label: str) -> list[Item]:
    """Return the items as a new list, in an order drawn from the seed (`draw_order`)."""
    return [items[place] for place in draw_order(len(items), seed, label)]
