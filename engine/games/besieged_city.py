"""The Besieged City: twelve Reserve cards feed a wall of fourteen Ramparts, which alone feeds the foundations."""

from itertools import pairwise

from cadogan.engine.cards import ANY, RANKS, of_rank, of_suit, pack, rank
from cadogan.engine.declaration import Action, Declaration, Group, Guard, Route, Special, counters, lay_out
from cadogan.engine.layout import at, column, grid, joined, row, turned
from cadogan.engine.parts import all_hold, cards_in, holds_cards, is_empty, refill, rest, rows, shuffle
from cadogan.engine.relations import Relation, in_suit
from cadogan.engine.state import Position
from cadogan.engine.table import Table
from cadogan.engine.translatable_text import translatable

stock, waste, foundation, reserve, ramparts = lay_out(
    Group("stock", 1, "stock", at((0, 2.2))),
    Group("waste", 1, "waste", at((0, 3.3))),
    Group("foundation", 4, "foundation", column(9.3, 1.1)),
    Group("reserve", 12, "reserve", grid(3, 3, 1.1, 1.5, 1.1)),
    Group(
        "ramparts",
        14,
        "tableau",
        turned(joined((3, row(3, 0, 1.5)), (4, column(7.5, 1.1)), (3, row(6, 5.5, -1.5)), (4, column(1.5, 4.4, -1.1)))),
    ),
)
(fresh,) = counters(fresh=0)
ORDER = "AK2Q3J4T5968778695T4J3Q2KA"
NEIGHBOURS = {frozenset(pair) for pair in pairwise(ORDER)} | {frozenset(pair) for pair in pairwise(RANKS)}
beside = in_suit & Relation(lambda one, other: frozenset((RANKS[rank(one) - 1], RANKS[rank(other) - 1])) in NEIGHBOURS)


def lines(number: int) -> frozenset[int]:
    """The four Ramparts at the ends of a Reserve card's row and column."""
    r, c = divmod(number, 3)
    return frozenset((3 + r, 13 - r, c, 9 - c))


LINES = [lines(number) for number in range(12)]


NEXT = [[of_rank(letter) & of_suit(number) for letter in ORDER] + [0] for number in range(4)]
"""For each foundation and each number of cards on it, the one card that it waits for."""


def next_card(position: Position, index: int) -> int:
    """The card that a foundation waits for, in its order of twenty-six."""
    return NEXT[index - foundation.start][len(position.piles[index])]


def deal(table: Table) -> None:
    """Turn a card; it counts as one of the stock until it is covered or taken."""
    table.move(stock.start, waste.start)
    fresh.put(table, 1)


def stale(table: Table) -> None:
    """When the top card of the waste has left, the next one does not count as one of the stock."""
    if len(table.piles[waste.start]) < len(table.before[waste.start]):
        fresh.put(table, 0)


PACK_GONE = is_empty(stock, waste)
IS_FRESH = Guard(lambda position: fresh.of(position) == 1, "the card has been laid on the waste")


def exchanges(position: Position) -> list[tuple[int, ...]]:
    """Any two Reserve cards, when stock and waste are empty."""
    if not PACK_GONE(position):
        return []
    filled = reserve.filled(position)
    return [(one, other) for at, one in enumerate(filled) for other in filled[at + 1 :]]


GAME = Declaration(
    name="The Besieged City",
    summary="A wall of fourteen Ramparts, fed by twelve Reserve cards, builds foundations that weave up and down.",
    groups=(stock, waste, foundation, reserve, ramparts),
    counters=(fresh,),
    pack=pack(2),
    deal=(shuffle(), rows(reserve), rows(ramparts), rest(stock)),
    routes=(
        Route(reserve, ramparts, empty=ANY, between=lambda card, end: end in LINES[card], forced=True),
        Route(ramparts, foundation, takes=next_card),
        Route(waste, foundation, takes=next_card, when=IS_FRESH),
        Route(ramparts, ramparts, onto=beside),
        Route(reserve, ramparts, onto=beside, between=lambda card, end: end in LINES[card]),
        Route(reserve, reserve, empty=ANY, when=PACK_GONE),
    ),
    specials=(Special("~", exchanges, lambda table, piles: table.exchange(*piles)),),
    actions=(Action("deal", holds_cards(stock), deal),),
    automatic=(refill(reserve, waste, stock, only_emptied=True), stale),
    in_brief={
        "foundation": (translatable("Build in suit, in the order of the aim."),),
        "ramparts": (
            translatable(
                "A card goes on its neighbour of the same suit: one rank apart, or beside it in the order of the aim."
            ),
        ),
    },
    score=cards_in(foundation),
    maximum=104,
    won=all_hold(foundation, 26),
    wide={
        "reserve": grid(6, 1.56, 0.8, 1.08, 1.08),
        "ramparts": turned(
            joined(
                (3, row(2.06, -0.14, 2.2)),
                (4, column(8.32, 0.2, 0.76)),
                (3, row(6.46, 2.82, -2.2)),
                (4, column(0.2, 2.48, -0.76)),
            )
        ),
    },
)
