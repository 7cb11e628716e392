"""The stored certificates of future deals. They are as secret as the cards of these deals."""

from collections.abc import Collection
from contextlib import suppress

from msgspec import DecodeError, json
from sqlalchemy import insert, select
from sqlalchemy.exc import IntegrityError

from cadogan.server.database.connections import Database
from cadogan.server.database.damage import DatabaseDamaged
from cadogan.server.database.tables import certificates
from cadogan.server.eventlog.events import Certificate, canonical_json

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
