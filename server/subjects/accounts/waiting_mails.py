"""The mails of accounts that wait to be sent: confirmations of addresses, and links for a new password.

A row holds no secret. The code of a link is drawn when a node claims the mail, and only its SHA-256 is stored; a mail
that is sent again has a code of its own, and each works until it ends.
"""

import asyncio
from collections.abc import Callable, Sequence
from typing import NamedTuple
from urllib.parse import urlsplit

import structlog
from sqlalchemy import ColumnElement, delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from cadogan.server.core.database.connections import Database
from cadogan.server.core.database.tables import mail_addresses, players, waiting_mails
from cadogan.server.core.dates import MILLISECONDS_PER_DAY
from cadogan.server.core.mailer import Mailer, MailFailed
from cadogan.server.core.outbox import Answer, StoredQueue, next_attempt_at
from cadogan.server.core.username_rules import name_in_mail
from cadogan.server.core.words import words_in
from cadogan.server.subjects.accounts.codes import Purpose, make_code

log = structlog.stdlib.get_logger("cadogan")
RECOVER_MILLISECONDS = 3600 * 1000
"""Milliseconds after sending for which a link to set a new password is valid."""
CONFIRM_MILLISECONDS = MILLISECONDS_PER_DAY
"""The same for a link that confirms an address."""
GIVE_UP_MILLISECONDS = 2 * MILLISECONDS_PER_DAY
"""So long after it was asked for, a mail that no server takes is given up."""
SEND_SECONDS, UNPROVEN_SEND_SECONDS = 60.0, 20.0
"""After so long a mail that is not taken yet is given up for now: to a confirmed address, and to another one."""
CLAIM_MILLISECONDS = 180_000
MINUTE = 60_000
PAUSES = (MINUTE, 5 * MINUTE, 15 * MINUTE, 60 * MINUTE, 240 * MINUTE, 720 * MINUTE)
"""Milliseconds until a mail is sent again, after each failure; up to a quarter more is added by chance."""


class Claimed(NamedTuple):
    """A mail that this node may send until its claim ends. `code` is that of its link."""

    player: str
    name: str
    address: str
    language: str
    is_confirmed: bool
    site: str
    asked_at: int
    attempts: int
    code: str


async def add_mail(connection: AsyncConnection, player: str, domain: str, site: str, now: int) -> None:
    """Let a mail to this player's address wait, in place of one that waits already.

    It is a link for a new password if the address is confirmed, else a link that confirms it. `site` is the URL prefix
    of links.
    """
    row = {"player": player, "domain": domain, "site": site, "asked_at": now, "next_at": now, "attempts": 0}
    await connection.execute(delete(waiting_mails).where(waiting_mails.c.player == player))
    await connection.execute(insert(waiting_mails).values(row))


class WaitingMails(StoredQueue[Claimed]):
    """The queue of these mails. `now` returns milliseconds since 1970.

    A destination is the domain of addresses: one for which the SMTP server does not answer holds up no other.
    """

    table, key, destination = waiting_mails, waiting_mails.c.player, waiting_mails.c.domain
    source = waiting_mails.join(mail_addresses, mail_addresses.c.player == waiting_mails.c.player)
    is_proven, person = mail_addresses.c.confirmed_at.is_not(None), waiting_mails.c.player
    order = (waiting_mails.c.next_at, waiting_mails.c.player)
    claim_milliseconds = CLAIM_MILLISECONDS

    def __init__(self, database: Database, mailer: Mailer, now: Callable[[], int]) -> None:
        super().__init__(database, now)
        self._mailer = mailer

    def claimed_row(self, item: Claimed) -> ColumnElement[bool]:
        """Return the condition that selects a mail's row, unless the mail was requested again later."""
        return super().claimed_row(item) & (waiting_mails.c.asked_at == item.asked_at)

    async def load(self, connection: AsyncConnection, ids: Sequence[str]) -> list[Claimed]:
        """Return the mails to these players, which were just claimed, with new codes."""
        columns = (players.c.name, mail_addresses.c.address, mail_addresses.c.language, mail_addresses.c.confirmed_at)
        wanted = (
            select(waiting_mails, *columns)
            .join(mail_addresses, mail_addresses.c.player == waiting_mails.c.player)
            .join(players, players.c.id == waiting_mails.c.player)
            .where(waiting_mails.c.player.in_(ids))
        )
        claimed, now = [], self._now()
        for row in await connection.execute(wanted):
            is_confirmed = row.confirmed_at is not None
            purpose: Purpose = "access" if is_confirmed else "mail"
            lifetime = RECOVER_MILLISECONDS if is_confirmed else CONFIRM_MILLISECONDS
            id = f"mail-{purpose}-{row.player}-{row.attempts}"
            code = await make_code(connection, id, purpose, now, now + lifetime, row.player)
            who = (row.player, row.name, row.address, row.language, is_confirmed)
            claimed.append(Claimed(*who, row.site, row.asked_at, row.attempts, code))
        return claimed

    async def send(self, item: Claimed, is_proven: bool, stopping: asyncio.Event | None) -> Answer:
        """Send a mail. One that is being sent is not broken off, lest it is sent twice."""
        words, house = words_in(item.language).mail, urlsplit(item.site).hostname or item.site
        if item.is_confirmed:
            subject, text, page = words.recover_subject, words.recover, "access"
        else:
            subject, text, page = words.confirm_subject, words.confirm, "mail"
        values = {"house": house, "name": name_in_mail(item.name), "link": f"{item.site}/{page}/{item.code}"}
        try:
            async with asyncio.timeout(SEND_SECONDS if is_proven else UNPROVEN_SEND_SECONDS):
                await self._mailer.send(item.address, subject.format(**values), text.format(**values))
        except TimeoutError:
            return Answer(problem="down", no_answer=True)
        except MailFailed as failed:
            log.warning("mail_failed", reason=str(failed))
            return Answer(problem=failed.kind, no_answer=failed.kind == "down")
        return Answer()

    async def store_result(self, connection: AsyncConnection, item: Claimed, answer: Answer) -> None:
        """Store the result for a mail: it is queued for the next attempt, or deleted."""
        ends = item.asked_at + GIVE_UP_MILLISECONDS
        if answer.problem in ("later", "down", "failed"):
            next_at = next_attempt_at(self._now(), item.attempts, PAUSES, until=ends)
            if next_at is not None:
                await connection.execute(update(waiting_mails).where(self.claimed_row(item)).values(next_at=next_at))
                return
        log.info("account_mail_sent", outcome=answer.problem or "delivered", attempt=item.attempts)
        await connection.execute(delete(waiting_mails).where(self.claimed_row(item)))
