"""Whether a game distinguishes red from black, or only suits. A client draws the suits in two or in four colours."""

from collections.abc import Iterable, Iterator

from cadogan.engine.cards import card_set, members, suit
from cadogan.engine.declaration import Declaration, Route
from cadogan.engine.move_generation import pile_indices

SuitExchange = tuple[int, int, int, int]
"""For each suit in the order S H D C: the suit that takes its place."""

EXCHANGE_BLACK: SuitExchange = (3, 1, 2, 0)
EXCHANGE_RED: SuitExchange = (0, 2, 1, 3)
EXCHANGE_RED_AND_BLACK: SuitExchange = (1, 0, 2, 3)


def distinguishes_colours(declaration: Declaration) -> bool:
    """Whether a route of this game distinguishes red from black.

    A route does if it is unchanged when the two black suits are swapped and when the two red suits are swapped, but
    changes when a black and a red suit are swapped. A rule about suits alone is unchanged in all three cases.
    """
    return any(_is_by_colour(sets) for route in declaration.routes for sets in _allowed_sets(route, declaration))


def _allowed_sets(route: Route, declaration: Declaration) -> Iterator[dict[int | None, int]]:
    """The sets of cards that a route allows, by the card below, and by None for an empty place."""
    if route.onto:
        yield {below: route.onto.table[below] for below in range(4, 56)}
    if not callable(route.empty):
        yield {None: route.empty}
        return
    numbers = {index: index - group.start for group in declaration.groups for index in group}
    for target in pile_indices(route.target):
        yield {None: route.empty(numbers[target])}


def _is_by_colour(sets: dict[int | None, int]) -> bool:
    colours_are_uniform = _is_unchanged(sets, EXCHANGE_BLACK) and _is_unchanged(sets, EXCHANGE_RED)
    return colours_are_uniform and not _is_unchanged(sets, EXCHANGE_RED_AND_BLACK)


def _is_unchanged(sets: dict[int | None, int], suits: SuitExchange) -> bool:
    """Whether a route is unchanged by this exchange of suits."""

    def renamed(cards: Iterable[int]) -> int:
        return card_set(_renamed(card, suits) for card in cards)

    return all(
        sets[None if below is None else _renamed(below, suits)] == renamed(members(allowed))
        for below, allowed in sets.items()
    )


def _renamed(card: int, suits: SuitExchange) -> int:
    return card & ~3 | suits[suit(card)]
