"""The Queens: a closed packet, the key, is played to eight foundations of kings, and queens earn cards back."""

from cadogan.engine.cards import ANY, DOWN, EVERY, of_rank, pack, rank
from cadogan.engine.declaration import (
    PACK,
    Action,
    Declaration,
    Group,
    Guard,
    Interchangeable,
    Route,
    counters,
    lay_out,
)
from cadogan.engine.effects import REVERSED
from cadogan.engine.layout import RIGHTWARDS, at, grid, row
from cadogan.engine.parts import (
    all_hold,
    cards_in,
    deal_to,
    holds_cards,
    is_empty,
    packets,
    rest,
    shuffle,
    turn_until_placed,
)
from cadogan.engine.relations import down, following, in_suit
from cadogan.engine.table import Table

stock, waste, key, shutter, foundation = lay_out(
    Group("stock", 1, "stock", at((9.1, 1.2))),
    Group("waste", 1, "waste", at((9.1, 2.4))),
    Group("key", 1, "reserve", at((0, 1.2))),
    Group("shutter", 7, "tableau", grid(4, 1.4, 1.2, 1.6, 1.2), RIGHTWARDS),
    Group("foundation", 8, "foundation", row(1.4, 0)),
)
(queens,) = counters(queens=0)
KINGS = of_rank("K")
REFUND = 14


def refund(table: Table) -> None:
    """While a queen lies on the key, turn fourteen of its cards over together and put them under the stock."""
    while table.piles[key.start] and rank(table.piles[key.start][-1]) == 12:
        packet = table.piles[key.start][-REFUND:]
        table.piles[key.start] = table.piles[key.start][:-REFUND]
        table.piles[PACK] = tuple(card | DOWN for card in reversed(packet)) + table.piles[PACK]


def lay_shutter(table: Table) -> None:
    """Deal one card to each pile; a king goes to a foundation, and the next card replaces it."""
    for index in shutter:
        turn_until_placed(table, PACK, index, foundation, lambda number: KINGS)


def take_from_bottom(table: Table) -> None:
    """Return cards from the bottom of the waste to the stock: three for each queen laid, and the queens among them."""
    pile, due, taken = table.piles[waste.start], 3 * queens.of(table), 0
    while due and taken < len(pile):
        due -= rank(pile[taken]) != 12
        taken += 1
    left = len(pile) - taken
    table.redeal((waste.start, stock.start), (left, taken), REVERSED)
    if left > 1:
        table.redeal((waste.start,), (left,), REVERSED)
    queens.put(table, 0)


def fill(table: Table) -> None:
    """Fill a vacancy at once if only one source is left."""
    for index in shutter.vacancies(table):
        if bool(table.piles[stock.start]) != bool(table.piles[waste.start]):
            table.move((waste if table.piles[waste.start] else stock).start, index)


def count_queens(table: Table) -> None:
    """Count up for each queen laid on the waste, and down for each that left it."""
    before, after = (sum(rank(card) == 12 for card in piles[waste.start]) for piles in (table.before, table.piles))
    queens.put(table, max(0, queens.of(table) + after - before))


BOTH = holds_cards(stock) & holds_cards(waste)
EARNED = Guard(lambda position: queens.of(position) > 0, "no queen was laid on the waste")

GAME = Declaration(
    name="The Queens",
    summary="A closed packet of thirty-two cards goes to eight kings; queens on the waste pay for the redeals.",
    groups=(stock, waste, key, shutter, foundation),
    counters=(queens,),
    pack=pack(2),
    deal=(shuffle(), packets(key, 32), refund, lay_shutter, rest(stock)),
    routes=(
        Route((stock, waste), shutter, empty=ANY, when=BOTH, forced=True),
        Route((key, shutter, waste), foundation, onto=in_suit & following("KA23456789TJQ"), empty=KINGS),
        Route((shutter, waste), shutter, onto=in_suit & down),
        Route(waste, shutter, empty=EVERY),
        Route(shutter, shutter, empty=EVERY, when=is_empty(stock, waste)),
    ),
    actions=(
        deal_to(waste, stock),
        Action("redeal", is_empty(stock) & holds_cards(waste) & EARNED, take_from_bottom),
    ),
    automatic=(fill, count_queens),
    interchangeable=(Interchangeable(shutter), Interchangeable(foundation)),
    score=cards_in(foundation),
    maximum=104,
    won=all_hold(foundation, 13),
)
