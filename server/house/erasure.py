"""Erasure of a player by the player or by a host. `cadogan.server.players.erasing` defines what is deleted."""

from collections.abc import Callable

import structlog
from sqlalchemy import func, select

from cadogan.server.core import ids
from cadogan.server.core.errors import Conflict, Forbidden
from cadogan.server.database.connections import Database
from cadogan.server.database.tables import players
from cadogan.server.eventlog.events import HouseActed
from cadogan.server.house.house_log import lock_house, record_act
from cadogan.server.house.idle_guests import clear_idle_guests
from cadogan.server.house.targets import find_target
from cadogan.server.players.erasing import ErasedPlayer, erase_players, erased_players

log = structlog.stdlib.get_logger("cadogan")


class Erasure:
    """Erases players of a database. `now` returns the time in milliseconds since 1970."""

    def __init__(self, database: Database, now: Callable[[], int]) -> None:
        self._database = database
        self._now = now

    async def erase(self, by: str | None, player: str, reason: str) -> tuple[str, ...]:
        """Erase a player with their bots, and return the ids of the revoked sessions and hashes of the revoked tokens.

        `by` is the id of the actor, the player or a host; None at the command line. Raises NotFound, Forbidden if
        somebody else erases a host or a moderator, and Conflict for a bot and for the only host.
        """
        now = self._now()
        async with self._database.writing() as connection:
            await lock_house(connection)
            target = await find_target(connection, player)
            if ids.is_bot(player):
                raise Conflict("A bot is erased with its owner: shut it down instead.")
            if target.role is not None and by != player:
                raise Forbidden("This player is a host or a moderator: take the role away first.")
            hosts = select(func.count()).select_from(players).where(players.c.role == "host")
            if target.role == "host" and await connection.scalar(hosts) == 1:
                raise Conflict("This is the only host: make somebody else a host first.")
            ended = await erase_players(connection, [ErasedPlayer(player, now)])
            await record_act(connection, HouseActed("erased", by=by, player=player, reason=reason), now)
        await self._database.overwrite_deleted()
        log.info("player_erased", player=player)
        return ended

    async def clear_old(self) -> None:
        """Delete some of the old guests who never played: see `clear_idle_guests`."""
        await clear_idle_guests(self._database, self._now())

    async def erased(self) -> list[ErasedPlayer]:
        """Return everybody who was erased, sorted by id."""
        async with self._database.reading() as connection:
            return await erased_players(connection)
