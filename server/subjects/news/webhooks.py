"""The webhooks of a server: the addresses that news is sent to, and the latest deliveries."""

import base64
import secrets
from collections.abc import Callable
from typing import Any

import msgspec
from sqlalchemy import Row, delete, func, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from cadogan.server.core.database.connections import Database
from cadogan.server.core.database.tables import deliveries, webhooks
from cadogan.server.core.errors import BadMessage, NotFound, TooMany
from cadogan.server.core.eventlog.events import HouseActed
from cadogan.server.core.words import WORDS
from cadogan.server.subjects.admin.admin_log import lock_admin_log, record_act
from cadogan.server.subjects.news.items import Item
from cadogan.server.subjects.news.requests import host_of, names_inside
from cadogan.server.subjects.news.webhook_sender import SECRET_PREFIX
from cadogan.wire import webhooks as wire

MAX_WEBHOOKS = 20
SHOWN_DELIVERIES = 50
_SECRET_BYTES = 32


class Webhooks:
    """The webhooks in a database. `now` returns milliseconds since 1970; `may_go_inside` trusts every address."""

    def __init__(self, database: Database, now: Callable[[], int], may_go_inside: bool) -> None:
        self._database = database
        self._now = now
        self._may_go_inside = may_go_inside

    async def all(self) -> list[wire.Webhook]:
        """Return all webhooks, the latest first."""
        waiting = select(func.count()).where(deliveries.c.webhook == webhooks.c.id, deliveries.c.state == "waiting")
        wanted = select(webhooks, waiting.scalar_subquery().label("waiting"))
        rows = await self._database.fetch(wanted.order_by(webhooks.c.created_at.desc(), webhooks.c.id))
        return [wire.Webhook(**_shown(row), waiting=row.waiting) for row in rows]

    async def add(self, by: str | None, wanted: wire.NewWebhook, id: str) -> wire.MadeWebhook:
        """Add a webhook with this id; a repeated request replaces its secret.

        Raises BadMessage for an address that cannot be used, and TooMany beyond `MAX_WEBHOOKS`.
        """
        self._check(wanted)
        secret = wanted.token
        if wanted.format == "standard":
            secret = SECRET_PREFIX + base64.b64encode(secrets.token_bytes(_SECRET_BYTES)).decode()
        row = {
            "id": id,
            "name": wanted.name.strip(),
            "url": wanted.url,
            "format": wanted.format,
            "topics": " ".join(sorted(set(wanted.topics))),
            "secret": secret,
            "language": wanted.language if wanted.language in WORDS else "en",
            "created_at": self._now(),
        }
        async with self._database.writing() as connection:
            await lock_admin_log(connection)
            known = set(await connection.scalars(select(webhooks.c.id)))
            if len(known - {id}) >= MAX_WEBHOOKS:
                raise TooMany("At most {count} webhooks: remove one first.", count=MAX_WEBHOOKS)
            if id in known:
                await connection.execute(webhooks.update().where(webhooks.c.id == id).values(row))
            else:
                await connection.execute(insert(webhooks).values(row))
                await self._record(connection, "webhook_added", by, id)
            made = (await connection.execute(select(webhooks).where(webhooks.c.id == id))).one()
        return wire.MadeWebhook(**_shown(made), secret=secret if wanted.format == "standard" else "")

    async def remove(self, by: str | None, id: str) -> None:
        """Remove a webhook with its deliveries. Raises NotFound."""
        async with self._database.writing() as connection:
            await lock_admin_log(connection)
            if not (await connection.execute(delete(webhooks).where(webhooks.c.id == id))).rowcount:
                raise NotFound("There is no such webhook.")
            await self._record(connection, "webhook_removed", by, id)

    async def test(self, webhook: str, id: str) -> None:
        """Send a test delivery to a webhook. Idempotent by the id.

        Raises NotFound.
        """
        now = self._now()
        async with self._database.writing() as connection:
            if await connection.scalar(select(webhooks.c.id).where(webhooks.c.id == webhook)) is None:
                raise NotFound("There is no such webhook.")
            if await connection.scalar(select(deliveries.c.id).where(deliveries.c.id == id)) is None:
                item = Item(kind="test", about="", at=now)
                await connection.execute(insert(deliveries).values(delivery_row(id, webhook, item, now)))

    async def deliveries(self, webhook: str) -> list[wire.Delivery]:
        """Return the last deliveries of a webhook, the latest first. Raises NotFound."""
        wanted = select(deliveries).where(deliveries.c.webhook == webhook)
        order = (deliveries.c.created_at.desc(), deliveries.c.id)
        async with self._database.reading() as connection:
            if await connection.scalar(select(webhooks.c.id).where(webhooks.c.id == webhook)) is None:
                raise NotFound("There is no such webhook.")
            rows = await connection.execute(wanted.order_by(*order).limit(SHOWN_DELIVERIES))
            return [_shown_delivery(row) for row in rows]

    def _check(self, wanted: wire.NewWebhook) -> None:
        host = host_of(wanted.url)
        if not host:
            raise BadMessage("This is not an address that a webhook can have.")
        if not self._may_go_inside and names_inside(host):
            raise BadMessage("{host} is inside the network of the host, where no webhook may go.", host=host)
        if wanted.format == "matrix" and not wanted.token:
            raise BadMessage("A webhook to Matrix needs an access token.")

    async def _record(self, connection: AsyncConnection, act: str, by: str | None, id: str) -> None:
        await record_act(connection, HouseActed(act, by=by, code=id), self._now())


async def failing_webhooks(connection: AsyncConnection) -> list[str]:
    """Return the names of the webhooks whose last completed delivery has failed for good."""
    done = select(deliveries.c.state).where(deliveries.c.webhook == webhooks.c.id, deliveries.c.state != "waiting")
    last = done.order_by(deliveries.c.created_at.desc(), deliveries.c.id).limit(1).scalar_subquery()
    return list(await connection.scalars(select(webhooks.c.name).where(last == "failed").order_by(webhooks.c.name)))


def delivery_row(id: str, webhook: str, item: Item, now: int) -> dict[str, Any]:
    """Return the row of a delivery that is to be sent now."""
    return {
        "id": id,
        "webhook": webhook,
        "item": msgspec.json.encode(item).decode(),
        "created_at": now,
        "next_at": now,
        "attempts": 0,
        "state": "waiting",
    }


def _shown(row: Row[tuple[Any, ...]]) -> dict[str, Any]:
    return {
        "id": row.id,
        "name": row.name,
        "host": host_of(row.url) or "",
        "format": row.format,
        "topics": row.topics.split(),
        "language": row.language,
        "created_at": row.created_at,
    }


def _shown_delivery(row: Row[tuple[Any, ...]]) -> wire.Delivery:
    item = msgspec.json.decode(row.item, type=Item)
    return wire.Delivery(
        id=row.id,
        event=item.kind,
        about=item.about,
        created_at=row.created_at,
        state=row.state,
        attempts=row.attempts,
        status=row.status,
        problem=row.problem,
        next_at=row.next_at if row.state == "waiting" else None,
    )
