"""The Kings: two wings of four rows grow outwards from eight aces, and suits do not matter."""

from cadogan.engine.cards import EVERY, pack
from cadogan.engine.declaration import Declaration, Group, Interchangeable, Route, lay_out
from cadogan.engine.layout import DOWNWARDS, LEFTWARDS, RIGHTWARDS, Spread, at, column, grid, row
from cadogan.engine.parts import all_hold, cards_in, rest, set_out, shuffle
from cadogan.engine.relations import neighbour, up
from cadogan.engine.table import Table

stock, foundation, left, right = lay_out(
    Group("stock", 1, "stock", at((0, 4.8)), Spread(only_filled=True)),
    Group("foundation", 8, "foundation", grid(2, 6.7, 0, 1.1, 1.2)),
    Group("left", 4, "tableau", column(5.5, 0, 1.2), LEFTWARDS),
    Group("right", 4, "tableau", column(9, 0, 1.2), RIGHTWARDS),
)


def wings(table: Table) -> None:
    """Deal columns of four on the left and the right in turn, and play what fits the foundations of its row."""
    near, far = left, right
    while table.piles[stock.start]:
        for line in range(4):
            if table.piles[stock.start]:
                table.move(stock.start, near.start + line)
                settle(table, line, near.start + line, far.start + line)
        near, far = far, near


def settle(table: Table, line: int, newest: int, facing: int) -> None:
    """Play from the two ends of a line, the newest card first, and replace each card, until neither end fits."""
    aces = foundation[2 * line : 2 * line + 2]
    while table.piles[stock.start]:
        fitting = (
            (end, home)
            for end in (newest, facing)
            for home in aces
            if table.piles[end] and up(table.piles[end][-1], table.piles[home][-1])
        )
        played = next(fitting, None)
        if played is None:
            return
        table.move(*played)
        table.move(stock.start, played[0])
        if played[0] != newest:
            newest, facing = facing, newest


GAME = Declaration(
    name="The Kings",
    summary="Two wings of four rows grow outwards from eight aces; nothing need follow suit, and all is dealt out.",
    also_known_as=("Kings",),
    groups=(stock, foundation, left, right),
    pack=pack(2),
    deal=(set_out(foundation, "AS AS AH AH AD AD AC AC"), shuffle(), rest(stock), wings),
    routes=(
        Route((left, right), foundation, onto=up),
        Route((left, right), (left, right), onto=neighbour, empty=EVERY),
    ),
    interchangeable=(Interchangeable(foundation), Interchangeable(left), Interchangeable(right)),
    score=cards_in(foundation),
    maximum=104,
    won=all_hold(foundation, 13),
    tall={
        "foundation": grid(4, 0, 0, 1.08, 1.08),
        "stock": at((7.56, 0)),
        "left": (row(0, 2.24, 1.08), DOWNWARDS),
        "right": (row(4.32, 2.24, 1.08), DOWNWARDS),
    },
    wide={"foundation": grid(2, 6.1, 0, 1.08, 1.08), "left": column(5, 0, 1.08), "right": column(8.28, 0, 1.08)},
)
