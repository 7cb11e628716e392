"""The effects of a move, as small facts that name piles and counts, never cards.

Effects are enough to fold a game without its rules, and to animate it. Only one part of an effect is secret: the order
of a shuffle (`Redealt.order`), which is stored and never sent.

As text (`write_effect`, `parse_effect`), with piles and counters by name::

    moved waste foundation.0 1        the top card of the waste went on foundation.0
    turned tableau.2 4 up             card 4 of tableau.2, counted from 0 at the bottom, was turned face up
    exchanged cell.0 cell.8           the top cards changed places
    redealt waste:0 stock:33 reversed these piles were gathered, put in a new order and laid out again in these sizes
    counted redeals 1                 the counter now has this value

A card lies as its new pile requires: face down on a pile of face-down cards (the stock), face up on any other.
"""

from collections.abc import Sequence
from typing import NamedTuple

from cadogan.engine.errors import BrokenEffect

KEPT = "kept"
REVERSED = "reversed"


class Moved(NamedTuple):
    """The top `cards` cards of one pile went on another and kept their order."""

    source: int
    target: int
    cards: int


class Turned(NamedTuple):
    """One card was turned face up or face down; `place` counts from 0 at the bottom of its pile."""

    pile: int
    place: int
    up: bool


class Exchanged(NamedTuple):
    """The top cards of two piles changed places."""

    first: int
    second: int


class Redealt(NamedTuple):
    """Piles were gathered one after another, each from the bottom up, put in a new order, and laid out again.

    `sizes` are the numbers of cards in each pile afterwards. `order` is ``"kept"``, ``"reversed"``, or a permutation:
    the card that is now at place k was at place ``order[k]``. Only a shuffle, and a step that moves a card within
    piles, needs a permutation.
    """

    piles: tuple[int, ...]
    sizes: tuple[int, ...]
    order: str | tuple[int, ...]


class Counted(NamedTuple):
    """A counter has a new value."""

    counter: int
    value: int


Effect = Moved | Turned | Exchanged | Redealt | Counted


def write_effect(effect: Effect, piles: Sequence[str], counters: Sequence[str], public: bool = False) -> str:
    """Write an effect as text.

    `piles` and `counters` are the names by index. If `public`, the order of a permutation is left out.

    >>> write_effect(Redealt((0,), (3,), (2, 0, 1)), ["stock"], [])
    'redealt stock:3 2,0,1'
    >>> write_effect(Redealt((0,), (3,), (2, 0, 1)), ["stock"], [], public=True)
    'redealt stock:3'
    """
    match effect:
        case Moved(source, target, count):
            return f"moved {piles[source]} {piles[target]} {count}"
        case Turned(pile, place, up):
            return f"turned {piles[pile]} {place} {'up' if up else 'down'}"
        case Exchanged(first, second):
            return f"exchanged {piles[first]} {piles[second]}"
        case Redealt(gathered, sizes, order):
            laid = " ".join(f"{piles[pile]}:{size}" for pile, size in zip(gathered, sizes, strict=True))
            if isinstance(order, str):
                return f"redealt {laid} {order}"
            return f"redealt {laid}" if public else f"redealt {laid} {','.join(map(str, order))}"
        case Counted(counter, value):
            return f"counted {counters[counter]} {value}"


def parse_effect(text: str, piles: dict[str, int], counters: dict[str, int]) -> Effect:
    """Read an effect; the inverse of `write_effect`. `piles` and `counters` are the indices by name.

    Raises BrokenEffect when the text is no effect of this game.
    """
    try:
        match text.split(" "):
            case ["moved", source, target, count]:
                return Moved(piles[source], piles[target], int(count))
            case ["turned", pile, place, ("up" | "down") as direction]:
                return Turned(piles[pile], int(place), direction == "up")
            case ["exchanged", first, second]:
                return Exchanged(piles[first], piles[second])
            case ["redealt", *laid, order]:
                pairs = [part.split(":") for part in laid]
                new = order if order in (KEPT, REVERSED) else tuple(int(place) for place in order.split(","))
                return Redealt(tuple(piles[name] for name, _ in pairs), tuple(int(size) for _, size in pairs), new)
            case ["counted", counter, value]:
                return Counted(counters[counter], int(value))
    except (KeyError, ValueError):
        pass
    raise BrokenEffect(f"{text!r} is no effect of this game")
