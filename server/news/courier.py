"""What waits for webhooks: claimed for a minute by one node, and sent again with growing pauses if it fails.

The webhooks do not wait for each other (`cadogan.server.news.outbox`). A node that ends amid a delivery loses nothing:
when the minute is over, another one sends it again, with the same id. So a receiver may get one twice, and tells by its
id.
"""

import random
from collections.abc import Awaitable, Callable, Collection, Sequence
from typing import NamedTuple

import msgspec
import structlog
from sqlalchemy import exists, func, select, update

from cadogan.server.database.connections import Database
from cadogan.server.database.tables import deliveries, webhooks
from cadogan.server.news.formats import make_request
from cadogan.server.news.items import Item, RenderedItem
from cadogan.server.news.outbox import Destination
from cadogan.server.news.requests import Answer, Outgoing

CLAIM_MILLISECONDS = 60_000
MINUTE = 60_000
PAUSES = (10_000, MINUTE, 5 * MINUTE, 30 * MINUTE, 120 * MINUTE, 360 * MINUTE, 720 * MINUTE)
"""Milliseconds until a delivery is sent again, after each failure; up to a quarter more is added by chance."""

RenderItem = Callable[[Item, str], Awaitable[RenderedItem]]
"""Puts names into an item, in the language of this tag."""
log = structlog.stdlib.get_logger("cadogan.news")


class Claimed(NamedTuple):
    """A delivery that this node may send until its claim ends."""

    id: str
    attempts: int
    item: Item
    url: str
    format: str
    secret: str
    language: str


class DeliveryQueue:
    """What waits for webhooks. `now` returns milliseconds since 1970; `render` puts names into an item.

    Each webhook is a destination of its own, named by its id.
    """

    def __init__(self, database: Database, now: Callable[[], int], render: RenderItem) -> None:
        self._database = database
        self._now = now
        self._render = render

    async def due(self, busy: Collection[str], doubtful: Collection[str], proven: bool, most: int) -> list[Destination]:
        """Return up to so many webhooks that something is due for, as `Queue.due` says."""
        other = deliveries.alias()
        has_worked = exists().where(other.c.webhook == deliveries.c.webhook, other.c.state == "delivered")
        is_proven = has_worked & deliveries.c.webhook.not_in(doubtful)
        wanted = (
            select(deliveries.c.webhook)
            .where(deliveries.c.state == "waiting", deliveries.c.next_at <= self._now())
            .where(deliveries.c.webhook.not_in(busy), is_proven if proven else ~is_proven)
            .group_by(deliveries.c.webhook)
            .order_by(func.min(deliveries.c.next_at))
        )
        found = await self._database.fetch(wanted.limit(most))
        return [Destination(row.webhook, proven, row.webhook) for row in found]

    async def claim(self, destination: str, most: int) -> list[Claimed]:
        """Take the deliveries that have waited for longest; no other node gets them until the claim ends."""
        now = self._now()
        due = select(deliveries.c.id).where(
            deliveries.c.webhook == destination, deliveries.c.state == "waiting", deliveries.c.next_at <= now
        )
        first = due.order_by(deliveries.c.next_at).limit(most).with_for_update(skip_locked=True)
        taken = {"next_at": now + CLAIM_MILLISECONDS, "attempts": deliveries.c.attempts + 1}
        async with self._database.writing() as connection:
            ids = list(await connection.scalars(first))
            await connection.execute(update(deliveries).where(deliveries.c.id.in_(ids)).values(taken))
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

    async def request(self, item: Claimed) -> Outgoing:
        """Return the request that sends a delivery."""
        return make_request(
            item.format,  # type: ignore[arg-type]  # as it was stored
            item.url,
            item.secret,
            item.id,
            self._now(),
            item.item.kind,
            await self._render(item.item, item.language),
        )

    async def record(self, answered: Sequence[tuple[Claimed, Answer]]) -> None:
        """Store what became of deliveries."""
        for one, answer in answered:
            await self._record(one, answer)

    async def rest(self, destination: str, milliseconds: int) -> None:
        """Let everything that waits for it wait for so long."""
        until = self._now() + milliseconds
        waiting = update(deliveries).where(
            deliveries.c.webhook == destination, deliveries.c.state == "waiting", deliveries.c.next_at < until
        )
        async with self._database.writing() as connection:
            await connection.execute(waiting.values(next_at=until))

    async def _record(self, claimed: Claimed, answer: Answer) -> None:
        now = self._now()
        done = answer.problem is None
        gives_up = claimed.attempts > len(PAUSES) or answer.status == 410
        pause = 0 if gives_up else PAUSES[claimed.attempts - 1]
        values = {
            "state": "delivered" if done else "failed" if gives_up else "waiting",
            "status": answer.status,
            "problem": answer.problem,
            "next_at": now + max(pause + random.randrange(pause // 4 + 1), answer.retry_after * 1000),
        }
        # Only as long as the claim holds: afterwards another node may be sending it.
        mine = (deliveries.c.id == claimed.id) & (deliveries.c.attempts == claimed.attempts)
        async with self._database.writing() as connection:
            await connection.execute(update(deliveries).where(mine).values(values))
        log.info("webhook_sent", delivery=claimed.id, state=values["state"], status=answer.status)
