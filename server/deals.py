"""Sealed deals: secrets drawn and committed to before anybody has seen a card. The only place that reads them."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Row, insert, select
from sqlalchemy.exc import IntegrityError

from server import fairness, ids
from server.db import Database
from server.models import deals


@dataclass(frozen=True, slots=True)
class SealedDeal:
    """A deal whose secret is fixed. `day` is the day that plays it, None for a casual game."""

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
        deal = _draw(game, None)
        await self._write(deal, now)
        return deal

    async def seal_day(self, game: str, day: str, now: int) -> SealedDeal:
        """The deal of a day: a new one, or the one that another node sealed first."""
        try:
            deal = _draw(game, day)
            await self._write(deal, now)
        except IntegrityError:
            found = await self.of_day(day)
            if found is None:
                raise
            return found
        return deal

    async def get(self, deal: str) -> SealedDeal | None:
        """A deal by its id."""
        found = await self._read(deals.c.id == deal)
        return found[0] if found else None

    async def of_day(self, day: str) -> SealedDeal | None:
        """The deal of a day, once it is sealed."""
        found = await self._read(deals.c.day == day)
        return found[0] if found else None

    async def of_days(self, first: str, last: str) -> list[SealedDeal]:
        """The deals of the days from first to last, in their order."""
        return await self._read((deals.c.day >= first) & (deals.c.day <= last))

    async def _write(self, deal: SealedDeal, now: int) -> None:
        row = {
            "id": deal.id,
            "game": deal.game,
            "day": deal.day,
            "secret": deal.secret.hex(),
            "commitment": deal.commitment,
            "created_at": now,
        }
        async with self._database.writing() as connection:
            await connection.execute(insert(deals).values(row))

    async def _read(self, which: Any) -> list[SealedDeal]:
        async with self._database.reading() as connection:
            rows: Sequence[Row[Any]] = (
                await connection.execute(select(deals).where(which).order_by(deals.c.day))
            ).all()
        return [SealedDeal(row.id, row.game, row.day, bytes.fromhex(row.secret), row.commitment) for row in rows]


def _draw(game: str, day: str | None) -> SealedDeal:
    secret = fairness.draw_secret()
    return SealedDeal(ids.draw(), game, day, secret, fairness.commitment(secret))
