"""The pace of a finished run: its progress over time, so that others can race against it. It holds no cards."""

from cadogan.server.eventlog.events import GameFinished
from cadogan.server.games.game_state import Step

PacePoint = tuple[int, int, int]
"""Milliseconds since the deal, cards home, score."""


class PaceRecorder:
    """Computes the points of one game: the deal, every change of cards home or score, and the end."""

    def __init__(self) -> None:
        self._last: PacePoint | None = None

    def add(self, step: Step) -> list[PacePoint]:
        """Return the points that this step adds. Add every step of the game, in order, from the deal on."""
        now = step.after
        point = (now.changed_at - now.dealt_at, now.position.home, now.position.score)
        if isinstance(step.event, GameFinished):
            return [(step.event.milliseconds, *point[1:])]
        if self._last is not None and point[1:] == self._last[1:]:
            return []
        self._last = point
        return [point]
