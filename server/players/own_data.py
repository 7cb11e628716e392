"""The export of a player's own data: their rows of every table."""

from typing import Any

from sqlalchemy import select

from cadogan.server.database.connections import Database
from cadogan.server.database.personal_data import PERSONAL_DATA
from cadogan.server.database.tables import games, metadata

MAX_PAGE = 100
"""The number of game ids that are read at a time."""


class OwnData:
    """Reads a player's data from a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def rows(self, player: str) -> dict[str, list[dict[str, Any]]]:
        """Return the rows about the player with this id, by table: the columns that `PERSONAL_DATA` shows."""
        found: dict[str, list[dict[str, Any]]] = {}
        async with self._database.reading() as connection:
            for name, about in PERSONAL_DATA.items():
                if not about.shown:
                    continue
                table = metadata.tables[name]
                chosen = select(*(table.c[column] for column in about.shown)).where(table.c[about.players[0]] == player)
                rows = await connection.execute(chosen.order_by(*table.primary_key))
                if kept := [dict(row._mapping) for row in rows]:
                    found[name] = kept
        return found

    async def finished_games(self, player: str, after: str) -> list[str]:
        """Return the ids of the player's finished games, sorted: the next `MAX_PAGE` after the id `after`."""
        over = select(games.c.id).where(games.c.player == player, games.c.finished_at.is_not(None), games.c.id > after)
        async with self._database.reading() as connection:
            return list(await connection.scalars(over.order_by(games.c.id).limit(MAX_PAGE)))
