"""Deletion of guests who never played and have been inactive for a while."""

from sqlalchemy import delete, select

from cadogan.server.core.dates import MILLISECONDS_PER_DAY
from cadogan.server.database.connections import Database
from cadogan.server.database.tables import games, members, players

IDLE_MILLISECONDS = 30 * MILLISECONDS_PER_DAY
"""Milliseconds after which a guest who has begun no game is deleted."""
CLEARED_AT_ONCE = 500


async def clear_idle_guests(database: Database, now: int) -> int:
    """Delete some of the guests older than `IDLE_MILLISECONDS` who never began a game; return how many.

    `now` is in milliseconds since 1970. Their names are shown nowhere, except in groups.
    """
    played = select(games.c.id).where(games.c.player == players.c.id)
    joined = select(members.c.player).where(members.c.player == players.c.id)
    idle = select(players.c.id).where(
        players.c.name_key.is_(None),
        players.c.role.is_(None),
        players.c.suspended_until.is_(None),
        players.c.muted_until.is_(None),
        players.c.created_at <= now - IDLE_MILLISECONDS,
        ~played.exists(),
        ~joined.exists(),
    )
    async with database.writing() as connection:
        chosen = delete(players).where(players.c.id.in_(idle.limit(CLEARED_AT_ONCE)))
        return (await connection.execute(chosen)).rowcount
