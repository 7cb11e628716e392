"""Rate limits: token buckets for each address and player, and how much one address may have open or in progress.

A request or frame costs one token, and one more for each 4 KiB of its answer. The event-loop time of requests and
messages is measured and charged to their address afterwards, and so is the time for which they hold connections to the
database; an address in debt must wait.

Turns: a limit on the concurrent requests and messages of one network address.

Requests above the limit wait in order of arrival. A client that sends many requests therefore delays mainly itself:
others wait for only a few of its requests at a time.
"""

import ipaddress
import time
from asyncio import Semaphore
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from types import TracebackType
from weakref import WeakValueDictionary

from cadogan.server.core.errors import RateLimited, TooMany

MonotonicClock = Callable[[], float]
"""Returns seconds since a fixed point in time; it never decreases."""


class TokenBucket:
    """A token bucket: it holds at most `burst` tokens, starts full, and is refilled with `rate` tokens a second."""

    __slots__ = ("_burst", "_clock", "_rate", "_tokens", "_updated_at")

    def __init__(self, rate: float, burst: float, clock: MonotonicClock = time.monotonic) -> None:
        self._rate = rate
        self._burst = burst
        self._clock = clock
        self._tokens = burst
        self._updated_at = clock()

    def seconds_to_wait(self, cost: float = 1) -> float:
        """Return the seconds until `cost` tokens are available; 0 if they are available now."""
        now = self._clock()
        self._tokens = min(self._burst, self._tokens + (now - self._updated_at) * self._rate)
        self._updated_at = now
        needed = min(cost, self._burst)
        return 0.0 if self._tokens >= needed else round((needed - self._tokens) / self._rate + 0.001, 3)

    def take(self, cost: float = 1) -> None:
        """Take `cost` tokens. Raises RateLimited with the seconds to wait (`retry_after`) if there are too few.

        A cost above `burst` requires a full bucket, and leaves it in debt.
        """
        if wait := self.seconds_to_wait(cost):
            raise RateLimited("Too fast: wait a little and try again.", retry_after=wait)
        self._tokens -= cost

    def is_in_debt(self) -> bool:
        """Return whether the number of tokens is negative."""
        return self._tokens < 0 and self.seconds_to_wait(0) > 0

    def charge_later(self, cost: float) -> None:
        """Take `cost` tokens that become known only after the work; the bucket may go into debt."""
        self._tokens -= cost


BYTES_PER_TOKEN = 4096
"""Bytes of an answer or of a push that cost one token."""


def answer_cost(size: int) -> int:
    """Return how many tokens an answer of `size` bytes costs, besides the one for the request.

    >>> answer_cost(4095), answer_cost(40_960)
    (0, 10)
    """
    return size // BYTES_PER_TOKEN


class SocketAllowance:
    """The token bucket of one socket, and the token and time buckets of its address."""

    __slots__ = ("_own", "_shared", "_times")

    def __init__(self, own: TokenBucket, shared: TokenBucket, times: tuple[TokenBucket, ...]) -> None:
        self._own = own
        self._shared = shared
        self._times = times

    def take(self) -> float:
        """Take a token for a frame and return 0, or return the seconds to wait for one."""
        times = [bucket.seconds_to_wait(0) for bucket in self._times]
        wait = max(self._own.seconds_to_wait(), self._shared.seconds_to_wait(), *times)
        if not wait:
            self._own.charge_later(1)
            self._shared.charge_later(1)
        return wait

    def charge_later(self, size: int) -> None:
        """Charge the tokens for `size` bytes that were sent."""
        if cost := answer_cost(size):
            self._own.charge_later(cost)
            self._shared.charge_later(cost)

    def is_used_up(self) -> bool:
        """Return whether this socket itself is over its limit, and not only its address."""
        return self._own.seconds_to_wait() > 0


class AddressLimit:
    """A token bucket per network address, or per other key.

    All IPv6 addresses of one /64 network count as one address.

    At most `max_addresses` buckets are kept; the least recently used is evicted first.
    """

    def __init__(
        self, rate: float, burst: float, max_addresses: int = 10_000, clock: MonotonicClock = time.monotonic
    ) -> None:
        self._rate = rate
        self._burst = burst
        self._clock = clock
        self._max_addresses = max_addresses
        self._buckets: OrderedDict[str, TokenBucket] = OrderedDict()

    def take(self, address: str, cost: float = 1) -> None:
        """Take `cost` tokens of this address. Raises RateLimited like `TokenBucket.take`."""
        self.bucket(address).take(cost)

    def bucket(self, address: str) -> TokenBucket:
        """Return the bucket of this address."""
        network = network_of(address)
        bucket = self._buckets.pop(network, None) or TokenBucket(self._rate, self._burst, self._clock)
        self._buckets[network] = bucket
        if len(self._buckets) > self._max_addresses:
            self._buckets.popitem(last=False)
        return bucket


