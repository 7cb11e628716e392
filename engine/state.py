"""The whole of a position: piles of cards and counters, immutable."""

from typing import NamedTuple, Protocol

Pile = tuple[int, ...]


class State(NamedTuple):
    """A position: for each pile its cards, bottom first, and the values of the counters.

    Which pile and which counter stands where, the game knows (`engine.game.Game.piles`, `.counters`). States are
    plain tuples: they compare, hash and can be kept and shared without cost.
    """

    piles: tuple[Pile, ...]
    counters: tuple[int, ...]


class Position(Protocol):
    """What the functions of a game read: a State, or the Table on which a move is being carried out."""

    @property
    def piles(self) -> "tuple[Pile, ...] | list[Pile]": ...

    @property
    def counters(self) -> "tuple[int, ...] | list[int]": ...
