"""What follows from a commit: each step of a game that is in the log is handed to a list of subscribers.

The list is made in `cadogan.server.app`. A subscriber may send messages and start background work; it must not wait,
and it cannot undo the commit. One that fails is logged, and the others are still called.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import structlog

from cadogan.server.eventlog.events import ChallengeSpoiled, GameFinished
from cadogan.server.games.game_state import GameState, Step

log = structlog.stdlib.get_logger("cadogan.commits")
_ENDS = (ChallengeSpoiled, GameFinished)


class Committed(NamedTuple):
    """Steps of one game that are in the log now. Make one with `of_steps`."""

    steps: tuple[Step, ...]
    """The steps in their order; at least one."""
    game: GameState
    """The game after the last of them."""
    written_here: bool
    """Whether this node wrote them. Else another node did, and this one has read them from the log."""
    is_end: bool
    """Whether the run has ended with these steps, or counts no more because its player was shown the deal."""

    @classmethod
    def of_steps(cls, steps: Sequence[Step], *, written_here: bool) -> "Committed":
        """Return what subscribers are handed for these steps."""
        is_end = any([isinstance(step.event, _ENDS) for step in steps])
        return cls(tuple(steps), steps[-1].after, written_here, is_end)

    @property
    def lifts_embargo(self) -> bool:
        """Whether the player may see others' games of the deal after these steps, and could not before."""
        return self.is_end and self.game.competition.lifts_embargo(self.game.dealt)


Subscriber = Callable[[Committed], None]


class CommitPublisher:
    """Hands what was committed to its subscribers, in the order in which they were added."""

    def __init__(self) -> None:
        self._subscribers: list[Subscriber] = []
        self._end_subscribers: list[Subscriber] = []

    def subscribe(self, *subscribers: Subscriber) -> None:
        """Call these for every commit from now on."""
        self._subscribers.extend(subscribers)

    def subscribe_to_ends(self, *subscribers: Subscriber) -> None:
        """Call these, after the others, for every commit from now on that is the end of a run (`Committed.is_end`)."""
        self._end_subscribers.extend(subscribers)

    def publish(self, committed: Committed) -> None:
        """Call every subscriber. Raises nothing."""
        for subscriber in [*self._subscribers, *(self._end_subscribers if committed.is_end else ())]:
            try:
                subscriber(committed)
            except Exception:
                log.exception("subscriber_failed", subscriber=getattr(subscriber, "__qualname__", repr(subscriber)))
