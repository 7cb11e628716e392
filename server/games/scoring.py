"""The points of a finished run on the points leaderboards (formula: `docs/boards.md`)."""

FULL_POINTS = 1000
"""The points of a run that reached the highest score of the game."""
WIN_BONUS = 250
"""Extra points for a win."""


def run_points(score: int, first: int, maximum: int, *, won: bool) -> int:
    """Return the points of a run that ended with this score.

    `first` is the score of the cards as they were dealt, `maximum` the highest score of the game. Points are never
    below zero.

    >>> run_points(26, 0, 52, won=False)
    500
    >>> run_points(208, -52, 208, won=True)
    1250
    >>> run_points(-57, -52, 208, won=False)
    0
    """
    distance = max(1, maximum - first)
    return max(0, FULL_POINTS * (score - first) // distance) + (WIN_BONUS if won else 0)
