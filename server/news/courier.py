"""Sending deliveries: each is claimed for a minute by one node, sent, and sent again with growing pauses if it fails.

A node that ends amid a delivery loses nothing: when the minute is over, another one sends it again, with the same id.
So a receiver may get a delivery twice, and tells by its id.
"""

import asyncio
import random
from collections.abc import Awaitable, Callable
from typing import NamedTuple

import aiohttp
import msgspec
import structlog
from sqlalchemy import Select, select, update

from server.database.connections import Database
from server.database.tables import deliveries, webhooks
from server.news.formats import make_request
from server.news.items import Item, Told
from server.news.requests import Answer, open_session, send_until

CLAIM_MILLISECONDS = 60_000
AT_ONCE = 8
"""Deliveries that one node sends at the same time."""
MINUTE = 60_000
PAUSES = (10_000, MINUTE, 5 * MINUTE, 30 * MINUTE, 120 * MINUTE, 360 * MINUTE, 720 * MINUTE)
"""Milliseconds until a delivery is sent again, after each failure; up to a quarter more is added by chance."""

TellItem = Callable[[Item, str], Awaitable[Told]]
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


class Courier:
    """The courier of one node. `now` returns milliseconds since 1970; `tell` puts names into an item."""

    def __init__(self, database: Database, now: Callable[[], int], tell: TellItem, may_go_inside: bool) -> None:
        self._database = database
        self._now = now
        self._tell = tell
        self._may_go_inside = may_go_inside

    async def deliver_due(self, stopping: asyncio.Event | None = None) -> int:
        """Send every delivery that is due, and return how many were sent. `stopping` ends it between two of them."""
        sent = 0
        async with open_session(self._may_go_inside) as session:
            while not (stopping and stopping.is_set()) and (claimed := await self._claim_some()):
                await asyncio.gather(*(self._deliver(session, one, stopping) for one in claimed))
                sent += len(claimed)
        return sent

    async def _claim_some(self) -> list[Claimed]:
        """Take up to `AT_ONCE` deliveries. Where none is due, which is nearly always, nothing is written."""
        claimed = list[Claimed]()
        if await self._database.fetch_value(self._due()) is None:
            return claimed
        while len(claimed) < AT_ONCE and (one := await self._claim()) is not None:
            claimed.append(one)
        return claimed

    def _due(self) -> Select[tuple[str]]:
        due = select(deliveries.c.id).where(deliveries.c.state == "waiting", deliveries.c.next_at <= self._now())
        return due.order_by(deliveries.c.next_at).limit(1)

    async def _claim(self) -> Claimed | None:
        """Take the delivery that has waited for longest; no other node gets it until the claim ends."""
        first = self._due().with_for_update(skip_locked=True)
        taken = {"next_at": self._now() + CLAIM_MILLISECONDS, "attempts": deliveries.c.attempts + 1}
        async with self._database.writing() as connection:
            id = await connection.scalar(first)
            if id is None:
                return None
            await connection.execute(update(deliveries).where(deliveries.c.id == id).values(taken))
            joined = select(deliveries, webhooks.c.url, webhooks.c.format, webhooks.c.secret, webhooks.c.language)
            wanted = joined.join(webhooks, webhooks.c.id == deliveries.c.webhook).where(deliveries.c.id == id)
            row = (await connection.execute(wanted)).one()
        item = msgspec.json.decode(row.item, type=Item)
        return Claimed(row.id, row.attempts, item, row.url, row.format, row.secret, row.language)

    async def _deliver(self, session: aiohttp.ClientSession, claimed: Claimed, stopping: asyncio.Event | None) -> None:
        told = await self._tell(claimed.item, claimed.language)
        request = make_request(
            claimed.format,  # type: ignore[arg-type]  # as it was stored
            claimed.url,
            claimed.secret,
            claimed.id,
            self._now(),
            claimed.item.kind,
            told,
        )
        answer = await send_until(session, request, stopping)
        if answer is not None:
            await self._record(claimed, answer)

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
