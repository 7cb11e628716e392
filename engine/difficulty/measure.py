"""Measuring how difficult a game is: simple players play it, and a win is searched after first moves."""

from collections.abc import Callable
from typing import NamedTuple

from cadogan.engine.difficulty.players import careless, greedy, play_deal
from cadogan.engine.game import Game
from cadogan.engine.solver.solution import SOLVER_VERSION, Solution
from cadogan.engine.solver.solve import solve
from cadogan.engine.solver.winnability import deal_seed

PLAYED_DEALS = 50
"""Number of deals that the simple players play: deals 0 to 49 of `cadogan.engine.solver.winnability`."""
FIRST_MOVE_DEALS = 5
"""Number of deals in which first moves are searched."""
MAX_FIRST_MOVES = 10
"""Maximum number of first moves searched per deal, spread evenly over the list of legal moves."""
FIRST_MOVE_NODES = 2_500
"""The node budget of the search after a first move, and of the deal itself."""


class SimplePlay(NamedTuple):
    """The measurements of one game, with these versions of its rules and of the solver.

    `careless` and `greedy` are how many of `deals` the two players win. `score` is the mean share of the highest score
    that the greedy player reaches, from 0 to 1. `first_moves` counts the legal first moves that were tried, and
    `first_moves_won` those after which the search still finds a win.
    """

    game: str
    rules: int
    solver: int
    deals: int
    careless: int
    greedy: int
    score: float
    first_moves: int
    first_moves_won: int


def measure_simple_play(
    game: Game,
    deals: int = PLAYED_DEALS,
    searched: int = FIRST_MOVE_DEALS,
    nodes: int = FIRST_MOVE_NODES,
    search: Callable[..., Solution] = solve,
) -> SimplePlay:
    """Measure one game: play `deals` deals, and in `searched` of them search first moves with `nodes` each.

    The result depends on the numbers and on the versions of rules and solver only; `search` is `solve` or gives the
    same answers.
    """
    seeds = [deal_seed(game.slug, number) for number in range(deals)]
    random_runs = [play_deal(game, seed, careless) for seed in seeds]
    greedy_runs = [play_deal(game, seed, greedy) for seed in seeds]
    counts = [_count_first_moves(game, seed, nodes, search) for seed in seeds[:searched]]
    return SimplePlay(
        game.slug,
        game.rules_version,
        SOLVER_VERSION,
        deals,
        careless=sum(run.won for run in random_runs),
        greedy=sum(run.won for run in greedy_runs),
        score=round(sum(_share(run.score, game.maximum) for run in greedy_runs) / deals, 4),
        first_moves=sum(legal for legal, _ in counts),
        first_moves_won=sum(won for _, won in counts),
    )


def _share(score: int, maximum: int) -> float:
    return min(1.0, max(0.0, score / maximum))


def _count_first_moves(game: Game, seed: bytes, nodes: int, search: Callable[..., Solution]) -> tuple[int, int]:
    """Return how many first moves of a deal are tried, and after how many of them a win is found.

    If no win is found for the deal itself, none of its first moves counts as won.
    """
    start = game.deal(seed)
    legal = game.legal_moves(start)
    tried = legal[:: -(-len(legal) // MAX_FIRST_MOVES)]
    found = search(game, start, seed, nodes)
    if found.verdict != "won":
        return len(tried), 0
    after = (game.play_legal(start, move, seed).state for move in tried if move != found.line[0])
    known = int(found.line[0] in tried)
    return len(tried), known + sum(search(game, state, seed, nodes).verdict == "won" for state in after)
