"""The open connections of each session: sockets and HTTP streams, which are closed when their session ends.

When a session ends on this node, its connections here are closed at once, and the other nodes get a wake-up. They look
into the database whether the session has ended. They do so for all their sessions when wake-ups may have been lost.
"""

from collections.abc import Awaitable, Callable, Collection

from cadogan.server.cluster.bus import SESSION_PREFIX, SESSIONS_TOPIC, WakeUpHandlers
from cadogan.server.eventlog.background_tasks import BackgroundTasks
from cadogan.server.realtime.connection import Viewer
from cadogan.wire.codec import SIGNED_OUT

MAX_ENDED_SESSIONS = 1_000
"""How many sessions that ended lately are remembered, so that a connection which is just being opened for one of them
is closed too."""


class SessionConnections:
    """The connections on one node."""

    def __init__(
        self, valid_sessions: Callable[[Collection[str]], Awaitable[set[str]]], publish_end: Callable[[str], None]
    ) -> None:
        """`valid_sessions` returns those of some sessions that have not ended; `publish_end` wakes the other nodes."""
        self._valid_sessions = valid_sessions
        self._publish_end = publish_end
        self._viewers: dict[str, dict[Viewer, None]] = {}
        self._ended: dict[str, None] = {}
        self.background = BackgroundTasks()

    def add(self, session: str | None, viewer: Viewer) -> None:
        """Close the viewer's connection when this session ends. Without a session (None) it stays open."""
        if session is None:
            return
        self._viewers.setdefault(session, {})[viewer] = None
        if session in self._ended:
            self._close_connections(session)

    def remove(self, session: str | None, viewer: Viewer) -> None:
        """Forget the viewer's connection, because it has been closed."""
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
        """Look soon whether this session has ended, and if so close its connections; None checks all sessions here."""
        asked = self._viewers.keys() if session is None else {session} & self._viewers.keys()
        if asked:
            self.background.start(self._check, tuple(asked))

    def wake_up_handlers(self) -> WakeUpHandlers:
        """Return what to call for sessions that have ended."""
        return {SESSION_PREFIX: lambda session, _: self.check_sessions(session)}

    async def run_due(self) -> None:
        """Check all sessions here, for they may have expired, unless a check still waits for the database."""
        if not self.background.busy:
            self.check_sessions()

    async def resync(self, topics: Collection[str] | None) -> None:
        """Check all sessions, if wake-ups of the topic of sessions, or of any (None), may have been lost."""
        if topics is None or SESSIONS_TOPIC in topics:
            self.check_sessions()

    async def wait_until_idle(self) -> None:
        """Wait until the checks that have begun are done."""
        await self.background.wait_until_idle()

    async def close(self) -> None:
        """Wait until the checks that have begun are done."""
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
