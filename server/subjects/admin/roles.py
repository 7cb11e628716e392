"""Roles: who is a host or a moderator, and how one becomes the first host."""

from collections.abc import Callable
from typing import NamedTuple

from sqlalchemy import bindparam, func, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from cadogan.server.core import ids
from cadogan.server.core.database.connections import Database
from cadogan.server.core.database.tables import players, tokens
from cadogan.server.core.dates import LAST_MOMENT
from cadogan.server.core.errors import Conflict, NotFound
from cadogan.server.core.eventlog.events import HouseActed
from cadogan.server.subjects.accounts.codes import delete_codes, make_code, use_code, valid_codes
from cadogan.server.subjects.admin.admin_log import Target, find_target, lock_admin_log, record_act
from cadogan.wire.admin import Why
from cadogan.wire.endpoint import Role

CONFIRMED_MILLISECONDS = 10 * 60 * 1000
"""Milliseconds for which a confirmation of the player's identity is valid."""
FIRST_HOST = "first-host"
"""The id of the one code that makes its user the first host."""


class Standing(NamedTuple):
    """The role of a player, and whether they confirmed their identity lately in the requesting session.

    A guest has no way to confirm, and counts as confirmed.
    """

    role: Role
    confirmed: bool


class Roles:
    """The roles of the players in a database. `now` returns the time in milliseconds since 1970."""

    def __init__(self, database: Database, now: Callable[[], int]) -> None:
        self._database = database
        self._now = now

    async def standing(self, player: str, session: str | None = None) -> Standing:
        """Return the standing of a player. `session` is the id of the requesting session."""
        since = self._now() - CONFIRMED_MILLISECONDS
        of_session = tokens.c.hash == bindparam("session", session)  # "IS NULL" would read all tokens
        confirmed = select(tokens.c.hash).where(of_session, tokens.c.confirmed_at > since)
        is_confirmed = or_(players.c.name_key.is_(None), confirmed.exists()).label("confirmed")
        wanted = select(players.c.role, is_confirmed).where(players.c.id == player)
        row = await self._database.fetch_one(wanted)
        return Standing(row.role or "player", bool(row.confirmed)) if row else Standing("player", False)

    async def change(self, by: str | None, player: str, role: str | None, why: Why) -> None:
        """Make a player a host or a moderator, or with None neither. Does nothing if the role is the same.

        `by` is the id of the acting host; None at the command line. Raises NotFound, and Conflict for a guest or a bot,
        or if no host would be left.
        """
        async with self._database.writing() as connection:
            await lock_admin_log(connection)
            await _store_role(connection, await find_target(connection, player), role, by, why, self._now())

    async def first_host_code(self) -> str | None:
        """Create the code that makes its user the first host; None if there is a host, or such a code."""
        now = self._now()
        async with self._database.writing() as connection:
            await lock_admin_log(connection)
            if await _count_hosts(connection) or await valid_codes(connection, "host", now):
                return None
            return await make_code(connection, FIRST_HOST, "host", now, LAST_MOMENT)

    async def claim(self, player: str, code: str) -> None:
        """Make the player the first host, with the code.

        Raises NotFound if the code is not valid or there is a host already, and Conflict for a guest or a bot.
        """
        async with self._database.writing() as connection:
            await lock_admin_log(connection)
            used = await use_code(connection, code, "host", self._now())
            if used is None or await _count_hosts(connection):
                raise NotFound("This link is not valid, or not any more.")
            target = await find_target(connection, player)
            await _store_role(connection, target, "host", player, Why(reason="request"), self._now())


async def _store_role(
    connection: AsyncConnection, target: Target, role: str | None, by: str | None, why: Why, now: int
) -> None:
    if target.role == role:
        return
    if role is not None and (target.is_guest or ids.is_bot(target.id) or target.is_suspended(now)):
        raise Conflict("Only a player who has an account, and may use it, can be a host or a moderator.")
    if target.role == "host" and await _count_hosts(connection) == 1:
        raise Conflict("This is the only host: make somebody else a host first.")
    await connection.execute(update(players).where(players.c.id == target.id).values(role=role))
    if role == "host":
        await delete_codes(connection, id=FIRST_HOST)
    act = HouseActed("role_changed", by=by, player=target.id, role=role, reason=why.reason)
    await record_act(connection, act, now, why.note)


async def _count_hosts(connection: AsyncConnection) -> int:
    hosts = select(func.count()).select_from(players).where(players.c.role == "host")
    return await connection.scalar(hosts) or 0
