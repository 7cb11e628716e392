"""Plays and searches with a checked library, in a process that the sanitizer ends at the first error.

python -m tests.engine.compiled.checked LIBRARY
"""

import sys
from pathlib import Path

from cadogan import engine
from cadogan.engine.compiled.library import Library
from cadogan.engine.solver.steps import run_steps
from cadogan.engine.solver.winnability import deal_seed
from tests.engine.compiled.comparison import assert_equal_positions

GAMES = (
    *("blockade", "fifteen", "great-thirteen", "house-on-the-hill", "klondike", "la-nivernaise"),
    *("louis", "mill", "napoleons-square", "queens", "spider-two-suits", "wheel"),
)
"""Together they use all kinds of rules, and most of the subset of Python."""
POSITIONS = 60
NODES = 1_000
LATE_GAME, LATE_NODES = "klondike", 400_000
"""A deal that all searches search; nested rollouts begin with an empty policy again."""


def main(file: str) -> None:
    """Compare positions, and search one deal, of each game."""
    library = Library(Path(file))
    for slug in GAMES:
        game, seed = engine.game(slug), deal_seed(slug, 0)
        assert_equal_positions(library, game, POSITIONS)
        nodes = LATE_NODES if slug == LATE_GAME else NODES
        run_steps(library.solve_in_steps(game, game.deal(seed), seed, nodes, sys.maxsize))


if __name__ == "__main__":
    main(*sys.argv[1:])
