"""Terrace: the player picks the base rank out of three cards, then digs thirteen Terrace cards out from one end."""

from cadogan.engine.cards import EVERY, RANKS, of_rank, pack, rank
from cadogan.engine.declaration import Declaration, Group, Interchangeable, Route, lay_out
from cadogan.engine.layout import DOWNWARDS, RIGHTWARDS, Spread, at, row
from cadogan.engine.parts import all_hold, cards_in, deal_to, is_empty, packets, refill, rest, rows, shuffle
from cadogan.engine.relations import alternating, down_around, up_around
from cadogan.engine.state import Position
from cadogan.engine.table import Table
from cadogan.engine.translatable_text import translatable

stock, waste, terrace, offer, foundation, valley = lay_out(
    Group("stock", 1, "stock", at((10.2, 0))),
    Group("waste", 1, "waste", at((10.2, 1.2))),
    Group("terrace", 1, "reserve", at((0, 0)), RIGHTWARDS.by(0.6)),
    Group("offer", 3, "reserve", row(0, 3.6), Spread(only_filled=True)),
    Group("foundation", 8, "foundation", row(0, 1.2)),
    Group("valley", 9, "tableau", row(0, 2.4), DOWNWARDS),
)
BASES = [of_rank(letter) for letter in RANKS]
ascending = alternating & up_around


def takes(position: Position, index: int) -> int:
    """What fits a foundation; an empty one takes the rank of the first foundation's bottom card, once it is chosen."""
    pile, first = position.piles[index], position.piles[foundation.start]
    if pile:
        return ascending.table[pile[-1]]
    return BASES[rank(first[0]) - 1] if first else 0


def choose(table: Table, source: int, target: int) -> None:
    """Make the chosen card the first base; the two others begin the valley, which the stock fills."""
    table.move(source, target)
    for index, place in zip(offer.filled(table), valley, strict=False):
        table.move(index, place)


GAME = Declaration(
    name="Terrace",
    summary="Choose one of three cards as the foundations' rank, then dig thirteen Terrace cards out from one end.",
    also_known_as=("The Terrace", "Queen of Italy", "Signora"),
    groups=(stock, waste, terrace, offer, foundation, valley),
    pack=pack(2),
    deal=(shuffle(), packets(terrace, 13), rows(offer), rest(stock)),
    routes=(
        Route(offer, foundation[0], empty=EVERY, forced=True, play=choose),
        Route((terrace, valley, waste), foundation, takes=takes, room=13),
        Route((valley, waste), valley, onto=alternating & down_around),
        Route(valley, valley, empty=EVERY, when=is_empty(stock, waste)),
    ),
    actions=(deal_to(waste, stock),),
    automatic=(refill(valley, stock, waste),),
    interchangeable=(Interchangeable(valley),),
    in_brief={
        "terrace": (translatable("Only the last card can move, and only to the foundations."),),
        "foundation": (
            translatable("Begin with the rank of the card that you choose."),
            translatable("Build up in alternating colours; the ace follows the king."),
        ),
    },
    score=cards_in(foundation),
    maximum=104,
    won=all_hold(foundation, 13),
)
