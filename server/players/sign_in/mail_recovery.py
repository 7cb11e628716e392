"""Recovery by mail, where the host has an SMTP server: a confirmed address gets a link to set a new password.

A request for a link gets the same response whether or not a player has the address; the mail is sent in the background.
"""

from collections.abc import Callable
from typing import NamedTuple
from urllib.parse import urlsplit

import structlog
from sqlalchemy import delete, insert, select, update

from cadogan.server.core.dates import MILLISECONDS_PER_DAY
from cadogan.server.core.errors import BadMessage, Conflict, NotFound, RateLimited, Unavailable
from cadogan.server.core.username_rules import name_in_mail
from cadogan.server.core.words import words_in
from cadogan.server.database.connections import Database
from cadogan.server.database.tables import mail_addresses, players
from cadogan.server.eventlog.background_tasks import BackgroundTasks
from cadogan.server.mail.mailer import Mailer, MailFailed, is_address
from cadogan.server.players.sign_in.mail_limits import MailLimits, give_back
from cadogan.server.players.sign_in.one_time_codes import make_code, use_code
from cadogan.wire.values import Player

RECOVER_MILLISECONDS = 3600 * 1000
"""Milliseconds for which a mailed link to set a new password is valid."""
log = structlog.stdlib.get_logger("cadogan")


class OwnAddress(NamedTuple):
    """The address of a player, and whether the player has confirmed it."""

    address: str
    confirmed: bool


class MailRecovery:
    """The mail addresses in a database. `now` returns milliseconds since 1970. None as `mailer` disables recovery."""

    def __init__(self, database: Database, mailer: Mailer | None, now: Callable[[], int], processes: int = 1) -> None:
        self._database = database
        self._mailer = mailer
        self._now = now
        self._limits = MailLimits(processes)
        self.background = BackgroundTasks()
        self.offered = mailer is not None

    async def address_of(self, player: str) -> OwnAddress | None:
        """Return the mail address of a player; None without one."""
        wanted = select(mail_addresses).where(mail_addresses.c.player == player)
        row = await self._database.fetch_one(wanted)
        return OwnAddress(row.address, row.confirmed_at is not None) if row else None

    async def set_address(self, player: Player, address: str, language: str, site: str, network: str) -> None:
        """Store the address of a player, and send a confirmation link to it. `site` is the URL prefix of links.

        `network` is the requesting network address. Raises Conflict without a mailer and for a guest or a bot,
        BadMessage for an invalid address, RateLimited (`cadogan.server.players.sign_in.mail_limits`), and Unavailable
        if the mail was not sent.
        """
        mailer = self._require_mailer()
        if player.guest or player.bot:
            raise Conflict("You have no password: create an account first.")
        if not is_address(address):
            raise BadMessage("This is not an address for mails.")
        counted = self._limits.take_confirmation(address, player.id, network)
        now = self._now()
        row = {"player": player.id, "address": address, "key": address.lower(), "language": language}
        async with self._database.writing() as connection:
            await connection.execute(select(players.c.id).where(players.c.id == player.id).with_for_update())
            await connection.execute(delete(mail_addresses).where(mail_addresses.c.player == player.id))
            await connection.execute(insert(mail_addresses).values(row))
            ends = now + MILLISECONDS_PER_DAY
            code = await make_code(connection, f"mail-{player.id}", "mail", now, ends, player.id)
        words = words_in(language).mail
        values = {"house": _house(site), "link": f"{site}/mail/{code}"}
        try:
            await mailer.send(address, words.confirm_subject.format(**values), words.confirm.format(**values))
        except MailFailed as failed:
            log.warning("mail_failed", reason=str(failed))
            if failed.kind == "down":
                give_back(counted)
            raise Unavailable("The mail could not be sent: try again later.") from None

    async def confirm(self, code: str) -> None:
        """Mark the address to which this code was sent as confirmed. Raises NotFound for a code that is not valid."""
        async with self._database.writing() as connection:
            used = await use_code(connection, code, "mail", self._now())
            if used is None:
                raise NotFound("This link is not valid, or not any more.")
            confirmed = update(mail_addresses).where(mail_addresses.c.player == used.player)
            await connection.execute(confirmed.values(confirmed_at=self._now()))

    async def remove(self, player: str) -> None:
        """Delete the address of a player."""
        async with self._database.writing() as connection:
            await connection.execute(delete(mail_addresses).where(mail_addresses.c.player == player))

    def send_links(self, address: str, site: str) -> None:
        """Send links for a new password to the players who have confirmed this address, in the background.

        Raises Conflict without a mailer, BadMessage for an invalid address, and RateLimited after many requests for an
        address, whether or not a player has it.
        """
        self._require_mailer()
        if not is_address(address):
            raise BadMessage("This is not an address for mails.")
        self._limits.take_asked_link(address)
        self.background.start(self._send_links, address, site)

    async def _send_links(self, address: str, site: str) -> None:
        mailer, now = self._require_mailer(), self._now()
        wanted = (
            select(players.c.id, players.c.name, mail_addresses.c.address, mail_addresses.c.language)
            .join(players, players.c.id == mail_addresses.c.player)
            .where(mail_addresses.c.key == address.lower(), mail_addresses.c.confirmed_at.is_not(None))
        )
        rows = await self._database.fetch(wanted)
        for row in rows:
            async with self._database.writing() as connection:
                ends = now + RECOVER_MILLISECONDS
                code = await make_code(connection, f"mail-access-{row.id}", "access", now, ends, row.id)
            words = words_in(row.language).mail
            values = {"house": _house(site), "name": name_in_mail(row.name), "link": f"{site}/access/{code}"}
            try:
                self._limits.take_sent_link()
                await mailer.send(row.address, words.recover_subject.format(**values), words.recover.format(**values))
            except (MailFailed, RateLimited) as failed:
                log.warning("mail_failed", reason=str(failed))

    def _require_mailer(self) -> Mailer:
        if self._mailer is None:
            raise Conflict("This server sends no mails.")
        return self._mailer


def _house(site: str) -> str:
    return urlsplit(site).hostname or site
