"""Mutes: players who may not send messages or signs for some time. Checked before each of these."""

from sqlalchemy import func, or_, select

from cadogan.server.core.clock import Clock
from cadogan.server.core.dates import moment_text
from cadogan.server.core.errors import Muted
from cadogan.server.database.connections import Database
from cadogan.server.database.tables import players


class Mutes:
    """The mutes in a database. `now` returns the time in milliseconds since 1970."""

    def __init__(self, database: Database, now: Clock) -> None:
        self._database = database
        self._now = now

    async def require_not_muted(self, player: str) -> None:
        """Check that neither the player with this id nor, for a bot, the owner is muted. Raises Muted."""
        owner = select(players.c.owner).where(players.c.id == player).scalar_subquery()
        wanted = select(func.max(players.c.muted_until)).where(or_(players.c.id == player, players.c.id == owner))
        until = await self._database.fetch_value(wanted)
        if until is not None and until > self._now():
            raise Muted("You cannot write to others until {until}.", until=moment_text(until))
