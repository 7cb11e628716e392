"""One stream of a competition at one version, folded from its events. Pure."""

from typing import Self

from msgspec import Struct
from msgspec.structs import replace

from cadogan.server.core.eventlog import hash_chain
from cadogan.server.core.eventlog.event_store import NewEvent, StoredEvent, require_contiguous
from cadogan.server.core.eventlog.events import CompetitionEvent, UnreadableEvent, decode_event
from cadogan.server.core.eventlog.projections import ContestRow
from cadogan.server.core.eventlog.streams import id_of


class StreamState(Struct, frozen=True, kw_only=True):
    """One stream of a competition at one version, before its first event at version 0. It never changes."""

    stream: str
    version: int = 0
    head: bytes = hash_chain.START_HASH
    changed_at: int = 0
    """When its last event was recorded, in milliseconds since 1970."""
    reveals: bool = False
    """Whether cards may be shown since its last event that were hidden before."""

    @property
    def id(self) -> str:
        """The id of the subject of the stream, such as a match."""
        return id_of(self.stream)

    @property
    def due_at(self) -> int | None:
        """The next moment at which the clock has something to do, in milliseconds since 1970; None if there is none."""
        return None

    def apply(self, event: CompetitionEvent, at: int) -> Self:
        """Return the state after the next event, which was recorded at that moment. Raises UnreadableEvent."""
        raise NotImplementedError

    def follow(self, recorded: NewEvent | StoredEvent) -> Self:
        """Return the state after the next event of the log. Raises StreamIncomplete, or UnreadableEvent."""
        require_contiguous(self.stream, self.version, (recorded,))
        event = decode_event(recorded.type, recorded.schema, recorded.data)
        if not isinstance(event, CompetitionEvent):
            raise UnreadableEvent(f"{recorded.type} is no event of {self.stream}")
        after = self.apply(event, recorded.recorded_at)
        version, head, changed_at = recorded.version, recorded.hash, recorded.recorded_at
        return replace(after, version=version, head=head, changed_at=changed_at, reveals=event.reveals)

    def list_row(self) -> ContestRow | None:
        """Return the row under which lists show the stream; None if it is in no list."""
        return None
