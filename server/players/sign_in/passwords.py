"""Passwords: which are allowed, and computing their hashes with argon2id, in threads.

One hash takes 64 MiB of memory and a tenth of a second, so few are computed at once. Requests of strangers use one
thread and wait in a short queue; beyond it they are refused at once. Requests of players who are known (who are signed
in, or have signed in from there before) use a thread and a queue of their own: strangers cannot delay them. Nobody, and
no network, has more than a few places in a queue.
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
"""How many hashes of one kind of requests may wait to be computed."""
MAX_UNDER_WAY = 4
"""How many hashes of one player, one browser or one network may wait or be computed."""
MAX_WAIT_SECONDS = 4.0
"""For so long, at most, a hash waits to be computed."""
BUSY_RETRY_SECONDS = 2.0
"""After so long a request that was refused because too many wait may be sent again."""
NICENESS = 10
"""How far hashes stand back for the event loop where the system has no processor for both: each uses four threads."""
MIN_CHARACTERS = 4
"""A password has at least so many different characters."""
_SITE_WORDS = frozenset({"cadogan", "patience", "solitaire", "klondike"})
_ENDS = re.compile(r"^[\W\d_]+|[\W\d_]+$")

Result = TypeVar("Result")


class Passwords:
    """Checks passwords and computes their hashes. Use it within one event loop."""

    def __init__(self, hasher: PasswordHasher | None = None) -> None:
        self._hasher = hasher or PasswordHasher()
        self.dummy_hash = _make_dummy_hash(self._hasher)
        """A hash that no password has. Verifying against it takes as long as against any other."""
        self._known, self._strangers = _Lane(), _Lane()

    async def hash(self, password: str, name: str, known: bool = False, who: str = "") -> str:
        """Return the hash of a new password of the player with this name. `who` asks for it: see `MAX_UNDER_WAY`.

        Raises BadMessage if the password is easy to guess, and RateLimited if too many hashes wait to be computed.
        """

        def compute() -> str:
            refuse_easy_password(password, name)
            return self._hasher.hash(_normalized(password))

        return await self._lane(known).run(compute, who)

    async def verify(self, hashed: str, password: str, known: bool = False, who: str = "") -> bool:
        """Return whether the password has this hash. Raises RateLimited if too many hashes wait to be computed."""

        def compute() -> bool:
            try:
                return self._hasher.verify(hashed, _normalized(password))
            except (VerifyMismatchError, InvalidHashError):
                return False

        return await self._lane(known).run(compute, who)

    async def compare(self, hashed: str, attempt: Attempt, *passwords: str) -> int | None:
        """Return which of these passwords has this hash, by its place; None if none has, which charges the attempt.

        Raises RateLimited, which charges nothing, if too many hashes wait to be computed.
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
    """Computes one thing at a time, in a thread; a few more may wait."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, "passwords", _lower_priority)
        self._computing = asyncio.Semaphore(1)
        self._count = 0
        self._of_one = Counter[str]()

    async def run(self, compute: Callable[[], Result], who: str) -> Result:
        """Return what `compute` returns. Raises RateLimited if too many wait already, in all or for `who`, if named."""
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
    """Let this thread, and those that it starts, run when the event loop does not. On Linux alone threads have that."""
    if sys.platform == "linux":
        thread = threading.get_native_id()
        os.setpriority(os.PRIO_PROCESS, thread, os.getpriority(os.PRIO_PROCESS, thread) + NICENESS)


def _busy() -> RateLimited:
    return RateLimited(
        "Many people are signing in right now: wait a little and try again.", retry_after=BUSY_RETRY_SECONDS
    )


def refuse_easy_password(password: str, name: str) -> None:
    """Refuse a password that is guessed first: a common one, one's own name, or a few characters again and again.

    Signs and digits before and after a word do not make it harder to guess. Raises BadMessage.

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
    """Return the 30,000 most common passwords, in small letters. Loading them takes 0.2 s and 13 MB."""
    from zxcvbn.frequency_lists import FREQUENCY_LISTS

    return frozenset(FREQUENCY_LISTS["passwords"])


def _make_dummy_hash(hasher: PasswordHasher) -> str:
    cost = f"m={hasher.memory_cost},t={hasher.time_cost},p={hasher.parallelism}"
    salt, tag = (
        b64encode(secrets.token_bytes(size)).decode().rstrip("=") for size in (hasher.salt_len, hasher.hash_len)
    )
    return f"$argon2id$v=19${cost}${salt}${tag}"


def _normalized(password: str) -> str:
    """Return the password so that it has the same bytes however a keyboard composes its accents."""
    return normalize("NFKC", password)
