"""Nestor: pairs of one rank, from eight columns of six cards and four reserves."""

from collections.abc import Iterator
from itertools import combinations

from cadogan.engine.cards import pack, rank
from cadogan.engine.declaration import (
    PACK,
    Action,
    Declaration,
    Forgotten,
    Group,
    Guard,
    Interchangeable,
    Special,
    lay_out,
)
from cadogan.engine.layout import DOWNWARDS, at, row
from cadogan.engine.parts import cards_in, holds_cards, is_empty, rest, shuffle
from cadogan.engine.state import Position
from cadogan.engine.table import Table
from cadogan.engine.translatable_text import translatable

column, aside, stock, discard = lay_out(
    Group("column", 8, "reserve", row(0, 0), DOWNWARDS),
    Group("aside", 4, "reserve", row(1.65, 3.6)),
    Group("stock", 1, "stock", at((0, 3.6))),
    Group("discard", 1, "discard", at((7.7, 3.6))),
)
OPEN = (*column, *aside)


def place(table: Table, index: int) -> bool:
    """Deal a card whose rank the column does not hold yet, putting others under the pack; False if there is none."""
    ranks = {rank(card) for card in table.piles[index]}
    in_hand = table.piles[PACK]
    for skipped in range(len(in_hand)):
        cut = len(in_hand) - skipped
        if rank(in_hand[cut - 1]) not in ranks:
            table.piles[PACK] = in_hand[cut:] + in_hand[:cut]
            table.move(PACK, index)
            return True
    return False


def columns(table: Table) -> None:
    """Six rows of eight; if the pack holds no card that fits, all is shuffled and dealt again."""
    again = 0
    while not all(place(table, index) for _ in range(6) for index in column):
        again += 1
        table.shuffle((PACK, *column), (len(GAME.pack), *[0] * len(column)), f"deal.{again}")


def pairs(position: Position) -> Iterator[tuple[int, ...]]:
    """Every two available cards of one rank."""
    ranks = [(index, rank(position.piles[index][-1])) for index in OPEN if position.piles[index]]
    return ((one, other) for (one, first), (other, second) in combinations(ranks, 2) if first == second)


def take(table: Table, piles: tuple[int, ...]) -> None:
    """Remove both cards; the card that the move names first lies below."""
    for index in piles:
        table.move(index, discard.start)


NO_PAIR = Guard(lambda position: not any(pairs(position)), "a pair can be taken")
ROOM = Guard(lambda position: bool(aside.vacancies(position)), "no place is free")

GAME = Declaration(
    name="Nestor",
    summary="Eight columns of six cards are paired off by rank, with four cards in reserve.",
    groups=(column, aside, stock, discard),
    pack=pack(),
    deal=(shuffle(), columns, rest(stock)),
    specials=(Special("+", pairs, take),),
    actions=(
        Action("deal", holds_cards(stock) & NO_PAIR & ROOM, lambda t: t.move(stock.start, aside.vacancies(t)[0])),
    ),
    interchangeable=(Interchangeable(aside),),
    forgotten=(Forgotten(discard),),
    in_brief={
        "": (translatable("Take two cards of the same rank."),),
        "stock": (translatable("It is closed while a pair can be taken."),),
    },
    score=cards_in(discard),
    maximum=52,
    won=is_empty(column, aside, stock),
    home=cards_in(discard),
)
