"""Labyrinth: rows of ten under one another, and a card is free when the place above or below it is."""

from collections.abc import Callable

from cadogan.engine.cards import BIT, EVERY, pack
from cadogan.engine.declaration import Action, Declaration, Group, Guard, Route, Step, counters, lay_out
from cadogan.engine.layout import Spread, at, grid, row
from cadogan.engine.parts import all_hold, any_left, cards_in, emptied, holds_cards, is_empty, rest, set_out, shuffle
from cadogan.engine.relations import down, in_suit, up
from cadogan.engine.state import Position
from cadogan.engine.table import Table
from cadogan.engine.translatable_text import translatable

stock, foundation, tableau, grace = lay_out(
    Group("stock", 1, "stock", at((11.2, 0))),
    Group("foundation", 8, "foundation", row(1.1, 0)),
    Group("tableau", 100, "reserve", grid(10, 0, 1.3, 1.1, 0.6), Spread(only_filled=True)),
    Group("grace", 1, "reserve", at((11.2, 1.3))),
)
dealt, graces = counters(rows=1, graces=1)
higher, lower = in_suit & up, in_suit & down
ACROSS = 10
played = (*tableau, *grace)


def available(position: Position, index: int) -> bool:
    """Whether the place directly above or below is empty, or there is none."""
    piles, above, below = position.piles, index - ACROSS, index + ACROSS
    return above < tableau.start or below >= tableau.stop or not piles[above] or not piles[below]


def fits(position: Position, index: int) -> int:
    """The cards that a foundation takes next."""
    pile = position.piles[index]
    return (higher if index < foundation.start + 4 else lower).table[pile[-1]] if pile else 0


def nothing_fits(position: Position) -> bool:
    """Whether no card can be played on a foundation."""
    piles, fitting = position.piles, 0
    for index in foundation:
        fitting |= fits(position, index)
    return not any(piles[index] and BIT[piles[index][-1]] & fitting and available(position, index) for index in played)


STUCK = is_empty(stock) & any_left(graces) & Guard(nothing_fits, "a card can be played")


def take(table: Table, source: int, target: int) -> None:
    """Take a card from any place: the grace, which is granted once."""
    table.move(source, target)
    graces.put(table, 0)


def place(table: Table, index: int) -> None:
    """Put the top card of the stock in this place."""
    if table.piles[stock.start]:
        table.move(stock.start, index)


def row_by(fill: Callable[[Table, int], None]) -> Step:
    """The step that deals the row whose number the counter holds."""

    def step(table: Table) -> None:
        last = dealt.of(table)
        for index in tableau[ACROSS * (last - 1) : ACROSS * last]:
            fill(table, index)

    return step


def new_row_by(fill: Callable[[Table, int], None]) -> Action:
    """The action ``deal``: deal one more row."""

    def step(table: Table) -> None:
        dealt.add(table, 1)
        row_by(fill)(table)

    return Action("deal", holds_cards(stock), step)


def refill_by(fill: Callable[[Table, int], None]) -> Step:
    """Fill a place of the lowest row that the move has emptied."""

    def step(table: Table) -> None:
        last = dealt.of(table)
        for index in emptied(table, tableau[ACROSS * (last - 1) : ACROSS * last]):
            fill(table, index)

    return step


GAME = Declaration(
    name="Labyrinth",
    summary="Rows of ten are dealt under one another, and a card can be used only if it is free above or below.",
    also_known_as=("The Labyrinth",),
    groups=(stock, foundation, tableau, grace),
    counters=(dealt, graces),
    pack=pack(2),
    deal=(set_out(foundation, "AS AH AD AC KS KH KD KC"), shuffle(), rest(stock), row_by(place)),
    routes=(
        Route(played, foundation, takes=fits, free=available),
        Route(tableau, grace, empty=EVERY, when=STUCK, play=take),
    ),
    actions=(new_row_by(place),),
    automatic=(refill_by(place),),
    in_brief={
        "foundation": (translatable("Build up from the aces and down from the kings, in suit."),),
        "tableau": (
            translatable("A card can move when the place above or below it is empty."),
            translatable("Cards go to the foundations only."),
        ),
    },
    score=cards_in(foundation),
    maximum=104,
    won=all_hold(foundation, 13),
    tall={
        "stock": at((0, 0)),
        "foundation": row(1.04, 0, 1.04),
        "grace": at((9.36, 0)),
        "tableau": grid(10, 0, 1.14, 1.04, 0.96),
    },
    wide={"tableau": grid(10, 0, 0, 1.08, 0.38)},
)
