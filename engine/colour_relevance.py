"""Whether a game tells red from black, or only suits: found in its rules themselves, for those who draw its cards."""

from collections.abc import Iterable, Iterator

from engine.cards import mask, members, suit
from engine.declaration import Declaration, Route
from engine.move_generation import indices

Renamed = tuple[int, int, int, int]
"""For each suit, S H D C, the suit that takes its place."""

WITHIN_BLACK: Renamed = (3, 1, 2, 0)
WITHIN_RED: Renamed = (0, 2, 1, 3)
ACROSS: Renamed = (1, 0, 2, 3)


def tells_colours(declaration: Declaration) -> bool:
    """Whether a route of this game distinguishes red from black.

    It does when what it allows stays the same while the two black suits change places, or the two red ones, and does
    not when a black suit and a red one do. A rule of suits alone survives all three.
    """
    return any(_by_colour(sets) for route in declaration.routes for sets in _sets(route, declaration))


def _sets(route: Route, declaration: Declaration) -> Iterator[dict[int | None, int]]:
    """What a route allows, as sets of cards: by the card below, and (under None) on each empty place."""
    if route.onto:
        yield {below: route.onto.table[below] for below in range(4, 56)}
    if not callable(route.empty):
        yield {None: route.empty}
        return
    numbers = {index: index - group.start for group in declaration.groups for index in group}
    for target in indices(route.target):
        yield {None: route.empty(numbers[target])}


def _by_colour(sets: dict[int | None, int]) -> bool:
    return _survives(sets, WITHIN_BLACK) and _survives(sets, WITHIN_RED) and not _survives(sets, ACROSS)


def _survives(sets: dict[int | None, int], suits: Renamed) -> bool:
    """Whether the same is allowed when these suits change places."""

    def renamed(cards: Iterable[int]) -> int:
        return mask(_renamed(card, suits) for card in cards)

    return all(
        sets[None if below is None else _renamed(below, suits)] == renamed(members(allowed))
        for below, allowed in sets.items()
    )


def _renamed(card: int, suits: Renamed) -> int:
    return card & ~3 | suits[suit(card)]
