"""Open sessions: the sockets and streams that stand open in the name of each session, and are closed when it ends.

A session that ends at this node closes its own here at once, and wakes the other nodes; each looks in the database
whether it is true, as it does for all its sessions when wake-ups may have been lost.
"""

from collections.abc import Awaitable, Callable, Collection

from clients.wire.codec import SIGNED_OUT
from server.eventlog.background_tasks import BackgroundTasks
from server.realtime.connection import Viewer

REMEMBERED = 1_000
"""Sessions that have ended of late, so that a socket which was just being opened in the name of one is closed too."""


class SessionConnections:
    """The sessions in use on one node. `living` asks which of some sessions go on."""

    def __init__(self, living: Callable[[Collection[str]], Awaitable[set[str]]]) -> None:
        self._living = living
        self._viewers: dict[str, dict[Viewer, None]] = {}
        self._ended: dict[str, None] = {}
        self.background = BackgroundTasks()

    def enter(self, session: str | None, viewer: Viewer) -> None:
        """The viewer's socket is open as long as the session goes on; one of nobody's stays open."""
        if session is None:
            return
        self._viewers.setdefault(session, {})[viewer] = None
        if session in self._ended:
            self.end(session)

    def leave(self, session: str | None, viewer: Viewer) -> None:
        """The viewer's socket is gone."""
        if session is None:
            return
        viewers = self._viewers.get(session, {})
        viewers.pop(viewer, None)
        if not viewers:
            self._viewers.pop(session, None)

    def end(self, session: str) -> None:
        """The session is over: close what stands open in its name."""
        self._ended[session] = None
        if len(self._ended) > REMEMBERED:
            del self._ended[next(iter(self._ended))]
        for viewer in self._viewers.get(session, ()):
            viewer.cut_off(SIGNED_OUT, "signed out")

    def look(self, session: str | None = None) -> None:
        """Look whether a session is over, or which of all those in use here, and close what stands open in its name."""
        asked = self._viewers.keys() if session is None else {session} & self._viewers.keys()
        if asked:
            self.background.start(self._look, tuple(asked))

    async def close(self) -> None:
        """Let what is under way end."""
        await self.background.close()

    async def _look(self, sessions: Collection[str]) -> None:
        living = await self._living(sessions)
        for session in sessions:
            if session not in living:
                self.end(session)
