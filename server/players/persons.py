"""Persons: an owner and their bots are one person. A person is a newcomer until their name is old enough.

Guests are free to create, so a guest may be a second account of any player. A name claimed long before a deal opened is
harder to get. `docs/fairness.md` lists what a newcomer may not see, and the limits of this protection.
"""

from collections.abc import Collection
from typing import NamedTuple

from sqlalchemy import func, select

from cadogan.server.core import ids
from cadogan.server.core.batching import Batcher
from cadogan.server.database.connections import Database
from cadogan.server.database.tables import players

MAX_REMEMBERED = 100_000
"""The maximum number of players whose person is cached."""


class Person(NamedTuple):
    """The person who owns an account.

    `id` is the account's own id, or for a bot the owner's. `claimed_at` is when the person claimed a name, in
    milliseconds since 1970; None for a guest.
    """

    id: str
    claimed_at: int | None


class Persons:
    """The persons who own the players of a database."""

    def __init__(self, database: Database, newcomer_milliseconds: int) -> None:
        """Persons are newcomers until their name is `newcomer_milliseconds` old; 0 disables this."""
        self._database = database
        self._newcomer_ms = newcomer_milliseconds
        self._found = Batcher(self._find)
        self._named: dict[str, Person] = {}

    async def person_of(self, player: str) -> str:
        """Return the id of the person who owns a player: for a bot, even a retired one, the owner's id."""
        return (await self._get(player)).id if ids.is_bot(player) else player

    async def is_newcomer(self, player: str, opened_at: int) -> bool:
        """Return whether the player may be a second account, created for a deal that opened at the time `opened_at`.

        This holds for players without a name that was old enough then. It does not change while the deal is open.
        """
        if self._newcomer_ms == 0:
            return False
        claimed_at = (await self._get(player)).claimed_at
        return claimed_at is None or claimed_at + self._newcomer_ms > opened_at

    async def _get(self, player: str) -> Person:
        known = self._named.get(player)
        if known is None:
            known = await self._found.get(player) or Person(player, None)
            if known.claimed_at is not None:  # guests are not cached, because they may claim a name later
                if len(self._named) >= MAX_REMEMBERED:
                    self._named.clear()
                self._named[player] = known
        return known

    async def _find(self, wanted: Collection[str]) -> dict[str, Person]:
        owners = players.alias("owners")
        behind = (
            select(
                players.c.id,
                func.coalesce(players.c.owner, players.c.id).label("person"),
                func.coalesce(owners.c.claimed_at, players.c.claimed_at).label("claimed_at"),
            )
            .outerjoin(owners, owners.c.id == players.c.owner)
            .where(players.c.id.in_(wanted))
        )
        return {row.id: Person(row.person, row.claimed_at) for row in await self._database.fetch(behind)}
