"""The Wheel: three plain cards that make eighteen, covered with a court card, go to a circle around the aces."""

from itertools import combinations

from cadogan.engine.cards import pack, rank
from cadogan.engine.declaration import Action, Declaration, Group, Interchangeable, Special, counters, lay_out
from cadogan.engine.layout import DOWNWARDS, at, column, grid, joined, ring, row
from cadogan.engine.parts import all_hold, deal_row, emptied, holds_cards, rest, rows, set_out, shuffle
from cadogan.engine.state import Position
from cadogan.engine.table import Table
from cadogan.engine.translatable_text import translatable

aces, circle, cushion, stock = lay_out(
    Group("aces", 8, "foundation", joined((4, column(3.85, 1.1)), (2, row(1.65, 2.2)), (2, row(4.95, 2.2)))),
    Group(
        "circle",
        24,
        "foundation",
        joined((8, row(0, 0)), (4, column(7.7, 1.1)), (8, row(7.7, 5.5, -1.1)), (4, column(0, 4.4, -1.1))),
    ),
    Group("cushion", 12, "reserve", grid(6, 9.4, 0, 1.1, 3.1), DOWNWARDS),
    Group("stock", 1, "stock", at((6.6, 4.4))),
)
(deals,) = counters(deals=1)
EIGHTEENS = [values for values in combinations(range(2, 11), 3) if sum(values) == 18]


def packets(position: Position) -> list[tuple[int, ...]]:
    """Every three plain cards of different values that make eighteen, with every court card."""
    ranks = [(index, rank(position.piles[index][-1])) for index in cushion.filled(position)]
    held = [[index for index, value in ranks if value == wanted] for wanted in range(14)]
    courts = held[11] + held[12] + held[13]
    if not courts or not circle.vacancies(position):
        return []
    triples = [(a, b, c) for one, two, three in EIGHTEENS for a in held[one] for b in held[two] for c in held[three]]
    return [tuple(sorted((*triple, court))) for triple in triples for court in courts]


def cannot_be_combined(position: Position) -> bool:
    """Whether the plain cards that are left cannot all be combined, although the empty circle needs them all.

    How often 2-6-10 and 4-5-9 are still to come decides how often each other three are, from the number of cards of
    2, 10, 4, 8, 3 and 5 in turn; no number may be negative, and those of 6, 7 and 9 must come out right.
    """
    left = [rank(card) for index in (*cushion, *stock) for card in position.piles[index]]
    of = [left.count(value) for value in range(11)]
    if sum(of[2:]) != 3 * len(circle.vacancies(position)):
        return False
    for two_six_ten in range(of[2] + 1):
        for four_five_nine in range(of[4] + 1):
            two_seven_nine, three_five_ten = of[2] - two_six_ten, of[10] - two_six_ten
            four_six_eight = of[4] - four_five_nine
            three_seven_eight = of[8] - four_six_eight
            three_six_nine = of[3] - three_five_ten - three_seven_eight
            five_six_seven = of[5] - three_five_ten - four_five_nine
            if (
                min(three_five_ten, three_seven_eight, three_six_nine, five_six_seven) >= 0
                and of[6] == two_six_ten + four_six_eight + three_six_nine + five_six_seven
                and of[7] == two_seven_nine + three_seven_eight + five_six_seven
                and of[9] == two_seven_nine + four_five_nine + three_six_nine
            ):
                return False
    return True


def crown(table: Table, piles: tuple[int, ...]) -> None:
    """Move the packet to the first empty place of the circle, with the court card on top."""
    place = circle.vacancies(table)[0]
    court = next(index for index in piles if rank(table.piles[index][-1]) > 10)
    for index in piles:
        if index != court:
            table.move(index, place)
    table.move(court, place)


def deal(table: Table) -> None:
    """Deal twelve cards on the cushion, on its cards and its gaps."""
    deal_row(cushion, stock)(table)
    deals.add(table, 1)


def fill(table: Table) -> None:
    """During the first deal, fill the places that a combination has emptied at once."""
    if deals.of(table) == 1:
        deal_row(emptied(table, cushion), stock)(table)


GAME = Declaration(
    name="The Wheel",
    summary="Combine three plain cards into eighteen, crown them with a court card, and set them round eight aces.",
    groups=(aces, circle, cushion, stock),
    counters=(deals,),
    pack=pack(2),
    deal=(set_out(aces, "AS AH AD AC AS AH AD AC"), shuffle(), rows(cushion), rest(stock)),
    specials=(Special("+", packets, crown),),
    actions=(Action("deal", holds_cards(stock), deal),),
    automatic=(fill,),
    interchangeable=(Interchangeable(aces), Interchangeable(circle)),
    hopeless=cannot_be_combined,
    hopeless_since=9,
    in_brief={
        "": (translatable("Take three cards of different values from 2 to 10 that make eighteen, and a court card."),),
    },
    score=lambda position: len(circle.filled(position)),
    maximum=24,
    won=all_hold(circle, 4),
    tall={
        "aces": joined((4, column(3.78, 1.08, 1.08)), (2, row(1.62, 2.16, 1.08)), (2, row(4.86, 2.16, 1.08))),
        "circle": ring(8, 6),
        "stock": at((6.48, 4.32)),
        "cushion": grid(6, 1.08, 6.6, 1.08, 2.1),
    },
    wide={
        "aces": grid(4, 3.24, 1.08, 1.08, 1.08),
        "circle": ring(10, 4),
        "stock": at((8.64, 2.16)),
        "cushion": grid(6, 11, 0, 1.08, 2.2),
    },
)
