"""Which card may be laid on which: building relations, composed with ``&`` and ``|``.

A relation is evaluated card by card only once, when a game is loaded. It is compiled to a table that gives, for each
card that may lie on top, the set (see `cadogan.engine.cards`) of the cards that may be laid on it.

>>> from cadogan.engine.cards import parse_card, card_text, members
>>> [card_text(each) for each in members((down & alternating).table[parse_card("7H")])]
['6S', '6C']
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from operator import and_, or_

from cadogan.engine.cards import ANY, BIT, DOWN, EVERY, RANKS, is_red, rank, suit


@dataclass(frozen=True)
class Relation:
    """Defines which card may be laid on which: ``fits(card, top)`` is whether `card` may be laid on `top`."""

    fits: Callable[[int, int], bool]

    def __and__(self, other: "Relation") -> "Relation":
        return _Combined(lambda card, top: self.fits(card, top) and other.fits(card, top), (self, other), and_)

    def __or__(self, other: "Relation") -> "Relation":
        return _Combined(lambda card, top: self.fits(card, top) or other.fits(card, top), (self, other), or_)

    def __call__(self, card: int, top: int) -> bool:
        return bool(self.table[top] & BIT[card])

    @cached_property
    def table(self) -> tuple[int, ...]:
        """By card, 128 in all: the set of the cards that may be laid on it. Nothing fits a face-down card."""
        return tuple(
            sum(1 << card for card in range(4, 56) if self.fits(card, top)) if 4 <= top < 56 else 0
            for top in range(2 * DOWN)
        )


@dataclass(frozen=True)
class _Combined(Relation):
    """Two relations in one. Its table is computed from theirs, which is faster than testing each pair of cards."""

    parts: tuple[Relation, Relation]
    combine: Callable[[int, int], int]

    @cached_property
    def table(self) -> tuple[int, ...]:
        one, other = (part.table for part in self.parts)
        return tuple(self.combine(one[top], other[top]) & EVERY if 4 <= top < 56 else 0 for top in range(2 * DOWN))


class _Anything(Relation):
    @cached_property
    def table(self) -> tuple[int, ...]:
        return (ANY,) * (2 * DOWN)


anything: Relation = _Anything(lambda card, top: True)
"""Any card on any card, seen or unseen."""

in_suit = Relation(lambda card, top: suit(card) == suit(top))
"""A card of the same suit."""
alternating = Relation(lambda card, top: is_red(card) != is_red(top))
"""A red card on a black one, or a black card on a red one."""
up = Relation(lambda card, top: rank(card) == rank(top) + 1)
"""One rank higher; nothing goes on a king."""
down = Relation(lambda card, top: rank(card) == rank(top) - 1)
"""One rank lower; nothing goes on an ace."""
neighbour = up | down
"""One rank higher or lower; ace and king are not neighbours."""


def step(ranks: int) -> Relation:
    """A card that is `ranks` ranks higher or, if negative, lower."""
    return Relation(lambda card, top: rank(card) == rank(top) + ranks)


def following(order: str, around: bool = False) -> Relation:
    """The next rank of an order of ranks, such as ``"A789TJQK"``. If `around`, the first rank follows the last.

    >>> from cadogan.engine.cards import parse_card
    >>> following("A789TJQK")(parse_card("7S"), parse_card("AD"))
    True
    """
    places = {RANKS.index(letter) + 1: place for place, letter in enumerate(order)}

    def fits(card: int, top: int) -> bool:
        if rank(card) not in places or rank(top) not in places:
            return False
        ahead = places[rank(card)] - places[rank(top)]
        return ahead == 1 or (around and ahead == 1 - len(order))

    return Relation(fits)


up_around = following(RANKS, around=True)
"""One rank higher, and an ace on a king."""
down_around = following(RANKS[::-1], around=True)
"""One rank lower, and a king on an ace."""
