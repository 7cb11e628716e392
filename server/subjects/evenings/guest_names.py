"""The names under which guests play an evening. They are not in the log, and are erased with the guest."""

from collections.abc import Sequence

from sqlalchemy import insert, select
from sqlalchemy.exc import IntegrityError

from cadogan.server.core import username_rules
from cadogan.server.core.database.connections import Database
from cadogan.server.core.database.tables import evening_names
from cadogan.server.core.errors import NameTaken
from cadogan.wire.values import Player


class GuestNames:
    """The names in a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def keep(self, evening: str, player: str, name: str) -> None:
        """Give a guest a name for an evening; a guest who has one keeps it.

        Raises BadMessage for a name that is not allowed, and NameTaken if another guest of the evening has it.
        """
        given = username_rules.normalize(name)
        row = {"evening": evening, "player": player, "name": given, "key": username_rules.name_key(given)}
        try:
            async with self._database.writing() as connection:
                await connection.execute(insert(evening_names).values(row))
        except IntegrityError:
            if player not in await self.of(evening):
                raise NameTaken("Somebody else has this name.") from None

    async def of(self, evening: str) -> dict[str, str]:
        """Return the names of an evening, by player."""
        chosen = select(evening_names.c.player, evening_names.c.name).where(evening_names.c.evening == evening)
        return {row.player: row.name for row in await self._database.fetch(chosen)}


def under_names(players: Sequence[Player], names: dict[str, str]) -> list[Player]:
    """Return the players, guests under the names that they have chosen."""
    return [
        Player(id=one.id, name=names[one.id], guest=True, bot=one.bot) if one.guest and one.id in names else one
        for one in players
    ]
