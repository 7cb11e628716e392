"""Password rules, and password hashing with argon2id in threads.

One hash takes 64 MiB of memory and a tenth of a second, so few are computed at once. Requests of strangers share one
thread and a short queue; when it is full, they are refused. Requests of known players (signed in, or having signed in
from there before) have a thread and a queue of their own, so that strangers cannot delay them. Each player, browser and
network has only a few places in a queue.
"""

import asyncio
import os
import re
import secrets
import sys
import threading
from base64 import b64encode
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import TypeVar
from unicodedata import normalize

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerifyMismatchError

from cadogan.server.core.errors import BadMessage, RateLimited
from cadogan.server.core.username_rules import name_key
from cadogan.server.players.sign_in.sign_in_limits import Attempt

MAX_WAITING = 8
"""The maximum number of queued hashes of strangers, or of known players."""
MAX_UNDER_WAY = 4
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
        """Return the hash of a new password of the player with this name. `who` is the requester: see `MAX_UNDER_WAY`.

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
        if self._count > MAX_WAITING or (who and self._of_one[who] >= MAX_UNDER_WAY):
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
