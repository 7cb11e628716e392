"""The secrets of deals and the certificates of deals to come, as stored. Only this module reads them.

Sealed deals: their secrets are stored before anybody has seen a card. Only this module reads secrets.

A casual game and a race each have a secret. A day has one secret for all its deals. The id of a day's deal consists of
the day and the deal's number (its slot); its nonce consists of this id and the candidate's number.
"""

from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from msgspec import DecodeError, json
from sqlalchemy import Row, insert, select
from sqlalchemy.exc import IntegrityError

from cadogan.server.core.database.connections import Database
from cadogan.server.core.database.revisions import DatabaseDamaged
from cadogan.server.core.database.statements import among, insert_if_absent
from cadogan.server.core.database.tables import certificates, days, deals
from cadogan.server.core.event_loop import Batcher
from cadogan.server.core.eventlog.events import Certificate, canonical_json
from cadogan.server.core.fairness import commit_reveal
from cadogan.server.core.fairness.commit_reveal import daily_deal_id, daily_nonce


@dataclass(frozen=True, slots=True)
class SealedDeal:
    """A deal with a fixed secret. A daily deal also has its `day` and its number on that day, `slot`, from 1.

    `candidate` is the number, from 0, of the candidate that is played; before the day's close it is a secret, too.
    `round_digest` is the digest of the day's beacon round, if it has one
    (`cadogan.server.core.fairness.commit_reveal`).
    """

    id: str
    game: str
    secret: bytes = field(repr=False)
    commitment: str
    day: str | None = None
    slot: int | None = None
    candidate: int = field(default=0, repr=False)
    round_digest: str | None = None

    @property
    def nonce(self) -> str:
        """The nonce of a daily deal, which contains no text of a player."""
        return daily_nonce(self.id, self.candidate, self.round_digest)


@dataclass(frozen=True, slots=True)
class SealedDay:
    """A day with a fixed secret. `grace` is its grace period in milliseconds; None means that of the settings."""

    day: str
    secret: bytes = field(repr=False)
    commitment: str
    grace: int | None = None

    def deal(self, slot: int, game: str, candidate: int = 0, round_digest: str | None = None) -> SealedDeal:
        """Return the deal with this number, for this game, with the cards of the candidate of this number."""
        name = daily_deal_id(self.day, slot)
        return SealedDeal(name, game, self.secret, self.commitment, self.day, slot, candidate, round_digest)


