"""The sessions of a player by device, and the open connections that are closed when one ends.

The list of a player's sessions with their devices, and ending single sessions.

The last use and the device of a session are collected in memory and written periodically, so that no request waits for
the write.

The device of a session, from the `User-Agent` header: a browser and a system, like "Firefox" on "Linux".

Only these two words are stored, never the whole header, which could identify a browser.

The open connections of each session, sockets and HTTP streams, which are closed when the session ends.

When a session ends on this node, its connections here are closed at once, and the other nodes get a wake-up. These
check in the database whether the session has ended, and check all their sessions when wake-ups may have been lost.
"""

from collections import OrderedDict
from collections.abc import Awaitable, Callable, Collection
from typing import NamedTuple

from sqlalchemy import bindparam, delete, select, update

from cadogan.server.core import ids
from cadogan.server.core.cluster.bus import SESSION_PREFIX, SESSIONS_TOPIC, WakeUpHandlers
from cadogan.server.core.database.connections import Database
from cadogan.server.core.database.tables import tokens
from cadogan.server.core.errors import Conflict, NotFound
from cadogan.server.core.eventlog.background_tasks import BackgroundPart
from cadogan.server.core.live.connection import Viewer
from cadogan.wire.codec import SIGNED_OUT

_BROWSERS = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
)
_SYSTEMS = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("CrOS", "ChromeOS"),
    ("Mac OS X", "Mac"),
    ("Linux", "Linux"),
)
"""Substrings with names, searched in this order, because a `User-Agent` also has the names of related browsers."""


class Device(NamedTuple):
    """A browser and its operating system; None for an unknown one, as for a program."""

    browser: str | None
    system: str | None


def read_device(user_agent: str) -> Device:
    """Return the device from a `User-Agent` header.

    >>> read_device("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0")
    Device(browser='Firefox', system='Linux')
    """
    if not user_agent.startswith("Mozilla/"):
        return Device(None, None)
    return Device(_first(_BROWSERS, user_agent), _first(_SYSTEMS, user_agent))


def _first(known: tuple[tuple[str, str], ...], user_agent: str) -> str | None:
    return next((name for mark, name in known if mark in user_agent), None)


NOTED_AGAIN_MILLISECONDS = 10 * 60 * 1000
"""Milliseconds for which further uses of a session are not written."""
MAX_REMEMBERED = 100_000


class OwnSession(NamedTuple):
    """A valid session. `id` identifies it in URLs; the token cannot be derived from it."""

    id: str
    hash: str
    device: Device
    created_at: int
    used_at: int | None


class OwnSessions:
    """The sessions in a database. `now` returns the time in milliseconds since 1970."""

    def __init__(self, database: Database, now: Callable[[], int]) -> None:
        self._database = database
        self._now = now
        self._noted: OrderedDict[str, int] = OrderedDict()
        self._unwritten: dict[str, tuple[int, str]] = {}

    def record_use(self, session: str, user_agent: str) -> None:
        """Record the use of a session, by its id, in memory. It does not block."""
        now = self._now()
        if now - self._noted.get(session, 0) < NOTED_AGAIN_MILLISECONDS:
            return
        self._noted[session] = now
        self._unwritten[session] = now, user_agent
        if len(self._noted) > MAX_REMEMBERED:
            self._noted.popitem(last=False)

    async def write_uses(self) -> None:
        """Write the recorded uses to the database."""
        noted, self._unwritten = self._unwritten, {}
        if not noted:
            return
        rows = []
        for session, (at, user_agent) in noted.items():
            device = read_device(user_agent)
            rows.append({"of": session, "used_at": at, "browser": device.browser, "system": device.system})
        async with self._database.writing() as connection:
            await connection.execute(update(tokens).where(tokens.c.hash == bindparam("of")), rows)

    async def run_due(self) -> None:
        """Write the recorded uses to the database."""
        await self.write_uses()

    async def of_player(self, player: str) -> list[OwnSession]:
        """Return the valid sessions of a player, the one used last first."""
        await self.write_uses()
        valid = select(tokens).where(tokens.c.player == player, tokens.c.expires_at > self._now())
        rows = await self._database.fetch(valid)
        found = [
            OwnSession(_name(row.hash), row.hash, Device(row.browser, row.system), row.created_at, row.used_at)
            for row in rows
        ]
        return sorted(found, key=lambda one: (-(one.used_at or one.created_at), one.id))

    async def end(self, player: str, id: str, current: str) -> str:
        """End a session of a player by its `id`, and return its hash. `current` is the hash of the requesting session.

        Raises NotFound, and Conflict for the requesting session.
        """
        found = next((one.hash for one in await self.of_player(player) if one.id == id), None)
        if found is None:
            raise NotFound("You have no such session.")
        if found == current:
            raise Conflict("You use this session now: sign out instead.")
        async with self._database.writing() as connection:
            await connection.execute(delete(tokens).where(tokens.c.hash == found))
        return found

    async def end_others(self, player: str, current: str) -> list[str]:
        """End every session of a player except the one with this hash, and return the hashes of the ended ones."""
        others = delete(tokens).where(tokens.c.player == player, tokens.c.hash != current)
        async with self._database.writing() as connection:
            return list((await connection.execute(others.returning(tokens.c.hash))).scalars())


def _name(hash: str) -> str:
    return ids.derive_id(b"session", hash)


MAX_ENDED_SESSIONS = 1_000
"""The maximum number of ended sessions in memory, so that connections being opened for them are also closed."""


class SessionConnections(BackgroundPart):
    """The connections on one node."""

    def __init__(
        self, valid_sessions: Callable[[Collection[str]], Awaitable[set[str]]], publish_end: Callable[[str], None]
    ) -> None:
        """`valid_sessions` returns the valid ones of the given sessions; `publish_end` wakes up the other nodes."""
        super().__init__()
        self._valid_sessions = valid_sessions
        self._publish_end = publish_end
        self._viewers: dict[str, dict[Viewer, None]] = {}
        self._ended: dict[str, None] = {}

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
