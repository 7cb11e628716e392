"""What follows from a commit: each step of a game that is in the log is handed to a list of subscribers.

The list is made in `server.app`. A subscriber may send messages and start background work; it must not wait, and it
cannot undo the commit. One that fails is logged, and the others are still called.
"""

from collections.abc import Callable
from typing import NamedTuple

import structlog

from server.games.game_state import GameState, Step

log = structlog.stdlib.get_logger("cadogan.commits")


class Committed(NamedTuple):
    """Steps of one game that are in the log now, in their order; at least one."""

    steps: tuple[Step, ...]
    written_here: bool
    """Whether this node wrote them. Else another node did, and this one has read them from the log."""

    @property
    def game(self) -> GameState:
        """The game after the last of the steps."""
        return self.steps[-1].after


Subscriber = Callable[[Committed], None]


class CommitPublisher:
    """Hands what was committed to every subscriber, in the order in which they were added."""

    def __init__(self) -> None:
        self._subscribers: list[Subscriber] = []

    def subscribe(self, *subscribers: Subscriber) -> None:
        """Call these for every commit from now on."""
        self._subscribers.extend(subscribers)

    def publish(self, committed: Committed) -> None:
        """Call every subscriber. Raises nothing."""
        for subscriber in self._subscribers:
            try:
                subscriber(committed)
            except Exception:
                log.exception("subscriber_failed", subscriber=getattr(subscriber, "__qualname__", repr(subscriber)))
