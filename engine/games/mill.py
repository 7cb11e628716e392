"""The Mill: an ace in the middle is built up through four suits while four kings at the angles are built down."""

from cadogan.engine.cards import ANY, RANKS, card_set, of_rank, pack, rank
from cadogan.engine.declaration import PACK, Declaration, Group, Guard, Interchangeable, Route, counters, lay_out
from cadogan.engine.layout import at
from cadogan.engine.parts import all_hold, cards_in, deal_to, rest, rows, shuffle
from cadogan.engine.relations import down, up_around
from cadogan.engine.state import Position
from cadogan.engine.table import Table

centre, kings, sails, stock, waste = lay_out(
    Group("centre", 1, "foundation", at((4.6, 2.2))),
    Group("kings", 4, "foundation", at((3.2, 0.8), (6, 0.8), (3.2, 3.6), (6, 3.6))),
    Group(
        "sails",
        8,
        "reserve",
        at((4.6, 0), (4.6, 1.1), (2.4, 2.2), (3.5, 2.2), (5.7, 2.2), (6.8, 2.2), (4.6, 3.3), (4.6, 4.4)),
    ),
    Group("stock", 1, "stock", at((0, 0))),
    Group("waste", 1, "waste", at((1.2, 0))),
)
(transferred,) = counters(transferred=0)
NEXT_RANK = [0, *(of_rank(letter) for letter in RANKS[1:] + RANKS[0])]
"""By rank: the cards that can follow in the centre."""


def first_ace(table: Table) -> None:
    """Move the ace nearest the top of the pack to the centre."""
    in_hand = table.piles[PACK]
    place = max(place for place, number in enumerate(in_hand) if rank(number) == 1)
    table.redeal(
        (PACK, centre.start), (len(in_hand) - 1, 1), [*(at for at in range(len(in_hand)) if at != place), place]
    )


def settle(table: Table) -> None:
    """Move kings to open angles, and fill empty sails where there is no choice, until nothing is left to do."""
    while step := next_step(table):
        table.move(*step)


def next_step(table: Table) -> tuple[int, int] | None:
    """The next automatic move, as its source and target, or None."""
    piles = table.piles
    if angles := kings.vacancies(table):
        for source in (*sails, waste.start):
            if piles[source] and rank(piles[source][-1]) == 13:
                return source, angles[0]
    sources = [index for index in (stock.start, waste.start) if piles[index]]
    vacant = sails.vacancies(table)
    return (sources[0], vacant[0]) if vacant and len(sources) == 1 else None


def due(position: Position) -> bool:
    """Whether the player must choose where the card for an empty sail comes from."""
    piles = position.piles
    return bool(piles[stock.start] and piles[waste.start]) and not all(sails.of(position))


def lowest_vacancy(position: Position, index: int) -> int:
    """Any card for the empty sail with the lowest number, and none for the others."""
    return ANY if sails.vacancies(position)[:1] == [index] else 0


def followed(position: Position, index: int) -> bool:
    """Whether a card of a sail or the waste can follow the top card of this king packet in the centre."""
    wanted = NEXT_RANK[rank(position.piles[index][-1])]
    tops = [position.piles[source][-1] for source in (*sails, waste.start) if position.piles[source]]
    return bool(wanted & card_set(tops))


def play(table: Table, source: int, target: int) -> None:
    """Move a card to the centre from a sail or the waste."""
    table.move(source, target)
    transferred.put(table, 0)


def transfer(table: Table, source: int, target: int) -> None:
    """Move a card to the centre from a king packet."""
    table.move(source, target)
    transferred.put(table, 1)


DUE = Guard(due, "no sail is to be filled")
NOT_TWICE = Guard(lambda position: transferred.of(position) == 0, "a sail or the waste must feed the centre first")

GAME = Declaration(
    name="The Mill",
    summary="An ace in the middle rises through four families while four kings at the angles come down to aces.",
    also_known_as=("Windmill", "Propeller"),
    groups=(centre, kings, sails, stock, waste),
    counters=(transferred,),
    pack=pack(2),
    deal=(shuffle(), first_ace, rows(sails), rest(stock), settle),
    routes=(
        Route((waste, stock), sails, takes=lowest_vacancy, when=DUE, forced=True),
        Route((sails, waste), centre, onto=up_around, room=52, play=play),
        Route((sails, waste), kings, onto=down),
        Route(kings, centre, onto=up_around, room=52, keep=1, free=followed, when=NOT_TWICE, play=transfer),
    ),
    actions=(deal_to(waste, stock),),
    automatic=(settle,),
    interchangeable=(Interchangeable(kings), Interchangeable(sails)),
    score=cards_in(centre, kings),
    maximum=104,
    won=lambda position: all_hold(centre, 52)(position) and all_hold(kings, 13)(position),
    wide={
        "centre": at((2.2, 1.56)),
        "kings": at((0.9, 0.2), (3.5, 0.2), (0.9, 2.92), (3.5, 2.92)),
        "sails": at((2.2, 0), (2.2, 0.5), (0, 1.56), (1.1, 1.56), (3.3, 1.56), (4.4, 1.56), (2.2, 2.62), (2.2, 3.12)),
    },
)
