"""How players like the page: one row a player, erased with the account. Whoever writes last is right."""

from sqlalchemy import select

from clients.wire.codec import UnreadableMessage, decode_body, encode
from clients.wire.settings import Settings
from server.database.connections import Database
from server.database.tables import settings
from server.database.upsert import upsert


class PlayerSettings:
    """The settings that a database keeps for its players."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def of(self, player: str) -> Settings | None:
        """What this player has chosen; None for one who never chose, or chose what this version cannot read."""
        wanted = select(settings.c.chosen).where(settings.c.player == player)
        async with self._database.reading() as connection:
            chosen = await connection.scalar(wanted)
        try:
            return None if chosen is None else decode_body(Settings, chosen.encode())
        except UnreadableMessage:
            return None

    async def keep(self, player: str, chosen: Settings) -> None:
        """Keep this in place of what was kept before."""
        row = {"player": player, "chosen": encode(chosen).decode()}
        async with self._database.writing() as connection:
            await connection.execute(upsert(settings, connection.dialect), row)
