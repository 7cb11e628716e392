"""The Blockade: rows of twelve, each blocking the one above; marry downwards, refill, deal the next row."""

from functools import partial

from cadogan.engine.cards import BIT, FACE, pack
from cadogan.engine.declaration import Action, Declaration, Group, Guard, Route, counters, lay_out
from cadogan.engine.layout import Spread, at, grid, row
from cadogan.engine.parts import base, cards_in, holds_cards, rest, shuffle, turn_until_placed
from cadogan.engine.relations import down, in_suit, up
from cadogan.engine.state import Position
from cadogan.engine.table import Table
from cadogan.engine.translatable_text import translatable

foundation, places, stock = lay_out(
    Group("foundation", 8, "foundation", row(3.3, 0)),
    Group("grid", 96, "tableau", grid(12, 0, 1.3, 1.1, 0.6), Spread(only_filled=True)),
    Group("stock", 1, "stock", at((0, 0))),
)
(dealt,) = counters(rows=1)
ACES = base("A")
BELOW = {index: range(index + 12, places.stop, 12) for index in places}
COLUMNS = tuple((top, *BELOW[top]) for top in places[0:12])
married = (in_suit & down).table
lay = partial(turn_until_placed, group=foundation, bases=ACES)
"""``lay(table, source, target)``: turn cards until one stays on the place; aces go to their foundations."""


def free(position: Position, index: int) -> bool:
    """Whether every place below this one in its column is empty."""
    piles = position.piles
    for below in BELOW[index]:  # noqa: SIM110 (a loop is faster, and this is asked a hundred times for each position)
        if piles[below]:
            return False
    return True


def marries(position: Position, index: int) -> int:
    """What a free place takes: the card of its suit that is one rank lower."""
    pile = position.piles[index]
    return married[pile[-1]] if pile and free(position, index) else 0


def vacancies(position: Position) -> list[int]:
    """The empty places of the rows dealt so far, lowest first."""
    piles = position.piles
    return [index for index in range(places.start, places.start + 12 * dealt.of(position)) if not piles[index]]


def fill(table: Table, wanted: list[int]) -> None:
    """Lay a card on each of these places, until the stock is empty."""
    for index in wanted:
        lay(table, stock.start, index)


def deal(table: Table) -> None:
    """Lay the next row; aces that are left after the eighth row go to their foundations."""
    start = places.start + 12 * dealt.of(table)
    fill(table, list(range(start, start + 12)))
    dealt.add(table, 1)
    while dealt.of(table) == 8 and table.piles[stock.start]:
        bit = BIT[table.piles[stock.start][-1] & FACE]
        homes = [index for index in foundation.vacancies(table) if ACES(index - foundation.start) & bit]
        if not homes:
            break
        table.move(stock.start, homes[0])


VACANCY = Guard(lambda position: bool(vacancies(position)), "no place is vacant")
NO_VACANCY = Guard(lambda position: not vacancies(position), "a place is vacant: refill first")
ROOM = Guard(lambda position: dealt.of(position) < 8, "eight rows are dealt")

GAME = Declaration(
    name="The Blockade",
    summary="Rows of twelve are dealt one below the other, each blocking the one above: marry, refill, deal again.",
    groups=(foundation, places, stock),
    counters=(dealt,),
    pack=pack(2),
    deal=(shuffle(), rest(stock), lambda table: fill(table, list(places[0:12]))),
    routes=(
        Route(places, foundation, onto=in_suit & up, empty=ACES, free=free),
        Route(places, places, takes=marries, free=free),
    ),
    actions=(
        Action("refill", holds_cards(stock) & VACANCY, lambda table: fill(table, vacancies(table))),
        Action("deal", holds_cards(stock) & NO_VACANCY & ROOM, deal),
    ),
    in_brief={
        "grid": (
            translatable("A card can move when nothing lies below it in its column."),
            translatable("Build down in suit."),
        ),
        "stock": (translatable("Fill the empty places before you deal the next row."),),
    },
    covering=COLUMNS,
    score=cards_in(foundation),
    maximum=104,
    won=lambda position: foundation.size(position) == 104,
    tall={"grid": grid(12, 0, 0, 0.96, 1.02)},
    wide={"grid": grid(12, 0, 0, 1.08, 0.45)},
)
