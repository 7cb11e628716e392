"""Golf: seven open columns are played off one by one, up or down in rank, on the card last turned."""

from cadogan.engine.cards import pack, rank
from cadogan.engine.declaration import WELL_KNOWN, Declaration, Forgotten, Group, Interchangeable, Route, lay_out
from cadogan.engine.layout import DOWNWARDS, at, row
from cadogan.engine.parts import deal_to, is_empty, rest, rows, shuffle
from cadogan.engine.relations import neighbour
from cadogan.engine.state import Position
from cadogan.engine.translatable_text import translatable

column, waste, stock = lay_out(
    Group("column", 7, "reserve", row(0, 0), DOWNWARDS),
    Group("waste", 1, "waste", at((3.3, 2.6))),
    Group("stock", 1, "stock", at((2.2, 2.6))),
)


def top_rank(position: Position) -> int:
    """The rank of the waste's top card, which is all that bears upon play."""
    pile = position.piles[waste.start]
    return rank(pile[-1]) if pile else 0


def has_too_few_neighbours(position: Position) -> bool:
    """Whether the cards of the columns can never all be played.

    Each is laid on a card of a neighbouring rank, and no two on the same one: on the waste's top card, on one of the
    stock, or on another of the columns. From the ace upwards, each rank takes what is left of the rank below it, which
    no later rank can use, and the rest from the rank above: if that fails, every other choice fails too.
    """
    ranks = [rank(card) for pile in column.of(position) for card in pile]
    offered = [*ranks, *[rank(card) for card in position.piles[stock.start]], top_rank(position)]
    taken_below, taken = 0, 0
    for number in range(1, 14):
        missing = max(0, ranks.count(number) - (offered.count(number - 1) - taken_below))
        if missing > offered.count(number + 1):
            return True
        taken_below, taken = taken, missing
    return False


GAME = Declaration(
    name="Golf",
    summary="Seven open columns are played off one by one, up or down in rank, on the card last turned.",
    also_known_as=("Golf Solitaire",),
    groups=(column, waste, stock),
    pack=pack(),
    deal=(shuffle(), rows(column, 5), rows(waste), rest(stock)),
    routes=(Route(column, waste, onto=neighbour),),
    actions=(deal_to(waste, stock),),
    interchangeable=(Interchangeable(column),),
    forgotten=(Forgotten(waste, but=top_rank),),
    hopeless=has_too_few_neighbours,
    in_brief={
        "waste": (translatable("Play a card that is one rank higher or lower; ace and king are no neighbours."),)
    },
    score=lambda position: 35 - column.size(position),
    maximum=35,
    won=is_empty(column),
    home=lambda position: 35 - column.size(position),
    shelf=WELL_KNOWN,
)
