"""The pace of a finished run: how far it was at each moment, so that others can race against it. It holds no card."""

from collections.abc import Sequence

from server.games.game_state import Step

PacePoint = tuple[int, int, int]
"""Milliseconds since the deal, cards home, score."""


def pace_points(steps: Sequence[Step]) -> list[PacePoint]:
    """Return the points of a whole game: the deal, every moment at which cards home or score changed, and the end.

    `steps` are all steps of the game, from the deal on.
    """
    points: list[PacePoint] = []
    for step in steps:
        now = step.after
        point = (now.changed_at - now.dealt_at, now.rules.home(now.position.state), now.position.score)
        if not points or point[1:] != points[-1][1:]:
            points.append(point)
    end = steps[-1].after
    if end.finished is not None:
        points.append((end.finished.milliseconds, *points[-1][1:]))
    return points
