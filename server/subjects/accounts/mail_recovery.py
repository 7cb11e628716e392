"""Recovery by mail, and the limits of mails for each recipient.

Recovery by mail, where the host has an SMTP server: a confirmed address gets a link to set a new password.

A request for a link gets the same response whether or not a player has the address. Mails wait in the outbox
(`cadogan.server.subjects.accounts.waiting_mails`), so a mail server that does not answer delays no response.

Rate limits for mails, so that the server cannot be used to send spam to strangers.

A mail to confirm an address may go to a stranger. It is charged to the mailbox, its domain, the player, the requesting
network, and the server. A link for a new password goes only to confirmed addresses. It is charged to the mailbox and to
a separate limit of the server.
"""

import asyncio
from collections.abc import Callable
from typing import NamedTuple

import structlog
from sqlalchemy import delete, insert, select, update

from cadogan.server.core.database.connections import Database
from cadogan.server.core.database.tables import mail_addresses, players
from cadogan.server.core.errors import BadMessage, Conflict, NotFound, RateLimited
from cadogan.server.core.eventlog.background_tasks import BackgroundPart
from cadogan.server.core.mailer import Mailer, is_address
from cadogan.server.core.outbox import Outbox, run_periodically
from cadogan.server.core.rate_limits import AddressLimit, TokenBucket, network_of
from cadogan.server.subjects.accounts.codes import use_code
from cadogan.server.subjects.accounts.waiting_mails import WaitingMails, add_mail
from cadogan.wire.values import Player

log = structlog.stdlib.get_logger("cadogan")


class OwnAddress(NamedTuple):
    """The address of a player, and whether the player has confirmed it."""

    address: str
    confirmed: bool


class MailRecovery(BackgroundPart):
    """The mail addresses in a database. `now` returns milliseconds since 1970. None as `mailer` disables recovery."""

    def __init__(self, database: Database, mailer: Mailer | None, now: Callable[[], int], processes: int = 1) -> None:
        super().__init__()
        self._database = database
        self._now = now
        self._limits = MailLimits(processes)
        self._call = asyncio.Event()
        self.offered = mailer is not None
        self.sender = None if mailer is None else Outbox(WaitingMails(database, mailer, now), self._call.set)

    async def run(self, stopping: asyncio.Event) -> None:
        """Send the mails that wait, until the server is stopping."""
        if self.sender is not None:
            await run_periodically("mails", self.sender.start_due, None, self._now, self._call, stopping)

    async def close(self) -> None:
        """Wait until nothing is being sent."""
        await super().close()
        if self.sender is not None:
            await self.sender.close()

    async def address_of(self, player: str) -> OwnAddress | None:
        """Return the mail address of a player; None without one."""
        wanted = select(mail_addresses).where(mail_addresses.c.player == player)
        row = await self._database.fetch_one(wanted)
        return OwnAddress(row.address, row.confirmed_at is not None) if row else None

    async def set_address(self, player: Player, address: str, language: str, site: str, network: str) -> None:
        """Store the address of a player, and have a confirmation link sent to it. `site` is the URL prefix of links.

        `network` is the requesting network address. Raises Conflict without a mailer and for a guest or a bot,
        BadMessage for an invalid address, and RateLimited (`MailLimits`).
        """
        self._require_mailer()
        if player.guest or player.bot:
            raise Conflict("You have no password: create an account first.")
        if not is_address(address):
            raise BadMessage("This is not an address for mails.")
        self._limits.take_confirmation(address, player.id, network)
        row = {"player": player.id, "address": address, "key": address.lower(), "language": language}
        async with self._database.writing() as connection:
            await connection.execute(select(players.c.id).where(players.c.id == player.id).with_for_update())
            await connection.execute(delete(mail_addresses).where(mail_addresses.c.player == player.id))
            await connection.execute(insert(mail_addresses).values(row))
            await add_mail(connection, player.id, domain_of(address), site, self._now())
        self._call.set()

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
        self.background.start(self._add_links, address, site)

    async def _add_links(self, address: str, site: str) -> None:
        has_it = (mail_addresses.c.key == address.lower(), mail_addresses.c.confirmed_at.is_not(None))
        for row in await self._database.fetch(select(mail_addresses.c.player).where(*has_it)):
            try:
                self._limits.take_sent_link()
            except RateLimited as limited:
                log.warning("mail_failed", reason=str(limited))
                return
            async with self._database.writing() as connection:
                own = select(mail_addresses.c.player).where(mail_addresses.c.player == row.player, *has_it)
                if await connection.scalar(own.with_for_update()) is not None:  # it was not removed meanwhile
                    await add_mail(connection, row.player, domain_of(address), site, self._now())
        self._call.set()

    def _require_mailer(self) -> None:
        if not self.offered:
            raise Conflict("This server sends no mails.")


