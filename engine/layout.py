"""The positions of piles on the table: data from which a client can draw any game.

Coordinates are in card widths (x, to the right) and card heights (y, down). They name the upper left corner of the
pile's first card as if it lay upright; a card that lies sideways is turned about its own centre.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

Place = tuple[float, float] | tuple[float, float, float]
Placing = Callable[[int], Place]
"""From the number of a pile in its group to its x and y, and its turn in degrees if its cards lie sideways."""


def at(*places: Place) -> Placing:
    """Put each pile at a place of its own."""
    return lambda number: places[number]


def row(x: float, y: float, step: float = 1.1) -> Placing:
    """Put the piles side by side, from left to right or, if `step` is negative, from right to left."""
    return lambda number: (x + step * number, y)


def column(x: float, y: float, step: float = 1.1) -> Placing:
    """Put the piles below one another or, if `step` is negative, above one another."""
    return lambda number: (x, y + step * number)


def grid(columns: int, x: float, y: float, across: float = 1.1, down: float = 1.1) -> Placing:
    """Put the piles in rows of `columns` piles, in reading order."""
    return lambda number: (x + across * (number % columns), y + down * (number // columns))


def ring(columns: int, rows: int, x: float = 0, y: float = 0, step: float = 1.08) -> Placing:
    """Put the piles around a rectangle of this many columns and rows, clockwise from the upper left corner."""
    right, bottom = x + step * (columns - 1), y + step * (rows - 1)
    return joined(
        (columns, row(x, y, step)),
        (rows - 1, column(right, y + step, step)),
        (columns - 1, row(right - step, bottom, -step)),
        (rows - 2, column(x, bottom - step, -step)),
    )


def joined(*parts: tuple[int, Placing]) -> Placing:
    """Combine placings of consecutive piles: ``(how many, where)`` for each, numbered from 0 in each."""

    def placing(number: int) -> Place:
        for count, place in parts:
            if number < count:
                return place(number)
            number -= count
        raise IndexError(number)

    return placing


def turned(placing: Placing, degrees: float = 90) -> Placing:
    """Put the piles at the places of `placing`, with every card lying sideways."""
    return lambda number: (*placing(number)[:2], degrees)


@dataclass(frozen=True)
class Spread:
    """How the cards of a pile lie: in the direction ``none``, ``down``, ``right``, ``left`` or ``up``.

    `step` is the distance from card to card, as a part of the card's size in that direction; with None the client
    chooses. If `only_filled`, the place is drawn only while it holds cards. `cards`, where given, replaces the spread:
    it is the x, the y and the turn of each card, from the bottom.
    """

    direction: str = "none"
    step: float | None = None
    only_filled: bool = False
    cards: tuple[tuple[float, float, float], ...] = ()

    def by(self, step: float) -> "Spread":
        """Return this spread with another distance between cards."""
        return replace(self, step=step)


SQUARED = Spread()
DOWNWARDS = Spread("down")
UPWARDS = Spread("up")
RIGHTWARDS = Spread("right")
LEFTWARDS = Spread("left")


@dataclass(frozen=True)
class PileLayout:
    """Where one pile lies and what it is: its name, group and role, its x and y, its turn in degrees, its spread."""

    name: str
    group: str
    role: str
    x: float
    y: float
    turn: float
    spread: Spread


def layout_as_dict(piles: tuple[PileLayout, ...], room: tuple[float, float] | None = None) -> dict[str, object]:
    """Return a layout as plain data, with the size of the whole table before any pile spreads.

    `room` is its width and height with the room in which the piles spread; without it the client chooses.
    """
    drawn: list[dict[str, object]] = []
    for pile in piles:
        entry: dict[str, object] = {
            "name": pile.name,
            "group": pile.group,
            "role": pile.role,
            "x": round(pile.x, 4),
            "y": round(pile.y, 4),
            "turn": pile.turn,
            "spread": pile.spread.direction,
        }
        if pile.spread.step is not None:
            entry["step"] = pile.spread.step
        if pile.spread.only_filled:
            entry["only_filled"] = True
        if pile.spread.cards:
            entry["cards"] = [list(place) for place in pile.spread.cards]
        drawn.append(entry)
    return {
        "piles": drawn,
        "width": round(max(pile.x for pile in piles) + 1, 4),
        "height": round(max(pile.y for pile in piles) + 1, 4),
    } | ({"room": [round(size, 4) for size in room]} if room else {})
