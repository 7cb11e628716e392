"""The list of players for hosts and moderators."""

from typing import Any

from sqlalchemy import Row, and_, or_, select

from cadogan.server.core import ids
from cadogan.server.core.clock import Clock
from cadogan.server.core.dates import LAST_MOMENT
from cadogan.server.core.errors import NotFound
from cadogan.server.core.username_rules import GUEST_ID_LETTERS, guest_name, name_key
from cadogan.server.database.connections import Database
from cadogan.server.database.tables import players
from cadogan.wire.house import HousePlayer, HousePlayers
from cadogan.wire.values import Player

_LAST_CHARACTER = "\U0010ffff"
_GUEST = name_key(guest_name(""))


class PlayerList:
    """The players of a database. `now` returns the time in milliseconds since 1970."""

    def __init__(self, database: Database, now: Clock) -> None:
        self._database = database
        self._now = now

    async def find(self, name: str, offset: int, limit: int) -> HousePlayers:
        """Return the players with this name prefix (normalized) or this id, sorted by name."""
        key = name_key(name)
        begins = and_(players.c.name_key >= key, players.c.name_key < key + _LAST_CHARACTER)
        chosen = [players.c.id == name, begins]
        if key.startswith(_GUEST):
            letters = key.removeprefix(_GUEST).strip()[:GUEST_ID_LETTERS]
            of_guest = and_(players.c.id >= letters, players.c.id < letters + _LAST_CHARACTER)
            chosen.append(and_(players.c.name_key.is_(None), of_guest))
        order = (players.c.name_key.is_(None), players.c.name_key, players.c.id)
        wanted = select(players).order_by(*order).offset(offset).limit(limit + 1)
        rows = await self._database.fetch(wanted.where(or_(*chosen)) if name else wanted)
        now = self._now()
        return HousePlayers(players=[_shown(row, now) for row in rows[:limit]], more=len(rows) > limit)

    async def named(self, name: str) -> str:
        """Return the id of the player with this name or id. Raises NotFound."""
        wanted = select(players.c.id).where(or_(players.c.id == name, players.c.name_key == name_key(name)))
        async with self._database.reading() as connection:
            found: str | None = (await connection.scalars(wanted.order_by(players.c.id != name))).first()
        if found is None:
            raise NotFound("There is no such player.")
        return found

    async def player(self, player: str) -> HousePlayer:
        """Return the player with this id. Raises NotFound."""
        row = await self._database.fetch_one(select(players).where(players.c.id == player))
        if row is None:
            raise NotFound("There is no such player.")
        return _shown(row, self._now())


def _shown(row: Row[tuple[Any, ...]], now: int) -> HousePlayer:
    until, muted_until = (
        moment if moment is not None and moment > now else None for moment in (row.suspended_until, row.muted_until)
    )
    return HousePlayer(
        player=Player(id=row.id, name=row.name, guest=row.name_key is None, bot=ids.is_bot(row.id)),
        created_at=row.created_at,
        role=row.role,
        suspended_until=None if until == LAST_MOMENT else until,
        banned=until == LAST_MOMENT,
        muted_until=muted_until,
    )
