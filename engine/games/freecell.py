"""FreeCell: everything lies open in eight columns, and four cells hold one card each."""

from cadogan.engine.cards import EVERY, pack
from cadogan.engine.declaration import PACK, WELL_KNOWN, Declaration, Group, Interchangeable, Route, lay_out
from cadogan.engine.layout import DOWNWARDS, row
from cadogan.engine.numbered_deals import put_in_order
from cadogan.engine.parts import all_show, base, cards_in, in_sequence, shuffle
from cadogan.engine.relations import alternating, down, in_suit, up
from cadogan.engine.state import Position
from cadogan.engine.table import Table
from cadogan.engine.translatable_text import translatable

foundation, cell, tableau = lay_out(
    Group("foundation", 4, "foundation", row(4.4, 0)),
    Group("cell", 4, "reserve", row(0, 0)),
    Group("tableau", 8, "tableau", row(0, 1.3), DOWNWARDS),
)
RUN = in_sequence(alternating & down)


def rows_of_eight(table: Table) -> None:
    """One card to each column in turn, until the pack is out."""
    for number in range(len(table.piles[PACK])):
        table.move(PACK, tableau.start + number % 8)


def room(position: Position, target: int) -> int:
    """How many cards can go there one by one over the empty cells and the other empty columns."""
    columns = len(tableau.vacancies(position)) - (not position.piles[target])
    return (len(cell.vacancies(position)) + 1) << columns


GAME = Declaration(
    name="FreeCell",
    summary="All cards lie open in eight columns, and four cells hold one card each. Nearly every deal can be won.",
    also_known_as=("Free Cell",),
    groups=(foundation, cell, tableau),
    pack=pack(),
    deal=(shuffle(), rows_of_eight),
    numbered=put_in_order,
    routes=(
        Route((tableau, cell), foundation, onto=in_suit & up, empty=base("A")),
        Route(tableau, cell, empty=EVERY),
        Route(cell, tableau, onto=alternating & down, empty=EVERY),
        Route(tableau, tableau, onto=alternating & down, up_to=RUN, most=room),
        Route(tableau, tableau, empty=EVERY, up_to=RUN, most=room, keep=1),
    ),
    interchangeable=(Interchangeable(cell), Interchangeable(tableau)),
    in_brief={
        "cell": (translatable("A cell holds one card."),),
        "tableau": (translatable("Several cards go together if they could go one by one over empty places."),),
    },
    score=cards_in(foundation),
    maximum=52,
    won=all_show(foundation, "K"),
    shelf=WELL_KNOWN,
)
