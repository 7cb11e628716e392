"""The Shah: a star of eight rays around the king of hearts; its outer circle is built on, open rays earn a grace."""

from cadogan.engine.cards import ANY, pack
from cadogan.engine.declaration import Action, Declaration, Group, Guard, Interchangeable, Route, counters, lay_out
from cadogan.engine.layout import Placing, at
from cadogan.engine.parts import all_hold, cards_in, deal_row, emptied, holds_cards, rest, rows, set_out, shuffle
from cadogan.engine.relations import down, in_suit, up
from cadogan.engine.state import Position
from cadogan.engine.table import Table
from cadogan.engine.translatable_text import translatable

RAYS = ((0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1))


CIRCLES = ("foundation", "inner", "middle", "outer")


def circle(radius: float, centre: float = 4.4) -> Placing:
    """Place eight piles around the Shah, clockwise from the top."""
    return at(*((centre + radius * across, centre + radius * below) for across, below in RAYS))


def rays(number: int) -> Placing:
    """Place the piles of a circle on eight rays that point to the right and to the left of the Shah."""
    right = [(6.1 + 1.08 * number - 0.3 * (line in (0, 3)), 1.08 * line) for line in range(4)]
    return at(*right, *((9.8 - x, y) for x, y in reversed(right)))


shah, foundation, inner, middle, outer, stock, waste, discard = lay_out(
    Group("shah", 1, "discard", at((4.4, 4.4))),
    Group("foundation", 8, "foundation", circle(1.1)),
    Group("inner", 8, "reserve", circle(2.2)),
    Group("middle", 8, "reserve", circle(3.3)),
    Group("outer", 8, "tableau", circle(4.4)),
    Group("stock", 1, "stock", at((10.4, 0))),
    Group("waste", 1, "waste", at((10.4, 1.2))),
    Group("discard", 1, "discard", at((10.4, 8.8))),
)
(phase,) = counters(phase=1)
STAR = (*inner, *middle, *outer)
RAY = len(inner)


def free(position: Position, index: int) -> bool:
    """Whether the circles outside a place are empty on its ray; the waste's top card is always free."""
    return index not in STAR or not any(position.piles[beyond] for beyond in range(index + RAY, outer.stop, RAY))


def first_space(position: Position, index: int) -> int:
    """The first empty place of the star takes any card, the others none."""
    return ANY if not position.piles[index] and () not in position.piles[inner.start : index] else 0


def open_ray(position: Position, index: int) -> int:
    """An inner place takes any card when its ray is wholly empty."""
    return ANY if not any(position.piles[place] for place in range(index, outer.stop, RAY)) else 0


def grace(table: Table, source: int, target: int) -> None:
    """Move the card to the inner place, and fill the two places beyond it from the waste or else the stock."""
    table.move(source, target)
    for place in range(target + RAY, outer.stop, RAY):
        if table.piles[waste.start] or table.piles[stock.start]:
            table.move((waste if table.piles[waste.start] else stock).start, place)


def deal(table: Table) -> None:
    """Lay the second circle, then the third; after that turn single cards."""
    if phase.of(table) == 3:
        table.move(stock.start, waste.start)
    else:
        deal_row((middle, outer)[phase.of(table) - 1], stock)(table)
        phase.add(table, 1)


def fill(table: Table) -> None:
    """While circles are being laid, fill a place that a move has emptied with the top card of the stock."""
    if phase.of(table) < 3:
        deal_row(emptied(table, STAR), stock)(table)


COMPLETE = Guard(lambda position: phase.of(position) == 3, "the star is not complete")
NO_SPACE = Guard(
    lambda position: phase.of(position) < 3 or () not in position.piles[inner.start : outer.stop], "a space is empty"
)

GAME = Declaration(
    name="The Shah",
    summary="A king amid eight aces and a star three circles deep, of which only the outermost is married.",
    groups=(shah, foundation, inner, middle, outer, stock, waste, discard),
    counters=(phase,),
    pack=pack(2),
    deal=(
        set_out(foundation, "AS AH AD AC AS AH AD AC"),
        set_out(shah, "KH"),
        set_out(discard, "KS KS KH KD KD KC KC"),
        shuffle(),
        rows(inner),
        rest(stock),
    ),
    routes=(
        Route((inner, middle, outer, waste), foundation, onto=in_suit & up, free=free),
        Route((outer, waste), outer, onto=in_suit & down, when=COMPLETE),
        Route((waste, stock), (inner, middle, outer), takes=first_space, when=COMPLETE),
        Route(outer, inner, takes=open_ray, when=COMPLETE, play=grace),
    ),
    actions=(Action("deal", holds_cards(stock) & NO_SPACE, deal),),
    automatic=(fill,),
    interchangeable=(Interchangeable(foundation),),
    covering=tuple(zip(inner, middle, outer, strict=True)),
    in_brief={
        "inner": (translatable("A card can move when nothing lies outside it."),),
        "middle": (translatable("A card can move when nothing lies outside it."),),
    },
    score=cards_in(foundation),
    maximum=96,
    won=all_hold(foundation, 12),
    tall={"shah": at((4.2, 4.2)), **{name: circle(1.05 * number, 4.2) for number, name in enumerate(CIRCLES, 1)}},
    wide={"shah": at((4.9, 1.62)), **{name: rays(number) for number, name in enumerate(CIRCLES)}},
)
