"""The player whom an act is about, read in the transaction of the act."""

from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from cadogan.server.core import ids
from cadogan.server.core.errors import NotFound
from cadogan.server.database.tables import players


class Target(NamedTuple):
    """The fields of a player that an act depends on."""

    id: str
    name: str
    role: str | None
    is_guest: bool
    suspended_until: int | None
    muted_until: int | None

    def is_suspended(self, now: int) -> bool:
        """Whether the account is suspended at this time, in milliseconds since 1970."""
        return self.suspended_until is not None and self.suspended_until > now


async def find_target(connection: AsyncConnection, player: str) -> Target:
    """Return the player with this id, and lock their row until the transaction ends. Raises NotFound."""
    wanted = select(players).where(players.c.id == player).with_for_update()
    row = (await connection.execute(wanted)).one_or_none() if ids.is_valid(player) else None
    if row is None:
        raise NotFound("There is no such player.")
    return Target(row.id, row.name, row.role, row.name_key is None, row.suspended_until, row.muted_until)
