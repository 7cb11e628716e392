"""Samples of a day's moves for the other nodes: with thousands of runs at once, not every move is told to everybody.

Every node at which somebody looks at the day receives the wake-ups of all its runs, so their number grows with the
square of the nodes. A node therefore tells of at most `SAMPLES_PER_INTERVAL` moves in an interval. Other games wait for
their turn, and are then told as they are by that time, so that nothing stays untold once a crowd is quiet.
"""

import asyncio
from collections.abc import Callable, Collection
from itertools import islice

INTERVAL_SECONDS = 0.1
SAMPLES_PER_INTERVAL = 10
"""Moves that a node tells of in an interval: a hundred a second, as many as another node reads of a day's runs."""

Publish = Callable[[str, int, Collection[str]], None]
"""Called with a game's id, its version, and the topics of its days."""


class DaySamples:
    """What one node tells the others of the runs of its days."""

    def __init__(self, publish: Publish) -> None:
        self._publish = publish
        self._left = SAMPLES_PER_INTERVAL
        self._waiting: dict[str, tuple[int, Collection[str]]] = {}
        self._timer: asyncio.TimerHandle | None = None

    def publish_sample(self, game: str, version: int, topics: Collection[str]) -> None:
        """Tell the others of this version, now or when it is the game's turn."""
        if self._left > 0:
            self._left -= 1
            self._waiting.pop(game, None)
            self._publish(game, version, topics)
        else:
            self._waiting[game] = (version, topics)
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(INTERVAL_SECONDS, self.begin_interval)

    def forget(self, game: str) -> None:
        """Tell nothing of this game any more: the others have been told of its end."""
        self._waiting.pop(game, None)

    def begin_interval(self) -> None:
        """Tell of the games that have waited longest."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._left = SAMPLES_PER_INTERVAL
        for game in tuple(islice(self._waiting, SAMPLES_PER_INTERVAL)):
            version, topics = self._waiting.pop(game)
            self.publish_sample(game, version, topics)

    def close(self) -> None:
        """Tell nothing any more."""
        self._waiting.clear()
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
