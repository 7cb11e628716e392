"""The digests by mail: who gets them, and sending those that wait.

Digests that wait to be sent: claimed in small batches, at a bounded pace, and tried again until Wednesday.

An SMTP server that takes no mails rests with everything that waits for it (`cadogan.server.core.outbox`).
"""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Sequence
from typing import NamedTuple

import structlog
from sqlalchemy import delete, insert, literal, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from cadogan.server.core.database.connections import Database
from cadogan.server.core.database.tables import digest_readers, mail_addresses, one_time_codes, players
from cadogan.server.core.dates import MILLISECONDS_PER_DAY
from cadogan.server.core.errors import Conflict, NotFound
from cadogan.server.core.mailer import Mailer, MailFailed
from cadogan.server.core.outbox import Answer, Destination, StoredQueue, next_attempt_at
from cadogan.server.subjects.accounts.account_rows import is_not_suspended
from cadogan.server.subjects.accounts.codes import find_code, make_code
from cadogan.server.subjects.news.digest_text import (
    GIVE_UP_MILLISECONDS,
    WAIT_FOR_CLOSE_MILLISECONDS,
    DigestWeeks,
    OwnWeek,
    ServerWeek,
    due_at,
    next_week,
    write_digest,
)

log = structlog.stdlib.get_logger("cadogan.news")


class DigestReaders:
    """The readers in a database. `now` returns milliseconds since 1970; if not `offered`, digests cannot be enabled."""

    def __init__(self, database: Database, offered: bool, now: Callable[[], int]) -> None:
        self._database = database
        self._now = now
        self.offered = offered

    async def is_reader(self, player: str) -> bool:
        """Return whether a player gets digests."""
        own = select(digest_readers.c.player).where(digest_readers.c.player == player)
        return await self._database.fetch_value(own) is not None

    async def switch(self, player: str, on: bool, language: str) -> None:
        """Send a player digests in this language from next Monday on, or no more of them.

        Raises Conflict where none are sent, and without a confirmed address.
        """
        if not on:
            await self._remove(player)
            return
        if not self.offered:
            raise Conflict("This server sends no digests.")
        now = self._now()
        week = next_week(now)
        row = {"player": player, "language": language, "created_at": now, "week": week, "next_at": due_at(week)}
        mine = digest_readers.c.player == player
        async with self._database.writing() as connection:
            address = select(mail_addresses.c.confirmed_at).where(mail_addresses.c.player == player)
            if await connection.scalar(address.with_for_update()) is None:
                raise Conflict("Confirm your address first.")
            changed = update(digest_readers).where(mine).values(language=language)
            if not (await connection.execute(changed)).rowcount:
                await connection.execute(insert(digest_readers).values({**row, "attempts": 0, "refusals": 0}))

    async def end(self, code: str) -> None:
        """Unsubscribe the reader whose digest had this code. Idempotent.

        Raises NotFound for a code that is not valid.
        """
        async with self._database.reading() as connection:
            found = await find_code(connection, code, "digest", self._now())
        if found is None or found.player is None:
            raise NotFound("This link is not valid, or not any more.")
        await self._remove(found.player)

    async def clear(self) -> None:
        """Delete the codes of digests that were sent long ago."""
        ended = (one_time_codes.c.purpose == "digest", one_time_codes.c.expires_at <= self._now())
        async with self._database.writing() as connection:
            await connection.execute(delete(one_time_codes).where(*ended))

    async def _remove(self, player: str) -> None:
        async with self._database.writing() as connection:
            await connection.execute(delete(digest_readers).where(digest_readers.c.player == player))


SMTP_SERVER = "smtp"
BATCHES = 5
"""Batches that a node sends in a round, and it makes one every five seconds: four digests a second at most."""
SEND_SECONDS = 60.0
"""After so long a mail that is not taken yet is given up for now; a claim lasts longer."""
CLAIM_MILLISECONDS = 180_000
MINUTE = 60_000
PAUSES = (5 * MINUTE, 30 * MINUTE, 120 * MINUTE, 360 * MINUTE)
"""Milliseconds until a digest is sent again, after each failure, the last one from then on; up to a quarter more is
added by chance."""
MAX_REFUSALS = 3
"""In so many weeks in a row an address may be refused; then it gets no more digests."""
LINK_MILLISECONDS = 180 * MILLISECONDS_PER_DAY
"""So long the link in a digest ends the digests."""


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
    own: OwnWeek = OwnWeek((), 0)


