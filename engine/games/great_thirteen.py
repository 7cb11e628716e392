"""The Great Thirteen: eight balcony cards count up in steps of their value, less thirteen, until each shows a king."""

from cadogan.engine.cards import RANKS, of_rank, pack, rank
from cadogan.engine.declaration import Action, Declaration, Group, Guard, Route, counters, lay_out
from cadogan.engine.layout import DOWNWARDS, grid, row
from cadogan.engine.parts import all_hold, cards_in, packets, shuffle
from cadogan.engine.state import Position
from cadogan.engine.table import Table
from cadogan.engine.translatable_text import translatable

balcony, numbers, ground = lay_out(
    Group("balcony", 8, "foundation", row(0, 0)),
    Group("numbers", 8, "foundation", row(0, 1.2)),
    Group("ground", 8, "tableau", row(0, 2.6), DOWNWARDS),
)
(following,) = counters(next=0)
WANTED = [[of_rank(RANKS[((n + 2) * value - 1) % 13]) for n in range(12)] + [0] for value in range(14)]
"""What is laid next on n numbers, by the value of the balcony card."""


def kings_beneath(table: Table) -> None:
    """Put a king on top of a packet beneath it."""
    for index in ground:
        while rank(table.piles[index][-1]) == 13:
            last = len(table.piles[index]) - 1
            table.redeal((index,), (last + 1,), (last, *range(last)))


def to_balcony(table: Table) -> None:
    """Move the top card of each packet to the balcony."""
    for source, target in zip(ground, balcony, strict=True):
        table.move(source, target)


def wanted(position: Position, index: int) -> int:
    """The cards that this number pile wants, also if another pile wants them."""
    above = position.piles[index - len(balcony)]
    return WANTED[rank(above[-1])][min(len(position.piles[index]), 12)] if above else 0


def gap(position: Position, index: int) -> int:
    """The cards that may begin this number pile."""
    return 0 if position.piles[index] else wanted(position, index)


def addition(position: Position, index: int) -> int:
    """The cards that may go on a number pile that is begun: none that would fill a gap as well."""
    if not position.piles[index]:
        return 0
    gaps = 0
    for other in numbers:
        if not position.piles[other]:
            gaps |= wanted(position, other)
    return wanted(position, index) & ~gaps


def packet(position: Position) -> int | None:
    """The packet to be dealt out next."""
    return next((index for index in ground[following.of(position) :] if position.piles[index]), None)


def deal_round(table: Table) -> None:
    """Deal a packet from its bottom, one card to each place in turn, until it is empty."""
    source = packet(table)
    assert source is not None
    following.put(table, source - ground.start + 1)
    for count in range(len(table.piles[source]), 0, -1):
        target = source + 1 if source + 1 < ground.stop else ground.start
        table.move(source, target, count)
        source = target


GAME = Declaration(
    name="The Great Thirteen",
    summary="Eight cards count up by their own value, less thirteens, until every packet of numbers ends on a king.",
    also_known_as=("Great Thirteen",),
    groups=(balcony, numbers, ground),
    counters=(following,),
    pack=pack(2),
    deal=(shuffle(), packets(ground, 13), kings_beneath, to_balcony),
    routes=(Route(ground, numbers, takes=gap), Route(ground, numbers, takes=addition)),
    actions=(
        Action(
            "redeal", Guard(lambda position: packet(position) is not None, "every place has had its turn"), deal_round
        ),
    ),
    in_brief={
        "numbers": (
            translatable(
                "The next number is the last one plus the balcony card, less thirteen if it is more than thirteen."
            ),
            translatable("An empty place that wants a card comes first."),
        ),
        "ground": (translatable("Only the top card can move, and only to the numbers."),),
        "": (translatable("When no card fits, deal out the next packet."),),
    },
    score=cards_in(numbers),
    maximum=96,
    won=all_hold(numbers, 12),
    home=cards_in(numbers),
    wide={
        "balcony": grid(4, 0, 0, 1.08, 1.08),
        "numbers": grid(4, 0, 2.2, 1.08, 1.08),
        "ground": row(4.42, 0, 1.08),
    },
)
