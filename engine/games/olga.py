"""The Olga: seven columns with every other card face down, sixteen foundations, four piquet packs."""

from cadogan.engine.cards import EVERY, of_rank, pack
from cadogan.engine.declaration import PACK, Declaration, Group, Interchangeable, Route, lay_out
from cadogan.engine.layout import DOWNWARDS, at, grid, row
from cadogan.engine.parts import all_hold, cards_in, deal_to, rest, shuffle, turn_up
from cadogan.engine.relations import alternating, following, in_suit
from cadogan.engine.table import Table
from cadogan.engine.translatable_text import translatable

stock, waste, bed, foundation = lay_out(
    Group("stock", 1, "stock", at((9.3, 0))),
    Group("waste", 1, "waste", at((9.3, 1.1))),
    Group("bed", 7, "tableau", row(0.55, 2.4), DOWNWARDS),
    Group("foundation", 16, "foundation", grid(8, 0, 0)),
)
ORDER = "A789TJQK"


def beds(table: Table) -> None:
    """Deal seven rows of seven, face up and face down in turn."""
    for dealt in range(7):
        for index in bed:
            table.move(PACK, index)
            table.turn(index, up=dealt % 2 == 0)


GAME = Declaration(
    name="The Olga",
    summary="Seven beds with every other card face down feed sixteen foundations that run from ace over seven to king.",
    also_known_as=("Olga",),
    groups=(stock, waste, bed, foundation),
    pack=pack(4, ORDER),
    deal=(shuffle(), beds, rest(stock)),
    routes=(
        Route((bed, waste), foundation, onto=in_suit & following(ORDER), empty=of_rank("A")),
        Route((bed, waste), bed, onto=alternating & following(ORDER[::-1])),
        Route(bed, bed, empty=EVERY),
    ),
    actions=(deal_to(waste, stock),),
    automatic=(turn_up(bed),),
    interchangeable=(Interchangeable(bed), Interchangeable(foundation)),
    in_brief={
        "foundation": (translatable("Build up in suit; the seven follows the ace."),),
        "bed": (translatable("Build down in alternating colours; the ace follows the seven."),),
    },
    score=cards_in(foundation),
    maximum=128,
    won=all_hold(foundation, 8),
)
