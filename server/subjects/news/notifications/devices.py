"""The devices that get notifications, and the key by which push services know this server (VAPID, RFC 8292).

The key is one for all nodes, in the database, and is made at the first start. A browser ties what it subscribes to to
this key, so another key would end every subscription: therefore it is part of a backup.
"""

import hmac
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable
from hashlib import sha256
from typing import Any

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
from sqlalchemy import Row, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from cadogan.server.core.database.connections import Database
from cadogan.server.core.database.tables import notification_devices, notification_keys, notifications, players, tokens
from cadogan.server.core.dates import read_zone
from cadogan.server.core.errors import BadMessage, Conflict, NotFound, TooMany, Unauthorized
from cadogan.server.core.people import Persons
from cadogan.server.core.rate_limits import AddressLimit, network_of
from cadogan.server.core.shares import SharedLock
from cadogan.server.subjects.news.notifications.queue import notification_row
from cadogan.server.subjects.news.requests import host_of, names_inside, service_of
from cadogan.wire import notifications as wire
from cadogan.wire.values import Player

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
        """Return a keyed hash in place of a text that must not be stored.

        A reader of the database has the key, and can test guesses.
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

    async def find(self) -> ServerKey | None:
        """Return the key; None if none was made yet. Raises NotificationKeyUnusable."""
        if self._key is None:
            pem = await self._database.fetch_value(_PEM)
            self._key = ServerKey(pem) if pem is not None else None
        return self._key

    async def get(self) -> ServerKey:
        """Return the key; it is made if there is none. Raises NotificationKeyUnusable."""
        self._key = await self.find() or await self._make()
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


MAX_DEVICES = 10
"""Devices of one person that get notifications."""
MAX_UNPROVEN = 10
"""Push services named by one person at which nothing has ever arrived; all guests of one address are one person."""
TESTS_AT_ONCE = 3
TESTS_PER_SECOND = 1 / 60
TEST_MILLISECONDS = 10 * 60_000
"""A test that has not arrived by then is not worth sending any more."""


class Devices:
    """The devices in a database. `now` returns milliseconds since 1970; `may_go_inside` trusts every address."""

    def __init__(
        self, database: Database, key: StoredServerKey, persons: Persons, now: Callable[[], int], may_go_inside: bool
    ) -> None:
        self._database = database
        self._persons = persons
        self._setting = SharedLock()
        self._key = key
        self._now = now
        self._may_go_inside = may_go_inside
        self._test_limit = AddressLimit(TESTS_PER_SECOND, TESTS_AT_ONCE)

    async def shown(self, player: Player, session: str) -> wire.Notifications:
        """Return the notification settings of the device with this session.

        Raises Conflict if the server's key is unusable.
        """
        key = await self._server_key()
        others = select(func.count()).where(
            notification_devices.c.player == player.id, notification_devices.c.session != session
        )
        async with self._database.reading() as connection:
            row = await _device(connection, session)
            count = await connection.scalar(others) or 0
        return wire.Notifications(key=key.public, device=_shown(row) if row is not None else None, others=count)

    async def set(self, player: Player, session: str, wanted: wire.NewNotifications, address: str) -> None:
        """Subscribe a device with these settings; other sessions of the same browser are unsubscribed.

        `address` is the network address of the request. Raises BadMessage for an invalid push endpoint, TooMany beyond
        `MAX_DEVICES` and `MAX_UNPROVEN`, and Unauthorized if the session has ended.
        """
        self._check(wanted)
        owner = await self._persons.person_of(player.id)
        person = owner if not player.guest else (await self._server_key()).hide(network_of(address))
        hashed = sha256(wanted.endpoint.encode()).hexdigest()
        row = {
            "session": session,
            "player": player.id,
            "named_by": person,
            "service": service_of(wanted.endpoint).removeprefix("https://"),
            "endpoint": wanted.endpoint,
            "endpoint_hash": hashed,
            "public_key": wanted.p256dh,
            "secret": wanted.auth,
            "topics": " ".join(sorted(set(wanted.topics))),
            "language": wanted.language,
            "time_zone": wanted.time_zone,
            "quiet_from": _minutes(wanted.quiet.begin) if wanted.quiet else None,
            "quiet_until": _minutes(wanted.quiet.end) if wanted.quiet else None,
            "created_at": self._now(),
            "failures": 0,
        }
        # Only who knows the device's secret, too, shows that it is the same browser.
        same = (notification_devices.c.endpoint_hash == hashed) & (notification_devices.c.secret == wanted.auth)
        table = notification_devices.c
        as_before = (table.session == session) & (table.endpoint_hash == hashed)
        mine = table.player.in_(select(players.c.id).where((players.c.id == owner) | (players.c.owner == owner)))
        proven = select(table.service).where(table.delivered_at.is_not(None))
        unproven = select(table.service).where(table.named_by == person, table.session != session)
        unproven = unproven.where(table.service.not_in(proven)).distinct()
        try:
            async with self._setting, self._database.writing() as connection:
                await connection.execute(select(players.c.id).where(players.c.id == owner).with_for_update())
                await connection.execute(
                    delete(notification_devices).where(same, notification_devices.c.session != session)
                )
                delivered_at = await connection.scalar(select(table.delivered_at).where(as_before))
                if delivered_at is not None:
                    row |= {"delivered_at": delivered_at, "named_by": player.id}
                elif not await connection.scalar(proven.where(table.service == row["service"]).limit(1)):
                    services = set(await connection.scalars(unproven)) | {row["service"]}
                    if len(services) > MAX_UNPROVEN:
                        raise TooMany(
                            "At most {count} push services that nobody has used here: wait until a test has arrived.",
                            count=MAX_UNPROVEN,
                        )
                known = set(await connection.scalars(select(table.session).where(mine)))
                if session in known:
                    changed = update(notification_devices).where(table.session == session)
                    await connection.execute(changed.values({"delivered_at": None, **row}))
                    return
                if len(known) >= MAX_DEVICES:
                    raise TooMany(
                        "At most {count} devices get notifications: switch them off on one.", count=MAX_DEVICES
                    )
                await connection.execute(insert(notification_devices).values(row))
        except IntegrityError:
            raise Unauthorized("Sign in first, or play as a guest.") from None

    async def remove(self, session: str) -> None:
        """Unsubscribe a device, and delete its queued notifications."""
        async with self._database.writing() as connection:
            await connection.execute(delete(notification_devices).where(notification_devices.c.session == session))

    async def test(self, player: Player, session: str, id: str) -> None:
        """Send a test to a device. Idempotent by the id.

        Raises NotFound if it gets no notifications, and RateLimited.
        """
        self._test_limit.take(await self._persons.person_of(player.id))
        now = self._now()
        async with self._database.writing() as connection:
            row = await _device(connection, session)
            if row is None:
                raise NotFound("This device gets no notifications.")
            if await connection.scalar(select(notifications.c.id).where(notifications.c.id == id)) is None:
                waiting = notification_row(row, "test", "", "", now, now, now + TEST_MILLISECONDS)
                await connection.execute(insert(notifications).values({**waiting, "id": id}))

    async def clear(self) -> None:
        """Forget the devices whose sessions have expired."""
        of_session = select(tokens.c.expires_at).where(tokens.c.hash == notification_devices.c.session)
        async with self._database.writing() as connection:
            await connection.execute(delete(notification_devices).where(of_session.scalar_subquery() <= self._now()))

    async def _server_key(self) -> ServerKey:
        try:
            return await self._key.get()
        except NotificationKeyUnusable:
            raise Conflict(
                "The key of this server for notifications cannot be used: a host has to repair it."
            ) from None

    def _check(self, wanted: wire.NewNotifications) -> None:
        host = host_of(wanted.endpoint)
        if not host:
            raise BadMessage("This is not an address that a push service has.")
        if not self._may_go_inside and names_inside(host):
            raise BadMessage("{host} is inside the network of the host, where no notification may go.", host=host)
        try:
            ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), urlsafe_b64decode(wanted.p256dh + "="))
        except ValueError:
            raise BadMessage("This is not the key of a device.") from None
        try:
            read_zone(wanted.time_zone)
        except ValueError:
            raise BadMessage("The server knows no time zone {name}.", name=wanted.time_zone) from None


async def _device(connection: AsyncConnection, session: str) -> Row[tuple[Any, ...]] | None:
    wanted = select(notification_devices).where(notification_devices.c.session == session)
    return (await connection.execute(wanted)).one_or_none()


def _shown(row: Row[tuple[Any, ...]]) -> wire.DeviceNotifications:
    quiet = None
    if row.quiet_from is not None and row.quiet_until is not None:
        quiet = wire.QuietHours(begin=_time(row.quiet_from), end=_time(row.quiet_until))
    return wire.DeviceNotifications(
        topics=row.topics.split(),
        time_zone=row.time_zone,
        quiet=quiet,
        language=row.language,
        created_at=row.created_at,
    )


def _minutes(text: str) -> int:
    hours, _, minutes = text.partition(":")
    return int(hours) * 60 + int(minutes)


def _time(minutes: int) -> str:
    return f"{minutes // 60:02}:{minutes % 60:02}"
