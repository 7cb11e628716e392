"""How many mails are sent to whom, so that nobody has the house write to strangers again and again.

A mail that confirms an address may go to a stranger: it is counted for the mailbox, its domain, the player, the network
from which it is asked for, and the house. A link for a new password goes only where somebody has confirmed the address:
it is counted for the mailbox and the house, and confirmations do not use up what links have.
"""

from collections.abc import Sequence
from typing import NamedTuple

from cadogan.server.core.errors import RateLimited
from cadogan.server.core.rate_limits import AddressLimit, TokenBucket, network_of

HOUR = 3600


class Allowance(NamedTuple):
    """So many mails at once, and one more whenever so many seconds have passed."""

    at_once: int
    seconds: float


MAILBOX = Allowance(3, 2 * HOUR)
"""One mailbox, however its address is written (`mailbox_of`), and whatever is sent there."""
DOMAIN = Allowance(50, 60)
"""Confirmations to all mailboxes of one domain (`domain_of`)."""
PLAYER = Allowance(5, HOUR)
"""Confirmations that one player asks for."""
NETWORK = Allowance(20, 300)
"""Confirmations that are asked for from one network address, which may be a whole club."""
HOUSE = Allowance(100, 30)
"""Confirmations of the whole house."""
HOUSE_LINKS = Allowance(200, 10)
"""Links for new passwords of the whole house."""
_MAX_REMEMBERED = 100_000


class MailLimits:
    """The limits of one process; each of `processes` that serve together has an equal part of what the house has."""

    def __init__(self, processes: int = 1) -> None:
        self._mailboxes, self._domains = _limit(MAILBOX), _limit(DOMAIN)
        self._players, self._networks = _limit(PLAYER), _limit(NETWORK)
        self._house, self._house_links = _limit(HOUSE, processes), _limit(HOUSE_LINKS, processes)

    def take_confirmation(self, address: str, player: str, network: str) -> Sequence[TokenBucket]:
        """Count a mail that confirms an address, and return where it is counted. Raises RateLimited.

        `player` is the id of the player who asks for it, from this network address.
        """
        mailbox = self._mailboxes.bucket(mailbox_of(address))
        others = [
            self._players.bucket(player),
            self._networks.bucket(network_of(network)),
            self._domains.bucket(domain_of(address)),
            self._house.bucket("house"),
        ]
        _require(mailbox)
        if wait := max(bucket.seconds_to_wait() for bucket in others):
            raise RateLimited("Many mails were sent already: wait, and try again later.", retry_after=wait)
        for bucket in (mailbox, *others):
            bucket.charge_later(1)
        return [mailbox, *others]

    def take_asked_link(self, address: str) -> None:
        """Count that a link was asked for, whether or not somebody has the address. Raises RateLimited."""
        mailbox = self._mailboxes.bucket(mailbox_of(address))
        _require(mailbox)
        mailbox.charge_later(1)

    def take_sent_link(self) -> None:
        """Count a link that is sent. Raises RateLimited."""
        self._house_links.take("house")


def give_back(buckets: Sequence[TokenBucket]) -> None:
    """Count a mail no more, because no server took it."""
    for bucket in buckets:
        bucket.charge_later(-1)


def mailbox_of(address: str) -> str:
    """Return what is the same for all addresses that usually lead to one mailbox: tags, dots and case do not matter.

    >>> mailbox_of("V.ictim+7@Mail.example"), mailbox_of("victim@googlemail.com")
    ('victim@mail.example', 'victim@gmail.com')
    """
    local, _, domain = address.lower().rpartition("@")
    domain = domain.rstrip(".")
    name = local.partition("+")[0].replace(".", "") or local
    return f"{name}@{'gmail.com' if domain == 'googlemail.com' else domain}"


def domain_of(address: str) -> str:
    """Return the domain that whoever owns a mail domain has registered, as far as its labels tell.

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
