"""The open connections of each session, sockets and HTTP streams, which are closed when the session ends.

When a session ends on this node, its connections here are closed at once, and the other nodes get a wake-up. These
check in the database whether the session has ended, and check all their sessions when wake-ups may have been lost.
"""

from collections.abc import Awaitable, Callable, Collection

from cadogan.server.cluster.bus import SESSION_PREFIX, SESSIONS_TOPIC, WakeUpHandlers
from cadogan.server.eventlog.background_tasks import BackgroundTasks
from cadogan.server.realtime.connection import Viewer
from cadogan.wire.codec import SIGNED_OUT

MAX_ENDED_SESSIONS = 1_000
"""The maximum number of ended sessions in memory, so that connections being opened for them are also closed."""


class SessionConnections:
    """The connections on one node."""

    def __init__(
        self, valid_sessions: Callable[[Collection[str]], Awaitable[set[str]]], publish_end: Callable[[str], None]
    ) -> None:
        """`valid_sessions` returns the valid ones of the given sessions; `publish_end` wakes up the other nodes."""
        self._valid_sessions = valid_sessions
        self._publish_end = publish_end
        self._viewers: dict[str, dict[Viewer, None]] = {}
        self._ended: dict[str, None] = {}
        self.background = BackgroundTasks()

    def add(self, session: str | None, viewer: Viewer) -> None:
        """Register the viewer's connection, to close it when this session ends. None means that there is no session."""
        if session is None:
            return
        self._viewers.setdefault(session, {})[viewer] = None
        if session in self._ended:
            self._close_connections(session)

    def remove(self, session: str | None, viewer: Viewer) -> None:
        """Remove the viewer's connection, because it has been closed."""
        if session is None:
            return
        viewers = self._viewers.get(session, {})
        viewers.pop(viewer, None)
        if not viewers:
            self._viewers.pop(session, None)

    def end_session(self, session: str) -> None:
        """Close every connection of a session that has ended, here and on the other nodes."""
        self._close_connections(session)
        self._publish_end(session)

    def check_sessions(self, session: str | None = None) -> None:
        """Schedule a check of this session, or with None of all local ones; it closes connections of ended sessions."""
        asked = self._viewers.keys() if session is None else {session} & self._viewers.keys()
        if asked:
            self.background.start(self._check, tuple(asked))

    def wake_up_handlers(self) -> WakeUpHandlers:
        """Return the handlers of wake-ups for ended sessions."""
        return {SESSION_PREFIX: lambda session, _: self.check_sessions(session)}

    async def run_due(self) -> None:
        """Check all local sessions for expiry, unless a check is still running."""
        if not self.background.busy:
            self.check_sessions()

    async def resync(self, topics: Collection[str] | None) -> None:
        """Check all local sessions, if wake-ups for sessions, or for any topic (None), may have been lost."""
        if topics is None or SESSIONS_TOPIC in topics:
            self.check_sessions()

    async def wait_until_idle(self) -> None:
        """Wait for the running checks."""
        await self.background.wait_until_idle()

    async def close(self) -> None:
        """Wait for the running checks."""
        await self.background.close()

    async def _check(self, sessions: Collection[str]) -> None:
        valid = await self._valid_sessions(sessions)
        for session in sessions:
            if session not in valid:
                self._close_connections(session)

    def _close_connections(self, session: str) -> None:
        self._ended[session] = None
        if len(self._ended) > MAX_ENDED_SESSIONS:
            del self._ended[next(iter(self._ended))]
        for viewer in self._viewers.get(session, ()):
            viewer.disconnect(SIGNED_OUT, "signed out")
