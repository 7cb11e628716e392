"""The list of a player's sessions with their devices, and ending single sessions.

The last use and the device of a session are collected in memory and written periodically, so that no request waits for
the write.
"""

from collections import OrderedDict
from collections.abc import Callable
from typing import NamedTuple

from sqlalchemy import bindparam, delete, select, update

from cadogan.server.core import ids
from cadogan.server.core.errors import Conflict, NotFound
from cadogan.server.database.connections import Database
from cadogan.server.database.tables import tokens
from cadogan.server.players.sign_in.devices import Device, read_device

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
