"""Yukon: Klondike without a stock, where any face-up card moves with everything that lies on it."""

from cadogan.engine.buried import buried
from cadogan.engine.cards import of_rank, pack
from cadogan.engine.declaration import PACK, WELL_KNOWN, Declaration, Group, Interchangeable, Route, lay_out
from cadogan.engine.games import klondike
from cadogan.engine.layout import DOWNWARDS, row
from cadogan.engine.parts import all_show, base, cards_in, face_up, shuffle, turn_up
from cadogan.engine.relations import alternating, down, in_suit, up
from cadogan.engine.table import Table
from cadogan.engine.translatable_text import translatable

foundation, tableau = lay_out(
    Group("foundation", 4, "foundation", row(3.3, 0)),
    Group("tableau", 7, "tableau", row(0, 1.3), DOWNWARDS),
)


def four_rows(table: Table) -> None:
    """The other 24 cards face up, one to each column but the first, four times."""
    for _ in range(4):
        for index in tableau[1:]:
            table.move(PACK, index)


GAME = Declaration(
    name="Yukon",
    summary="Seven columns without a stock: any face-up card moves, with all the cards on it.",
    also_known_as=("Yukon Solitaire",),
    groups=(foundation, tableau),
    pack=pack(),
    deal=(shuffle(), klondike.columns, four_rows),
    routes=(
        Route(tableau, foundation, onto=in_suit & up, empty=base("A")),
        Route(tableau, tableau, onto=alternating & down, up_to=face_up),
        Route(tableau, tableau, empty=of_rank("K"), up_to=face_up, keep=1),
    ),
    automatic=(turn_up(tableau),),
    interchangeable=(Interchangeable(tableau),),
    hopeless=buried(foundation, tableau, onto=alternating & down, empty=of_rank("K")),
    in_brief={"tableau": (translatable("A face-up card moves with all the cards on it, in whatever order they lie."),)},
    score=cards_in(foundation),
    maximum=52,
    won=all_show(foundation, "K"),
    shelf=WELL_KNOWN,
)
