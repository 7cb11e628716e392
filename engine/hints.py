"""Hints: a useful legal move, chosen from what the player sees.

A hint does not depend on hidden cards. Before the search every face-down card is replaced by one of the cards that the
player has not seen, always in the same order (`as_seen`). Two positions that look alike therefore have the same hint. A
move that turns a card up ends its line: the card and later moves are not considered.

The rule, in this order:

1. Search lines of up to `MAX_DEPTH` moves without dealing. The best line has the largest gain in the worth of the
position (`_worth`), discounted for each further move (`DISCOUNT`). If its gain is positive, its first move is the hint.
2. Deal or redeal, if that leads to a new position. 3. Make the move to the position with the highest worth. 4.
Otherwise there is no hint.

No hint returns to an earlier position of the game, so following hints never loops.
"""

from collections import Counter
from collections.abc import Callable, Generator, Iterable
from itertools import pairwise
from typing import NamedTuple

from cadogan.engine.cards import BIT, DOWN
from cadogan.engine.game import Game
from cadogan.engine.move_generation import pile_indices
from cadogan.engine.moves import TRANSFER, Move
from cadogan.engine.state import State

MAX_DEPTH = 4
"""How many moves a line has at most."""
MAX_WIDTH = 10
"""Number of positions at each depth that the search continues from: those with the highest worth."""
MAX_TRIED = 300
"""How many moves one search tries at most."""
DISCOUNT = 0.8
"""A gain that comes one move later counts this much."""
HOME_WORTH = 10.0
"""The worth of the score of one card: the maximum of the score, divided by the cards of the pack."""
FACE_DOWN_WORTH = -4.0
"""The worth of a face-down card outside the stock."""
WASTE_WORTH = -0.5
"""The worth of a card in the waste."""
EMPTY_PILE_WORTH = 1.5
"""The worth of an empty pile of the tableau."""
IN_ORDER_WORTH = 0.3
"""The worth of a card of the tableau that lies on one on which it may be laid."""


class _Line(NamedTuple):
    worth: float
    state: State
    first: Move


def find_hint(game: Game, state: State, earlier: Iterable[State] = ()) -> Move | None:
    """Return the hint for a position, or None if there is no useful move. `earlier` are positions to avoid.

    >>> from cadogan.engine import game
    >>> klondike = game("klondike")
    >>> state = klondike.read_state({"tableau.0": ["-KS", "AH"], "stock": ["2C"]})
    >>> str(find_hint(klondike, state))
    'tableau.0/foundation.1'
    """
    search = search_hint(game, state, earlier)
    while True:
        try:
            next(search)
        except StopIteration as end:
            found: Move | None = end.value
            return found


def search_hint(game: Game, state: State, earlier: Iterable[State] = ()) -> Generator[None, None, Move | None]:
    """Search like `find_hint`, and yield after each small piece of work, so that other tasks can run in between."""
    start = as_seen(game, state)
    seen = {start}
    for each in earlier:
        seen.add(as_seen(game, each))
        yield
    worth_of, is_dealing = _worth(game), _is_dealing(game)
    now = worth_of(start)
    legal = game.legal_moves(start)
    dealing = next((move for move in legal if is_dealing(move) and _leads_on(game, start, move, seen)), None)
    best: Move | None = None
    best_gain, tried = 0.0, 0
    quiet: _Line | None = None
    frontier: list[tuple[State, Move | None]] = [(start, None)]
    for depth in range(MAX_DEPTH):
        lines: list[_Line] = []
        for position, first in frontier:
            for move in game.legal_moves(position):
                if tried == MAX_TRIED or is_dealing(move):
                    continue
                tried += 1
                yield
                played = game.play_legal(position, move)
                after = played.state if played.revealed else as_seen(game, played.state)
                if after in seen:
                    continue
                seen.add(after)
                line = _Line(worth_of(after), after, first or move)
                if (gain := (line.worth - now) * DISCOUNT**depth) > best_gain:
                    best, best_gain = line.first, gain
                if depth == 0 and (quiet is None or line.worth > quiet.worth):
                    quiet = line
                if not played.revealed:
                    lines.append(line)
        lines.sort(key=lambda line: -line.worth)
        frontier = [(line.state, line.first) for line in lines[:MAX_WIDTH]]
    return best or dealing or (quiet.first if quiet else None)


def as_seen(game: Game, state: State) -> State:
    """Return the position with its face-down cards replaced by the unseen ones in a fixed order.

    Positions that look alike give the same result.
    """
    shown = Counter(card for pile in state.piles for card in pile if not card & DOWN)
    unseen = iter(sorted((Counter(game.declaration.pack) - shown).elements()))
    return State(
        tuple([tuple([next(unseen) | DOWN if card & DOWN else card for card in pile]) for pile in state.piles]),
        state.counters,
    )


def _leads_on(game: Game, state: State, move: Move, seen: set[State]) -> bool:
    """Whether a move reveals a new card, or leads to a position that is not in `seen`."""
    played = game.play_legal(state, move)
    return played.revealed or as_seen(game, played.state) not in seen


def _is_dealing(game: Game) -> Callable[[Move], bool]:
    """Return a predicate for moves of the stock: actions, and transfers of the stock's top card."""
    actions = {action.verb for action in game.declaration.actions}
    stock = {index for group in game.declaration.groups if group.role == "stock" for index in group}
    return lambda move: move.verb in actions or (move.verb == TRANSFER and move.piles[0] in stock)


def _worth(game: Game) -> Callable[[State], float]:
    """Return the function that computes the worth of a position of this game."""
    declaration = game.declaration
    of_score = HOME_WORTH * len(declaration.pack) / game.maximum
    role = {index: group.role for group in declaration.groups for index in group}
    counted = [index for index, name in role.items() if name != "stock"]
    onto: dict[int, list[tuple[int, ...]]] = {}
    for route in declaration.routes:
        for target in pile_indices(route.target):
            if route.onto and role[target] == "tableau":
                onto.setdefault(target, []).append(route.onto.table)

    def worth(state: State) -> float:
        value = of_score * game.score(state)
        for index in counted:
            pile = state.piles[index]
            if any([card & DOWN for card in pile]):
                value += FACE_DOWN_WORTH * sum([1 for card in pile if card & DOWN])
            if role[index] == "waste":
                value += WASTE_WORTH * len(pile)
            elif role[index] == "tableau" and not pile:
                value += EMPTY_PILE_WORTH
            for table in onto.get(index, ()):
                value += IN_ORDER_WORTH * sum([1 for low, card in pairwise(pile) if table[low] & BIT[card] & ~1])
        return value

    return worth
