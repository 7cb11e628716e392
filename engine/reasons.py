"""Why a move is not legal, in a few words for the player who tried it.

The words are found by asking the same routes and guards that decide; they never name a card that lies face down.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.cards import ANY, BIT, DOWN, text
from engine.declare import Route
from engine.moves import TRANSFER, Move
from engine.rules import indices
from engine.state import State

if TYPE_CHECKING:
    from engine.game import Game


def why_not(game: Game, state: State, move: Move) -> str:
    """One sentence; for a move that is legal it would be wrong."""
    pending = game.legal_moves(state)
    forced = _forced(game, state)
    if forced:
        return f"{move} must wait: first {forced}"
    for action in game.declaration.actions:
        if action.verb == move.verb:
            return f"no {move.verb} now: {action.when.otherwise}"
    if move.verb == TRANSFER:
        return _transfer(game, state, move)
    if not pending:
        return f"{move} is not allowed: no move is left"
    return f"{move} is not allowed by the rules of {game.name} here"


def _forced(game: Game, state: State) -> str:
    offered: list[Move] = []
    for rule in game._forced:
        rule(state, offered)
    if not offered:
        return ""
    shown = ", ".join(str(move) for move in offered[:3])
    return f"play one of {shown}" + (" …" if len(offered) > 3 else "")


def _transfer(game: Game, state: State, move: Move) -> str:
    source, target = move.piles
    start, end = game.piles[source], game.piles[target]
    pile = state.piles[source]
    if not pile:
        return f"{start} is empty"
    routes = [r for r in game.declaration.routes if source in indices(r.source) and target in indices(r.target)]
    if not routes:
        return f"no card goes from {start} to {end} in {game.name}"
    reasons = [_refusal(game, state, move, route) for route in routes]
    return max(reasons)[1]


def _refusal(game: Game, state: State, move: Move, route: Route) -> tuple[int, str]:
    """How near the route came to allowing the move, and what is in the way."""
    source, target = move.piles
    start, end = game.piles[source], game.piles[target]
    pile, other = state.piles[source], state.piles[target]
    count = 1 if route.cards is None else route.cards(pile)
    if count != move.cards:
        return 0, f"from {start} {_number(count)} to {end}, not {move.cards}"
    if count > len(pile):
        return 0, f"{start} has only {len(pile)} cards"
    if route.when is not None and not route.when(state):
        return 1, f"{start} may not go to {end} now: {route.when.otherwise}"
    fitting = _fitting(game, state, route, target)
    lead = pile[-count]
    name = "that card" if lead & DOWN else text(lead)
    if not BIT[lead] & fitting & ANY:
        if not other:
            return 2, f"{name} may not go to the empty {end}"
        return 3, f"{name} does not go on {'that card' if other[-1] & DOWN else text(other[-1])} in {end}"
    if route.room is not None and len(other) >= route.room:
        return 4, f"{end} is full"
    if route.between is not None and not route.between(_place(game, source), _place(game, target)):
        return 5, f"{start} does not lead to {end}"
    if route.free is not None and not route.free(state, source):
        return 6, f"{name} in {start} is not free"
    if len(pile) - count < route.keep:
        return 7, f"{start} must keep a card" if game.declaration.groups else ""
    return 8, f"{move} is not allowed by the rules of {game.name}"


def _number(count: int) -> str:
    return "one card goes" if count == 1 else f"all {count} face-up cards go together"


def _fitting(game: Game, state: State, route: Route, target: int) -> int:
    if route.takes is not None:
        return route.takes(state, target)
    pile = state.piles[target]
    if pile:
        return route.onto.table[pile[-1]] if route.onto else 0
    return route.empty(_place(game, target)) if callable(route.empty) else route.empty


def _place(game: Game, index: int) -> int:
    return next(index - group.start for group in game.declaration.groups if group.start <= index < group.stop)
