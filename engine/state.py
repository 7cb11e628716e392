"""A position: piles of cards and counters, immutable."""

from typing import NamedTuple, Protocol

Pile = tuple[int, ...]
"""The cards of a pile, from the bottom to the top."""


class State(NamedTuple):
    """A position: the cards of each pile, and the values of the counters.

    The game knows which pile and which counter has which index (`engine.game.Game.piles`, `.counters`). States are
    plain tuples: they can be compared, hashed, kept and shared without cost.
    """

    piles: tuple[Pile, ...]
    counters: tuple[int, ...]


class Position(Protocol):
    """What the functions of a game read: a State, or the Table on which a move is being carried out."""

    @property
    def piles(self) -> "tuple[Pile, ...] | list[Pile]": ...

    @property
    def counters(self) -> "tuple[int, ...] | list[int]": ...
