"""The devices that get notifications: one for each session at most, and a few for each player."""

import asyncio
from base64 import urlsafe_b64decode
from collections.abc import Callable
from hashlib import sha256
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec
from sqlalchemy import Row, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from cadogan.server.core.errors import BadMessage, Conflict, NotFound, TooMany, Unauthorized
from cadogan.server.core.rate_limits import AddressLimit, network_of
from cadogan.server.database.connections import Database
from cadogan.server.database.tables import notification_devices, notifications, players, tokens
from cadogan.server.news.addresses import host_of, names_inside, service_of
from cadogan.server.news.notifications.queue import notification_row
from cadogan.server.news.notifications.quiet_hours import read_zone
from cadogan.server.news.notifications.server_key import NotificationKeyUnusable, ServerKey, StoredServerKey
from cadogan.server.players.persons import Persons
from cadogan.wire import notifications as wire
from cadogan.wire.values import Player

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
        self._setting = asyncio.Lock()
        self._key = key
        self._now = now
        self._may_go_inside = may_go_inside
        self._test_limit = AddressLimit(TESTS_PER_SECOND, TESTS_AT_ONCE)

    async def shown(self, player: Player, session: str) -> wire.Notifications:
        """Return what the device with this session has switched on. Raises Conflict if the server's key is unusable."""
        key = await self._server_key()
        others = select(func.count()).where(
            notification_devices.c.player == player.id, notification_devices.c.session != session
        )
        async with self._database.reading() as connection:
            row = await _device(connection, session)
            count = await connection.scalar(others) or 0
        return wire.Notifications(key=key.public, device=_shown(row) if row is not None else None, others=count)

    async def set(self, player: Player, session: str, wanted: wire.NewNotifications, address: str) -> None:
        """Send a device what it wants from now on; another session of the same browser gets nothing any more.

        `address` is the network address from which that is asked. Raises BadMessage for what no notification can be
        sent to, TooMany beyond `MAX_DEVICES` and `MAX_UNPROVEN`, and Unauthorized if the session has ended.
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
        """Send a device nothing any more, not even what waits."""
        async with self._database.writing() as connection:
            await connection.execute(delete(notification_devices).where(notification_devices.c.session == session))

    async def test(self, player: Player, session: str, id: str) -> None:
        """Send a test to a device; asked for again with this id, nothing more.

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
