"""The key by which push services know this server (VAPID, RFC 8292): one for all nodes, in the database.

It is made at the first start. A browser ties what it subscribes to to this key, so another key would end every
subscription: therefore it is part of a backup.
"""

import hmac
from base64 import urlsafe_b64encode
from collections.abc import Callable

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
)
from joserfc import jwt
from joserfc.jwk import ECKey
from sqlalchemy import insert, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from cadogan.server.database.connections import Database
from cadogan.server.database.tables import notification_keys
from cadogan.server.news.addresses import service_of

_ID = "vapid"
_PEM = select(notification_keys.c.private_key).where(notification_keys.c.id == _ID)
TOKEN_SECONDS = 12 * 3600
"""For so long a push service may believe one signature; more than a day is refused."""


class NotificationKeyUnusable(Exception):
    """The key in the database cannot be used. The message says why, and has nothing secret in it."""


class ServerKey:
    """A key on the curve P-256. `public` is what a browser is given: the point, uncompressed, in base64url."""

    def __init__(self, pem: str) -> None:
        """Read the private key. Raises NotificationKeyUnusable."""
        try:
            key = load_pem_private_key(pem.encode(), None)
        except (ValueError, TypeError) as error:
            raise NotificationKeyUnusable(f"it cannot be read: {type(error).__name__}") from None
        if not isinstance(key, ec.EllipticCurvePrivateKey) or not isinstance(key.curve, ec.SECP256R1):
            raise NotificationKeyUnusable("it is not a key on the curve P-256")
        self._signing = ECKey.import_key(pem)
        self._pem = pem.encode()
        point = key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        self.public = urlsafe_b64encode(point).rstrip(b"=").decode()

    def hide(self, text: str) -> str:
        """Return what stands for a text that is not to be stored: the same for the same text, and only for who has it.

        Whoever reads the database has the key, and can try texts.
        """
        return hmac.digest(self._pem, text.encode(), "sha256").hex()[:32]

    def authorize(self, endpoint: str, now: int, contact: str) -> str:
        """Return the header `Authorization` for a request to an endpoint. `now` is in milliseconds since 1970.

        `contact` is a mail address or a page that the push service may turn to; some demand one.
        """
        claims: dict[str, str | int] = {"aud": service_of(endpoint), "exp": now // 1000 + TOKEN_SECONDS}
        if contact:
            claims["sub"] = contact
        token = jwt.encode({"typ": "JWT", "alg": "ES256"}, claims, self._signing, algorithms=["ES256"])
        return f"vapid t={token}, k={self.public}"


class StoredServerKey:
    """The key in a database. `now` returns milliseconds since 1970."""

    def __init__(self, database: Database, now: Callable[[], int]) -> None:
        self._database = database
        self._now = now
        self._key: ServerKey | None = None

    async def get(self) -> ServerKey:
        """Return the key; it is made if there is none. Raises NotificationKeyUnusable."""
        if self._key is None:
            pem = await self._database.fetch_value(_PEM)
            self._key = ServerKey(pem) if pem is not None else await self._make()
        return self._key

    async def _make(self) -> ServerKey:
        made = ec.generate_private_key(ec.SECP256R1())
        pem = made.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()
        try:
            async with self._database.writing() as connection:
                row = {"id": _ID, "private_key": pem, "created_at": self._now()}
                await connection.execute(insert(notification_keys).values(row))
        except IntegrityError:  # another node was first
            async with self._database.reading() as connection:
                key = await read_server_key(connection)
            assert key is not None
            return key
        return ServerKey(pem)


async def read_server_key(connection: AsyncConnection) -> ServerKey | None:
    """Return the key in a database; None if none was made yet. Raises NotificationKeyUnusable."""
    pem = await connection.scalar(_PEM)
    return ServerKey(pem) if pem is not None else None
