"""Labyrinth, foundations as dealt: the first ace and the first king of each suit go up as the deal brings them."""

from dataclasses import replace

from cadogan.engine.cards import rank, suit
from cadogan.engine.games.labyrinth import GAME as LABYRINTH
from cadogan.engine.games.labyrinth import foundation, new_row_by, refill_by, row_by, stock
from cadogan.engine.parts import rest, shuffle
from cadogan.engine.table import Table

LINES = {1: foundation.start, 13: foundation.start + 4}
"""The foundations that aces and kings open, from that of spades."""


def place(table: Table, index: int) -> None:
    """Put the next card of the stock in this place; cards that open a foundation before it go there."""
    while table.piles[stock.start]:
        top = table.piles[stock.start][-1]
        line = LINES.get(rank(top))
        if line is None or table.piles[line + suit(top)]:
            table.move(stock.start, index)
            return
        table.move(stock.start, line + suit(top))


GAME = replace(
    LABYRINTH,
    name="Labyrinth, foundations as dealt",
    summary="The Labyrinth in which the aces and kings go to their places only when the deal brings them.",
    also_known_as=(),
    deal=(shuffle(), rest(stock), row_by(place)),
    actions=(new_row_by(place),),
    automatic=(refill_by(place),),
)
