"""Piles that a game declares to be interchangeable are so: the order in which they lie makes no difference to play."""

from itertools import chain

import pytest

from cadogan import engine
from cadogan.engine import Game, State
from cadogan.engine.declaration import Interchangeable
from cadogan.engine.solver.problem import Problem
from tests.games.walks import draw, eager_walk, random_walk, seed

WALKS = 2
POSITIONS_APART = 10
DECLARED = [slug for slug in engine.slugs() if engine.game(slug).declaration.interchangeable]


def reorder(state: State, one: Interchangeable, *salt: object) -> State:
    """The position with these piles in another order."""
    piles, left = list(state.piles), list(one.piles)
    for place in one.piles:
        piles[place] = state.piles[left.pop(draw(len(left), *salt, place))]
    return State(tuple(piles), state.counters)


def keys_after(game: Game, problem: Problem, state: State, salt: bytes) -> set[bytes]:
    """What tells the positions that follow from others."""
    return {problem.key(game.play_legal(state, move, salt).state) for move in game.legal_moves(state)}


@pytest.mark.heavy
@pytest.mark.parametrize("slug", DECLARED)
def test_the_same_follows_from_interchangeable_piles_in_any_order(slug: str) -> None:
    game: Game = engine.game(slug)
    reordered = 0
    for number in range(WALKS):
        salt = seed(number)
        problem = Problem(game, game.deal(salt), salt)
        walks = chain(random_walk(game, number, 160), eager_walk(game, number, 400))
        for state, move, _ in list(walks)[::POSITIONS_APART]:
            for one in game.declaration.interchangeable:
                other = reorder(state, one, slug, number, move)
                if other == state or (one.when is not None and not one.when(state)):
                    continue
                reordered += 1
                assert problem.key(other) == problem.key(state)
                assert game.score(other) == game.score(state)
                assert game.status(other) == game.status(state)
                assert keys_after(game, problem, other, salt) == keys_after(game, problem, state, salt), (
                    str(move),
                    one.piles.name,
                )
    assert reordered


@pytest.mark.heavy
@pytest.mark.parametrize("slug", engine.slugs())
def test_the_moves_that_a_search_leaves_out_lead_to_no_other_positions(slug: str) -> None:
    game: Game = engine.game(slug)
    salt = seed(0)
    problem = Problem(game, game.deal(salt), salt, 7)
    for state, _, _ in list(eager_walk(game, 0, 400))[::POSITIONS_APART]:
        searched = {problem.key(after) for _, after in problem.successors(state)}
        every = keys_after(game, problem, state, salt)
        assert searched == every or (game.declaration.safe_home and len(searched) == 1 and searched < every)
