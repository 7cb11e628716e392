"""Sending notifications: claimed in small batches by several workers of each node, encrypted, and retried.

A node that ends amid a batch loses nothing: when its claim is over, another one sends it again, and the browser shows
both as one. A push service that does not answer rests for a minute with everything that waits for it, and the workers
go on with the others.
"""

import asyncio
import json
import random
import ssl
from base64 import urlsafe_b64decode
from collections.abc import Awaitable, Callable, Sequence
from typing import NamedTuple

import aiohttp
import http_ece
import structlog
from cryptography.hazmat.primitives.asymmetric import ec
from sqlalchemy import delete, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from server.database.connections import Database
from server.database.tables import notification_devices, notifications, players, tokens
from server.news.notifications.server_key import ServerKey, StoredServerKey
from server.news.notifications.words import Kind, notification_text, page_of
from server.news.requests import Answer, Outgoing, open_session, send_until
from server.players.sign_in.account_rows import is_not_suspended

WORKERS = 4
BATCH = 8
"""Notifications that one worker sends at the same time."""
CLAIM_MILLISECONDS = 60_000
REST_MILLISECONDS = 60_000
"""So long nothing is sent to a push service that has not answered."""
PAUSES = (30_000, 120_000, 600_000, 1_800_000, 7_200_000)
"""Milliseconds until a notification is sent again, after each failure; up to a quarter more is added by chance."""
MAX_FAILURES = 10
"""A device is forgotten after so many notifications in a row that were given up."""
GONE = (404, 410)
"""The answers of a push service that knows no such device any more."""
MAX_TITLE_LENGTH = 80
MAX_TEXT_LENGTH = 300
"""In characters; so an encrypted notification is shorter than the 4096 bytes that every push service takes."""

log = structlog.stdlib.get_logger("cadogan.news")


class Claimed(NamedTuple):
    """A notification that this node may send until its claim ends. `public_key` and `secret` are the device's."""

    id: str
    session: str
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


class NotificationSender:
    """The sender of one node. `now` returns milliseconds since 1970, and `house` what the house is called.

    `contact` is what push services are told, as `ServerKey.authorize` says.
    """

    def __init__(
        self,
        database: Database,
        key: StoredServerKey,
        now: Callable[[], int],
        house: Callable[[], Awaitable[str]],
        contact: str,
        may_go_inside: bool,
    ) -> None:
        self._database = database
        self._key = key
        self._now = now
        self._house = house
        self._contact = contact
        self._may_go_inside = may_go_inside
        self._tls: ssl.SSLContext | None = None

    async def send_due(self, stopping: asyncio.Event | None = None) -> int:
        """Send every notification that is due, and return how many were sent. `stopping` ends it between batches.

        Raises NotificationKeyUnusable.
        """
        due = select(notifications.c.id).where(notifications.c.next_at <= self._now()).limit(1)
        if await self._database.fetch_value(due) is None:
            return 0
        key = await self._key.get()
        self._tls = self._tls or await asyncio.to_thread(ssl.create_default_context)
        async with open_session(self._may_go_inside, self._tls) as session:
            return sum(await asyncio.gather(*(self._work(session, key, stopping) for _ in range(WORKERS))))

    async def _work(self, session: aiohttp.ClientSession, key: ServerKey, stopping: asyncio.Event | None) -> int:
        sent = 0
        while not (stopping and stopping.is_set()) and (claimed := await self._claim()):
            house = await self._house()
            requests = [make_request(one, key, house, self._contact, self._now()) for one in claimed]
            answers = await asyncio.gather(*(send_until(session, request, stopping) for request in requests))
            await self._record(claimed, answers)
            sent += len(claimed)
        return sent

    async def _claim(self) -> list[Claimed]:
        """Take a batch that no other worker gets until the claim ends; what is not to be sent any more is deleted."""
        now = self._now()
        due = select(notifications.c.id).where(notifications.c.next_at <= now)
        first = due.order_by(notifications.c.attempts, notifications.c.next_at).limit(BATCH)
        fields = [column for column in notifications.c if column.name in Claimed._fields]
        others = [column for column in notification_devices.c if column.name in Claimed._fields[8:]]
        async with self._database.writing() as connection:
            while ids := list(await connection.scalars(first.with_for_update(skip_locked=True))):
                chosen = notifications.c.id.in_(ids)
                taken = {"next_at": now + CLAIM_MILLISECONDS, "attempts": notifications.c.attempts + 1}
                await connection.execute(update(notifications).where(chosen).values(taken))
                wanted = (
                    select(*fields, *others)
                    .join_from(notifications, notification_devices)
                    .join(tokens, tokens.c.hash == notifications.c.session)
                    .join(players, players.c.id == notifications.c.player)
                    .where(chosen, notifications.c.expires_at > now, tokens.c.expires_at > now, is_not_suspended(now))
                )
                claimed = [Claimed(**row) for row in (await connection.execute(wanted)).mappings()]
                late = set(ids) - {one.id for one in claimed}
                await connection.execute(delete(notifications).where(notifications.c.id.in_(late)))
                if claimed:
                    return claimed
        return []

    async def _record(self, claimed: Sequence[Claimed], answers: Sequence[Answer | None]) -> None:
        async with self._database.writing() as connection:
            for one, answer in zip(claimed, answers, strict=True):
                if answer is not None:
                    await self._record_one(connection, one, answer)

    async def _record_one(self, connection: AsyncConnection, one: Claimed, answer: Answer) -> None:
        now = self._now()
        # Only as long as the claim holds, and of a device only as it was: another node may be sending, and the device
        # may have subscribed again.
        mine = (notifications.c.id == one.id) & (notifications.c.attempts == one.attempts)
        device = (notification_devices.c.session == one.session) & (notification_devices.c.endpoint == one.endpoint)
        if answer.problem in ("too_slow", "unreachable"):
            waiting = update(notifications).where(
                notifications.c.service == one.service, notifications.c.next_at <= now
            )
            await connection.execute(waiting.values(next_at=now + REST_MILLISECONDS))
        if answer.problem is None:
            outcome = "delivered"
            await connection.execute(delete(notifications).where(mine))
            failed_before = notification_devices.c.failures > 0
            await connection.execute(update(notification_devices).where(device, failed_before).values(failures=0))
        elif answer.status in GONE:
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
    if not may_pass or answer.problem == "inside" or one.attempts > len(PAUSES):
        return None
    pause = PAUSES[one.attempts - 1]
    next_at = now + max(pause + random.randrange(pause // 4), answer.retry_after * 1000)
    return next_at if next_at < one.expires_at else None


def make_request(one: Claimed, key: ServerKey, house: str, contact: str, now: int) -> Outgoing:
    """Return the request for a notification, encrypted for its device (RFC 8291). `now` is in milliseconds since 1970.

    What the push service gets to know is when, to which device and how urgent, and nothing of what it says.
    """
    shown = {
        "title": house[:MAX_TITLE_LENGTH],
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
        "Urgency": "high" if one.kind == "race_started" else "normal",
        "User-Agent": "cadogan-notification",
    }
    return Outgoing("POST", one.endpoint, headers, body)
