"""Pyramid: pairs that make thirteen are taken off a pyramid, with a stock that is gone through three times."""

from collections.abc import Iterator
from itertools import combinations

from cadogan.engine.cards import of_rank, pack, rank
from cadogan.engine.declaration import (
    WELL_KNOWN,
    Action,
    Declaration,
    Forgotten,
    Group,
    Route,
    Special,
    counters,
    lay_out,
)
from cadogan.engine.layout import Place, at
from cadogan.engine.parts import cards_in, holds_cards, is_empty, redeal, refill, rest, rows, shuffle
from cadogan.engine.state import Position
from cadogan.engine.table import Table
from cadogan.engine.translatable_text import translatable


def in_pyramid(number: int) -> Place:
    """The place of a card: seven rows, of which each lies over the one before it."""
    row, first = 0, 0
    while number > first + row:
        row, first = row + 1, first + row + 1
    return (3.3 - 0.55 * row + 1.1 * (number - first), 0.5 * row)


pyramid, turned, waste, stock, discard = lay_out(
    Group("pyramid", 28, "reserve", in_pyramid),
    Group("turned", 1, "reserve", at((1.1, 4.4))),
    Group("waste", 1, "waste", at((2.2, 4.4))),
    Group("stock", 1, "stock", at((0, 4.4))),
    Group("discard", 1, "discard", at((6.6, 4.4))),
)
(redeals,) = counters(redeals=2)
KINGS = of_rank("K")
COVERS = {row * (row + 1) // 2 + i: (row + 1) * (row + 2) // 2 + i for row in range(6) for i in range(row + 1)}
"""By the number of a card in the pyramid: that of the left one of the two that cover it."""


def cards_over(number: int) -> set[int]:
    """The numbers of all cards that lie over this one, directly or on others that do."""
    left = COVERS.get(number)
    return set() if left is None else {left, left + 1} | cards_over(left) | cards_over(left + 1)


APART = tuple(
    tuple(one not in cards_over(other) and other not in cards_over(one) for other in range(28)) for one in range(28)
)
"""By the numbers of two cards in the pyramid: whether neither lies over the other."""
OPEN = (*pyramid, *turned, *waste)


def is_free(position: Position, index: int) -> bool:
    """Whether no card of the pyramid covers this pile."""
    left = COVERS.get(index)
    return left is None or not (position.piles[left] or position.piles[left + 1])


def pairs(position: Position) -> Iterator[tuple[int, ...]]:
    """Every two free cards that make thirteen."""
    free = [index for index in OPEN if position.piles[index] and is_free(position, index)]
    ranks = [(index, rank(position.piles[index][-1])) for index in free]
    return ((one, other) for (one, first), (other, second) in combinations(ranks, 2) if first + second == 13)


def has_no_partner(position: Position) -> bool:
    """Whether a card of the pyramid is left that none of the others can ever be taken with.

    Of two cards that make thirteen, neither may lie over the other: one would have to be gone before the other is free.
    """
    outside = [rank(card) for index in (turned.start, waste.start, stock.start) for card in position.piles[index]]
    ranks = [rank(pile[-1]) if pile else 0 for pile in pyramid.of(position)]
    return any(
        number not in (0, 13)
        and 13 - number not in outside
        and not any(other == 13 - number and APART[one][two] for two, other in enumerate(ranks))
        for one, number in enumerate(ranks)
    )


def take(table: Table, piles: tuple[int, ...]) -> None:
    """Remove both cards; the card that the move names first lies below."""
    for index in piles:
        table.move(index, discard.start)


def put_aside(table: Table) -> None:
    """The turned card goes on the waste; the next one is turned by itself."""
    if table.piles[turned.start]:
        table.move(turned.start, waste.start)


_redeal = redeal(waste, stock, redeals)

GAME = Declaration(
    name="Pyramid",
    summary="Cards of a pyramid are taken off in pairs that make thirteen.",
    also_known_as=("Pyramid Solitaire", "Solitaire 13"),
    groups=(pyramid, turned, waste, stock, discard),
    counters=(redeals,),
    pack=pack(),
    deal=(shuffle(), rows(pyramid), rows(turned), rest(stock)),
    routes=(Route((pyramid, turned, waste), discard, takes=lambda position, index: KINGS, free=is_free),),
    specials=(Special("+", pairs, take),),
    actions=(
        Action("deal", holds_cards(turned, stock), put_aside),
        Action("redeal", is_empty(turned) & _redeal.when, _redeal.play),
    ),
    automatic=(refill(turned, stock),),
    in_brief={
        "": (
            translatable("Take two cards that make thirteen: knaves count 11, queens 12. A king goes alone."),
            translatable("A card is free when no card lies over it."),
        ),
    },
    score=lambda position: 28 - pyramid.size(position),
    maximum=28,
    won=is_empty(pyramid),
    home=cards_in(discard),
    forgotten=(Forgotten(discard),),
    hopeless=has_no_partner,
    shelf=WELL_KNOWN,
)
