"""Move generators: the routes, specials and actions of one game, compiled so that legal moves are found fast."""

from collections.abc import Callable, Iterable
from itertools import chain

from cadogan.engine.cards import BIT
from cadogan.engine.declaration import Action, Declaration, Group, Route, Special
from cadogan.engine.errors import WrongDeclaration
from cadogan.engine.moves import TRANSFER, Move
from cadogan.engine.state import Pile, State

InternMove = Callable[[str, tuple[int, ...], int], Move]
"""From a verb, pile indices and a number of cards to the move; the same arguments always give the same object."""
MoveGenerator = Callable[[State, list[Move]], None]
"""Adds to a list the moves that are legal in a position."""


def pile_indices(piles: "Group | Iterable[Group | int]") -> tuple[int, ...]:
    """The pile indices that a route names."""
    if isinstance(piles, Group):
        return tuple(piles)
    return tuple(chain.from_iterable([part] if isinstance(part, int) else part for part in piles))


def compile_route(route: Route, declaration: Declaration, intern: InternMove) -> MoveGenerator:
    """Compile a route: a call takes about one microsecond, plus half a microsecond for each move.

    Raises WrongDeclaration if the route can never offer a move.
    """
    number = {index: index - group.start for group in declaration.groups for index in group}
    sources, targets = pile_indices(route.source), pile_indices(route.target)
    if not sources or not targets or not (route.onto or route.takes or route.empty):
        raise WrongDeclaration(f"{declaration.name}: a route that never offers a move")
    onto = route.onto.table if route.onto else (0,) * 128
    empty = {index: route.empty(number[index]) if callable(route.empty) else route.empty for index in targets}
    places = tuple((target, empty[target]) for target in targets)
    between = route.between
    pairs = between and {
        source: frozenset(target for target in targets if between(number[source], number[target])) for source in sources
    }
    moves: dict[tuple[int, int, int], Move] = {}
    when = route.when.test if route.when else None
    takes, room, free, keep, cards = route.takes, route.room, route.free, route.keep, route.cards
    if route.up_to is not None:
        if takes or room or between or cards:
            raise WrongDeclaration(f"{declaration.name}: a route with up_to has none of takes, room, between and cards")
        return _compile_parts(route, route.up_to, sources, places, intern)

    def offer(state: State, offered: list[Move]) -> None:
        if when is not None and not when(state):
            return
        piles = state.piles
        open_targets = []
        union = 0
        for target, base in places:
            pile = piles[target]
            fitting = takes(state, target) if takes is not None else onto[pile[-1]] if pile else base
            if fitting and (room is None or len(pile) < room):
                open_targets.append((target, fitting))
                union |= fitting
        if not union:
            return
        for source in sources:
            pile = piles[source]
            if not pile or (cards is None and not BIT[pile[-1]] & union):
                continue  # most sources end here, so this is tested first
            count = 1 if cards is None else cards(pile)
            if not count or len(pile) - count < keep:
                continue
            bit = BIT[pile[-count]]
            if not bit & union or (free is not None and not free(state, source)):
                continue
            for target, fitting in open_targets:
                if bit & fitting and target != source and (pairs is None or target in pairs[source]):
                    key = (source, target, count)
                    move = moves.get(key)
                    if move is None:
                        move = moves[key] = intern(TRANSFER, (source, target), count)
                    offered.append(move)

    return offer


def _compile_parts(
    route: Route,
    up_to: Callable[[Pile], int],
    sources: tuple[int, ...],
    places: tuple[tuple[int, int], ...],
    intern: InternMove,
) -> MoveGenerator:
    """Compile a route by which any number of cards up to a limit may go; `places` are the targets, with their bases."""
    onto = route.onto.table if route.onto else (0,) * 128
    when = route.when.test if route.when else None
    free, keep, most = route.free, route.keep, route.most

    def offer(state: State, offered: list[Move]) -> None:
        if when is not None and not when(state):
            return
        piles = state.piles
        open_targets = []
        union = 0
        for target, base in places:
            pile = piles[target]
            if fitting := onto[pile[-1]] if pile else base:
                open_targets.append((target, fitting, 128 if most is None else most(state, target)))
                union |= fitting
        for source in sources:
            pile = piles[source]
            if not pile or (free is not None and not free(state, source)):
                continue
            for count in range(1, min(up_to(pile), len(pile) - keep) + 1):
                bit = BIT[pile[-count]]
                if bit & union:
                    offered += [
                        intern(TRANSFER, (source, target), count)
                        for target, fitting, limit in open_targets
                        if bit & fitting and count <= limit and target != source
                    ]

    return offer


def compile_special(special: Special, intern: InternMove) -> MoveGenerator:
    """Compile a special move."""
    moves: dict[tuple[int, ...], Move] = {}

    def offer(state: State, offered: list[Move]) -> None:
        for piles in special.offer(state):
            move = moves.get(piles)
            if move is None:
                move = moves[piles] = intern(special.verb, piles, 1)
            offered.append(move)

    return offer


def compile_action(action: Action, intern: InternMove) -> MoveGenerator:
    """Compile an action."""
    move, when = intern(action.verb, (), 1), action.when.test

    def offer(state: State, offered: list[Move]) -> None:
        if when(state):
            offered.append(move)

    return offer
