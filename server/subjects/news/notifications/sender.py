"""Sending notifications through push services, and the periodic work of one node.

Notifications are claimed in small batches, encrypted, and retried after a failure (`cadogan.server.core.outbox`).

A node that ends amid a batch loses nothing: when its claim is over, another one sends it again, and the browser shows
both as one.
"""

import asyncio
import json
from base64 import urlsafe_b64decode
from collections.abc import Awaitable, Callable, Sequence
from typing import NamedTuple

import http_ece
import structlog
from cryptography.hazmat.primitives.asymmetric import ec
from sqlalchemy import delete, exists, func, join, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from cadogan.server.core.database.connections import Database
from cadogan.server.core.database.tables import notification_devices, notifications, players, tokens
from cadogan.server.core.outbox import Answer, Outbox, StoredQueue, next_attempt_at, run_periodically
from cadogan.server.core.people import Persons
from cadogan.server.subjects.accounts.account_rows import is_not_suspended
from cadogan.server.subjects.daily.challenges import DailyChallenges
from cadogan.server.subjects.leaderboards.queries import BoardQueries
from cadogan.server.subjects.news.notifications.detect import FindNotices, NotificationDetector, OvertakenDetector
from cadogan.server.subjects.news.notifications.devices import (
    Devices,
    NotificationKeyUnusable,
    ServerKey,
    StoredServerKey,
)
from cadogan.server.subjects.news.notifications.queue import Kind, notification_text, page_of
from cadogan.server.subjects.news.requests import HttpSender, Outgoing
from cadogan.server.subjects.races.repository import RaceCommitted, RaceRepository

log = structlog.stdlib.get_logger("cadogan.news")
CLAIM_MILLISECONDS = 60_000
PAUSES = (30_000, 120_000, 600_000, 1_800_000, 7_200_000)
"""Milliseconds until a notification is sent again, after each failure; up to a quarter more is added by chance."""
MAX_FAILURES = 10
"""A device is forgotten after so many notifications in a row that were given up."""
GONE_STATUSES = (404, 410)
"""The answers of a push service that knows no such device any more."""
MAX_TITLE_LENGTH = 80
MAX_TEXT_LENGTH = 300
"""In characters; so an encrypted notification is shorter than the 4096 bytes that every push service takes."""


class Claimed(NamedTuple):
    """A notification that this node may send until its claim ends. `public_key` and `secret` are the device's."""

    id: str
    session: str
    player: str
    attempts: int
    kind: Kind
    about: str
    games: str
    expires_at: int
    service: str
    endpoint: str
    public_key: str
    secret: str
    language: str


_other = notification_devices.alias()


class NotificationQueue(StoredQueue[Claimed]):
    """The notifications queued for push services.

    `now` returns milliseconds since 1970, `site_name` the name of the server.

    Each push service is a destination, named by its host. `contact` is what push services are told, as
    `ServerKey.authorize` says, and `may_go_inside` lets them be at addresses that are not public.
    """

    table, key, destination = notifications, notifications.c.id, notifications.c.service
    source = join(notifications, notification_devices, notification_devices.c.session == notifications.c.session)
    person = notification_devices.c.named_by
    is_proven = exists().where(_other.c.service == notifications.c.service, _other.c.delivered_at.is_not(None))
    order = (notifications.c.attempts, notifications.c.next_at)
    claim_milliseconds = CLAIM_MILLISECONDS

    def __init__(
        self,
        database: Database,
        key: StoredServerKey,
        now: Callable[[], int],
        site_name: Callable[[], Awaitable[str]],
        contact: str,
        may_go_inside: bool,
    ) -> None:
        super().__init__(database, now)
        self._server_key = key
        self._site_name = site_name
        self._contact = contact
        self._sender = HttpSender(may_go_inside)

    async def close(self) -> None:
        """Close the connections for sending."""
        await self._sender.close()

    async def load(self, connection: AsyncConnection, ids: Sequence[str]) -> list[Claimed]:
        """Return the notifications that were just claimed; outdated ones are deleted."""
        now = self._now()
        fields = [column for column in notifications.c if column.name in Claimed._fields]
        others = [column for column in notification_devices.c if column.name in Claimed._fields[9:]]
        wanted = (
            select(*fields, *others)
            .join_from(notifications, notification_devices)
            .join(tokens, tokens.c.hash == notifications.c.session)
            .join(players, players.c.id == notifications.c.player)
            .where(notifications.c.id.in_(ids), notifications.c.expires_at > now, tokens.c.expires_at > now)
            .where(is_not_suspended(now))
        )
        claimed = [Claimed(**row) for row in (await connection.execute(wanted)).mappings()]
        late = set(ids) - {one.id for one in claimed}
        await connection.execute(delete(notifications).where(notifications.c.id.in_(late)))
        return claimed

    async def send(self, item: Claimed, is_proven: bool, stopping: asyncio.Event | None) -> Answer | None:
        """Send a notification; without a usable key it waits."""
        try:
            key = await self._server_key.get()
        except NotificationKeyUnusable:
            return None
        request = make_request(item, key, await self._site_name(), self._contact, self._now())
        return await self._sender.send(request, is_proven, stopping)

    async def store_result(self, connection: AsyncConnection, item: Claimed, answer: Answer) -> None:
        """Store the result for a notification, and for its device unless the device has subscribed again."""
        one, now, mine = item, self._now(), self.claimed_row(item)
        device = (notification_devices.c.session == one.session) & (notification_devices.c.endpoint == one.endpoint)
        if answer.problem is None:
            outcome = "delivered"
            await connection.execute(delete(notifications).where(mine))
            as_before = (notification_devices.c.failures == 0) & notification_devices.c.delivered_at.is_not(None)
            first = func.coalesce(notification_devices.c.delivered_at, now)
            values = {"failures": 0, "delivered_at": first, "named_by": one.player}
            await connection.execute(update(notification_devices).where(device, ~as_before).values(values))
        elif answer.status in GONE_STATUSES:
            outcome = "gone"
            await connection.execute(delete(notification_devices).where(device))
        elif (next_at := _next_at(one, answer, now)) is not None:
            outcome = "waiting"
            await connection.execute(update(notifications).where(mine).values(next_at=next_at))
        else:
            outcome = "failed"
            await connection.execute(delete(notifications).where(mine))
            failures = {"failures": notification_devices.c.failures + 1}
            await connection.execute(update(notification_devices).where(device).values(failures))
            hopeless = notification_devices.c.failures >= MAX_FAILURES
            await connection.execute(delete(notification_devices).where(device, hopeless))
        log.info(
            "notification_sent",
            kind=one.kind,
            service=one.service,
            outcome=outcome,
            status=answer.status,
            problem=answer.problem,
        )


