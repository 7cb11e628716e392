"""House on the Hill: the two-pack fans with four foundations up, four down, and marriages both ways."""

from dataclasses import replace

from cadogan.engine.declaration import Group, Route, lay_out
from cadogan.engine.games.house_in_the_wood import GAME as HOUSE_IN_THE_WOOD
from cadogan.engine.layout import RIGHTWARDS, grid, joined, row
from cadogan.engine.parts import base
from cadogan.engine.relations import down, in_suit, neighbour, up

foundation, tableau = lay_out(
    Group("foundation", 8, "foundation", joined((4, row(2.7, 0)), (4, row(7.9, 0)))),
    Group("tableau", 35, "tableau", grid(7, 0, 1.3, 2.2, 1.2), RIGHTWARDS),
)

GAME = replace(
    HOUSE_IN_THE_WOOD,
    name="House on the Hill",
    summary="Thirty-five fans, built up or down in suit, feed four foundations from the ace and four from the king.",
    groups=(foundation, tableau),
    routes=(
        Route(tableau, foundation[0:4], onto=in_suit & up, empty=base("A")),
        Route(tableau, foundation[4:8], onto=in_suit & down, empty=base("K")),
        Route(tableau, tableau, onto=in_suit & neighbour),
    ),
    safe_home=None,
)
