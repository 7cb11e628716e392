"""The Flower-Garden: six open beds of six cards and a Bouquet of sixteen held in the hand."""

from cadogan.engine.cards import EVERY, pack
from cadogan.engine.declaration import Declaration, Group, Interchangeable, Route, SafeHome, lay_out
from cadogan.engine.layout import DOWNWARDS, grid, row
from cadogan.engine.parts import all_hold, base, cards_in, packets, rows, shuffle
from cadogan.engine.relations import down, in_suit, up

foundation, garden, bouquet = lay_out(
    Group("foundation", 4, "foundation", row(1.1, 0)),
    Group("garden", 6, "tableau", row(0, 1.2), DOWNWARDS),
    Group("bouquet", 16, "reserve", grid(4, 7.2, 1.2)),
)

GAME = Declaration(
    name="The Flower-Garden",
    summary="Six open beds and a Bouquet of sixteen cards in the hand; everything is seen from the start.",
    also_known_as=("The Garden", "The Bouquet"),
    groups=(foundation, garden, bouquet),
    pack=pack(),
    deal=(shuffle(), packets(garden, 6), rows(bouquet)),
    routes=(
        Route((garden, bouquet), foundation, onto=in_suit & up, empty=base("A")),
        Route((garden, bouquet), garden, onto=down, empty=EVERY),
    ),
    interchangeable=(Interchangeable(garden), Interchangeable(bouquet)),
    safe_home=SafeHome(),
    score=cards_in(foundation),
    maximum=52,
    won=all_hold(foundation, 13),
)
