"""Passwords: which are allowed, their hashes, and how often somebody may try one.

Password rules, and password hashing with argon2id in threads.

One hash takes 64 MiB of memory and a tenth of a second, so few are computed at once. Requests of strangers share one
thread and a short queue; when it is full, they are refused. Requests of known players (signed in, or having signed in
from there before) have a thread and a queue of their own, so that strangers cannot delay them. Each player, browser and
network has only a few places in a queue.

Rate limits of sign-in attempts. Only failures are charged, and known browsers and networks have separate limits.

An attacker's guesses do not lock the player out: a browser or network that has signed in with this name before does not
share the limits of strangers, and once the limit of a name is used up, each further network has one attempt. A known
browser has a *device mark* in a cookie, which survives signing out. Marks are derived from the hash of the player's
password, so a new password invalidates all of them.
"""

import asyncio
import os
import re
import secrets
import sys
import threading
from base64 import b64encode
from collections import Counter, OrderedDict
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from hashlib import sha256
from hmac import compare_digest, digest
from typing import NamedTuple, TypeVar
from unicodedata import normalize

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerifyMismatchError

from cadogan.server.core.errors import BadMessage, RateLimited
from cadogan.server.core.rate_limits import AddressLimit, TokenBucket, network_of
from cadogan.server.core.username_rules import name_key

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


MAX_WAITING = 8
"""The maximum number of queued hashes of strangers, or of known players."""
MAX_QUEUED_HASHES = 4
"""The maximum number of queued and running hashes of one player, browser or network."""
MAX_WAIT_SECONDS = 4.0
"""The maximum number of seconds that a hash waits in the queue."""
BUSY_RETRY_SECONDS = 2.0
"""Seconds after which a request that was refused because of a full queue may be retried."""
NICENESS = 10
"""The niceness of hashing threads, so that the event loop has priority. Each hash uses four threads."""
MIN_CHARACTERS = 4
"""The minimum number of different characters in a password."""
_SITE_WORDS = frozenset({"cadogan", "patience", "solitaire", "klondike"})
_ENDS = re.compile(r"^[\W\d_]+|[\W\d_]+$")
Result = TypeVar("Result")


class Passwords:
    """Checks passwords and computes their hashes. Use it within one event loop."""

    def __init__(self, hasher: PasswordHasher | None = None) -> None:
        self._hasher = hasher or PasswordHasher()
        self.dummy_hash = _make_dummy_hash(self._hasher)
        """A hash that matches no password. Verifying against it takes as long as against any other."""
        self._known, self._strangers = _Lane(), _Lane()

    async def hash(self, password: str, name: str, known: bool = False, who: str = "") -> str:
        """Return the hash of a player's new password. `who` is the requester: see `MAX_QUEUED_HASHES`.

        Raises BadMessage if the password is easy to guess, and RateLimited if too many hashes are queued.
        """

        def compute() -> str:
            refuse_easy_password(password, name)
            return self._hasher.hash(_normalized(password))

        return await self._lane(known).run(compute, who)

    async def verify(self, hashed: str, password: str, known: bool = False, who: str = "") -> bool:
        """Return whether the password has this hash. Raises RateLimited if too many hashes are queued."""

        def compute() -> bool:
            try:
                return self._hasher.verify(hashed, _normalized(password))
            except (VerifyMismatchError, InvalidHashError):
                return False

        return await self._lane(known).run(compute, who)

    async def compare(self, hashed: str, attempt: Attempt, *passwords: str) -> int | None:
        """Return the index of the password that matches the hash; None if none does, which charges the attempt.

        Raises RateLimited if too many hashes are queued, without charging the attempt.
        """
        try:
            for place, password in enumerate(passwords):
                if await self.verify(hashed, password, attempt.is_known, attempt.who):
                    attempt.give_back()
                    return place
        except RateLimited:
            attempt.give_back()
            raise
        return None

    def _lane(self, known: bool) -> "_Lane":
        return self._known if known else self._strangers


class _Lane:
    """A thread that computes one hash at a time, with a short queue."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, "passwords", _lower_priority)
        self._computing = asyncio.Semaphore(1)
        self._count = 0
        self._of_one = Counter[str]()

    async def run(self, compute: Callable[[], Result], who: str) -> Result:
        """Run `compute` in the thread, and return its result. Raises RateLimited if too many are queued."""
        if self._count > MAX_WAITING or (who and self._of_one[who] >= MAX_QUEUED_HASHES):
            raise _busy()
        self._count += 1
        self._of_one[who] += 1
        try:
            try:
                async with asyncio.timeout(MAX_WAIT_SECONDS):
                    await self._computing.acquire()
            except TimeoutError:
                raise _busy() from None
            try:
                return await asyncio.get_running_loop().run_in_executor(self._thread, compute)
            finally:
                self._computing.release()
        finally:
            self._count -= 1
            self._of_one[who] -= 1
            if not self._of_one[who]:
                del self._of_one[who]


def _lower_priority() -> None:
    """Lower the priority of this thread and the threads it starts. Only Linux has priorities per thread."""
    if sys.platform == "linux":
        thread = threading.get_native_id()
        os.setpriority(os.PRIO_PROCESS, thread, os.getpriority(os.PRIO_PROCESS, thread) + NICENESS)


def _busy() -> RateLimited:
    return RateLimited(
        "Many people are signing in right now: wait a little and try again.", retry_after=BUSY_RETRY_SECONDS
    )


def refuse_easy_password(password: str, name: str) -> None:
    """Refuse an easy password: a common one, the player's own name, or a few repeated characters.

    Digits and punctuation around a word are ignored. Raises BadMessage.

    >>> refuse_easy_password("eight red queens", "Ada")
    """
    folded = name_key(password)
    word = _ENDS.sub("", folded)
    own = name_key(name)
    if len(set(folded)) < MIN_CHARACTERS:
        raise BadMessage(
            "This password has fewer than {count} different characters: choose another one.", count=MIN_CHARACTERS
        )
    for text in {folded, word, folded[::-1], word[::-1]} - {""}:
        if not text.replace(own, "").strip(" 0123456789._-"):
            raise BadMessage("This password is your own name: choose another one.")
        if text in _SITE_WORDS or text in _common_passwords():
            raise BadMessage("Many people use this password, so it is easy to guess: choose another one.")


@cache
def _common_passwords() -> frozenset[str]:
    """Return the 30,000 most common passwords, in lower case. Loading them takes 0.2 s and 13 MB."""
    from zxcvbn.frequency_lists import FREQUENCY_LISTS

    return frozenset(FREQUENCY_LISTS["passwords"])


def _make_dummy_hash(hasher: PasswordHasher) -> str:
    cost = f"m={hasher.memory_cost},t={hasher.time_cost},p={hasher.parallelism}"
    salt, tag = (
        b64encode(secrets.token_bytes(size)).decode().rstrip("=") for size in (hasher.salt_len, hasher.hash_len)
    )
    return f"$argon2id$v=19${cost}${salt}${tag}"


def _normalized(password: str) -> str:
    """Return the password in normalized Unicode, so that it does not depend on how a keyboard composes accents."""
    return normalize("NFKC", password)
