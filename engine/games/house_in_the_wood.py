"""House in the Wood: La Belle Lucie with two packs, thirty-five fans and two foundations to a suit."""

from dataclasses import replace

from cadogan.engine.cards import pack
from cadogan.engine.declaration import Group, Interchangeable, Route, lay_out
from cadogan.engine.games.la_belle_lucie import GAME as LA_BELLE_LUCIE
from cadogan.engine.games.la_belle_lucie import redeal_in_threes, redeals
from cadogan.engine.layout import RIGHTWARDS, grid, row
from cadogan.engine.parts import all_hold, base, cards_in, none_left, packets, shuffle
from cadogan.engine.relations import down, in_suit, up

foundation, tableau = lay_out(
    Group("foundation", 8, "foundation", row(3.3, 0)),
    Group("tableau", 35, "tableau", grid(7, 0, 1.3, 2.2, 1.2), RIGHTWARDS),
)

GAME = replace(
    LA_BELLE_LUCIE,
    name="House in the Wood",
    summary="La Belle Lucie with two packs: thirty-five fans, and eight foundations up from the ace.",
    also_known_as=(),
    groups=(foundation, tableau),
    pack=pack(2),
    deal=(shuffle(), packets(tableau, [3] * 34 + [2])),
    routes=(
        Route(tableau, foundation, onto=in_suit & up, empty=base("A")),
        Route(tableau, tableau, onto=in_suit & down),
    ),
    actions=(redeal_in_threes(tableau, redeals),),
    interchangeable=(Interchangeable(tableau, none_left(redeals)),),
    score=cards_in(foundation),
    maximum=104,
    won=all_hold(foundation, 13),
)
