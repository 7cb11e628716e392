"""Points: what a finished run is worth on the boards that add runs of several games up. The formula is published."""

WHOLE = 1000
"""For every card that can be brought home, as a share of the way from the deal to the highest score."""
WIN = 250
"""On top, for a game that is won."""


def of_run(score: int, first: int, maximum: int, *, won: bool) -> int:
    """The points of a run that began at score `first`, where `maximum` is the highest there is.

    >>> of_run(26, 0, 52, won=False)
    500
    >>> of_run(208, -52, 208, won=True)
    1250
    >>> of_run(-57, -52, 208, won=False)
    0
    """
    way = max(1, maximum - first)
    return max(0, WHOLE * (score - first) // way) + (WIN if won else 0)
