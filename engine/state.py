"""A position: piles of cards and counters, immutable."""

from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from operator import itemgetter
from typing import NamedTuple, Protocol

Pile = tuple[int, ...]
"""The cards of a pile, from the bottom to the top."""


class State(NamedTuple):
    """A position: the cards of each pile, and the values of the counters.

    The game knows which pile and which counter has which index (`cadogan.engine.game.Game.piles`, `.counters`). States
    are plain tuples: they can be compared, hashed, stored and shared cheaply.
    """

    piles: tuple[Pile, ...]
    counters: tuple[int, ...]


class Position(Protocol):
    """The interface for reading a position: a State, or the Table on which a move is being executed."""

    @property
    def piles(self) -> "tuple[Pile, ...] | list[Pile]": ...

    @property
    def counters(self) -> "tuple[int, ...] | list[int]": ...


def pick(indices: Iterable[int]) -> Callable[[Sequence[Pile]], Sequence[Pile]]:
    """Return a fast function that picks the piles with these indices."""
    chosen = tuple(indices)
    if len(chosen) > 1:
        return itemgetter(*chosen)
    return lambda piles: [piles[index] for index in chosen]


def pack_state(state: State) -> bytes:
    """Write a position as bytes, which need much less memory; `unpack_state` reads them.

    No pile may have more than 255 cards.
    """
    counters = [value.to_bytes(4, "big", signed=True) for value in state.counters]
    return b"".join((bytes(map(len, state.piles)), bytes(chain.from_iterable(state.piles)), *counters))


def unpack_state(packed: bytes, piles: int) -> State:
    """Read a position of a game with this many piles."""
    at, found = piles, list[Pile]()
    for size in packed[:piles]:
        found.append(tuple(packed[at : at + size]))
        at += size
    counters = (int.from_bytes(packed[start : start + 4], "big", signed=True) for start in range(at, len(packed), 4))
    return State(tuple(found), tuple(counters))
