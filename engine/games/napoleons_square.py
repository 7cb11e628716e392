"""Napoleon's Square: twelve open packets on three sides of a square, and one king that may slip under his packet."""

from collections.abc import Iterator

from cadogan.engine.cards import EVERY, pack, rank, suit
from cadogan.engine.declaration import Declaration, Group, Interchangeable, Route, Special, counters, lay_out
from cadogan.engine.layout import LEFTWARDS, RIGHTWARDS, UPWARDS, Place, Spread, at, column, grid, joined, row
from cadogan.engine.parts import all_hold, base, cards_in, deal_to, packets, rest, shuffle
from cadogan.engine.relations import down, in_suit, up
from cadogan.engine.state import Pile, Position
from cadogan.engine.table import Table


def sides(number: int) -> Spread:
    """The spread of each side of the square, outwards."""
    return (LEFTWARDS, UPWARDS, RIGHTWARDS)[number // 4]


def inside(number: int) -> Place:
    """Place the foundations in two rows, those of one suit below each other."""
    return 4.1 + 1.1 * (number // 2), 3.9 + 1.1 * (number % 2)


stock, waste, foundation, square = lay_out(
    Group("stock", 1, "stock", at((5.2, 7.1))),
    Group("waste", 1, "waste", at((6.3, 7.1))),
    Group("foundation", 8, "foundation", inside),
    Group("square", 12, "tableau", joined((4, column(3, 6.4, -1.1)), (4, row(4.1, 2)), (4, column(8.5, 3.1))), sides),
)
(graces,) = counters(graces=1)


def blocking(pile: Pile) -> list[int]:
    """The places of the kings with a lower card of their own suit anywhere beneath them."""
    return [
        place
        for place, king in enumerate(pile)
        if rank(king) == 13 and any(suit(card) == suit(king) and rank(card) < 13 for card in pile[:place])
    ]


def slipping(position: Position) -> list[tuple[int, int]]:
    """The packets from which a king may slip, each with the places of its blocking kings of a locked suit."""
    kings = [(index, place) for index in square for place in blocking(position.piles[index])]
    suits = [suit(position.piles[index][place]) for index, place in kings]
    return [king for king, its_suit in zip(kings, suits, strict=True) if suits.count(its_suit) == 2]


def slips(position: Position) -> Iterator[tuple[int, ...]]:
    """The king that may slip, before any other move of the game."""
    packets_of_kings = {index for index, _ in (slipping(position) if graces.of(position) else [])}
    return ((index,) for index in square if index in packets_of_kings)


def slip(table: Table, piles: tuple[int, ...]) -> None:
    """Put the uppermost such king of the packet at its bottom; the other cards keep their order."""
    (packet,) = piles
    king = max(place for index, place in slipping(table) if index == packet)
    places = range(len(table.piles[packet]))
    table.redeal((packet,), (len(places),), (king, *(place for place in places if place != king)))


GAME = Declaration(
    name="Napoleon's Square",
    summary="Twelve open packets on three sides of a square are built down in suit and feed eight aces, in one pass.",
    groups=(stock, waste, foundation, square),
    counters=(graces,),
    pack=pack(2),
    deal=(shuffle(), packets(square, 4), rest(stock)),
    routes=(
        Route((square, waste), foundation, onto=in_suit & up, empty=base("A", "SSHHDDCC")),
        Route((square, waste), square, onto=in_suit & down),
        Route(waste, square, empty=EVERY),
    ),
    specials=(Special("slip", slips, slip),),
    actions=(deal_to(waste, stock),),
    automatic=(lambda table: graces.put(table, 0),),
    interchangeable=(Interchangeable(square),),
    score=cards_in(foundation),
    maximum=104,
    won=all_hold(foundation, 13),
    tall={
        "stock": at((3.3, 8.5)),
        "waste": at((4.4, 8.5)),
        "foundation": grid(2, 3.3, 3.5, 1.08, 1.2),
        "square": joined((4, column(2.2, 7.1, -1.2)), (4, row(2.22, 2.2, 1.08)), (4, column(5.46, 3.5, 1.2))),
    },
    wide={
        "stock": at((6.5, 3.3)),
        "waste": at((7.6, 3.3)),
        "foundation": lambda number: (4.9 + 1.6 * (number // 2), 1.1 + 1.08 * (number % 2)),
        "square": (
            joined((4, column(2.4, 3.3, -1.1)), (4, row(3.6, 0, 2.2)), (4, column(12.6, 0, 1.1))),
            lambda number: sides(number) if number // 4 != 1 else RIGHTWARDS,
        ),
    },
)
