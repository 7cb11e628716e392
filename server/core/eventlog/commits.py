"""Commits: stored events are published to the subscribers of their kind.

They subscribe in `cadogan.server.app`. A subscriber may send messages and start background work; it must not block, and
it cannot undo the commit. A failure is logged, and the other subscribers are still called.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any, Generic, Self, TypeVar

import structlog
from msgspec import Struct

log = structlog.stdlib.get_logger("cadogan.commits")

State = TypeVar("State")


class Commit(Struct, Generic[State], frozen=True):
    """One or more stored events of one aggregate. Each kind of aggregate has its own class."""

    state: State
    """The state of the aggregate after the last of them."""
    written_here: bool
    """Whether this node wrote them. Otherwise another node did, and this node read them from the log."""
    is_end: bool = False
    """Whether they end the aggregate, so that subscribers of `subscribe_to_endings` are called."""

    @classmethod
    def of(cls, changes: Sequence[Any], written_here: bool) -> Self:
        """Return the commit of these changes (`cadogan.server.core.eventlog.aggregate`)."""
        return cls(changes[-1].after, written_here)


OfKind = TypeVar("OfKind", bound=Commit[Any])


class CommitPublisher:
    """Publishes every commit to its subscribers, in the order in which they were added."""

    def __init__(self) -> None:
        self._subscribers = defaultdict[type, list[Callable[[Any], None]]](list)
        self._end_subscribers = defaultdict[type, list[Callable[[Any], None]]](list)

    def subscribe(self, kind: type[OfKind], *subscribers: Callable[[OfKind], None]) -> None:
        """Subscribe to every commit of this class."""
        self._subscribers[kind].extend(subscribers)

    def subscribe_to_endings(self, kind: type[OfKind], *subscribers: Callable[[OfKind], None]) -> None:
        """Subscribe to every commit of this class with `is_end`; these are called after the other subscribers."""
        self._end_subscribers[kind].extend(subscribers)

    def publish(self, commit: Commit[Any]) -> None:
        """Call every subscriber. Never raises."""
        kind = type(commit)
        for subscriber in [*self._subscribers[kind], *(self._end_subscribers[kind] if commit.is_end else ())]:
            try:
                subscriber(commit)
            except Exception:
                log.exception("subscriber_failed", subscriber=getattr(subscriber, "__qualname__", repr(subscriber)))