def _next_at(one: Claimed, answer: Answer, now: int) -> int | None:
    """Return when a notification is sent again that has not arrived; None if it is given up."""
    may_pass = answer.status is None or answer.status == 429 or answer.status >= 500
    if not may_pass or answer.problem == "inside":
        return None
    return next_attempt_at(now, one.attempts, PAUSES, answer.retry_after, one.expires_at)


def make_request(one: Claimed, key: ServerKey, site_name: str, contact: str, now: int) -> Outgoing:
    """Return the request for a notification, encrypted for its device (RFC 8291). `now` is in milliseconds since 1970.

    The push service learns the time, the device and the urgency, but not the content.
    """
    shown = {
        "title": site_name[:MAX_TITLE_LENGTH],
        "body": notification_text(one.kind, one.games, one.language)[:MAX_TEXT_LENGTH],
        "url": page_of(one.kind, one.about),
        "tag": f"{one.kind}/{one.about}",
    }
    body = http_ece.encrypt(
        json.dumps(shown, ensure_ascii=False).encode(),
        private_key=ec.generate_private_key(ec.SECP256R1()),
        dh=urlsafe_b64decode(one.public_key + "="),
        auth_secret=urlsafe_b64decode(one.secret + "=="),
        version="aes128gcm",
    )
    headers = {
        "Authorization": key.authorize(one.endpoint, now, contact),
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(max(0, one.expires_at - now) // 1000),
        "Urgency": "high" if one.kind in ("race_started", "evening_begins", "challenged") else "normal",
        "User-Agent": "cadogan-notification",
    }
    return Outgoing("POST", one.endpoint, headers, body)


class Notifier:
    """Sends notifications to the devices of readers.

    `now` returns milliseconds since 1970, `site_name` the name of the server.

    `contact` is what push services are told, and `may_go_inside` lets them be at addresses that are not public.
    """

    def __init__(
        self,
        database: Database,
        challenges: DailyChallenges,
        races: RaceRepository,
        boards: BoardQueries,
        persons: Persons,
        find_notices: FindNotices,
        now: Callable[[], int],
        site_name: Callable[[], Awaitable[str]],
        contact: str,
        may_go_inside: bool,
    ) -> None:
        self._now = now
        self._key = StoredServerKey(database, now)
        self._overtaken = OvertakenDetector(database, challenges, boards)
        self._detecting, self._sending = asyncio.Event(), asyncio.Event()
        self.devices = Devices(database, self._key, persons, now, may_go_inside)
        self.detector = NotificationDetector(database, challenges, races, self._overtaken, find_notices, now)
        queue = NotificationQueue(database, self._key, now, site_name, contact, may_go_inside)
        self.sender = Outbox(queue, self._sending.set)

    def on_race_change(self, committed: RaceCommitted) -> None:
        """Call the racers soon, if a race has begun. This never waits."""
        if committed.state.started is not None and not committed.state.over:
            self._detecting.set()

    def on_device_change(self) -> None:
        """Refresh the stored ranks soon, because a device has subscribed to rank changes. This never waits."""
        self._overtaken.note_change()
        self._detecting.set()

    def schedule_send(self) -> None:
        """Send what is due without waiting for the next round. This never waits."""
        self._sending.set()

    async def run(self, stopping: asyncio.Event) -> None:
        """Detect news and send it until the server is stopping. A key of the server that is unusable is logged.

        Detecting does not wait for what is being sent: a push service may be slow.
        """
        try:
            await self._key.find()
        except NotificationKeyUnusable as error:
            log.error("notification_key_unusable", reason=str(error))

        async def detect(_: asyncio.Event) -> None:
            await self.detector.collect()
            self._sending.set()

        async def clear() -> None:
            await self.detector.clear()
            await self.devices.clear()

        await asyncio.gather(
            run_periodically("notifications", detect, clear, self._now, self._detecting, stopping),
            run_periodically("sending", self.sender.start_due, None, self._now, self._sending, stopping),
        )

    async def close(self) -> None:
        """Wait until nothing is being sent."""
        await self.sender.close()
