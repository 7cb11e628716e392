"""The formula: how easy a game is, from the measurements, and the resulting three levels."""

from collections.abc import Mapping
from typing import Literal, get_args

from cadogan.engine.difficulty.measure import SimplePlay
from cadogan.engine.solver.winnability_summary import QUICK_NODES, GameSummary, win_quickness

Level = Literal["gentle", "steady", "stern"]
LEVELS: tuple[Level, ...] = get_args(Level)
"""How difficult a game is, from the easiest to the hardest."""


def ease(play: SimplePlay, search: GameSummary) -> float:
    """Return how easy a game is, from 0 to 1: the mean of six measured shares.

    Three measure play without thinking: the deals that careless play wins, those that greedy play wins, and the share
    of the highest score that greedy play reaches. Three measure how easily a search finds a win: the deals that the
    search wins within `QUICK_NODES`, how few nodes it needs for them, and the first moves after which it still finds a
    win.
    """
    simple = (play.careless / play.deals, play.greedy / play.deals, play.score)
    searched = (search.quick_wins / search.deals, search.quickness, play.first_moves_won / play.first_moves)
    return (sum(simple) + sum(searched)) / 6


def deal_ease(play: SimplePlay, search: GameSummary, nodes: int) -> float:
    """Return how easy one deal of a game is, from 0 to 1, if the search won it with `nodes` nodes.

    It is the formula of `ease`. Quick wins and quickness are those of the deal itself, the other four shares those of
    the game.
    """
    is_quick = nodes <= QUICK_NODES
    return ease(play, search._replace(deals=1, quick_wins=int(is_quick), quickness=win_quickness(nodes)))


def divide_into_levels(eases: Mapping[str, float]) -> dict[str, Level]:
    """Return the level of each game: the easiest third is gentle, the hardest is stern. Equal games go by name.

    >>> divide_into_levels({"caesar": 0.7, "maze": 0.4, "sly": 0.1})
    {'caesar': 'gentle', 'maze': 'steady', 'sly': 'stern'}
    """
    easiest_first = sorted(eases, key=lambda game: (-eases[game], game))
    return {game: LEVELS[at * len(LEVELS) // len(easiest_first)] for at, game in enumerate(easiest_first)}


def compare_with_games(deal: float, eases: Mapping[str, float]) -> Level:
    """Return the level of a deal with this ease: the easiest level with a game that is not easier, or the last.

    >>> games = {"caesar": 0.7, "maze": 0.4, "sly": 0.1}
    >>> [compare_with_games(deal, games) for deal in (0.8, 0.4, 0.3, 0.0)]
    ['gentle', 'steady', 'stern', 'stern']
    """
    levels = divide_into_levels(eases)
    reached = [LEVELS.index(levels[game]) for game, of_game in eases.items() if of_game <= deal]
    return LEVELS[min(reached, default=-1)]
