"""The Fish-Bone: jacks are built down to aces along a spine, with kings and queens beside it; a gridiron helps."""

from cadogan.engine.cards import ANY, EVERY, of_rank, of_suit, pack, suit
from cadogan.engine.declaration import Declaration, Group, Interchangeable, Route, counters, lay_out
from cadogan.engine.layout import DOWNWARDS, at, column, grid, row
from cadogan.engine.parts import all_hold, all_show, cards_in, deal_to, redeal, rest, rows, shuffle
from cadogan.engine.relations import down, in_suit, up
from cadogan.engine.state import Position
from cadogan.engine.translatable_text import translatable

foundation, kings, queens, gridiron, waste, stock = lay_out(
    Group("foundation", 8, "foundation", column(5.5, 0, 1.05)),
    Group("kings", 8, "foundation", column(4.4, 0, 1.05)),
    Group("queens", 8, "foundation", column(6.6, 0, 1.05)),
    Group("gridiron", 6, "tableau", grid(3, 0, 1.3, 1.3, 3.3), DOWNWARDS),
    Group("waste", 1, "waste", at((1.1, 0))),
    Group("stock", 1, "stock", at((0, 0))),
)
BONE = ("kings", "foundation", "queens")
(redeals,) = counters(redeals=1)
JACKS = of_rank("J")
COURT = {
    group.start: [of_rank(letter) & of_suit(number) for number in range(4)]
    for group, letter in ((kings, "K"), (queens, "Q"))
}
falling = (in_suit & down).table


def spine(position: Position, index: int) -> int:
    """The next lower card, or a jack at the first empty place."""
    pile = position.piles[index]
    if pile:
        return falling[pile[-1]]
    return JACKS if all(position.piles[foundation.start : index]) else 0


def beside(position: Position, index: int) -> int:
    """The king or queen of the suit that the spine shows beside it."""
    start = kings.start if index < queens.start else queens.start
    jack = position.piles[foundation.start + index - start]
    return COURT[start][suit(jack[-1])] if jack else 0


end_with_aces = all_show(foundation, "A")
courts_full = all_hold(kings, 1), all_hold(queens, 1)

GAME = Declaration(
    name="The Fish-Bone",
    summary="Jacks descend to aces down the spine of a fish, their kings and queens on either side.",
    groups=(foundation, kings, queens, gridiron, waste, stock),
    counters=(redeals,),
    pack=pack(2),
    deal=(shuffle(), rows(gridiron), rest(stock)),
    routes=(
        Route((gridiron, waste), foundation, takes=spine),
        Route((gridiron, waste), (kings, queens), takes=beside, room=1),
        Route(waste, gridiron, onto=in_suit & up, empty=EVERY),
        Route(stock, gridiron, empty=ANY),
    ),
    actions=(deal_to(waste, stock), redeal(waste, stock, redeals)),
    interchangeable=(Interchangeable(gridiron),),
    in_brief={
        "foundation": (
            translatable("Lay the jacks here."),
            translatable("Build down in suit."),
        ),
        "kings": (translatable("Lay one beside each jack of the same suit."),),
        "queens": (translatable("Lay one beside each jack of the same suit."),),
    },
    score=cards_in(foundation, kings, queens),
    maximum=104,
    won=lambda position: end_with_aces(position) and all(full(position) for full in courts_full),
    tall={name: column(1.08 * number, 0, 1.08) for number, name in enumerate(BONE)},
    wide={name: row(0, 1.08 * number, 1.08) for number, name in enumerate(BONE)},
)
