"""The Hemispheres: red cards belong north and black cards south; strays are exchanged before they can be used."""

from cadogan.engine.cards import BLACK, RED, is_red, pack
from cadogan.engine.declaration import Action, Declaration, Group, Guard, Interchangeable, Route, Special, lay_out
from cadogan.engine.layout import at, joined, row
from cadogan.engine.parts import all_hold, cards_in, is_empty, refill, rest, rows, set_out, shuffle
from cadogan.engine.relations import Relation, down, in_suit, up
from cadogan.engine.state import Position
from cadogan.engine.table import Table
from cadogan.engine.translatable_text import translatable

NORTH_PLACES = ((2.4, 1.8), (3.5, 1.0), (4.6, 0.4), (7.6, 0.4), (8.7, 1.0), (9.8, 1.8))
SOUTH_PLACES = ((9.8, 4.2), (8.7, 5.0), (7.6, 5.6), (4.6, 5.6), (3.5, 5.0), (2.4, 4.2))
TALL_NORTH = ((0.3, 1.7), (1.4, 0.9), (2.5, 0.3), (5.06, 0.3), (6.16, 0.9), (7.26, 1.7))
WIDE_NORTH = ((0.7, 0.4), (1.9, 0.1), (3.0, 0), (5.64, 0), (6.74, 0.1), (7.94, 0.4))

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
    "the stock is empty, and no card of the waste has a place to fill",
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
    interchangeable=(Interchangeable(barrier),),
    in_brief={
        "race": (
            translatable("Red cards belong in the north, black cards in the south."),
            translatable("Where they belong, build red cards down and black cards up, in suit."),
        ),
        "": (translatable("Only strays change places, a black one of the north with a red one of the south."),),
    },
    score=cards_in(foundation),
    maximum=104,
    won=all_hold(foundation, 13),
    tall={
        "stock": at((3.22, 1.9)),
        "waste": at((4.34, 1.9)),
        "foundation": joined((4, row(2.16, 3.3, 1.08)), (4, row(2.16, 4.4, 1.08))),
        "barrier": at((0.2, 3.85, 90), (3.78, -0.14, 90), (7.36, 3.85, 90), (3.78, 7.84, 90)),
        "race": at(*TALL_NORTH, *((x, 7.7 - y) for x, y in reversed(TALL_NORTH))),
    },
    wide={
        "foundation": joined((4, row(2.7, 1.2, 1.08)), (4, row(2.7, 2.28, 1.08))),
        "barrier": at((0.2, 1.74, 90), (4.32, -0.1, 90), (8.44, 1.74, 90), (4.32, 3.58, 90)),
        "race": at(*WIDE_NORTH, *((x, 3.48 - y) for x, y in reversed(WIDE_NORTH))),
    },
)
