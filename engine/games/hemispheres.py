"""The Hemispheres: red cards belong north and black cards south; strays are exchanged before they can be used."""

from engine.cards import BLACK, RED, is_red, pack
from engine.declaration import Action, Declaration, Group, Guard, Route, Special, lay_out
from engine.layout import at, joined, row
from engine.parts import all_hold, cards_in, is_empty, refill, rest, rows, set_out, shuffle
from engine.relations import Relation, down, in_suit, up
from engine.state import Position
from engine.table import Table

NORTH_PLACES = ((2.4, 1.8), (3.5, 1.0), (4.6, 0.4), (7.6, 0.4), (8.7, 1.0), (9.8, 1.8))
SOUTH_PLACES = ((9.8, 4.2), (8.7, 5.0), (7.6, 5.6), (4.6, 5.6), (3.5, 5.0), (2.4, 4.2))

stock, waste, foundation, barrier, race = lay_out(
    Group("stock", 1, "stock", at((0, 0))),
    Group("waste", 1, "waste", at((0, 1.1))),
    Group("foundation", 8, "foundation", joined((4, row(4.45, 2.4)), (4, row(4.45, 3.6)))),
    Group("barrier", 4, "reserve", at((1.2, 3, 90), (6.1, 0, 90), (11, 3, 90), (6.1, 6, 90))),
    Group("race", 12, "tableau", at(*NORTH_PLACES, *SOUTH_PLACES)),
)
rising, falling = foundation[0:4], foundation[4:8]
north, south = race[0:6], race[6:12]
marries_north = in_suit & down & Relation(lambda card, top: is_red(card))
marries_south = in_suit & up & Relation(lambda card, top: not is_red(card))


def same_race(source: int, target: int) -> bool:
    """Whether both packets are of one Race, which has three packets."""
    return source // 3 == target // 3


def strays(position: Position) -> list[tuple[int, ...]]:
    """Every black card in the north with every red one in the south."""
    piles = position.piles
    black = [index for index in north if piles[index] and not is_red(piles[index][-1])]
    return [(one, other) for one in black for other in south if piles[other] and is_red(piles[other][-1])]


def deal(table: Table) -> None:
    """Fill every vacancy of the circle; if there is none, turn a card."""
    if race.vacancies(table):
        refill(race, stock, waste)(table)
    else:
        table.move(stock.start, waste.start)


MAY_DEAL = Guard(
    lambda position: bool(position.piles[stock.start] or (position.piles[waste.start] and race.vacancies(position))),
    "the pack is out, and no talon card has a place to fill",
)
AT_END = is_empty(stock, waste)

GAME = Declaration(
    name="The Hemispheres",
    summary="Red cards belong north and black cards south; strays must be exchanged before they can be used.",
    also_known_as=("The Four Continents", "Hemispheres"),
    groups=(stock, waste, foundation, barrier, race),
    pack=pack(2),
    deal=(
        set_out(foundation, "AH AH AD AD KS KS KC KC"),
        set_out(barrier, "KH AS KD AC"),
        shuffle(),
        rows(race),
        rest(stock),
    ),
    routes=(
        Route((*north, waste), rising, onto=in_suit & up),
        Route((*south, waste), falling, onto=in_suit & down),
        Route(barrier, rising, onto=in_suit & up, when=AT_END),
        Route(barrier, falling, onto=in_suit & down, when=AT_END),
        Route(north, north, onto=marries_north, between=same_race),
        Route(south, south, onto=marries_south, between=same_race),
        Route(waste, north, onto=marries_north),
        Route(waste, south, onto=marries_south),
        Route(north, south, empty=BLACK, when=AT_END),
        Route(south, north, empty=RED, when=AT_END),
    ),
    specials=(Special("~", strays, lambda table, piles: table.exchange(*piles)),),
    actions=(Action("deal", MAY_DEAL, deal),),
    score=cards_in(foundation),
    maximum=104,
    won=all_hold(foundation, 13),
)
