"""Sealed deals: secrets drawn and committed to before anybody has seen a card. The only place that reads them."""

from contextlib import suppress
from dataclasses import dataclass, field

from sqlalchemy import insert, select
from sqlalchemy.exc import IntegrityError

from server import fairness, ids
from server.db import Database
from server.models import days, deals


@dataclass(frozen=True, slots=True)
class SealedDeal:
    """A deal whose secret is fixed. `day` is the day that plays it, None for a casual game or a race."""

    id: str
    game: str
    day: str | None
    secret: bytes = field(repr=False)
    commitment: str


class Deals:
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

    async def seal_day(self, game: str, day: str, now: int) -> SealedDeal:
        """The deal of a day: a new one, or the one that another node sealed first."""
        secret = fairness.draw_secret()
        row = {"day": day, "secret": secret.hex(), "commitment": fairness.commitment(secret), "created_at": now}
        with suppress(IntegrityError):
            async with self._database.writing() as connection:
                await connection.execute(insert(days).values(row))
        found = await self.of_day(day, game)
        assert found is not None
        return found

    async def get(self, deal: str) -> SealedDeal | None:
        """A deal by its id."""
        async with self._database.reading() as connection:
            row = (await connection.execute(select(deals).where(deals.c.id == deal))).one_or_none()
        return None if row is None else SealedDeal(row.id, row.game, None, bytes.fromhex(row.secret), row.commitment)

    async def secret(self, deal: str) -> bytes | None:
        """The secret of a deal, a day's or another."""
        day, slot, _ = deal.partition(".")
        chosen = (
            select(days.c.secret).where(days.c.day == day) if slot else select(deals.c.secret).where(deals.c.id == deal)
        )
        async with self._database.reading() as connection:
            found = await connection.scalar(chosen)
        return None if found is None else bytes.fromhex(found)

    async def of_day(self, day: str, game: str) -> SealedDeal | None:
        """The deal of a day, which plays this game, once it is sealed."""
        async with self._database.reading() as connection:
            row = (await connection.execute(select(days).where(days.c.day == day))).one_or_none()
        return None if row is None else SealedDeal(f"{day}.1", game, day, bytes.fromhex(row.secret), row.commitment)

    async def sealed_days(self, last: str) -> list[str]:
        """The days up to the last one that have their secret, in their order."""
        async with self._database.reading() as connection:
            return list(await connection.scalars(select(days.c.day).where(days.c.day <= last).order_by(days.c.day)))

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
    secret = fairness.draw_secret()
    return SealedDeal(name, game, None, secret, fairness.commitment(secret))
