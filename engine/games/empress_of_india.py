"""The Empress of India: a red and a black card always go up together, from an Army and a Navy of four packs."""

from collections.abc import Iterator

from cadogan.engine.arrangement import FLOWING
from cadogan.engine.cards import BIT, is_red, pack
from cadogan.engine.declaration import Action, Declaration, Group, Interchangeable, Route, Special, lay_out
from cadogan.engine.layout import DOWNWARDS, at, grid, joined, row
from cadogan.engine.parts import all_hold, cards_in, emptied, holds_cards, rest, set_out, shuffle
from cadogan.engine.relations import alternating, following, in_suit
from cadogan.engine.state import Position
from cadogan.engine.table import Table
from cadogan.engine.translatable_text import translatable

GUARD = joined((3, row(0, 0, 1.08)), (2, row(0, 1.08, 2.16)), (3, row(0, 2.16, 1.08)))
stock, waste, foundation, army, navy, empress, guard, discard = lay_out(
    Group("stock", 1, "stock", at((0, 8.8))),
    Group("waste", 2, "waste", row(1.65, 8.8)),
    Group(
        "foundation",
        16,
        "foundation",
        joined((4, row(0, 0.55)), (4, row(8.8, 0.55)), (4, row(0, 1.65)), (4, row(8.8, 1.65))),
    ),
    Group("army", 24, "tableau", grid(12, 0, 3.5, 1.1, 1.3), DOWNWARDS.by(0.25)),
    Group("navy", 24, "tableau", grid(12, 0, 6.1, 1.1, 1.3), DOWNWARDS.by(0.25)),
    Group("empress", 1, "discard", at((6.05, 1.1))),
    Group("guard", 8, "discard", joined((3, row(4.95, 0)), (2, row(4.95, 1.1, 2.2)), (3, row(4.95, 2.2)))),
    Group("discard", 1, "discard", at((12.1, 8.8))),
)
PLACES = (*army, *navy)
UP, DOWN = (in_suit & following(order) for order in ("A23456789TJK", "KQT98765432A"))
NEXT = {index: (UP if index < foundation.start + 8 else DOWN).table for index in foundation}
"""What each foundation takes on its top card: Admirals are built up without a queen, Generals down without a jack."""


def fitting(position: Position) -> int:
    """The cards that a foundation can take next."""
    wanted = 0
    for index, pile in zip(foundation, foundation.of(position), strict=True):
        if pile:
            wanted |= NEXT[index][pile[-1]]
    return wanted


def pairs(position: Position) -> Iterator[tuple[int, int]]:
    """A single card of the Army and one of the Navy that both fit."""
    piles, wanted = position.piles, fitting(position)
    soldiers, sailors = (
        [index for index in group if len(piles[index]) == 1 and BIT[piles[index][0]] & wanted] for group in (army, navy)
    )
    return ((soldier, sailor) for soldier in soldiers for sailor in sailors)


def couples(position: Position) -> list[tuple[int]]:
    """The places with two cards of which both fit."""
    piles, wanted = position.piles, fitting(position)
    return [
        (index,)
        for index in PLACES
        if len(piles[index]) == 2 and BIT[piles[index][0]] & wanted and BIT[piles[index][1]] & wanted
    ]


def single(position: Position, index: int) -> bool:
    """Whether a place holds one card."""
    return len(position.piles[index]) == 1


def send(table: Table, index: int) -> None:
    """Move the top card of a place to the first foundation that takes it."""
    bit = BIT[table.piles[index][-1]]
    table.move(index, next(to for to in foundation if table.piles[to] and NEXT[to][table.piles[to][-1]] & bit))


def play(table: Table, places: tuple[int, ...]) -> None:
    """Move both cards to foundations: those of two places, or both of one place, the upper first."""
    for index in places if len(places) == 2 else places * 2:
        send(table, index)


def turn(table: Table) -> None:
    """Turn a card face up on the waste of its colour."""
    table.move(stock.start, waste.start + (not is_red(table.piles[stock.start][-1])))


def enlist(table: Table, place: int) -> None:
    """Fill a place with the top card of its waste; if there is none, turn stock cards until its colour comes."""
    own = waste.start + (place >= navy.start)
    while not table.piles[own] and table.piles[stock.start]:
        turn(table)
    if table.piles[own]:
        table.move(own, place)


def refill(table: Table) -> None:
    """Fill the places that the move has emptied, those of the Army first."""
    for index in emptied(table, PLACES):
        enlist(table, index)


def muster(table: Table) -> None:
    """Turn cards until every place of Army and Navy holds one; cards that find no place go on the wastes."""
    while army.vacancies(table) or navy.vacancies(table):
        vacancies = (army if is_red(table.piles[stock.start][-1]) else navy).vacancies(table)
        if vacancies:
            table.move(stock.start, vacancies[0])
        else:
            turn(table)


GAME = Declaration(
    name="The Empress of India",
    summary="A red and a black card always go up together: Generals come down from kings, Admirals go up from aces.",
    groups=(stock, waste, foundation, army, navy, empress, guard, discard),
    pack=pack(4),
    deal=(
        set_out(foundation, "AS AS AS AS AC AC AC AC KH KH KH KH KD KD KD KD"),
        set_out(guard, "JH JH JH JH JD JD JD JD"),
        set_out(empress, "QC"),
        set_out(discard, "QS QS QS QS QC QC QC"),
        shuffle(),
        rest(stock),
        muster,
    ),
    routes=(
        Route(army, navy, onto=alternating, room=2, free=single),
        Route(navy, army, onto=alternating, room=2, free=single),
    ),
    specials=(Special("+", pairs, play), Special("play", couples, play)),
    actions=(Action("deal", holds_cards(stock), turn),),
    automatic=(refill,),
    interchangeable=(Interchangeable(army), Interchangeable(navy), Interchangeable(guard)),
    in_brief={
        "": (translatable("Two cards go up together, one of the army and one of the navy."),),
    },
    score=cards_in(foundation),
    maximum=192,
    won=all_hold(foundation, 12),
    tall={"empress": at((1.08, 1.08)), "guard": GUARD, "foundation": FLOWING},
    wide={"empress": at((1.08, 1.08)), "guard": GUARD, "foundation": FLOWING},
)
