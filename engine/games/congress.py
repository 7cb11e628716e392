"""The Congress: rows of eight grow down as rivers; help packets are built down and aces are built up to kings."""

from cadogan.engine.cards import ANY, EVERY, pack
from cadogan.engine.declaration import Action, Declaration, Group, Guard, Interchangeable, Route, counters, lay_out
from cadogan.engine.layout import DOWNWARDS, at, row
from cadogan.engine.parts import all_show, cards_in, deal_row, holds_cards, is_empty, rest, rows, set_out, shuffle
from cadogan.engine.relations import down, in_suit, up
from cadogan.engine.state import Position
from cadogan.engine.table import Table

foundation, aids, rivers, stock = lay_out(
    Group("foundation", 8, "foundation", lambda number: (9.4 + 1.1 * (number // 4), 1.1 * (number % 4))),
    Group("aids", 8, "tableau", row(0, 5.2), DOWNWARDS),
    Group("rivers", 8, "reserve", row(0, 0), DOWNWARDS),
    Group("stock", 1, "stock", at((9.95, 5.2))),
)
(dealt,) = counters(rows=1)
helps = aids[0:4]


def shortest(position: Position) -> int:
    """The number of cards in the shortest river."""
    return min(map(len, rivers.of(position)))


def vacant(position: Position, index: int) -> int:
    """A river takes any card while it holds fewer than the rows dealt and no other is shorter."""
    length = len(position.piles[index])
    return ANY if length < dealt.of(position) and length == shortest(position) else 0


def complete(position: Position) -> bool:
    """Whether no river is vacant and none of the first four help places is empty."""
    return shortest(position) >= dealt.of(position) and all(position.piles[index] for index in helps)


def deal(table: Table) -> None:
    """Deal the next row, until the stock is empty."""
    deal_row(rivers, stock)(table)
    dealt.add(table, 1)


GAME = Declaration(
    name="The Congress",
    summary="Rows of eight flow down as rivers, helping packets marry downwards, and eight aces climb to kings.",
    groups=(foundation, aids, rivers, stock),
    counters=(dealt,),
    pack=pack(2),
    deal=(
        set_out(foundation, "AS AH AD AC AS AH AD AC"),
        shuffle(),
        rows(helps),
        rows(rivers),
        rest(stock),
    ),
    routes=(
        Route((rivers, aids), foundation, onto=in_suit & up),
        Route((rivers, aids), aids, onto=in_suit & down),
        Route(stock, helps, empty=ANY),
        Route(stock, rivers, takes=vacant, when=holds_cards(stock)),
        Route(rivers, aids, empty=EVERY, when=is_empty(stock)),
    ),
    actions=(Action("deal", holds_cards(stock) & Guard(complete, "a vacancy must be filled first"), deal),),
    interchangeable=(
        Interchangeable(foundation),
        Interchangeable(aids, is_empty(stock)),
        Interchangeable(rivers, is_empty(stock)),
    ),
    score=cards_in(foundation),
    maximum=104,
    won=all_show(foundation, "K"),
)
