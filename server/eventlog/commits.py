"""What follows from a commit: what is in the log is handed to the subscribers of its kind.

They subscribe in `cadogan.server.app`. A subscriber may send messages and start background work; it must not wait, and
it cannot undo the commit. One that fails is logged, and the others are still called.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any, Generic, Self, TypeVar

import structlog
from msgspec import Struct

log = structlog.stdlib.get_logger("cadogan.commits")

State = TypeVar("State")


class Commit(Struct, Generic[State], frozen=True):
    """One or more events of one aggregate that are in the log now. Each kind of aggregate has a class of its own."""

    state: State
    """The aggregate after the last of them."""
    written_here: bool
    """Whether this node wrote them. Else another node did, and this one has read them from the log."""
    is_end: bool = False
    """Whether something has ended with them that `subscribe_to_endings` is for."""

    @classmethod
    def of(cls, changes: Sequence[Any], written_here: bool) -> Self:
        """Return what subscribers are handed for these changes (`cadogan.server.eventlog.aggregate`)."""
        return cls(changes[-1].after, written_here)


OfKind = TypeVar("OfKind", bound=Commit[Any])


class CommitPublisher:
    """Hands every commit of every aggregate to its subscribers, in the order in which they were added."""

    def __init__(self) -> None:
        self._subscribers = defaultdict[type, list[Callable[[Any], None]]](list)
        self._end_subscribers = defaultdict[type, list[Callable[[Any], None]]](list)

    def subscribe(self, kind: type[OfKind], *subscribers: Callable[[OfKind], None]) -> None:
        """Call these for every commit of this class from now on."""
        self._subscribers[kind].extend(subscribers)

    def subscribe_to_endings(self, kind: type[OfKind], *subscribers: Callable[[OfKind], None]) -> None:
        """Call these, after the others, for every commit of this class from now on that `is_end`."""
        self._end_subscribers[kind].extend(subscribers)

    def publish(self, commit: Commit[Any]) -> None:
        """Call every subscriber. Raises nothing."""
        kind = type(commit)
        for subscriber in [*self._subscribers[kind], *(self._end_subscribers[kind] if commit.is_end else ())]:
            try:
                subscriber(commit)
            except Exception:
                log.exception("subscriber_failed", subscriber=getattr(subscriber, "__qualname__", repr(subscriber)))
