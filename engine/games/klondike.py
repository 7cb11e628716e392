"""Canfield or Klondike: seven growing columns, one pass, five counters a card."""

from cadogan.engine.buried import buried
from cadogan.engine.cards import DOWN, of_rank, pack
from cadogan.engine.declaration import PACK, Declaration, Group, Interchangeable, Route, lay_out
from cadogan.engine.layout import DOWNWARDS, at, row
from cadogan.engine.parts import all_show, base, cards_in, deal_to, face_up, rest, shuffle, turn_up
from cadogan.engine.relations import alternating, down, in_suit, up
from cadogan.engine.state import Position
from cadogan.engine.table import Table
from cadogan.engine.translatable_text import translatable

foundation, tableau, waste, stock = lay_out(
    Group("foundation", 4, "foundation", row(3.3, 0)),
    Group("tableau", 7, "tableau", row(0, 1.3), DOWNWARDS),
    Group("waste", 1, "waste", at((1.1, 0))),
    Group("stock", 1, "stock", at((0, 0))),
)
KINGS = of_rank("K")


def columns(table: Table) -> None:
    """Row r: one card face up on column r, one face down on each column after it."""
    for first in range(len(tableau)):
        for index in tableau[first:]:
            table.move(PACK, index)
            table.turn(index, up=index == tableau.start + first)


def covers(position: Position, index: int) -> bool:
    """Whether a column has face-down cards left."""
    return bool(position.piles[index][0] & DOWN)


GAME = Declaration(
    name="Canfield or Klondike",
    summary="Seven growing columns, red on black and black on red, and one pass through the pack, played for counters.",
    also_known_as=("Klondike", "Canfield", "Casino Klondike"),
    groups=(foundation, tableau, waste, stock),
    pack=pack(),
    deal=(shuffle(), columns, rest(stock)),
    routes=(
        Route((tableau, waste), foundation, onto=in_suit & up, empty=base("A")),
        Route(waste, tableau, onto=alternating & down, empty=KINGS),
        Route(tableau, tableau, onto=alternating & down, cards=face_up),
        Route(tableau, tableau, empty=KINGS, cards=face_up, free=covers),
    ),
    actions=(deal_to(waste, stock),),
    automatic=(turn_up(tableau),),
    interchangeable=(Interchangeable(tableau),),
    hopeless=buried(
        foundation,
        tableau,
        onto=alternating & down,
        empty=KINGS,
        whole_piles=True,
        open_piles=(stock,),
        stacks=(waste,),
    ),
    in_brief={"tableau": (translatable("The face-up cards of a column go to another column all together."),)},
    score=lambda position: 5 * cards_in(foundation)(position) - 52,
    maximum=208,
    won=all_show(foundation, "K"),
)