class SealedDeals:
    """The sealed deals in a database. Reading a secret that is not in hex raises DatabaseDamaged."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._lists: Batcher[tuple[str, int], list[SealedDay]] = Batcher(self._list_days)
        self._days: Batcher[str, SealedDay] = Batcher(self._find_days, pause_seconds=0)  # a starting server needs eight
        self._sealing: Batcher[tuple[SealedDay, int], SealedDay] = Batcher(self._seal_days, pause_seconds=0)

    async def seal_named(self, deal_id: str, game: str, now: int) -> SealedDeal:
        """Create the deal with this id, of a casual game or a race; if it exists already, return that one.

        It is stored when this returns, so its commitment may be published.
        """
        deal = _new_deal(deal_id, game)
        try:
            await self._write([deal], now)
        except IntegrityError:
            found = await self.get(deal_id)
            assert found is not None
            return found
        return deal

    async def seal_many(self, games: Mapping[str, str], now: int) -> list[SealedDeal]:
        """Create the deals with these ids, each of its game, in one transaction; those that exist stay as they are."""
        with suppress(IntegrityError):
            await self._write([_new_deal(id, game) for id, game in games.items()], now)
        found = {deal.id: deal for deal in await self.get_many(games.keys())}
        return [found.get(id) or await self.seal_named(id, game, now) for id, game in games.items()]

    async def seal_day(self, day: str, now: int, grace: int | None = None) -> SealedDay:
        """Create the secret of a day with this grace period, or return the one that exists."""
        secret = commit_reveal.draw_secret()
        drawn = SealedDay(day, secret, commit_reveal.commitment(secret), grace)
        sealed = await self._sealing.get((drawn, now))
        assert sealed is not None
        return sealed

    async def get(self, deal: str) -> SealedDeal | None:
        """Return the deal of a casual game or a race, by its id, or None."""
        row = await self._database.fetch_one(select(deals).where(deals.c.id == deal))
        return None if row is None else SealedDeal(row.id, row.game, _secret(row.id, row.secret), row.commitment)

    async def get_many(self, wanted: Collection[str]) -> list[SealedDeal]:
        """Return those of these deals, of casual games, races or other competitions, that exist, in any order."""
        rows = await self._database.fetch(select(deals).where(among(deals.c.id, "ids")), {"ids": [*wanted]})
        return [SealedDeal(row.id, row.game, _secret(row.id, row.secret), row.commitment) for row in rows]

    async def get_secret(self, deal: str) -> bytes | None:
        """Return the secret of any deal, by the deal's id, or None."""
        day, slot, _ = deal.partition(".")
        found: SealedDay | SealedDeal | None = await (self.get_day(day) if slot else self.get(deal))
        return None if found is None else found.secret

    async def get_day(self, day: str) -> SealedDay | None:
        """Return a day with its secret, or None if it has none yet."""
        return await self._days.get(day)

    async def sealed_days(self, before: str, limit: int) -> list[SealedDay]:
        """Return the latest days before `before` that have a secret, at most `limit` of them, latest first."""
        return await self._lists.get((before, limit)) or []

    async def _list_days(self, asked: Collection[tuple[str, int]]) -> dict[tuple[str, int], list[SealedDay]]:
        found = {}
        for before, limit in asked:
            chosen = select(days).where(days.c.day < before).order_by(days.c.day.desc()).limit(limit)
            found[before, limit] = [_sealed_day(row) for row in await self._database.fetch(chosen)]
        return found

    async def _find_days(self, asked: Collection[str]) -> dict[str, SealedDay]:
        rows = await self._database.fetch(select(days).where(among(days.c.day, "days")), {"days": [*asked]})
        return {row.day: _sealed_day(row) for row in rows}

    async def _seal_days(self, drawn: Collection[tuple[SealedDay, int]]) -> dict[tuple[SealedDay, int], SealedDay]:
        rows = [
            {
                "day": one.day,
                "secret": one.secret.hex(),
                "commitment": one.commitment,
                "created_at": now,
                "grace": one.grace,
            }
            for one, now in sorted(drawn, key=lambda pair: pair[0].day)  # two nodes that did otherwise could deadlock
        ]
        async with self._database.writing() as connection:
            await connection.execute(insert_if_absent(days, connection.dialect), rows)
        stored = await self._find_days({one.day for one, _ in drawn})
        return {(one, now): stored[one.day] for one, now in drawn}

    async def _write(self, sealed: Collection[SealedDeal], now: int) -> None:
        rows = [
            {
                "id": deal.id,
                "game": deal.game,
                "secret": deal.secret.hex(),
                "commitment": deal.commitment,
                "created_at": now,
            }
            for deal in sealed
        ]
        async with self._database.writing() as connection:
            await connection.execute(insert(deals), rows)


def _sealed_day(row: Row[Any]) -> SealedDay:
    return SealedDay(row.day, _secret(row.day, row.secret), row.commitment, row.grace)


def _secret(name: str, text: str) -> bytes:
    try:
        return bytes.fromhex(text)
    except (TypeError, ValueError):
        raise DatabaseDamaged(f"the secret of {name} is not in hex") from None


def _new_deal(id: str, game: str) -> SealedDeal:
    secret = commit_reveal.draw_secret()
    return SealedDeal(id, game, secret, commit_reveal.commitment(secret))


_decode = json.Decoder(Certificate).decode


class StoredCertificates:
    """The certificates in a database. The first result stored for a deal is never changed."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, deal: str, certificate: Certificate | None, now: int) -> None:
        """Store the certificate of a deal, or None if the search won no candidate. A stored result does not change."""
        text = None if certificate is None else canonical_json(certificate)
        with suppress(IntegrityError):
            async with self._database.writing() as connection:
                await connection.execute(insert(certificates).values(deal=deal, certificate=text, created_at=now))

    async def get(self, deals: Collection[str]) -> dict[str, Certificate | None]:
        """Return the stored results by deal; None if the search won no candidate. Raises DatabaseDamaged."""
        if not deals:
            return {}
        chosen = select(certificates.c.deal, certificates.c.certificate).where(certificates.c.deal.in_(deals))
        rows = await self._database.fetch(chosen)
        return {row.deal: None if row.certificate is None else _read(row.deal, row.certificate) for row in rows}


def _read(deal: str, text: str) -> Certificate:
    try:
        return _decode(text)
    except DecodeError:
        raise DatabaseDamaged(f"the certificate of {deal} cannot be read") from None
