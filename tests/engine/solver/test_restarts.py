"""Greedy play with restarts wins long games, and makes the same choices in whatever portions it is asked."""

from cadogan import engine
from cadogan.engine.solver.problem import Problem
from cadogan.engine.solver.restarts import GreedyRestarts
from cadogan.engine.solver.winnability import deal_seed


def restarts(slug: str, number: int) -> GreedyRestarts:
    game, seed = engine.game(slug), deal_seed(slug, number)
    return GreedyRestarts(Problem(game, game.deal(seed), seed), blocked_cost=0.25)


def test_long_games_are_won_after_some_restarts() -> None:
    game = engine.game("anna")
    starts = 0
    for number in range(4):
        search, seed = restarts("anna", number), deal_seed("anna", number)
        assert search.run(2000) == "won"
        state = game.deal(seed)
        for move in search.line():
            state = game.play(state, move, seed).state
        assert game.won(state)
        starts += search.nodes > search.deepest
    assert starts


def test_the_portions_in_which_it_searches_do_not_matter() -> None:
    whole, parts = restarts("anna", 0), restarts("anna", 0)
    outcome = whole.run(5000)
    assert outcome == "won"
    while parts.run(7) is None:
        assert parts.nodes <= whole.nodes
    assert (parts.line(), parts.nodes, parts.deepest) == (whole.line(), whole.nodes, whole.deepest)


def test_a_deal_without_a_move_takes_no_more_nodes_than_it_is_given() -> None:
    game = engine.game("klondike")
    stuck = game.read_state({"tableau.0": ["9S"], "tableau.1": ["9C"]})
    search = GreedyRestarts(Problem(game, stuck, bytes(32)), blocked_cost=0.25)
    assert search.run(50) is None
    assert (search.nodes, search.deepest) == (50, 0)
