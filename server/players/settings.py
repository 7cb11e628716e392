"""The settings of players: how each likes the page. There is one row for each player; the last writer wins.

The row is erased with the account.
"""

from sqlalchemy import select

from cadogan.server.database.connections import Database
from cadogan.server.database.tables import settings
from cadogan.server.database.upsert import upsert
from cadogan.wire.codec import UnreadableMessage, decode_body, encode
from cadogan.wire.settings import Settings


class PlayerSettings:
    """The settings of the players in a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def load(self, player: str) -> Settings | None:
        """Return what this player chose; None if nothing was chosen, or if this version cannot read it."""
        wanted = select(settings.c.chosen).where(settings.c.player == player)
        chosen = await self._database.fetch_value(wanted)
        try:
            return None if chosen is None else decode_body(Settings, chosen.encode())
        except UnreadableMessage:
            return None

    async def save(self, player: str, chosen: Settings) -> None:
        """Store what this player chose, in place of what was stored before."""
        row = {"player": player, "chosen": encode(chosen).decode()}
        async with self._database.writing() as connection:
            await connection.execute(upsert(settings, connection.dialect), row)
