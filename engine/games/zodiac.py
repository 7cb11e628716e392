"""The Zodiac: every card must find a place in a ring of twenty-four or on the Equator before a foundation is begun."""

from cadogan.engine.cards import BIT, EVERY, FACE, pack
from cadogan.engine.declaration import Declaration, Group, Interchangeable, Route, counters, lay_out
from cadogan.engine.layout import at, grid, joined, ring, row
from cadogan.engine.parts import all_hold, base, cards_in, deal_to, is_empty, redeal, rest, rows, shuffle
from cadogan.engine.relations import down, in_suit, neighbour, up
from cadogan.engine.state import Position
from cadogan.engine.translatable_text import translatable

stock, waste, foundation, equator, zodiac = lay_out(
    Group("stock", 1, "stock", at((0, 2.4))),
    Group("waste", 1, "waste", at((1.1, 2.4))),
    Group("foundation", 8, "foundation", joined((4, row(3.85, 1.2)), (4, row(3.85, 3.6)))),
    Group("equator", 8, "reserve", row(2.2, 2.4)),
    Group("zodiac", 24, "tableau", joined((12, row(0, 0)), (12, row(12.1, 4.8, -1.1)))),
)
(rounds,) = counters(round=1)
marries = in_suit & neighbour
SECOND_PHASE = is_empty(stock, waste)


def lost(position: Position) -> bool:
    """Whether every card has been seen, the Equator is full, and no card that is left fits the Zodiac."""
    if rounds.of(position) < 2 or SECOND_PHASE(position) or equator.vacancies(position):
        return False
    wanted = 0
    for index in zodiac.filled(position):
        wanted |= marries.table[position.piles[index][-1]]
    return not any(BIT[card & FACE] & wanted for index in (*stock, *waste, *equator) for card in position.piles[index])


GAME = Declaration(
    name="The Zodiac",
    summary="Every card must find a place in a ring of twenty-four or on the Equator; only then are foundations built.",
    also_known_as=("Girdle",),
    groups=(stock, waste, foundation, equator, zodiac),
    counters=(rounds,),
    pack=pack(2),
    deal=(shuffle(), rows(equator), rows(zodiac), rest(stock)),
    routes=(
        Route((equator, waste), zodiac, onto=marries),
        Route(waste, equator, empty=EVERY),
        Route((equator, zodiac), foundation[0:4], onto=in_suit & up, empty=base("A"), when=SECOND_PHASE),
        Route((equator, zodiac), foundation[4:8], onto=in_suit & down, empty=base("K"), when=SECOND_PHASE),
    ),
    actions=(deal_to(waste, stock), redeal(waste, stock, rounds=rounds)),
    interchangeable=(Interchangeable(equator), Interchangeable(zodiac)),
    in_brief={
        "foundation": (translatable("Nothing goes here until stock and waste are empty."),),
    },
    score=cards_in(equator, zodiac, foundation, foundation),
    maximum=208,
    won=all_hold(foundation, 13),
    lost=lost,
    tall={
        "stock": at((2.16, 1.4)),
        "waste": at((3.24, 1.4)),
        "foundation": joined((4, row(1.08, 2.6, 1.08)), (4, row(1.08, 6.2, 1.08))),
        "equator": grid(4, 1.08, 3.86, 1.08, 1.08),
        "zodiac": ring(6, 8),
    },
    wide={
        "foundation": row(1.08, 1.08, 1.08),
        "equator": row(1.08, 2.16, 1.08),
        "zodiac": ring(10, 4),
    },
)
