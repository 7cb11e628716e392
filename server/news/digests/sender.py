"""Sending digests: claimed in small batches by each node, at a bounded pace, and tried again until Wednesday.

A node that ends amid a batch loses nothing: when its claim is over, another one sends it again. An SMTP server that
takes no mails rests for a minute with everything that waits for it.
"""

import asyncio
import random
from collections.abc import Awaitable, Callable, Sequence
from typing import NamedTuple

import structlog
from sqlalchemy import delete, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from cadogan.server.core.dates import MILLISECONDS_PER_DAY
from cadogan.server.database.connections import Database
from cadogan.server.database.tables import digest_readers, mail_addresses, players
from cadogan.server.mail.mailer import FailureKind, Mailer, MailFailed
from cadogan.server.news.digests.times import GIVE_UP_MILLISECONDS, WAIT_FOR_CLOSE_MILLISECONDS, due_at, next_week
from cadogan.server.news.digests.weeks import DigestWeeks, HouseWeek, OwnWeek
from cadogan.server.news.digests.writing import write_digest
from cadogan.server.players.sign_in.account_rows import is_not_suspended
from cadogan.server.players.sign_in.one_time_codes import make_code

BATCH = 4
"""Digests that a node sends at the same time."""
BATCHES_PER_ROUND = 5
"""A node makes a round every five seconds (`cadogan.server.news.round`), so it sends four digests a second at most."""
SEND_SECONDS = 60.0
"""After so long a mail that is not taken yet is given up for now; a claim lasts longer."""
CLAIM_MILLISECONDS = 180_000
REST_MILLISECONDS = 60_000
"""So long a node sends no digests after the SMTP server took none."""
MINUTE = 60_000
PAUSES = (5 * MINUTE, 30 * MINUTE, 120 * MINUTE, 360 * MINUTE)
"""Milliseconds until a digest is sent again, after each failure, the last one from then on; up to a quarter more is
added by chance."""
MAX_REFUSALS = 3
"""In so many weeks in a row an address may be refused; then it gets no more digests."""
LINK_MILLISECONDS = 180 * MILLISECONDS_PER_DAY
"""So long the link in a digest ends the digests."""

log = structlog.stdlib.get_logger("cadogan.news")


class Claimed(NamedTuple):
    """A digest that this node may send until its claim ends. `code` ends the digests."""

    player: str
    name: str
    address: str
    language: str
    week: int
    attempts: int
    refusals: int
    code: str


