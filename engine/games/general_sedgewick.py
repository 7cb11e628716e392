"""General Sedgewick: a cross of five packets feeds four corners that begin with the rank of the sixth card."""

from cadogan.engine.cards import EVERY, RANKS, of_rank, pack, rank
from cadogan.engine.declaration import PACK, Declaration, Group, Interchangeable, Route, lay_out
from cadogan.engine.layout import at
from cadogan.engine.parts import all_hold, cards_in, deal_to, is_empty, rest, rows, shuffle
from cadogan.engine.relations import down_around, in_suit, up_around
from cadogan.engine.state import Position
from cadogan.engine.translatable_text import translatable

stock, waste, foundation, cross = lay_out(
    Group("stock", 1, "stock", at((4, 0.6))),
    Group("waste", 1, "waste", at((4, 1.8))),
    Group("foundation", 4, "foundation", at((0, 0), (2.4, 0), (0, 2.4), (2.4, 2.4))),
    Group("cross", 5, "tableau", at((1.2, 0), (0, 1.2), (1.2, 1.2), (2.4, 1.2), (1.2, 2.4))),
)
BASES = [of_rank(letter) for letter in RANKS]
rising = (in_suit & up_around).table


def takes(position: Position, index: int) -> int:
    """The next higher card of the suit; an empty corner takes the rank that the first one began with."""
    pile, first = position.piles[index], position.piles[foundation.start]
    if pile:
        return rising[pile[-1]]
    return BASES[rank(first[0]) - 1] if first else 0


GAME = Declaration(
    name="General Sedgewick",
    summary="A cross of five packets built down regardless of suit feeds four corners; the sixth card sets their rank.",
    also_known_as=("Four Seasons", "Corner Card", "Vanishing Cross", "Czarina"),
    groups=(stock, waste, foundation, cross),
    pack=pack(),
    deal=(shuffle(), rows(cross), lambda table: table.move(PACK, foundation.start), rest(stock)),
    routes=(
        Route((cross, waste), foundation, takes=takes, room=13),
        Route((cross, waste), cross, onto=down_around),
        Route(waste, cross, empty=EVERY),
        Route(cross, cross, empty=EVERY, when=is_empty(stock, waste)),
    ),
    actions=(deal_to(waste, stock),),
    interchangeable=(Interchangeable(cross),),
    in_brief={
        "foundation": (
            translatable("Every corner begins with the rank of the first one."),
            translatable("Build up in suit; the ace follows the king."),
        ),
    },
    score=cards_in(foundation),
    maximum=52,
    won=all_hold(foundation, 13),
)