HOUR = 3600


class Allowance(NamedTuple):
    """A token bucket: at most `at_once` mails, refilled by one mail every `seconds`."""

    at_once: int
    seconds: float


MAILBOX = Allowance(3, 2 * HOUR)
"""All mails to one mailbox, in any spelling of its address (`mailbox_of`)."""
DOMAIN = Allowance(50, 60)
"""Confirmations to all mailboxes of one domain (`domain_of`)."""
PLAYER = Allowance(5, HOUR)
"""Confirmations requested by one player."""
NETWORK = Allowance(20, 300)
"""Confirmations requested from one network address, which a whole club may share."""
WHOLE_SERVER = Allowance(100, 30)
"""Confirmations of the whole server."""
WHOLE_SERVER_LINKS = Allowance(200, 10)
"""Links for new passwords of the whole server."""
_MAX_REMEMBERED = 100_000


class MailLimits:
    """The limits of one process. The `processes` of a server share the limits of the server equally."""

    def __init__(self, processes: int = 1) -> None:
        self._mailboxes, self._domains = _limit(MAILBOX), _limit(DOMAIN)
        self._players, self._networks = _limit(PLAYER), _limit(NETWORK)
        self._server, self._server_links = _limit(WHOLE_SERVER, processes), _limit(WHOLE_SERVER_LINKS, processes)

    def take_confirmation(self, address: str, player: str, network: str) -> None:
        """Charge a confirmation mail. Raises RateLimited.

        `player` is the id of the requesting player, `network` their network address.
        """
        mailbox = self._mailboxes.bucket(mailbox_of(address))
        others = [
            self._players.bucket(player),
            self._networks.bucket(network_of(network)),
            self._domains.bucket(domain_of(address)),
            self._server.bucket("server"),
        ]
        _require(mailbox)
        if wait := max(bucket.seconds_to_wait() for bucket in others):
            raise RateLimited("Many mails were sent already: wait, and try again later.", retry_after=wait)
        for bucket in (mailbox, *others):
            bucket.charge_later(1)

    def take_asked_link(self, address: str) -> None:
        """Charge a request for a link, whether or not a player has the address. Raises RateLimited."""
        mailbox = self._mailboxes.bucket(mailbox_of(address))
        _require(mailbox)
        mailbox.charge_later(1)

    def take_sent_link(self) -> None:
        """Charge a link that is sent. Raises RateLimited."""
        self._server_links.take("server")


def mailbox_of(address: str) -> str:
    """Return the normalized form of an address, without tags, dots and case, which usually identifies the mailbox.

    >>> mailbox_of("V.ictim+7@Mail.example"), mailbox_of("victim@googlemail.com")
    ('victim@mail.example', 'victim@gmail.com')
    """
    local, _, domain = address.lower().rpartition("@")
    domain = domain.rstrip(".")
    name = local.partition("+")[0].replace(".", "") or local
    return f"{name}@{'gmail.com' if domain == 'googlemail.com' else domain}"


def domain_of(address: str) -> str:
    """Return the registered domain of an address, estimated from its labels.

    >>> domain_of("ada@a7.mail.example"), domain_of("ada@mail.club.co.uk")
    ('mail.example', 'club.co.uk')
    """
    labels = mailbox_of(address).rpartition("@")[2].split(".")
    is_country = len(labels) > 2 and len(labels[-1]) == 2 and len(labels[-2]) <= 3
    return ".".join(labels[-3 if is_country else -2 :])


def _limit(allowance: Allowance, processes: int = 1) -> AddressLimit:
    at_once, rate = max(1, allowance.at_once // processes), 1 / allowance.seconds / processes
    return AddressLimit(rate, at_once, _MAX_REMEMBERED)


def _require(mailbox: TokenBucket) -> None:
    if wait := mailbox.seconds_to_wait():
        raise RateLimited("This address got some mails already: look there, or wait.", retry_after=wait)
