"""Persons: an owner and their bots are one person, and a person is a newcomer until their name is old enough.

A guest costs nothing, so a guest may be anybody's second account. A name that was claimed long before a deal opened
costs patience at least. `docs/fairness.md` says what a newcomer may not see, and what this does not prevent.
"""

from collections.abc import Collection
from typing import NamedTuple

from sqlalchemy import func, select

from cadogan.server.core import ids
from cadogan.server.core.batching import Batcher
from cadogan.server.database.connections import Database
from cadogan.server.database.tables import players

MAX_REMEMBERED = 100_000
"""Players whose person is remembered, so that it is not asked for again."""


class Person(NamedTuple):
    """Who is behind an account.

    `id` is the account's own id, or for a bot that of its owner. `claimed_at` is when this person claimed a name, in
    milliseconds since 1970; None for a guest.
    """

    id: str
    claimed_at: int | None


class Persons:
    """The persons behind the players of a database."""

    def __init__(self, database: Database, newcomer_milliseconds: int) -> None:
        """Take a person for a newcomer until a name is `newcomer_milliseconds` old; 0 means that nobody is one."""
        self._database = database
        self._newcomer_ms = newcomer_milliseconds
        self._found = Batcher(self._find)
        self._named: dict[str, Person] = {}

    async def person_of(self, player: str) -> str:
        """Return the id of the person behind a player: of a bot its owner's, also when the bot is retired."""
        return (await self._get(player)).id if ids.is_bot(player) else player

    async def is_newcomer(self, player: str, opened_at: int) -> bool:
        """Return whether the player may be somebody's second account, made for a deal that opened at that moment.

        That is whoever had no name for long enough before. It does not change while the deal is open.
        """
        if self._newcomer_ms == 0:
            return False
        claimed_at = (await self._get(player)).claimed_at
        return claimed_at is None or claimed_at + self._newcomer_ms > opened_at

    async def _get(self, player: str) -> Person:
        known = self._named.get(player)
        if known is None:
            known = await self._found.get(player) or Person(player, None)
            if known.claimed_at is not None:  # a guest may claim a name later; nothing else ever changes
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
