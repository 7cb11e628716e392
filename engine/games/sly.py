"""Sly: twenty heaps take the stock in rounds of twenty cards, each laid on any heap."""

from cadogan.engine.arrangement import FLOWING
from cadogan.engine.cards import ANY, BIT, pack
from cadogan.engine.declaration import Action, Declaration, Group, Guard, Interchangeable, Route, counters, lay_out
from cadogan.engine.layout import DOWNWARDS, at, grid, joined, row
from cadogan.engine.parts import all_show, base, cards_in, emptied, holds_cards, rest, shuffle, turn_until_placed
from cadogan.engine.relations import anything, down, in_suit, up
from cadogan.engine.state import Position
from cadogan.engine.table import Table
from cadogan.engine.translatable_text import translatable

foundation, promenade, waste, stock = lay_out(
    Group("foundation", 8, "foundation", joined((4, row(0, 0)), (4, row(6.6, 0)))),
    Group("promenade", 20, "reserve", grid(10, 0, 1.4, 1.1, 3.6), DOWNWARDS),
    Group("waste", 1, "waste", at((5.5, 0))),
    Group("stock", 1, "stock", at((4.4, 0))),
)
deals, left = counters(deals=1, left=0)
DEAL = 20
LINES = [(base("A"), in_suit & up)] * 4 + [(base("K"), in_suit & down)] * 4


def bases(number: int) -> int:
    """The ace or king that begins a foundation."""
    return LINES[number][0](number)


def fits(position: Position, index: int) -> int:
    """The cards that a foundation takes next."""
    pile, number = position.piles[index], index - foundation.start
    return LINES[number][1].table[pile[-1]] if pile else bases(number)


def turn(table: Table, target: int = waste.start) -> None:
    """Turn the stock's top card; a base card goes to its foundation, and the next card is turned."""
    turn_until_placed(table, stock.start, target, foundation, bases)


def open_deal(table: Table) -> None:
    """Deal the first twenty cards: a card that fits one foundation goes there, one that fits two waits."""
    while left.of(table):
        turn(table)
        if not table.piles[waste.start]:
            left.put(table, 0)
            return
        bit = BIT[table.piles[waste.start][-1]]
        homes = [index for index in foundation if fits(table, index) & bit]
        if len(homes) > 1:
            return
        if homes:
            table.move(waste.start, homes[0])
        else:
            lay(table, waste.start, min(promenade, key=lambda index: len(table.piles[index])))


def lay(table: Table, source: int, target: int) -> None:
    """Lay the card in hand on the promenade, and count it."""
    table.move(source, target)
    left.add(table, -1)


def go_on(table: Table) -> None:
    """Turn the next card of a deal; between deals, turn a card into the place that a move has emptied."""
    if not left.of(table):
        for index in emptied(table, promenade):
            turn(table, index)
    elif not table.piles[waste.start]:
        if deals.of(table) == 1:
            open_deal(table)
        else:
            turn(table)
        if not table.piles[waste.start]:
            left.put(table, 0)


def begin(table: Table) -> None:
    """Begin a new deal of twenty cards."""
    deals.add(table, 1)
    left.put(table, DEAL)


OPENED = Guard(lambda position: deals.of(position) > 1, "the opening deal lays the cards in order")
OVER = Guard(lambda position: left.of(position) == 0, "the deal is not over")

GAME = Declaration(
    name="Sly",
    summary="Twenty heaps take the pack in rounds of twenty cards, each laid wherever the player likes.",
    also_known_as=("Sly Fox",),
    groups=(foundation, promenade, waste, stock),
    counters=(deals, left),
    pack=pack(2),
    deal=(shuffle(), rest(stock), lambda table: left.put(table, DEAL), open_deal),
    routes=(
        Route(waste, foundation, takes=fits, forced=True),
        Route(waste, promenade, onto=anything, empty=ANY, when=OPENED, forced=True, play=lay),
        Route(promenade, foundation, takes=fits, when=OVER),
    ),
    actions=(Action("deal", holds_cards(stock) & OVER, begin),),
    automatic=(go_on,),
    interchangeable=(Interchangeable(promenade),),
    in_brief={
        "foundation": (translatable("Build up from the aces and down from the kings, in suit."),),
        "promenade": (
            translatable("Cards go to the foundations only."),
            translatable("Lay each card that is dealt on any heap."),
        ),
    },
    score=cards_in(foundation),
    maximum=104,
    won=all_show(foundation, "KKKKAAAA"),
    tall={"foundation": FLOWING},
    wide={"foundation": FLOWING},
)
