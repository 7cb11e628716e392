"""La Nivernaise: foundations up from aces and down from kings, fed by two Flanks and the six packets of the Line."""

from cadogan.engine.cards import ANY, DOWN, pack
from cadogan.engine.declaration import Action, Declaration, Group, Interchangeable, Route, counters, lay_out
from cadogan.engine.effects import REVERSED
from cadogan.engine.layout import at, column, grid, joined, row
from cadogan.engine.parts import (
    all_hold,
    any_left,
    base,
    cards_in,
    emptied,
    holds_cards,
    is_empty,
    packets,
    rest,
    rows,
    shuffle,
)
from cadogan.engine.relations import down, in_suit, up
from cadogan.engine.table import Table

stock, foundation, flanks, line = lay_out(
    Group("stock", 1, "stock", at((3.3, 2.75))),
    Group("foundation", 8, "foundation", joined((4, row(1.65, 0)), (4, row(1.65, 1.1)))),
    Group("flanks", 8, "reserve", joined((4, column(0, 0)), (4, column(6.6, 0)))),
    Group("line", 6, "reserve", row(0.55, 4.6), face_down=True),
)
(redeals,) = counters(redeals=1)
rising, falling = foundation[0:4], foundation[4:8]
higher, lower = in_suit & up, in_suit & down


def four_cards(table: Table, index: int) -> None:
    """Deal four cards of the stock on one packet, or as many as are left."""
    for _ in range(min(4, len(table.piles[stock.start]))):
        table.move(stock.start, index)


def deal(table: Table) -> None:
    """Deal four cards to each packet in turn, until the stock is empty."""
    for index in line:
        four_cards(table, index)


def deal_again(table: Table) -> None:
    """Gather the Line, so that the bottom of its first packet is dealt first, and deal at once."""
    table.redeal((*line, stock.start), (*[0] * len(line), line.size(table)), REVERSED)
    redeals.add(table, -1)
    deal(table)


def replace_packets(table: Table) -> None:
    """Deal a packet again that the move has emptied."""
    for index in emptied(table, line):
        four_cards(table, index)


def set_faces(table: Table) -> None:
    """Turn the top card of each packet face up, and one more for each vacancy in the Flanks."""
    shown = 1 + len(flanks.vacancies(table))
    for index in line:
        hidden = len(table.piles[index]) - shown
        for place, number in enumerate(table.piles[index]):
            if bool(number & DOWN) != (place < hidden):
                table.turn(index, place, up=place >= hidden)


GAME = Declaration(
    name="La Nivernaise",
    summary="Four aces go up and four kings come down, fed by two Flanks of single cards and six closed packets.",
    also_known_as=("Nivernaise", "Napoleon's Flank"),
    groups=(stock, foundation, flanks, line),
    counters=(redeals,),
    pack=pack(2),
    deal=(shuffle(), rows(flanks), packets(line, 4), rest(stock), set_faces),
    routes=(
        Route((flanks, line), rising, onto=higher, empty=base("A")),
        Route((flanks, line), falling, onto=lower, empty=base("K")),
        Route((line, stock), flanks, empty=ANY),
        Route(falling, rising, onto=higher, empty=base("A"), keep=1),
        Route(rising, falling, onto=lower, empty=base("K"), keep=1),
    ),
    actions=(
        Action("deal", holds_cards(stock), deal),
        Action("redeal", is_empty(stock) & holds_cards(line) & any_left(redeals), deal_again),
    ),
    automatic=(replace_packets, set_faces),
    interchangeable=(Interchangeable(flanks),),
    score=cards_in(foundation),
    maximum=104,
    won=all_hold(foundation, 13),
    tall={
        "stock": at((2.7, 2.7)),
        "foundation": grid(4, 1.08, 0, 1.08, 1.08),
        "flanks": joined((4, column(0, 0, 1.08)), (4, column(5.4, 0, 1.08))),
        "line": row(0, 4.5, 1.08),
    },
)
