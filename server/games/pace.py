"""The pace of a finished run: how far it was at which moment, so that others can race it. It holds no card."""

from collections.abc import Sequence

from server.games.game_state import Step

Point = tuple[int, int, int]
"""Milliseconds since the deal, cards home, score."""


def points(steps: Sequence[Step]) -> list[Point]:
    """The deal, every moment at which cards home or score changed, and the end; `steps` are the whole game's."""
    found: list[Point] = []
    for step in steps:
        now = step.after
        point = (now.changed_at - now.dealt_at, now.game.home(now.position.state), now.position.score)
        if not found or point[1:] != found[-1][1:]:
            found.append(point)
    end = steps[-1].after
    if end.finished is not None:
        found.append((end.finished.milliseconds, *found[-1][1:]))
    return found
