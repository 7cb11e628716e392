"""Limits: token buckets per connection or network address, and the number of connections of one address."""

import ipaddress
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache

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
    def one(self, address: str) -> Iterator[None]:
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
