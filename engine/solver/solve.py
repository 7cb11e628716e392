"""The search for a win: several searches take turns, because no single one suits every game."""

from cadogan.engine.game import Game
from cadogan.engine.solver.beam import BeamSearch
from cadogan.engine.solver.best_first import BestFirstSearch
from cadogan.engine.solver.nested_rollouts import NestedRollouts
from cadogan.engine.solver.problem import Problem
from cadogan.engine.solver.restarts import GreedyRestarts
from cadogan.engine.solver.solution import SOLVER_VERSION, SOLVER_VERSIONS, Solution
from cadogan.engine.solver.steps import Steps, run_steps
from cadogan.engine.state import State

FIRST_TURN_NODES = 250
"""Nodes of each search in its first turn. Each later turn is twice as long as the previous one."""
LATE_TURNS = 5
"""After so many turns of each search, which are 23,250 nodes together, other searches take turns too: wide beams
since version 6, nested rollouts since version 7."""
WIDE_BEAM_SHARE = 4
"""How many times as long as the first searches' the turn of wide beams is: a beam of 256 takes some 50,000 nodes."""
WIDE_BEAM_WIDTH = 256
"""Their first width."""
WIDE_BEAM_COSTS = (0.0, 1.0)
"""What a blocked card costs in them, in turn: at first only the score counts, which is not so in the narrow beams."""
NESTED_SHARE = 3
"""How many times as long as the first searches' the turn of nested rollouts is."""
PROVING_SHARE = 9
"""How many times as long as the others' the turn of best-first search becomes then, from version 8 on, in games that
prove positions hopeless: it alone can end with the proof that a deal is lost."""
STEP_NODES = 10
"""Maximum nodes between two pauses of a search in steps."""
MOST_POSITIONS = 20_000_000
"""Maximum number of positions that the searches of one call remember together; 20,000 nodes do not reach it."""


def solve(
    game: Game,
    state: State,
    seed: bytes,
    nodes: int,
    positions: int = MOST_POSITIONS,
    version: int = SOLVER_VERSION,
) -> Solution:
    """Find out whether this position can be won by a player who knows every card and every later shuffle.

    `seed` is the seed of the deal, of 32 bytes; `nodes` is how many positions may be searched. If the searches remember
    more than `positions` positions, which bounds their memory, the verdict is ``unknown``. The answer depends on these
    and on `version` only, which is one of `SOLVER_VERSIONS`. Raises ValueError for another version.
    """
    return run_steps(solve_in_steps(game, state, seed, nodes, positions, version))


def solve_in_steps(
    game: Game,
    state: State,
    seed: bytes,
    nodes: int,
    positions: int = MOST_POSITIONS,
    version: int = SOLVER_VERSION,
) -> Steps[Solution]:
    """Do the same as `solve`, and yield after at most `STEP_NODES` nodes each time."""
    require_version(version)
    problem = Problem(game, state, seed, version)
    if problem.is_won(state, problem.progress(state)):
        return Solution("won", (), 0, 0, problem.home)
    if problem.is_hopeless(state):
        return Solution("lost", (), 0, 0, problem.home)
    searches: list[BestFirstSearch | BeamSearch | GreedyRestarts | NestedRollouts] = [
        BestFirstSearch(problem, blocked_cost=0.5),
        BeamSearch(problem, blocked_costs=[0.5], choice_worth=0.05),
        GreedyRestarts(problem, blocked_cost=0.25),
    ]
    shares = [1, 1, 1]
    searched, turn = 0, FIRST_TURN_NODES
    while searched < nodes:
        is_late = turn == FIRST_TURN_NODES * 2**LATE_TURNS
        if version >= 6 and is_late:
            searches.append(BeamSearch(problem, WIDE_BEAM_COSTS, choice_worth=0.05, first_width=WIDE_BEAM_WIDTH))
            shares.append(WIDE_BEAM_SHARE)
        if version >= 7 and is_late:
            searches.append(NestedRollouts(problem))
            shares.append(NESTED_SHARE)
        if is_late and problem.has_proofs:
            shares[0] = PROVING_SHARE
        for search, share in zip(searches, shares, strict=True):
            turn_end = min(searched + share * turn, nodes)
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


def require_version(version: int) -> None:
    """Raise ValueError unless `solve` can follow this version of the solver."""
    if version not in SOLVER_VERSIONS:
        raise ValueError(f"this program has the versions {SOLVER_VERSIONS} of the solver, and not {version}")
