"""The Herring-Bone: a bone of twenty-eight cards, played to the foundations directly or over four bars."""

from cadogan.engine.cards import ANY, RANKS, of_rank, of_suit, pack, rank, suit
from cadogan.engine.declaration import PACK, Declaration, Group, Interchangeable, Route, counters, lay_out
from cadogan.engine.layout import Spread, at, column, grid, joined
from cadogan.engine.parts import all_hold, cards_in, deal_to, packets, redeal, refill, rest, rows, shuffle
from cadogan.engine.relations import down_around, in_suit, up_around
from cadogan.engine.state import Position
from cadogan.engine.table import Table


def bone_at(x: float, step: float) -> Spread:
    """The bone: a fan of three cards with a single card over it, repeated. `step` is the distance between two fans."""

    def blade(number: int) -> tuple[float, float, float]:
        fan, card = divmod(number, 4)
        return (x, step * (fan + 0.5), 0) if card == 3 else (x + 0.5 * card - 0.5, step * fan, 20 * card - 20)

    return Spread("down", cards=tuple(map(blade, range(28))))


stock, waste, bone, scenes, bars, ascending, descending = lay_out(
    Group("stock", 1, "stock", at((9.6, 1))),
    Group("waste", 1, "waste", at((9.6, 2.1))),
    Group("bone", 1, "reserve", at((4, 0)), bone_at(4, 0.8)),
    Group("scenes", 8, "reserve", joined((4, column(2, 1)), (4, column(6, 1)))),
    Group("bars", 4, "reserve", at((2, 0, 90), (2, 5.4, 90), (6, 0, 90), (6, 5.4, 90))),
    Group("ascending", 4, "foundation", column(8, 1)),
    Group("descending", 4, "foundation", column(0, 1)),
)
(redeals,) = counters(redeals=2)
higher, lower = in_suit & up_around, in_suit & down_around
BASES = [[of_rank(letter) & of_suit(number) for number in range(4)] for letter in RANKS]


def first_base(table: Table) -> None:
    """Make the next card the first base: its rank is that of all foundations."""
    table.move(PACK, ascending.start + suit(table.piles[PACK][-1]))


def opened_by(position: Position, index: int) -> int:
    """The card that an empty foundation takes: of its suit, with the base rank of a foundation that is begun."""
    if position.piles[index]:
        return 0
    begun = next((pile for pile in (*ascending.of(position), *descending.of(position)) if pile), None)
    return BASES[rank(begun[0]) - 1][(index - ascending.start) % 4] if begun else 0


def same_suit(source: int, target: int) -> bool:
    """Whether both foundations are of one suit: then they have the same number."""
    return source == target


feeders = (bone, scenes, bars, waste)

GAME = Declaration(
    name="The Herring-Bone",
    summary="A bone of twenty-eight cards is eaten up from its end, straight to the foundations or over four bars.",
    also_known_as=("Herring-Bone",),
    groups=(stock, waste, bone, scenes, bars, ascending, descending),
    counters=(redeals,),
    pack=pack(2),
    deal=(shuffle(), packets(bone, 28), rows(scenes), rows(bars), first_base, rest(stock)),
    routes=(
        Route(feeders, (ascending, descending), takes=opened_by),
        Route(feeders, ascending, onto=higher, room=13),
        Route(feeders, descending, onto=lower, room=13),
        Route(ascending, descending, onto=lower, room=13, keep=1, between=same_suit),
        Route(descending, ascending, onto=higher, room=13, keep=1, between=same_suit),
        Route(waste, scenes, empty=ANY),
    ),
    actions=(deal_to(waste, stock), redeal(waste, stock, redeals, shuffled=True)),
    automatic=(refill(bars, bone),),
    interchangeable=(Interchangeable(scenes), Interchangeable(bars)),
    score=cards_in(ascending, descending),
    maximum=104,
    won=lambda position: all_hold(ascending, 13)(position) and all_hold(descending, 13)(position),
    wide={
        "bone": (at((4.2, 0)), bone_at(4.2, 0.5)),
        "scenes": joined((4, grid(2, 1.2, 1.1, 1.08, 1.08)), (4, grid(2, 6.15, 1.1, 1.08, 1.08))),
        "bars": at((1.74, 0.16, 90), (1.74, 3.12, 90), (6.69, 0.16, 90), (6.69, 3.12, 90)),
        "ascending": column(8.4, 0, 1.08),
        "descending": column(0, 0, 1.08),
    },
)
