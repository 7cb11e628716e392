"""The web page settings of players: one row for each player; the last writer wins.

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
        """Return the player's settings; None if none are stored, or if this version cannot read them."""
        wanted = select(settings.c.chosen).where(settings.c.player == player)
        chosen = await self._database.fetch_value(wanted)
        try:
            return None if chosen is None else decode_body(Settings, chosen.encode())
        except UnreadableMessage:
            return None

    async def save(self, player: str, chosen: Settings) -> None:
        """Store the player's settings in place of earlier ones."""
        row = {"player": player, "chosen": encode(chosen).decode()}
        async with self._database.writing() as connection:
            await connection.execute(upsert(settings, connection.dialect), row)
