"""Rate limits of sign-in attempts. Only failures are charged, and known browsers and networks have separate limits.

An attacker's guesses do not lock the player out: a browser or network that has signed in with this name before does not
share the limits of strangers, and once the limit of a name is used up, each further network has one attempt. A known
browser has a *device mark* in a cookie, which survives signing out. Marks are derived from the hash of the player's
password, so a new password invalidates all of them.
"""

from collections import OrderedDict
from collections.abc import Collection, Iterator, Sequence
from hashlib import sha256
from hmac import compare_digest, digest
from typing import NamedTuple

from cadogan.server.core.errors import RateLimited
from cadogan.server.core.rate_limits import AddressLimit, TokenBucket, network_of

STRANGERS_AT_ONCE = 20
STRANGERS_PER_SECOND = 1 / 30
"""Failures per second of all strangers together with one name."""
FIRST_TRIES_AT_ONCE = 50
FIRST_TRIES_PER_SECOND = 1 / 60
"""First attempts per second of further networks with one name after that, because its owner may be in a new place."""
SECONDS_BETWEEN_FIRST_TRIES = 600
"""Seconds after which an attempt from the same network counts as a first attempt again."""
NETWORK_AT_ONCE = 100
NETWORK_PER_SECOND = 1 / 6
"""Failures per second of one network with all names together. A whole club may share a network."""
KNOWN_AT_ONCE = 10
KNOWN_PER_SECOND = 1 / 6
"""Failures per second with a name of a browser or network that knows it; beyond that it counts as a stranger."""
MAX_REMEMBERED_NETWORKS = 10_000
MAX_MARKS = 5
"""The maximum number of device marks in one browser, one for each player."""
_MARK_LENGTH = 32


class Origin(NamedTuple):
    """The origin of an attempt: the network address, the browser's device marks, and the signed-in player."""

    address: str = ""
    marks: Collection[str] = ()
    player: str | None = None


UNKNOWN_ORIGIN = Origin()


class Attempt(NamedTuple):
    """A permitted attempt. It stays charged unless it is given back.

    `is_known` is whether the browser, player or network `who` is known for this name.
    """

    is_known: bool
    who: str
    charged: Sequence[TokenBucket]

    def give_back(self) -> None:
        """Refund the attempt, because it succeeded, or no password was compared."""
        for bucket in self.charged:
            bucket.charge_later(-1)


class SignInLimits:
    """The limits of one process. Known networks are kept in memory only.

    The `processes` of a server share the limits of strangers equally, so that more processes do not permit more
    attempts.
    """

    def __init__(self, processes: int = 1) -> None:
        self._strangers = AddressLimit(STRANGERS_PER_SECOND / processes, max(1, STRANGERS_AT_ONCE // processes))
        self._strangers_of_network = AddressLimit(NETWORK_PER_SECOND / processes, max(1, NETWORK_AT_ONCE // processes))
        self._networks_first = AddressLimit(1 / SECONDS_BETWEEN_FIRST_TRIES, 1)
        self._first_tries = AddressLimit(FIRST_TRIES_PER_SECOND / processes, max(1, FIRST_TRIES_AT_ONCE // processes))
        self._known = AddressLimit(KNOWN_PER_SECOND, KNOWN_AT_ONCE)
        self._networks: OrderedDict[tuple[str, str], None] = OrderedDict()

    def take(self, key: str, origin: Origin, player: str = "", password_hash: str = "") -> Attempt:
        """Charge an attempt at the name with this key, and return it.

        `player` and `password_hash` are those of the player with this name, if looked up. Raises RateLimited.
        """
        network = network_of(origin.address)
        for who in self._known_as(key, origin, player, password_hash):
            bucket = self._known.bucket(who)
            if not bucket.seconds_to_wait():
                return _charge(True, network if who.startswith("name ") else who, [bucket])
        of_network = self._strangers_of_network.bucket(network)
        if wait := of_network.seconds_to_wait():
            raise RateLimited(
                "Too many failed attempts from your network: wait, or sign in in another way.", retry_after=wait
            )
        of_name = [self._strangers.bucket(f"name {key}")]
        if of_name[0].seconds_to_wait():
            of_name = [
                self._networks_first.bucket(f"name {key} from {network}"),
                self._first_tries.bucket(f"name {key}"),
            ]
        if wait := max(bucket.seconds_to_wait() for bucket in of_name):
            raise RateLimited(
                "Too many attempts with this name: wait, or sign in where you have done so before.", retry_after=wait
            )
        return _charge(False, network, [of_network, *of_name])

    def take_own(self, player: str) -> Attempt:
        """Charge an attempt of a signed-in player, by id, at their own password. Raises RateLimited."""
        bucket = self._known.bucket(f"own {player}")
        if wait := bucket.seconds_to_wait():
            raise RateLimited("Too fast: wait a little and try again.", retry_after=wait)
        return _charge(True, player, [bucket])

    def _known_as(self, key: str, origin: Origin, player: str, password_hash: str) -> Iterator[str]:
        """Return the identifiers by which this origin is known for this name."""
        mark = device_mark(player, password_hash)
        if any([compare_digest(mark.encode(), each.encode(errors="replace")) for each in origin.marks]):
            yield f"mark {mark}"
        if origin.player == player:
            yield f"player {player}"
        network = network_of(origin.address)
        if (key, network) in self._networks:
            yield f"name {key} from {network}"

    def remember(self, key: str, origin: Origin) -> None:
        """Store that this origin has signed in with the name of this key."""
        network = network_of(origin.address)
        if not network:
            return
        self._networks.pop((key, network), None)
        self._networks[key, network] = None
        if len(self._networks) > MAX_REMEMBERED_NETWORKS:
            self._networks.popitem(last=False)


def _charge(is_known: bool, who: str, buckets: Sequence[TokenBucket]) -> Attempt:
    for bucket in buckets:
        bucket.charge_later(1)
    return Attempt(is_known, who, buckets)


def device_mark(player: str, password_hash: str) -> str:
    """Return the device mark for a browser in which this player has signed in."""
    return digest(password_hash.encode(), b"device " + player.encode(), sha256).hex()[:_MARK_LENGTH]


def read_marks(cookie: str | None) -> Sequence[str]:
    """Return the device marks in a cookie."""
    return [mark for mark in (cookie or "").split(".") if mark][:MAX_MARKS]


def add_device_mark(cookie: str | None, mark: str) -> str:
    """Return the cookie with one more mark, the newest first."""
    others = [each for each in read_marks(cookie) if each != mark]
    return ".".join([mark, *others][:MAX_MARKS])
