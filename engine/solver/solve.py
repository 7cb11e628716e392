"""The search for a win: several searches take turns, because no single one suits every game."""

from cadogan.engine.game import Game
from cadogan.engine.solver.beam import BeamSearch
from cadogan.engine.solver.best_first import BestFirstSearch
from cadogan.engine.solver.problem import Problem
from cadogan.engine.solver.restarts import GreedyRestarts
from cadogan.engine.solver.solution import Solution
from cadogan.engine.solver.steps import Steps, run_steps
from cadogan.engine.state import State

FIRST_TURN_NODES = 250
"""Nodes of each search in its first turn. Each later turn is twice as long as the previous one."""
STEP_NODES = 10
"""Maximum nodes between two pauses of a search in steps."""
MOST_POSITIONS = 20_000_000
"""Maximum number of positions that the searches of one call remember together; 20,000 nodes do not reach it."""


def solve(game: Game, state: State, seed: bytes, nodes: int, positions: int = MOST_POSITIONS) -> Solution:
    """Find out whether this position can be won by a player who knows every card and every later shuffle.

    `seed` is the seed of the deal, of 32 bytes; `nodes` is how many positions may be searched. If the searches remember
    more than `positions` positions, which bounds their memory, the verdict is ``unknown``. The answer depends on these
    and on `SOLVER_VERSION` only.
    """
    return run_steps(solve_in_steps(game, state, seed, nodes, positions))


def solve_in_steps(
    game: Game, state: State, seed: bytes, nodes: int, positions: int = MOST_POSITIONS
) -> Steps[Solution]:
    """Do the same as `solve`, and yield after at most `STEP_NODES` nodes each time."""
    problem = Problem(game, state, seed)
    if problem.is_won(state, problem.progress(state)):
        return Solution("won", (), 0, 0, problem.home)
    searches = (
        BestFirstSearch(problem, blocked_cost=0.5),
        BeamSearch(problem, blocked_cost=0.5, choice_worth=0.05),
        GreedyRestarts(problem, blocked_cost=0.25),
    )
    searched, turn = 0, FIRST_TURN_NODES
    while searched < nodes:
        for search in searches:
            turn_end = min(searched + turn, nodes)
            while searched < turn_end:
                before = search.nodes
                outcome = search.run(min(STEP_NODES, turn_end - searched))
                searched += search.nodes - before
                if outcome is not None:
                    deepest = max(one.deepest for one in searches)
                    return Solution(outcome, search.line(), searched, deepest, problem.home)
                if sum([one.held for one in searches]) > positions:
                    return Solution("unknown", (), searched, max(one.deepest for one in searches), problem.home)
                yield
        turn *= 2
    return Solution("unknown", (), searched, max(one.deepest for one in searches), problem.home)
