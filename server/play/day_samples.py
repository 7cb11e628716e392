"""Throttled wake-ups about daily runs: with thousands of runs at once, not every move is published.

Every node with subscribers to the day receives the wake-ups of all its runs, so their number grows with the square of
the nodes. A node therefore publishes at most `SAMPLES_PER_INTERVAL` moves per interval. Other games are queued and
published later with their latest version, so the last version of every game is published in the end.
"""

import asyncio
from collections.abc import Callable, Collection
from itertools import islice

INTERVAL_SECONDS = 0.1
SAMPLES_PER_INTERVAL = 10
"""Moves that a node publishes per interval: a hundred a second, as many as another node reads of a day's runs."""

Publish = Callable[[str, int, Collection[str]], None]
"""Called with a game's id, its version, and the topics of its days."""


class DaySamples:
    """Throttled progress wake-ups that this node sends for daily runs."""

    def __init__(self, publish: Publish) -> None:
        self._publish = publish
        self._left = SAMPLES_PER_INTERVAL
        self._waiting: dict[str, tuple[int, Collection[str]]] = {}
        self._timer: asyncio.TimerHandle | None = None

    def publish_sample(self, game: str, version: int, topics: Collection[str]) -> None:
        """Publish this version, now or when the queue reaches the game."""
        if self._left > 0:
            self._left -= 1
            self._waiting.pop(game, None)
            self._publish(game, version, topics)
        else:
            self._waiting[game] = (version, topics)
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(INTERVAL_SECONDS, self.begin_interval)

    def forget(self, game: str) -> None:
        """Remove this game from the queue: its end was published."""
        self._waiting.pop(game, None)

    def begin_interval(self) -> None:
        """Publish the games that have waited longest."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._left = SAMPLES_PER_INTERVAL
        for game in tuple(islice(self._waiting, SAMPLES_PER_INTERVAL)):
            version, topics = self._waiting.pop(game)
            self.publish_sample(game, version, topics)

    def close(self) -> None:
        """Stop publishing."""
        self._waiting.clear()
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
