"""Numbered deals: the same number gives the cards that it gives in Microsoft's FreeCell and in the clients after it.

The numbers are drawn as by `rand` of Microsoft's C library: ``state = state * 214013 + 2531011``, and bits 16 to 30 of
the state are the number drawn. The pack lies in the order AC AD AH AS 2C … KS. For each card a place among those that
are left is drawn, the card there is dealt, and the last card takes its place.

Microsoft's first version had the numbers 1 to 32,000, later ones have 1,000,000. FreeCell Pro goes on, and so do
Freecell Solver and PySol FC: from 2**31 bit 15 of every number drawn is set, and from 2**32 bits 16 to 31 are taken,
and one is added.

>>> draws = draw_numbers(1)
>>> next(draws), next(draws), next(draws)
(41, 18467, 6334)
"""

from collections.abc import Iterator, Sequence
from itertools import product

from cadogan.engine.cards import FACE, card_text
from cadogan.engine.declaration import PACK, Step
from cadogan.engine.errors import UnknownDeal
from cadogan.engine.table import Table

MOST = (1 << 33) - 1
"""The greatest number of a deal; the least is 1."""
_STATES = 1 << 32
_ORDER = {rank + suit: at for at, (rank, suit) in enumerate(product("A23456789TJQK", "CDHS"))}


def draw_numbers(number: int) -> Iterator[int]:
    """Yield an endless sequence of random numbers, from which the deal with this number is made."""
    state, above = number % _STATES, number >= _STATES
    high = 0x8000 if _STATES >> 1 <= number < _STATES else 0
    while True:
        state = (state * 214013 + 2531011) % _STATES
        yield (state >> 16) + 1 if above else state >> 16 & 0x7FFF | high


def deal_order(number: int, pack: Sequence[str]) -> list[int]:
    """Return the places of the cards of a pack of 52, in the order in which the deal with this number deals them.

    Raises UnknownDeal unless the number is one from 1 to `MOST`.
    """
    if not 1 <= number <= MOST:
        raise UnknownDeal(f"there is no deal number {number}: they go from 1 to {MOST}")
    left = sorted(range(len(pack)), key=lambda place: _ORDER[pack[place]])
    dealt = []
    for drawn in draw_numbers(number):
        if not left:
            break
        place = drawn % len(left)
        left[place], left[-1] = left[-1], left[place]
        dealt.append(left.pop())
    return dealt


def put_in_order(number: int) -> Step:
    """Put the pack in hand in the order of the deal with this number: the step that takes the place of the shuffle."""

    def step(table: Table) -> None:
        pack = [card_text(card & FACE) for card in table.piles[PACK]]
        table.redeal((PACK,), (len(pack),), tuple(reversed(deal_order(number, pack))))

    return step
