"""Spider, four suits: ten columns of two packs, from which every run from king to ace is lifted off."""

from cadogan.engine.cards import BIT, DOWN, EVERY, of_rank, pack
from cadogan.engine.declaration import (
    PACK,
    WELL_KNOWN,
    Action,
    Declaration,
    Group,
    Guard,
    Interchangeable,
    Route,
    lay_out,
)
from cadogan.engine.layout import DOWNWARDS, at, row
from cadogan.engine.parts import cards_in, deal_row, holds_cards, in_sequence, rest, shuffle
from cadogan.engine.relations import down, in_suit
from cadogan.engine.state import Position
from cadogan.engine.table import Table
from cadogan.engine.translatable_text import translatable

foundation, tableau, stock = lay_out(
    Group("foundation", 8, "foundation", row(2.2, 0)),
    Group("tableau", 10, "tableau", row(0, 1.3), DOWNWARDS),
    Group("stock", 1, "stock", at((0, 0))),
)
RUN = in_sequence(in_suit & down)
KINGS = of_rank("K")


def columns(table: Table) -> None:
    """54 cards face down, row by row; then the top card of each column is turned up."""
    for number in range(54):
        index = tableau.start + number % 10
        table.move(PACK, index)
        table.turn(index, up=number >= 44)


def lift_runs(table: Table) -> None:
    """Lift each finished run to the first empty foundation, and turn up the card that is left on top."""
    for index in tableau:
        pile = table.piles[index]
        if RUN(pile) >= 13 and BIT[pile[-13]] & KINGS:
            table.move(index, foundation.vacancies(table)[0], 13)
        pile = table.piles[index]
        if pile and pile[-1] & DOWN:
            table.turn(index)


def is_filled(position: Position) -> bool:
    """Whether no column is empty, or too few cards are left to fill them all."""
    return not tableau.vacancies(position) or tableau.size(position) < len(tableau)


GAME = Declaration(
    name="Spider, four suits",
    summary="Ten columns of two packs: build down, move runs of one suit, and lift every run from king to ace.",
    also_known_as=("Spider", "Spider Solitaire"),
    groups=(foundation, tableau, stock),
    pack=pack(2),
    deal=(shuffle(), columns, rest(stock)),
    routes=(
        Route(tableau, tableau, onto=down, up_to=RUN),
        Route(tableau, tableau, empty=EVERY, up_to=RUN, keep=1),
    ),
    actions=(Action("deal", holds_cards(stock) & Guard(is_filled, "a column is empty"), deal_row(tableau, stock)),),
    automatic=(lift_runs,),
    interchangeable=(
        Interchangeable(tableau, Guard(lambda position: not position.piles[stock.start], "cards are left")),
    ),
    in_brief={
        "foundation": (translatable("A run of one suit from king to ace comes here by itself."),),
        "tableau": (translatable("Cards of one suit in sequence go together."),),
        "stock": (translatable("Each column gets a card. No column may be empty."),),
    },
    score=cards_in(foundation),
    maximum=104,
    won=lambda position: foundation.size(position) == 104,
    shelf=WELL_KNOWN,
)
