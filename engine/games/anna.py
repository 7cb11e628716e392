"""Anna: eight packets in the shape of an A feed an N of eight jacks, built down past the ace to kings."""

from functools import partial

from cadogan.engine.cards import ANY, DOWN, EVERY, of_rank, pack
from cadogan.engine.declaration import Action, Declaration, Group, Interchangeable, Route, counters, lay_out
from cadogan.engine.layout import DOWNWARDS, at
from cadogan.engine.parts import all_show, cards_in, holds_cards, redeal, rest, shuffle, turn_until_placed
from cadogan.engine.relations import following, in_suit
from cadogan.engine.table import Table
from cadogan.engine.translatable_text import translatable

foundation, aids, waste, stock = lay_out(
    Group(
        "foundation",
        8,
        "foundation",
        at((8.4, 4.2), (8.4, 2.6), (8.4, 1), (9.5, 2), (10.6, 3.2), (11.7, 4.2), (11.7, 2.6), (11.7, 1)),
    ),
    Group(
        "aids",
        8,
        "tableau",
        at((3.3, 0), (2.2, 1.5), (4.4, 1.5), (1.1, 3.2), (3.3, 3.2), (5.5, 3.2), (0, 4.5), (6.6, 4.5)),
        DOWNWARDS,
    ),
    Group("waste", 1, "waste", at((13.4, 2.1))),
    Group("stock", 1, "stock", at((13.4, 1))),
)
(redeals,) = counters(redeals=2)
ORDER = "KA23456789TJ"
JACKS = of_rank("J")

turn = partial(turn_until_placed, group=foundation, bases=lambda number: JACKS)
"""``turn(table, source, target)``: turn cards until one stays on the target; jacks go to the N."""


def lay_aids(table: Table) -> None:
    """Deal one card to each packet; jacks go to the N."""
    for index in aids:
        turn(table, stock.start, index)


def deal(table: Table) -> None:
    """Turn one card: a jack goes to the N, any other card on the waste."""
    jack = JACKS >> (table.piles[stock.start][-1] & ~DOWN) & 1
    vacancies = foundation.vacancies(table)
    table.move(stock.start, vacancies[0] if jack and vacancies else waste.start)


GAME = Declaration(
    name="Anna",
    summary="Jacks go down past the ace to kings in a great N, and in the end queens alone are left in the A.",
    groups=(foundation, aids, waste, stock),
    counters=(redeals,),
    pack=pack(2),
    deal=(shuffle(), rest(stock), lay_aids),
    routes=(
        Route((aids, waste), foundation, onto=in_suit & following(ORDER[::-1])),
        Route((aids, waste), aids, onto=in_suit & following(ORDER)),
        Route(waste, aids, empty=EVERY),
        Route(stock, aids, empty=ANY, play=turn),
    ),
    actions=(Action("deal", holds_cards(stock), deal), redeal(waste, stock, redeals)),
    interchangeable=(Interchangeable(foundation), Interchangeable(aids)),
    in_brief={"foundation": (translatable("Jacks come here by themselves."),)},
    score=cards_in(foundation),
    maximum=96,
    won=all_show(foundation, "K"),
    tall={
        "foundation": at(
            (2.2, 2.16), (2.2, 1.08), (2.2, 0), (3.3, 0.6), (4.4, 1.5), (5.5, 2.16), (5.5, 1.08), (5.5, 0)
        ),
        "aids": at((3.3, 3.4), (2.2, 4.5), (4.4, 4.5), (1.1, 5.7), (3.3, 5.7), (5.5, 5.7), (0, 6.9), (6.6, 6.9)),
    },
    wide={
        "foundation": at((8, 2.16), (8, 1.08), (8, 0), (9.1, 0.6), (10.2, 1.4), (11.3, 2.16), (11.3, 1.08), (11.3, 0)),
        "aids": at((3.3, 0), (2.2, 0.6), (4.4, 0.6), (1.1, 1.4), (3.3, 2.2), (5.5, 1.4), (0, 2.2), (6.6, 2.2)),
    },
)
