"""Comparing a library with Python: positions of random play, and what follows from every legal move there."""

import random
from collections.abc import Iterator

from cadogan.engine import Game, State
from cadogan.engine.compiled.library import Library, Successor
from cadogan.engine.solver.estimate import Estimate
from cadogan.engine.solver.winnability import deal_seed

LONGEST_WALK = 250
"""Moves after which another deal begins."""
FIRST_DEAL = 1000
"""The deals of the published runs have lower numbers."""


def walk(game: Game, count: int, first_deal: int = FIRST_DEAL) -> Iterator[tuple[State, bytes]]:
    """Yield so many positions of deal after deal, with the seeds; more than half of the moves are good ones."""
    dice, deal = random.Random(f"{game.slug} {first_deal}"), first_deal
    while count > 0:
        seed = deal_seed(game.slug, deal)
        state, deal = game.deal(seed), deal + 1
        for _ in range(LONGEST_WALK):
            yield state, seed
            count -= 1
            legal = game.legal_moves(state)
            if not legal or count <= 0:
                break
            some = [game.successor(state, move, seed) for move in dice.sample(legal, min(4, len(legal)))]
            state = max(some, key=game.score) if dice.random() < 0.6 else some[0]


def successors_in_python(game: Game, state: State, seed: bytes) -> list[Successor]:
    """Return what `Library.successors` has to return."""
    found, estimate = [], Estimate(game, state)
    for move in game.legal_moves(state):
        after = game.successor(state, move, seed)
        facts = (game.score(after), game.home(after), game.won(after), estimate.blocked(after))
        hopeless = game.declaration.hopeless
        found.append(Successor(move, after, *facts, hopeless is not None and hopeless(after)))
    return found


def assert_equal_positions(library: Library, game: Game, count: int, first_deal: int = FIRST_DEAL) -> None:
    """Assert that moves, positions after them, scores and estimates are the same in so many positions."""
    for state, seed in walk(game, count, first_deal):
        found = library.successors(game, state, seed)
        assert found == successors_in_python(game, state, seed), game.write_piles(state)
