"""The Nation: the whole pack is counted out into twelve columns, eight numbers to each."""

from cadogan.engine.cards import BIT, EVERY, FACE, pack
from cadogan.engine.declaration import Action, Declaration, Group, Route, counters, lay_out
from cadogan.engine.effects import REVERSED
from cadogan.engine.layout import DOWNWARDS, at, joined, row
from cadogan.engine.parts import all_show, any_left, cards_in, holds_cards, is_empty, rest, set_out, shuffle
from cadogan.engine.relations import down, in_suit, neighbour, up
from cadogan.engine.state import Position
from cadogan.engine.table import Table

foundation, tableau, waste, stock = lay_out(
    Group("foundation", 8, "foundation", joined((4, row(4.4, 0)), (4, row(4.4, 1.1)))),
    Group("tableau", 12, "tableau", row(0, 2.4), DOWNWARDS),
    Group("waste", 1, "waste", at((1.1, 0))),
    Group("stock", 1, "stock", at((0, 0))),
)
redeals, counted = counters(redeals=2, counted=96)
higher, lower = in_suit & up, in_suit & down
rising, falling = foundation[0:4], foundation[4:8]
NUMBERS_IN_A_COLUMN = 8


def homes(position: Position, number: int, rising: tuple[int, ...], falling: tuple[int, ...]) -> list[int]:
    """The foundations that a card fits, those that rise and those that fall."""
    piles, bit = position.piles, BIT[number & FACE]
    fitting = [index for index in rising if piles[index] and higher.table[piles[index][-1]] & bit]
    return fitting + [index for index in falling if piles[index] and lower.table[piles[index][-1]] & bit]


def count_on(table: Table) -> None:
    """Turn card after card: it is played if it fits, waits if there is a choice, or is laid in its column."""
    number = counted.of(table)
    while table.piles[stock.start] and not table.piles[waste.start]:
        fitting = homes(table, table.piles[stock.start][-1], rising, falling)
        column = tableau.start + min(number // NUMBERS_IN_A_COLUMN, len(tableau) - 1)
        table.move(stock.start, fitting[0] if len(fitting) == 1 else waste.start if fitting else column)
        number += 1
    counted.put(table, number)


def count_out(table: Table) -> None:
    """Begin the counted deal with number 1."""
    counted.put(table, 0)
    count_on(table)


def deal_again(table: Table) -> None:
    """Take up the columns, the last one to be dealt first, each from its first card, and count them out."""
    table.redeal((*tableau[::-1], stock.start), (*[0] * len(tableau), tableau.size(table)), REVERSED)
    redeals.add(table, -1)
    count_out(table)


DEALT = is_empty(stock, waste)

GAME = Declaration(
    name="The Nation",
    summary="The pack is counted out into twelve columns; aces go up, kings come down, columns marry both ways.",
    also_known_as=("Nationale",),
    groups=(foundation, tableau, waste, stock),
    counters=(redeals, counted),
    pack=pack(2),
    deal=(set_out(foundation, "AS AH AD AC KS KH KD KC"), shuffle(), rest(stock), count_out),
    routes=(
        Route(waste, rising, onto=higher, forced=True),
        Route(waste, falling, onto=lower, forced=True),
        Route(tableau, rising, onto=higher, when=DEALT),
        Route(tableau, falling, onto=lower, when=DEALT),
        Route(tableau, tableau, onto=in_suit & neighbour, empty=EVERY, when=DEALT),
    ),
    actions=(Action("redeal", DEALT & any_left(redeals) & holds_cards(tableau), deal_again),),
    automatic=(count_on,),
    score=cards_in(foundation),
    maximum=104,
    won=all_show(foundation, "KKKKAAAA"),
)
