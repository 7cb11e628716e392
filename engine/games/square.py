"""The Square: four foundations are built up to the king and down again; sixteen packets are built up and down."""

from cadogan.engine.cards import ANY, EVERY, of_rank, of_suit, pack, rank, suit
from cadogan.engine.declaration import PACK, Action, Declaration, Group, Interchangeable, Route, lay_out
from cadogan.engine.layout import at, column, grid, joined, ring, row
from cadogan.engine.parts import all_hold, base, cards_in, holds_cards, is_empty, rest, shuffle, turn_until_placed
from cadogan.engine.relations import in_suit, neighbour
from cadogan.engine.state import Position
from cadogan.engine.table import Table
from cadogan.engine.translatable_text import translatable

stock, waste, foundation, square = lay_out(
    Group("stock", 1, "stock", at((6, 1.1))),
    Group("waste", 1, "waste", at((6, 2.2))),
    Group("foundation", 4, "foundation", grid(2, 1.65, 1.65)),
    Group(
        "square",
        16,
        "tableau",
        joined((5, row(0, 0)), (4, column(4.4, 1.1)), (4, row(3.3, 4.4, -1.1)), (3, column(0, 3.3, -1.1))),
    ),
)
ORDER = "A23456789TJQKKQJT98765432A"
NEXT = [[of_rank(letter) & of_suit(number) for letter in ORDER] + [0] for number in range(4)]
"""For each foundation and each number of cards on it, the one card that it waits for."""


def next_card(position: Position, index: int) -> int:
    """The card that a foundation waits for, on its way up and down."""
    return NEXT[index - foundation.start][len(position.piles[index])]


def turn(table: Table, source: int, target: int) -> None:
    """Turn a card for a place: the first ace of a suit goes to its foundation, and the next card takes the place."""
    turn_until_placed(table, source, target, foundation, base("A"))


def lay_square(table: Table) -> None:
    """Deal one card to each place."""
    for index in square:
        turn(table, PACK, index)


def deal(table: Table) -> None:
    """Turn one card: the first ace of its suit goes to its foundation, any other card on the waste."""
    card = table.piles[stock.start][-1]
    home = foundation.start + suit(card)
    table.move(stock.start, home if rank(card) == 1 and not table.piles[home] else waste.start)


def fill(table: Table) -> None:
    """Fill a vacancy at once if only one source is left."""
    for index in square.vacancies(table):
        if not table.piles[waste.start]:
            turn(table, stock.start, index)
        elif not table.piles[stock.start]:
            table.move(waste.start, index)


BOTH = holds_cards(stock) & holds_cards(waste)

GAME = Declaration(
    name="The Square",
    summary="Four foundations run from ace to king and down again; sixteen packets are built up and down in suit.",
    also_known_as=("Quadrat",),
    groups=(stock, waste, foundation, square),
    pack=pack(2),
    deal=(shuffle(), lay_square, rest(stock)),
    routes=(
        Route(stock, square, empty=ANY, when=BOTH, forced=True, play=turn),
        Route(waste, square, empty=EVERY, when=BOTH, forced=True),
        Route((square, waste), foundation, takes=next_card),
        Route((square, waste), square, onto=in_suit & neighbour),
        Route(waste, square, empty=EVERY),
        Route(square, square, empty=EVERY, when=is_empty(stock, waste)),
    ),
    actions=(Action("deal", holds_cards(stock), deal),),
    automatic=(fill,),
    interchangeable=(Interchangeable(square),),
    in_brief={
        "foundation": (translatable("Build up in suit from ace to king, then down again."),),
    },
    score=cards_in(foundation),
    maximum=104,
    won=all_hold(foundation, 26),
    wide={"foundation": grid(2, 2.16, 1.08, 1.08, 1.08), "square": ring(6, 4)},
)
