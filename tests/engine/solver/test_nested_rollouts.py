"""Nested rollouts win, learn what they should, and play the same games in whatever portions they are asked."""

from decimal import ROUND_FLOOR, Decimal, localcontext

from cadogan import engine
from cadogan.engine.solver.nested_rollouts import (
    DOUBLE,
    ITERATIONS,
    LEARNING,
    POWERS,
    NestedRollouts,
    Option,
    Played,
    Policy,
    Step,
    adapt,
    likelihoods_of,
)
from cadogan.engine.solver.problem import Problem
from cadogan.engine.solver.winnability import deal_seed


def rollouts(slug: str, number: int) -> NestedRollouts:
    game, seed = engine.game(slug), deal_seed(slug, number)
    return NestedRollouts(Problem(game, game.deal(seed), seed))


def test_a_deal_is_won_that_the_first_game_does_not_win() -> None:
    game, seed, search = engine.game("mill"), deal_seed("mill", 0), rollouts("mill", 0)
    assert search.run(6000) == "won"
    state = game.deal(seed)
    for move in search.line():
        state = game.play(state, move, seed).state
    assert game.won(state)
    assert search.nodes > search.deepest >= len(search.line())


def test_the_portions_in_which_it_searches_do_not_matter() -> None:
    whole, parts = rollouts("pyramid", 1), rollouts("pyramid", 1)
    assert whole.run(5000) == "won"
    while parts.run(7) is None:
        assert parts.nodes <= whole.nodes
    assert (parts.line(), parts.nodes, parts.deepest) == (whole.line(), whole.nodes, whole.deepest)


def test_a_deal_without_a_move_takes_no_more_nodes_than_it_is_given() -> None:
    game = engine.game("klondike")
    stuck = game.read_state({"tableau.0": ["9S"], "tableau.1": ["9C"]})
    search = NestedRollouts(Problem(game, stuck, bytes(32)))
    nodes = ITERATIONS * ITERATIONS + 50
    assert search.run(nodes) is None
    assert (search.nodes, search.deepest) == (nodes, 0)


def test_likelihoods_are_powers_of_two_rounded_down() -> None:
    with localcontext() as context:
        context.prec = 40
        exact = [Decimal(2) ** (20 - Decimal(less) / DOUBLE) for less in range(DOUBLE)]
    assert [int(one.to_integral_value(ROUND_FLOOR)) for one in exact] == POWERS


def option(name: str, gain: int = 0) -> Option:
    return Option((name, 1, (), ()), gain)


def test_a_move_with_more_weight_or_a_better_estimate_is_likelier() -> None:
    options = [option("a"), option("b", DOUBLE), option("c", 40 * DOUBLE)]
    assert likelihoods_of({options[0].code: DOUBLE}, options[:2]) == [1 << 20, 1 << 20]
    assert likelihoods_of({}, options[:2]) == [1 << 19, 1 << 20]
    assert likelihoods_of({}, options) == [0, 0, 1 << 20]


def test_what_was_chosen_gains_and_all_that_was_legal_pays_by_its_likelihood() -> None:
    options = [option("a"), option("b"), option("c", DOUBLE)]
    policy: Policy = {}
    steps = [Step(options, 0), Step(options[:2], 0)]
    adapt(policy, Played(0, steps))
    a, b, c = (policy[one.code] for one in options)
    assert (a, b, c) == (
        2 * LEARNING - LEARNING // 4 - LEARNING // 2,
        -(LEARNING // 4) - LEARNING // 2,
        -(LEARNING // 2),
    )


def test_no_game_returns_to_a_position() -> None:
    for slug in ("caesar", "kings"):
        game, seed, search = engine.game(slug), deal_seed(slug, 1), rollouts(slug, 1)
        assert search.run(1000) == "won"
        positions = [game.deal(seed)]
        for move in search.line():
            positions.append(game.play(positions[-1], move, seed).state)
        assert len(set(positions)) == len(positions)
