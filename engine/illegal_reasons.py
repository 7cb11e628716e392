"""Why a move is not legal, in a few words for the player who tried it.

The words are found by asking the same routes and guards that decide; they never name a card that lies face down.
"""

from __future__ import annotations

from operator import itemgetter
from typing import TYPE_CHECKING

from engine.cards import ANY, BIT, DOWN, text
from engine.declaration import Route
from engine.move_generation import indices
from engine.moves import TRANSFER, Move
from engine.state import State
from engine.translatable_text import Said, said, say

if TYPE_CHECKING:
    from engine.game import Game


def why_not(game: Game, state: State, move: Move) -> Said:
    """One sentence; for a move that is legal it would be wrong."""
    pending = game.legal_moves(state)
    forced = _forced(game, state)
    if forced:
        shown = ", ".join(str(each) for each in forced[:3])
        if len(forced) > 3:
            return say("{move} must wait: first play one of {moves} …", move=str(move), moves=shown)
        return say("{move} must wait: first play one of {moves}", move=str(move), moves=shown)
    for action in game.declaration.actions:
        if action.verb == move.verb:
            return say("no {verb} now: {why}", verb=move.verb, why=said(action.when.otherwise))
    if move.verb == TRANSFER:
        return _transfer(game, state, move)
    if not pending:
        return say("{move} is not allowed: no move is left", move=str(move))
    return say("{move} is not allowed by the rules here", move=str(move))


def _forced(game: Game, state: State) -> list[Move]:
    offered: list[Move] = []
    for rule in game._forced:
        rule(state, offered)
    return offered


def _transfer(game: Game, state: State, move: Move) -> Said:
    source, target = move.piles
    start, end = game.piles[source], game.piles[target]
    pile = state.piles[source]
    if not pile:
        return say("{pile} is empty", pile=start)
    routes = [r for r in game.declaration.routes if source in indices(r.source) and target in indices(r.target)]
    if not routes:
        return say("no card goes from {pile} to {pile2} in this game", pile=start, pile2=end)
    reasons = [_refusal(game, state, move, route) for route in routes]
    return max(reasons, key=itemgetter(0))[1]


def _refusal(game: Game, state: State, move: Move, route: Route) -> tuple[int, Said]:
    """How near the route came to allowing the move, and what is in the way."""
    source, target = move.piles
    start, end = game.piles[source], game.piles[target]
    pile, other = state.piles[source], state.piles[target]
    count = 1 if route.cards is None else route.cards(pile)
    if count != move.cards:
        return 0, _number(start, end, count, move.cards)
    if count > len(pile) == 1:
        return 0, say("{pile} has only one card", pile=start)
    if count > len(pile):
        return 0, say("{pile} has only {count} cards", pile=start, count=len(pile))
    if route.when is not None and not route.when(state):
        return 1, say("{pile} may not go to {pile2} now: {why}", pile=start, pile2=end, why=said(route.when.otherwise))
    fitting = _fitting(game, state, route, target)
    lead = pile[-count]
    name = _card(lead)
    if not BIT[lead] & fitting & ANY:
        if not other:
            return 2, say("{card} may not go to the empty {pile}", card=name, pile=end)
        return 3, say("{card} does not go on {card2} in {pile}", card=name, card2=_card(other[-1]), pile=end)
    if route.room is not None and len(other) >= route.room:
        return 4, say("{pile} is full", pile=end)
    if route.between is not None and not route.between(_place(game, source), _place(game, target)):
        return 5, say("{pile} does not lead to {pile2}", pile=start, pile2=end)
    if route.free is not None and not route.free(state, source):
        return 6, say("{card} in {pile} is not free", card=name, pile=start)
    if len(pile) - count < route.keep:
        return 7, say("{pile} must keep a card", pile=start)
    return 8, say("{move} is not allowed by the rules here", move=str(move))


def _card(card: int) -> str | Said:
    return say("that card") if card & DOWN else text(card)


def _number(start: str, end: str, count: int, asked: int) -> Said:
    if count == 1:
        return say("from {pile} one card goes to {pile2}, not {asked}", pile=start, pile2=end, asked=asked)
    words = "from {pile} all {count} face-up cards go together to {pile2}, not {asked}"
    return say(words, pile=start, pile2=end, count=count, asked=asked)


def _fitting(game: Game, state: State, route: Route, target: int) -> int:
    if route.takes is not None:
        return route.takes(state, target)
    pile = state.piles[target]
    if pile:
        return route.onto.table[pile[-1]] if route.onto else 0
    return route.empty(_place(game, target)) if callable(route.empty) else route.empty


def _place(game: Game, index: int) -> int:
    return next(index - group.start for group in game.declaration.groups if group.start <= index < group.stop)