class DigestSender:
    """The sender of one node. `now` returns milliseconds since 1970, and `house` what the house is called.

    `origin` is the address of the server, with which links begin. Without a `mailer` nothing is sent.
    """

    def __init__(
        self,
        database: Database,
        mailer: Mailer | None,
        weeks: DigestWeeks,
        now: Callable[[], int],
        house: Callable[[], Awaitable[str]],
        origin: str,
    ) -> None:
        self._database = database
        self._mailer = mailer
        self._weeks = weeks
        self._now = now
        self._house = house
        self._origin = origin
        self._rests_until = 0

    async def send_due(self, stopping: asyncio.Event | None = None) -> int:
        """Send the digests that are due, those of one round at most, and return how many were tried.

        `stopping` ends it between batches.
        """
        if self._mailer is None or not self._origin or not await self._is_due():
            return 0
        now = self._now()
        week = next_week(now) - 1
        if now < due_at(week) + WAIT_FOR_CLOSE_MILLISECONDS and await self._weeks.is_open(week, now):
            return 0
        house_name, house = await self._house(), await self._weeks.house_week(week, now)
        tried = 0
        for _ in range(BATCHES_PER_ROUND):
            if (stopping and stopping.is_set()) or self._now() < self._rests_until:
                break
            if not (claimed := await self._claim(week, house)):
                break
            own = await self._weeks.own_weeks(house, [one.player for one in claimed], now)
            outcomes = await asyncio.gather(
                *(self._send(self._mailer, one, house_name, house, own[one.player]) for one in claimed)
            )
            await self._record(claimed, outcomes)
            tried += len(claimed)
        return tried

    async def _is_due(self) -> bool:
        now = self._now()
        if now < self._rests_until:
            return False
        due = select(digest_readers.c.player).where(digest_readers.c.next_at <= now).limit(1)
        return await self._database.fetch_value(due) is not None

    async def _claim(self, week: int, house: HouseWeek) -> list[Claimed]:
        """Take a batch that no other node gets until the claim ends; who gets none this week waits for the next."""
        now = self._now()
        due = select(digest_readers.c.player).where(digest_readers.c.next_at <= now)
        first = due.order_by(digest_readers.c.next_at, digest_readers.c.player).limit(BATCH)
        is_time = bool(house.closed) and now < due_at(week) + GIVE_UP_MILLISECONDS
        async with self._database.writing() as connection:
            while ids := list(await connection.scalars(first.with_for_update(skip_locked=True))):
                wanted = (
                    select(digest_readers, players.c.name, mail_addresses.c.address)
                    .join(mail_addresses, mail_addresses.c.player == digest_readers.c.player)
                    .join(players, players.c.id == digest_readers.c.player)
                    .where(
                        digest_readers.c.player.in_(ids if is_time else ()),
                        mail_addresses.c.confirmed_at.is_not(None),
                        is_not_suspended(now),
                    )
                )
                rows = (await connection.execute(wanted)).all()
                late = digest_readers.c.player.in_(set(ids) - {row.player for row in rows})
                await connection.execute(update(digest_readers).where(late).values(_waiting(now)))
                claimed = []
                for row in rows:
                    attempts = (row.attempts if row.week == week else 0) + 1  # it may have waited since a week before
                    taken = {"week": week, "attempts": attempts, "next_at": now + CLAIM_MILLISECONDS}
                    mine = digest_readers.c.player == row.player
                    await connection.execute(update(digest_readers).where(mine).values(taken))
                    id = f"digest-{row.player}-{week}-{attempts}"
                    code = await make_code(connection, id, "digest", now, now + LINK_MILLISECONDS, row.player)
                    claimed.append(
                        Claimed(row.player, row.name, row.address, row.language, week, attempts, row.refusals, code)
                    )
                if claimed:
                    return claimed
        return []

    async def _send(
        self, mailer: Mailer, one: Claimed, house_name: str, house: HouseWeek, own: OwnWeek
    ) -> FailureKind | None:
        """Send a digest; return why it was not taken, None if it was."""
        link = f"{self._origin}/digest/{one.code}"
        digest = write_digest(house_name, one.name, house, own, one.language, self._origin, link)
        headers = {"List-Unsubscribe": f"<{link}>", "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"}
        try:
            async with asyncio.timeout(SEND_SECONDS):
                await mailer.send(one.address, digest.subject, digest.text, digest.html, headers)
        except TimeoutError:
            return "down"
        except MailFailed as failed:
            log.warning("mail_failed", reason=str(failed))
            return failed.kind
        return None

    async def _record(self, claimed: Sequence[Claimed], outcomes: Sequence[FailureKind | None]) -> None:
        if "down" in outcomes:
            self._rests_until = self._now() + REST_MILLISECONDS
        async with self._database.writing() as connection:
            for one, outcome in zip(claimed, outcomes, strict=True):
                await self._record_one(connection, one, outcome)
                log.info("digest_sent", week=one.week, outcome=outcome or "delivered", attempt=one.attempts)

    async def _record_one(self, connection: AsyncConnection, one: Claimed, outcome: FailureKind | None) -> None:
        now = self._now()
        # Only as long as the claim holds: afterwards another node may be sending it.
        mine = (
            (digest_readers.c.player == one.player)
            & (digest_readers.c.week == one.week)
            & (digest_readers.c.attempts == one.attempts)
        )
        values: dict[str, object] = _waiting(now) | {"problem": outcome}
        if outcome is None:
            values["refusals"] = 0
        elif outcome == "refused":
            if one.refusals + 1 >= MAX_REFUSALS:
                await connection.execute(delete(digest_readers).where(mine))
                return
            values["refusals"] = one.refusals + 1
        elif outcome in ("later", "down"):
            pause = PAUSES[min(one.attempts, len(PAUSES)) - 1]
            next_at = now + pause + random.randrange(pause // 4)
            if next_at < due_at(one.week) + GIVE_UP_MILLISECONDS:
                values = {"next_at": next_at}
        await connection.execute(update(digest_readers).where(mine).values(values))


def _waiting(now: int) -> dict[str, object]:
    """Return the values of a row that waits for the digest of the next week."""
    week = next_week(now)
    return {"week": week, "next_at": due_at(week), "attempts": 0}
