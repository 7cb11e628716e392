"""Rate limits for mails, so that the server cannot be used to send spam to strangers.

A mail to confirm an address may go to a stranger. It is charged to the mailbox, its domain, the player, the requesting
network, and the house. A link for a new password goes only to confirmed addresses. It is charged to the mailbox and to
a separate limit of the house.
"""

from collections.abc import Sequence
from typing import NamedTuple

from cadogan.server.core.errors import RateLimited
from cadogan.server.core.rate_limits import AddressLimit, TokenBucket, network_of

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
HOUSE = Allowance(100, 30)
"""Confirmations of the whole house."""
HOUSE_LINKS = Allowance(200, 10)
"""Links for new passwords of the whole house."""
_MAX_REMEMBERED = 100_000


class MailLimits:
    """The limits of one process. The `processes` of a server share the limits of the house equally."""

    def __init__(self, processes: int = 1) -> None:
        self._mailboxes, self._domains = _limit(MAILBOX), _limit(DOMAIN)
        self._players, self._networks = _limit(PLAYER), _limit(NETWORK)
        self._house, self._house_links = _limit(HOUSE, processes), _limit(HOUSE_LINKS, processes)

    def take_confirmation(self, address: str, player: str, network: str) -> Sequence[TokenBucket]:
        """Charge a confirmation mail, and return the charged buckets. Raises RateLimited.

        `player` is the id of the requesting player, `network` their network address.
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
        """Charge a request for a link, whether or not a player has the address. Raises RateLimited."""
        mailbox = self._mailboxes.bucket(mailbox_of(address))
        _require(mailbox)
        mailbox.charge_later(1)

    def take_sent_link(self) -> None:
        """Charge a link that is sent. Raises RateLimited."""
        self._house_links.take("house")


def give_back(buckets: Sequence[TokenBucket]) -> None:
    """Refund a mail that no server accepted."""
    for bucket in buckets:
        bucket.charge_later(-1)


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