class DigestQueue(StoredQueue[Claimed]):
    """The queued digests. `now` returns milliseconds since 1970, `site_name` the name of the server.

    They have one destination, the SMTP server. `origin` is the address of the server, with which links begin. Without a
    `mailer` nothing is sent.
    """

    table, key, destination = digest_readers, digest_readers.c.player, literal(SMTP_SERVER)
    source, order = digest_readers, (digest_readers.c.next_at, digest_readers.c.player)
    claim_milliseconds = CLAIM_MILLISECONDS

    def __init__(
        self,
        database: Database,
        mailer: Mailer | None,
        weeks: DigestWeeks,
        now: Callable[[], int],
        site_name: Callable[[], Awaitable[str]],
        origin: str,
    ) -> None:
        super().__init__(database, now)
        self._mailer = mailer
        self._weeks = weeks
        self._read_site_name = site_name
        self._origin = origin
        self._site_name = ""
        self._week: tuple[int, ServerWeek] | None = None

    async def due(self, busy: Collection[str], doubtful: Collection[str], proven: bool, most: int) -> list[Destination]:
        """Return the SMTP server, if digests are due, and their week has closed or they have waited for it."""
        if self._mailer is None or not self._origin or SMTP_SERVER in busy or proven == (SMTP_SERVER in doubtful):
            return []
        if await self._database.fetch_value(select(self.key).where(self.is_due()).limit(1)) is None:
            return []
        now = self._now()
        week = next_week(now) - 1
        if now < due_at(week) + WAIT_FOR_CLOSE_MILLISECONDS and await self._weeks.is_open(week, now):
            return []
        self._site_name, self._week = await self._read_site_name(), (week, await self._weeks.server_week(week, now))
        return [Destination(SMTP_SERVER, proven)]

    async def claim(self, destination: str, most: int) -> list[Claimed]:
        """Claim up to `most` digests, each with the reader's own week."""
        claimed = await super().claim(destination, most)
        if self._week is None:
            return []
        own = await self._weeks.own_weeks(self._week[1], [one.player for one in claimed], self._now())
        return [one._replace(own=own[one.player]) for one in claimed]

    async def load(self, connection: AsyncConnection, ids: Sequence[str]) -> list[Claimed]:
        """Return the digests of these claimed readers; readers without a digest this week stay queued for the next."""
        assert self._week is not None
        now, (week, shared) = self._now(), self._week
        is_time = bool(shared.closed) and now < due_at(week) + GIVE_UP_MILLISECONDS
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
            attempts = row.attempts if row.week == week else 1  # it may have waited since a week before
            mine = digest_readers.c.player == row.player
            await connection.execute(update(digest_readers).where(mine).values(week=week, attempts=attempts))
            id = f"digest-{row.player}-{week}-{attempts}"
            code = await make_code(connection, id, "digest", now, now + LINK_MILLISECONDS, row.player)
            claimed.append(Claimed(row.player, row.name, row.address, row.language, week, attempts, row.refusals, code))
        return claimed

    async def send(self, item: Claimed, is_proven: bool, stopping: asyncio.Event | None) -> Answer:
        """Send a digest. A mail that is being sent is not broken off, lest it is sent twice."""
        assert self._mailer is not None
        assert self._week is not None
        link = f"{self._origin}/digest/{item.code}"
        digest = write_digest(self._site_name, item.name, self._week[1], item.own, item.language, self._origin, link)
        headers = {"List-Unsubscribe": f"<{link}>", "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"}
        try:
            async with asyncio.timeout(SEND_SECONDS):
                await self._mailer.send(item.address, digest.subject, digest.text, digest.html, headers)
        except TimeoutError:
            return Answer(problem="down", no_answer=True)
        except MailFailed as failed:
            log.warning("mail_failed", reason=str(failed))
            return Answer(problem=failed.kind, no_answer=failed.kind == "down")
        return Answer()

    async def store_result(self, connection: AsyncConnection, item: Claimed, answer: Answer) -> None:
        """Store the result for a digest: the reader is queued for the next attempt, or for the next week."""
        now, mine = self._now(), self.claimed_row(item)
        log.info("digest_sent", week=item.week, outcome=answer.problem or "delivered", attempt=item.attempts)
        values: dict[str, object] = _waiting(now) | {"problem": answer.problem}
        if answer.problem is None:
            values["refusals"] = 0
        elif answer.problem == "refused":
            values["refusals"] = item.refusals + 1
            if item.refusals + 1 >= MAX_REFUSALS:
                await connection.execute(delete(digest_readers).where(mine))
                return
        elif answer.problem in ("later", "down", "failed"):
            ends = due_at(item.week) + GIVE_UP_MILLISECONDS
            if next_at := next_attempt_at(now, min(item.attempts, len(PAUSES)), PAUSES, until=ends):
                values = {"next_at": next_at}
        await connection.execute(update(digest_readers).where(mine).values(values))


def _waiting(now: int) -> dict[str, object]:
    """Return the values of a row that waits for the digest of the next week."""
    week = next_week(now)
    return {"week": week, "next_at": due_at(week), "attempts": 0}
