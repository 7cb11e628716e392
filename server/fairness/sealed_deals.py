"""Sealed deals: secrets drawn and committed to before anybody has seen a card. The only place that reads them.

A casual game and a race have a secret of their own. A day has one, and all the deals of its card follow from it: each
is named by its day and its number on the card, and that name is the nonce of its cards.
"""

from contextlib import suppress
from dataclasses import dataclass, field

from sqlalchemy import insert, select
from sqlalchemy.exc import IntegrityError

from server.core import ids
from server.database.connections import Database
from server.database.tables import days, deals
from server.fairness import commit_reveal
from server.fairness.deal_names import daily_deal_name


@dataclass(frozen=True, slots=True)
class SealedDeal:
    """A deal whose secret is fixed; one of a day's card has its `day` and its number there, `slot`."""

    id: str
    game: str
    secret: bytes = field(repr=False)
    commitment: str
    day: str | None = None
    slot: int | None = None


@dataclass(frozen=True, slots=True)
class SealedDay:
    """A day whose secret is fixed."""

    day: str
    secret: bytes = field(repr=False)
    commitment: str

    def deal(self, slot: int, game: str) -> SealedDeal:
        """The deal of this number, by which this game is played."""
        return SealedDeal(daily_deal_name(self.day, slot), game, self.secret, self.commitment, self.day, slot)


class SealedDeals:
    """The sealed deals of a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def seal(self, game: str, now: int) -> SealedDeal:
        """A new deal for a casual game, written down before its commitment is told."""
        deal = _draw(ids.draw(), game)
        await self._write(deal, now)
        return deal

    async def seal_race(self, name: str, game: str, now: int) -> SealedDeal:
        """The deal of this name for a race: a new one, or the one that was sealed first."""
        with suppress(IntegrityError):
            await self._write(_draw(name, game), now)
        found = await self.get(name)
        assert found is not None
        return found

    async def seal_day(self, day: str, now: int) -> SealedDay:
        """The secret of a day: a new one, or the one that another node sealed first."""
        secret = commit_reveal.draw_secret()
        row = {"day": day, "secret": secret.hex(), "commitment": commit_reveal.commitment(secret), "created_at": now}
        with suppress(IntegrityError):
            async with self._database.writing() as connection:
                await connection.execute(insert(days).values(row))
        found = await self.of_day(day)
        assert found is not None
        return found

    async def get(self, deal: str) -> SealedDeal | None:
        """The deal of a casual game or a race, by its name."""
        async with self._database.reading() as connection:
            row = (await connection.execute(select(deals).where(deals.c.id == deal))).one_or_none()
        return None if row is None else SealedDeal(row.id, row.game, bytes.fromhex(row.secret), row.commitment)

    async def secret(self, deal: str) -> bytes | None:
        """The secret of a deal, a day's or another."""
        day, slot, _ = deal.partition(".")
        found: SealedDay | SealedDeal | None = await (self.of_day(day) if slot else self.get(deal))
        return None if found is None else found.secret

    async def of_day(self, day: str) -> SealedDay | None:
        """The secret of a day, once it is sealed."""
        async with self._database.reading() as connection:
            row = (await connection.execute(select(days).where(days.c.day == day))).one_or_none()
        return None if row is None else SealedDay(row.day, bytes.fromhex(row.secret), row.commitment)

    async def sealed_days(self, before: str, most: int) -> list[str]:
        """The days before this one that have their secret, so many at most, latest first."""
        chosen = select(days.c.day).where(days.c.day < before).order_by(days.c.day.desc()).limit(most)
        async with self._database.reading() as connection:
            return list(await connection.scalars(chosen))

    async def _write(self, deal: SealedDeal, now: int) -> None:
        row = {
            "id": deal.id,
            "game": deal.game,
            "secret": deal.secret.hex(),
            "commitment": deal.commitment,
            "created_at": now,
        }
        async with self._database.writing() as connection:
            await connection.execute(insert(deals).values(row))


def _draw(name: str, game: str) -> SealedDeal:
    secret = commit_reveal.draw_secret()
    return SealedDeal(name, game, secret, commit_reveal.commitment(secret))
