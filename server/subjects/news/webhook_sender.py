"""Sending queued deliveries to webhooks, in the format of each.

A delivery is claimed for a minute by one node, and retried with growing pauses if it fails.

The webhooks do not wait for each other (`cadogan.server.core.outbox`). A node that stops during a delivery loses
nothing: when the minute is over, another one sends it again, with the same id. So a receiver may get one twice, and
recognises it by its id.

Webhook requests: for programs in the format of Standard Webhooks, and in the formats of Discord, Slack and Matrix.

Names come from players, so markup and mentions in them are escaped for chats.
"""

import asyncio
import json
import re
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime
from typing import NamedTuple
from urllib.parse import quote

import msgspec
import structlog
from sqlalchemy import exists, select, update
from sqlalchemy.ext.asyncio import AsyncConnection
from standardwebhooks import Webhook

from cadogan.server.core.database.connections import Database
from cadogan.server.core.database.tables import deliveries, webhooks
from cadogan.server.core.outbox import Answer, StoredQueue, next_attempt_at
from cadogan.server.subjects.news.items import Item, RenderedItem
from cadogan.server.subjects.news.requests import HttpSender, Outgoing
from cadogan.wire.webhooks import WebhookFormat

log = structlog.stdlib.get_logger("cadogan.news")
CLAIM_MILLISECONDS = 60_000
MINUTE = 60_000
PAUSES = (10_000, MINUTE, 5 * MINUTE, 30 * MINUTE, 120 * MINUTE, 360 * MINUTE, 720 * MINUTE)
"""Milliseconds until a delivery is sent again, after each failure; up to a quarter more is added by chance."""
RenderItem = Callable[[Item, str], Awaitable[RenderedItem]]
"""Puts names into an item, in the language of this tag."""


class Claimed(NamedTuple):
    """A delivery that this node may send until its claim ends."""

    id: str
    attempts: int
    item: Item
    url: str
    format: str
    secret: str
    language: str


_other = deliveries.alias()


class DeliveryQueue(StoredQueue[Claimed]):
    """The queued deliveries to webhooks. `now` returns milliseconds since 1970; `render` puts names into an item.

    Each webhook is a destination of its own, named by its id. `may_go_inside` trusts every address.
    """

    table, key, destination = deliveries, deliveries.c.id, deliveries.c.webhook
    source, person = deliveries, deliveries.c.webhook
    is_proven = exists().where(_other.c.webhook == deliveries.c.webhook, _other.c.state == "delivered")
    is_waiting = deliveries.c.state == "waiting"
    order = (deliveries.c.next_at,)
    claim_milliseconds = CLAIM_MILLISECONDS

    def __init__(self, database: Database, now: Callable[[], int], render: RenderItem, may_go_inside: bool) -> None:
        super().__init__(database, now)
        self._render = render
        self._sender = HttpSender(may_go_inside)

    async def close(self) -> None:
        """Close the connections for sending."""
        await self._sender.close()

    async def load(self, connection: AsyncConnection, ids: Sequence[str]) -> list[Claimed]:
        """Return the deliveries that were just claimed, the oldest first."""
        joined = select(deliveries, webhooks.c.url, webhooks.c.format, webhooks.c.secret, webhooks.c.language)
        wanted = joined.join(webhooks, webhooks.c.id == deliveries.c.webhook).where(deliveries.c.id.in_(ids))
        rows = (await connection.execute(wanted.order_by(deliveries.c.created_at, deliveries.c.id))).all()
        return [
            Claimed(
                row.id,
                row.attempts,
                msgspec.json.decode(row.item, type=Item),
                row.url,
                row.format,
                row.secret,
                row.language,
            )
            for row in rows
        ]

    async def send(self, item: Claimed, is_proven: bool, stopping: asyncio.Event | None) -> Answer | None:
        """Send a delivery."""
        request = make_request(
            item.format,  # type: ignore[arg-type]  # as it was stored
            item.url,
            item.secret,
            item.id,
            self._now(),
            item.item.kind,
            await self._render(item.item, item.language),
        )
        return await self._sender.send(request, is_proven, stopping)

    async def store_result(self, connection: AsyncConnection, item: Claimed, answer: Answer) -> None:
        """Store the result of a delivery, which hosts can read for some weeks."""
        now = self._now()
        next_at = None if answer.status == 410 else next_attempt_at(now, item.attempts, PAUSES, answer.retry_after)
        state = "delivered" if answer.problem is None else "failed" if next_at is None else "waiting"
        problem = None if answer.problem == "failed" else answer.problem  # the log says why it could not be sent
        values = {"state": state, "status": answer.status, "problem": problem, "next_at": next_at or now}
        await connection.execute(update(deliveries).where(self.claimed_row(item)).values(values))
        log.info("webhook_sent", delivery=item.id, state=state, status=answer.status)


SECRET_PREFIX = "whsec_"
_DISCORD_MARKS = re.compile(r"([\\`*_~|>#\[\]()<@-])")


def make_request(
    format: WebhookFormat, url: str, secret: str, delivery: str, now: int, kind: str, rendered: RenderedItem
) -> Outgoing:
    """Return the request for a news item. `secret` is the webhook's secret; for Matrix, the access token.

    `delivery` is its id, which is the same for every retry; `now` is in milliseconds since 1970.
    """
    headers = {"Content-Type": "application/json", "User-Agent": "cadogan-webhook"}
    match format:
        case "discord":
            body = {"content": _DISCORD_MARKS.sub(r"\\\1", rendered.text)[:2000], "allowed_mentions": {"parse": []}}
            return Outgoing("POST", url, headers, _json(body))
        case "slack":
            text = rendered.text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
            return Outgoing("POST", url, headers, _json({"text": text}))
        case "matrix":
            headers["Authorization"] = f"Bearer {secret}"
            address = f"{url.rstrip('/')}/{quote(delivery, safe='')}"
            return Outgoing("PUT", address, headers, _json({"msgtype": "m.notice", "body": rendered.text}))
        case "standard":
            sent = _json({"type": kind.replace("_", "."), "timestamp": rendered.data["at"], "data": rendered.data})
            signed_at = datetime.fromtimestamp(now // 1000, UTC)
            headers |= {
                "webhook-id": delivery,
                "webhook-timestamp": str(now // 1000),
                "webhook-signature": Webhook(secret).sign(delivery, signed_at, sent.decode()),
            }
            return Outgoing("POST", url, headers, sent)


def _json(body: object) -> bytes:
    return json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode()
