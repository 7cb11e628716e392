"""The Fourteenth: pairs that make fourteen in a square; when none is left, two cards change places with two others."""

from dataclasses import replace
from itertools import combinations

from cadogan.engine.cards import pack
from cadogan.engine.declaration import Declaration, Special, counters, lay_out
from cadogan.engine.games import quatorze
from cadogan.engine.games.quatorze import fourteens
from cadogan.engine.layout import at, grid
from cadogan.engine.parts import cards_in, refill, rest, rows, shuffle
from cadogan.engine.state import Position
from cadogan.engine.table import Table
from cadogan.engine.translatable_text import translatable

square, stock, discard = lay_out(
    replace(quatorze.square, place=grid(5, 0, 0)),
    replace(quatorze.stock, place=at((6.2, 0))),
    replace(quatorze.discard, place=at((6.2, 1.3))),
)
swaps, swap_a, swap_b = counters(swaps=2, swap_a=-1, swap_b=-1)


def note(table: Table, left: int, first: int = -1, second: int = -1) -> None:
    """Note how many exchanges are left, and the places of the first while a second may follow."""
    for counter, value in ((swaps, left), (swap_a, first), (swap_b, second)):
        counter.put(table, value)


def take(table: Table, piles: tuple[int, ...]) -> None:
    """Remove a fourteen, which earns the next exchange."""
    quatorze.take(table, piles)
    note(table, 2)


def changes(position: Position) -> list[tuple[int, int]]:
    """Any two cards if there is no fourteen; then any two others."""
    left = swaps.of(position)
    if left == 0 or (left == 2 and fourteens(position)):
        return []
    barred = (swap_a.of(position), swap_b.of(position)) if left == 1 else ()
    return list(combinations([index for index in square.filled(position) if index - square.start not in barred], 2))


def change(table: Table, piles: tuple[int, ...]) -> None:
    """Let two cards change places: the first or the second half of an exchange."""
    table.exchange(*piles)
    if swaps.of(table) == 2:
        first, second = piles
        note(table, 1, first - square.start, second - square.start)
    else:
        note(table, 0)


GAME = Declaration(
    name="The Fourteenth",
    summary="Clear two packs by pairs that make fourteen in one row or column; when none is left, change two cards.",
    also_known_as=("Fourteens", "Number Fourteen"),
    groups=(square, stock, discard),
    counters=(swaps, swap_a, swap_b),
    pack=pack(2),
    deal=(shuffle(), rows(square), rest(stock)),
    specials=(Special("+", fourteens, take), Special("~", changes, change)),
    automatic=(refill(square, stock, only_emptied=True),),
    in_brief={
        "": (
            translatable(
                "Take two cards of one row or column that make fourteen. Aces count 1, jacks 11, queens 12, kings 13."
            ),
        ),
    },
    score=cards_in(discard),
    maximum=104,
    won=lambda position: discard.size(position) == 104,
    home=cards_in(discard),
    tall={"grid": grid(5, 0, 0, 1.08, 1.08)},
    wide={"grid": grid(5, 0, 0, 1.08, 1.02)},
)
