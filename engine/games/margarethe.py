"""Margarethe: court cards laid out as an M take three cards each, helped by nine cards laid out as an A."""

from cadogan.engine.cards import pack, rank
from cadogan.engine.declaration import Action, Declaration, Group, Interchangeable, Route, counters, lay_out
from cadogan.engine.layout import at, column, joined
from cadogan.engine.parts import all_hold, cards_in, holds_cards, redeal, rest, set_out, shuffle
from cadogan.engine.relations import following, in_suit
from cadogan.engine.table import Table
from cadogan.engine.translatable_text import translatable

THE_V = ((1.1, 0.5), (2.2, 1.4), (3.3, 1.4), (4.4, 0.5))
APEX = ((9.3, 0), (8.6, 1.1), (10, 1.1))
THE_A = (*APEX, (7.6, 2.2), (8.75, 2.2), (9.85, 2.2), (11, 2.2), (6.9, 3.3), (11.7, 3.3))

stock, waste, foundation, aces, auxiliaries = lay_out(
    Group("stock", 1, "stock", at((8.75, 3.5))),
    Group("waste", 1, "waste", at((9.85, 3.5))),
    Group("foundation", 12, "foundation", joined((4, column(0, 0)), (4, at(*THE_V)), (4, column(5.5, 0)))),
    Group("aces", 1, "foundation", at((2.75, 2.7))),
    Group("auxiliaries", 9, "reserve", at(*THE_A)),
)
(redeals,) = counters(redeals=1)
next_below = in_suit & (following("KT98") | following("J765") | following("Q432"))


def turn(table: Table, target: int) -> None:
    """Turn the stock's top card for this pile; an ace goes to its packet."""
    ace = rank(table.piles[stock.start][-1]) == 1
    table.move(stock.start, aces.start if ace else target)


def fill(table: Table) -> None:
    """Fill each vacancy in the A from the stock or, when it is empty, from the waste."""
    for index in auxiliaries.vacancies(table):
        while table.piles[stock.start] and not table.piles[index]:
            turn(table, index)
        if not table.piles[index] and table.piles[waste.start]:
            table.move(waste.start, index)


GAME = Declaration(
    name="Margarethe",
    summary="Twelve court cards in an M are built down three cards each, from a helping letter A of nine cards.",
    also_known_as=("Margaret", "M and A"),
    groups=(stock, waste, foundation, aces, auxiliaries),
    counters=(redeals,),
    pack=pack(),
    deal=(set_out(foundation, "KS KH KD KC JS JH JD JC QS QH QD QC"), shuffle(), rest(stock), fill),
    routes=(Route((auxiliaries, waste), foundation, onto=next_below),),
    actions=(
        Action("deal", holds_cards(stock), lambda table: turn(table, waste.start)),
        redeal(waste, stock, redeals),
    ),
    automatic=(fill,),
    interchangeable=(Interchangeable(foundation), Interchangeable(auxiliaries)),
    in_brief={
        "foundation": (translatable("In suit: 10, 9, 8 on a king, 7, 6, 5 on a jack, 4, 3, 2 on a queen."),),
        "auxiliaries": (
            translatable("Nothing is laid here."),
            translatable("An empty place is filled by itself."),
        ),
    },
    score=cards_in(foundation, aces),
    maximum=52,
    won=lambda position: all_hold(foundation, 4)(position) and all_hold(aces, 4)(position),
)
