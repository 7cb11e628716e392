"""Fortress: the whole pack in two walls of five rows, open only at the outer ends."""

from cadogan.engine.cards import EVERY, pack
from cadogan.engine.declaration import PACK, Declaration, Group, Interchangeable, Route, lay_out
from cadogan.engine.layout import LEFTWARDS, RIGHTWARDS, column, grid
from cadogan.engine.parts import all_hold, base, cards_in, shuffle
from cadogan.engine.relations import in_suit, neighbour, up
from cadogan.engine.table import Table

foundation, left, right = lay_out(
    Group("foundation", 4, "foundation", column(6.5, 0.55)),
    Group("left", 5, "tableau", column(5, 0), LEFTWARDS),
    Group("right", 5, "tableau", column(8, 0), RIGHTWARDS),
)


def walls(table: Table) -> None:
    """Deal row by row, straight across: on the left the first card dealt is outermost, on the right the last."""
    for number, (inward, outward) in enumerate(zip(left, right, strict=True)):
        length = 5 if number else 6
        table.move(PACK, inward, length)
        for _ in range(length):
            table.move(PACK, outward)


GAME = Declaration(
    name="Fortress",
    summary="The whole pack in two walls of five rows with only the outer ends open; aces rise between them.",
    groups=(foundation, left, right),
    pack=pack(),
    deal=(shuffle(), walls),
    routes=(
        Route((left, right), foundation, onto=in_suit & up, empty=base("A")),
        Route((left, right), (left, right), onto=in_suit & neighbour),
        Route((left, right), (left, right), empty=EVERY, keep=1),
    ),
    interchangeable=(Interchangeable(left), Interchangeable(right)),
    score=cards_in(foundation),
    maximum=52,
    won=all_hold(foundation, 13),
    tall={"left": column(2.2, 0, 1.08), "right": column(3.32, 0, 1.08)},
    wide={
        "foundation": grid(2, 6.65, 0.54, 1.08, 1.08),
        "left": grid(2, 2.2, 0, 3.3, 1.08),
        "right": grid(2, 8.9, 0, 3.3, 1.08),
    },
)
