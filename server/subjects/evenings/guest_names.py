"""The names under which guests play an evening. They are not in the log, and are erased with the guest."""

from collections import defaultdict
from collections.abc import Collection, Sequence

from sqlalchemy import insert, select, update
from sqlalchemy.exc import IntegrityError

from cadogan.server.core import username_rules
from cadogan.server.core.database.connections import Database
from cadogan.server.core.database.tables import evening_names, players
from cadogan.server.core.errors import NameTaken
from cadogan.server.subjects.evenings.evening_state import EveningState
from cadogan.wire.values import Player


class GuestNames:
    """The names in a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def keep(self, state: EveningState, player: str, name: str) -> None:
        """Store the name of a guest for an evening. It cannot change after the first round has opened.

        Raises BadMessage for a name that is not allowed, and NameTaken if another guest of the evening has it, or its
        leader or an entrant with an account.
        """
        if state.opened and player in await self.of(state.id):
            return
        given = username_rules.normalize(name)
        named = {"name": given, "key": username_rules.name_key(given)}
        account = await self._database.fetch_value(select(players.c.id).where(players.c.name_key == named["key"]))
        if account is not None and (account == state.plan.leader or account in state.entrants):
            raise _taken()
        mine = (evening_names.c.evening == state.id) & (evening_names.c.player == player)
        try:
            async with self._database.writing() as connection:
                if not (await connection.execute(update(evening_names).where(mine).values(named))).rowcount:
                    row = {"evening": state.id, "player": player, **named}
                    await connection.execute(insert(evening_names).values(row))
        except IntegrityError:
            if (await self.of(state.id)).get(player) != given:
                raise _taken() from None

    async def of(self, evening: str) -> dict[str, str]:
        """Return the names of an evening, by player."""
        chosen = select(evening_names.c.player, evening_names.c.name).where(evening_names.c.evening == evening)
        return {row.player: row.name for row in await self._database.fetch(chosen)}

    async def of_many(self, evenings: Collection[str]) -> dict[str, dict[str, str]]:
        """Return the names of several evenings: for each one that has some, those by player."""
        chosen = select(evening_names).where(evening_names.c.evening.in_(evenings))
        found = defaultdict[str, dict[str, str]](dict)
        for row in await self._database.fetch(chosen) if evenings else ():
            found[row.evening][row.player] = row.name
        return found


def _taken() -> NameTaken:
    return NameTaken("Somebody else has this name.")


def under_names(wanted: Sequence[Player], names: dict[str, str]) -> list[Player]:
    """Return the players, guests under the names that they have chosen."""
    return [
        Player(id=one.id, name=names[one.id], guest=True, bot=one.bot) if one.guest and one.id in names else one
        for one in wanted
    ]