class AtOnceLimit:
    """A limit on concurrent operations per network address or player id."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._under_way = Counter[str]()

    @contextmanager
    def counted(self, address: str) -> Iterator[None]:
        """Count one operation while the context is open. Raises TooMany at the limit."""
        self.take(address)
        try:
            yield
        finally:
            self.give_back(address)

    def take(self, address: str) -> None:
        """Count one operation until `give_back` is called. Raises TooMany at the limit."""
        network = network_of(address)
        if self._under_way[network] >= self._most:
            raise self._refusal()
        self._under_way[network] += 1

    def give_back(self, address: str) -> None:
        """Stop counting one operation."""
        network = network_of(address)
        self._under_way[network] -= 1
        if not self._under_way[network]:
            del self._under_way[network]

    def _refusal(self) -> TooMany:
        return TooMany("Too many answers are on their way to you: read them completely first.", retry_after=1.0)


class OpenLimit(AtOnceLimit):
    """A limit on open sockets and streams per network address."""

    def _refusal(self) -> TooMany:
        return TooMany("Too many open connections from one address: at most {count}.", count=self._most)


@lru_cache(maxsize=4096)
def network_of(address: str) -> str:
    """Return the network that counts as one client: for IPv6 the /64 network, for IPv4 the address itself.

    A text that is not an address is returned unchanged.
    """
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(parsed, ipaddress.IPv6Address):
        if parsed.ipv4_mapped:
            return str(parsed.ipv4_mapped)
        return str(ipaddress.ip_network((parsed, 64), strict=False))
    return str(parsed)


class _Line(Semaphore):
    """The running and the waiting requests of one address."""

    waiting = 0


class Turn:
    """The turn of one request or message. Use it as a context manager, which acquires and releases it."""

    __slots__ = ("_is_taken", "_line", "_most_waiting")

    def __init__(self, line: _Line, most_waiting: int) -> None:
        self._line = line
        self._most_waiting = most_waiting
        self._is_taken = False

    async def take(self) -> None:
        """Wait for the turn. Raises TooMany if too many requests of the same address wait."""
        if self._line.waiting >= self._most_waiting:
            raise TooMany("Too many open connections from one address: at most {count}.", count=self._most_waiting)
        self._line.waiting += 1
        try:
            await self._line.acquire()
        finally:
            self._line.waiting -= 1
        self._is_taken = True

    def give_back(self) -> None:
        """Release the turn to the next request; do nothing if it was released before."""
        if self._is_taken:
            self._is_taken = False
            self._line.release()

    async def __aenter__(self) -> "Turn":
        await self.take()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.give_back()


class Turns:
    """The turns of each network address; all IPv6 addresses of one /64 network count as one."""

    def __init__(self, at_once: int, most_waiting: int) -> None:
        self._concurrency_limit = at_once
        self._most_waiting = most_waiting
        self._lines: WeakValueDictionary[str, _Line] = WeakValueDictionary()

    def of(self, address: str) -> Turn:
        """Return a turn of this address that is not acquired yet."""
        network = network_of(address)
        line = self._lines.get(network)
        if line is None:
            line = self._lines[network] = _Line(self._concurrency_limit)
        return Turn(line, self._most_waiting)


ACCOUNTS_AT_ONCE = 30
ACCOUNTS_PER_SECOND = 1 / 6
"""The rate and burst of accounts that one address may create."""
SIGN_INS_AT_ONCE = 300
SIGN_INS_PER_SECOND = 2
"""The rate and burst of sign-ins that one address may start with a passkey, the provider or mail: nothing can be
guessed there, and each attempt is stored."""
HISTORY_EVENTS_RATE = 100
HISTORY_EVENTS_BURST = 500
"""The rate and burst of history events read for one player or address, per command that the settings allow."""
HISTORIES_AT_ONCE = 32
"""Replays, paces and records that are sent concurrently to one named player or one address."""
CONNECTIONS_PER_SOCKET = 2
"""Open connections of one address per allowed socket or stream."""
CONNECTIONS_OF_AN_ADDRESS = 25
"""The message and request limit of one address, as a multiple of that of one connection."""
PUSHES_OF_AN_ADDRESS = 100
"""The push limit for spectators of one address, as a multiple of the limit of one connection."""
MILLISECONDS_OF_AN_ADDRESS = 12.5
"""Event-loop milliseconds per second of one address, per message a second that one connection may send."""
MILLISECONDS_AT_ONCE = 50
"""Burst of event-loop milliseconds of one address, per message in the burst of one connection."""
MIN_MILLISECONDS_AT_ONCE = 1000
"""Minimum burst of event-loop milliseconds of one address."""
STORE_MILLISECONDS_OF_AN_ADDRESS = 50
"""Milliseconds per second for which one address may hold connections to the database, per message a second that one
connection may send."""
STORE_MILLISECONDS_AT_ONCE = 500
"""Burst of these milliseconds, per message in the burst of one connection."""
MIN_STORE_MILLISECONDS_AT_ONCE = 10_000
"""Minimum burst of these milliseconds."""
FILES_AT_ONCE = 100
"""Burst of pages and files for one address, as a multiple of `burst`. A page with all its files needs about a
hundred."""
COMMANDS_PER_TURN = 2
"""Divisor: concurrent requests and messages of one address are the rate of one connection divided by this."""
DEFAULT_RATE = 20
"""The rate of one connection for which the number of connections to the database is stated."""
COMMANDS_PER_OPENING = 400
"""Divisor: the rate of new guests and races of one address is the rate of commands divided by this."""


class RequestLimits:
    """The limits of one server. The settings allow one connection `rate` messages a second, with bursts of `burst`.

    One address may have `sockets` sockets and streams, and hold `uses` connections to the database at the default rate.
    """

    def __init__(self, rate: int, burst: int, sockets: int, uses: int) -> None:
        self._socket = rate, burst
        self.address = AddressLimit(rate * CONNECTIONS_OF_AN_ADDRESS, burst * CONNECTIONS_OF_AN_ADDRESS)
        """Limits messages and requests of one address."""
        at_once = max(burst * MILLISECONDS_AT_ONCE, MIN_MILLISECONDS_AT_ONCE)
        self.time = AddressLimit(rate * MILLISECONDS_OF_AN_ADDRESS, at_once)
        """Limits the event-loop milliseconds that requests and messages of one address use."""
        self.store = AddressLimit(
            rate * STORE_MILLISECONDS_OF_AN_ADDRESS,
            max(burst * STORE_MILLISECONDS_AT_ONCE, MIN_STORE_MILLISECONDS_AT_ONCE),
        )
        """Limits the milliseconds for which requests and messages of one address hold connections to the database."""
        self.store_turns = Turns(max(1, uses * rate // DEFAULT_RATE), sockets * CONNECTIONS_PER_SOCKET)
        """Limits the connections to the database that requests and messages of one address hold at the same time."""
        self.push = AddressLimit(rate * PUSHES_OF_AN_ADDRESS, burst * PUSHES_OF_AN_ADDRESS)
        """Limits pushes to the spectators of one address; beyond it they get full views later."""
        self.file = AddressLimit(rate * CONNECTIONS_OF_AN_ADDRESS, burst * FILES_AT_ONCE)
        """Limits pages and files of one address; further requests are delayed."""
        self.turns = Turns(max(1, rate // COMMANDS_PER_TURN), sockets * CONNECTIONS_PER_SOCKET)
        """Limits concurrent requests and messages of one address."""
        self.open = OpenLimit(sockets)
        """Limits open sockets and streams of one address."""
        self.deal = AddressLimit(rate, burst)
        """Limits how often one person (`cadogan.server.core.web.requests.asker`) creates stored things: a deal, a game,
        a place in a race, a group, a bot; and how often one address creates deals."""
        self.history = AddressLimit(rate * HISTORY_EVENTS_RATE, burst * HISTORY_EVENTS_BURST)
        """Limits events read for replays, paces and records of one named player or one address."""
        self.histories_at_once = AtOnceLimit(HISTORIES_AT_ONCE)
        """Limits replays, paces and records that are sent concurrently to one named player or one address."""
        self.guest = AddressLimit(rate / COMMANDS_PER_OPENING, burst)
        """Limits new guests of one address."""
        self.race = AddressLimit(rate / COMMANDS_PER_OPENING, burst)
        """Limits races opened from one address."""
        self.account = AddressLimit(ACCOUNTS_PER_SECOND, ACCOUNTS_AT_ONCE)
        """Limits accounts created from one address."""
        self.sign_in = AddressLimit(SIGN_INS_PER_SECOND, SIGN_INS_AT_ONCE)
        """Limits sign-ins without a password and uses of codes from one address; wrong passwords are counted by
        `cadogan.server.subjects.accounts.passwords`."""

    def of_socket(self, address: str) -> SocketAllowance:
        """Return the allowance of a new socket of this address."""
        times = (self.time.bucket(address), self.store.bucket(address))
        return SocketAllowance(TokenBucket(*self._socket), self.address.bucket(address), times)
