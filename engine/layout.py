"""Where piles lie on the table: data that a client draws any game from.

Coordinates are in card widths (x, to the right) and card heights (y, down) and name the upper left corner of the
pile's first card as if it lay upright; a turned card turns about its own centre.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

Place = tuple[float, float] | tuple[float, float, float]
Placing = Callable[[int], Place]
"""From a pile's number in its group to its x and y, and its turn in degrees if it lies sideways."""


def at(*places: Place) -> Placing:
    """Each pile at a place of its own."""
    return lambda number: places[number]


def row(x: float, y: float, step: float = 1.1) -> Placing:
    """Piles side by side, from left to right (or, with a negative step, to the left)."""
    return lambda number: (x + step * number, y)


def column(x: float, y: float, step: float = 1.1) -> Placing:
    """Piles below one another (or, with a negative step, upwards)."""
    return lambda number: (x, y + step * number)


def grid(columns: int, x: float, y: float, across: float = 1.1, down: float = 1.1) -> Placing:
    """Rows of so many piles, in reading order."""
    return lambda number: (x + across * (number % columns), y + down * (number // columns))


def joined(*parts: tuple[int, Placing]) -> Placing:
    """Stretches of piles one after another: ``(how many, where)`` for each, numbered from 0 in each."""

    def placing(number: int) -> Place:
        for count, place in parts:
            if number < count:
                return place(number)
            number -= count
        raise IndexError(number)

    return placing


def turned(placing: Placing, degrees: float = 90) -> Placing:
    """The same places with every card lying sideways."""
    return lambda number: (*placing(number)[:2], degrees)


@dataclass(frozen=True)
class Spread:
    """How the cards of a pile lie: ``none``, ``down``, ``right``, ``left`` or ``up``, and how far apart.

    `step` is a part of the card's size in that direction (None: the client's choice), `only_filled` says that the
    place is drawn only while it holds cards, and `cards`, where given, is each card's own x, y and turn, from the
    bottom, in place of a spread.
    """

    direction: str = "none"
    step: float | None = None
    only_filled: bool = False
    cards: tuple[tuple[float, float, float], ...] = ()

    def by(self, step: float) -> "Spread":
        """The same spread with the cards this far apart."""
        return replace(self, step=step)


SQUARED = Spread()
DOWNWARDS = Spread("down")
UPWARDS = Spread("up")
RIGHTWARDS = Spread("right")
LEFTWARDS = Spread("left")


@dataclass(frozen=True)
class PileLayout:
    """Where one pile lies and what it is: its name, group and role, x and y, turn in degrees, and spread."""

    name: str
    group: str
    role: str
    x: float
    y: float
    turn: float
    spread: Spread


def as_dict(piles: tuple[PileLayout, ...]) -> dict[str, object]:
    """The layout as plain data, with the size of the whole table before any pile spreads."""
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
    }
