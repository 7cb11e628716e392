"""Which games were moved from the log into an archive (`cadogan.server.operations.archive`)."""

from sqlalchemy import func, select

from cadogan.server.core import dates, ids
from cadogan.server.core.errors import Archived
from cadogan.server.database.connections import Database
from cadogan.server.database.tables import archived_games, archives
from cadogan.server.eventlog.streams import game_stream


class ArchivedGames:
    """The archived games of a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def count(self) -> int:
        """Return how many games are in archives."""
        return await self._database.fetch_value(select(func.count()).select_from(archived_games)) or 0

    async def require_not_archived(self, game_id: str) -> None:
        """Check that a game is not in an archive. Raises Archived, which names the archive file."""
        if not ids.is_valid(game_id):
            return
        chosen = select(archives.c.name, archives.c.created_at).join(
            archived_games, archived_games.c.archive == archives.c.sha256
        )
        found = await self._database.fetch_one(chosen.where(archived_games.c.stream == game_stream(game_id)))
        if found is not None:
            raise Archived(
                "This game was archived on {day}. The hosts of this server have it in the file {file}: ask them.",
                day=dates.day_of(found.created_at),
                file=found.name,
            )
