"""Rate limits: token buckets, one for each connection or network address."""

import ipaddress
import time
from collections import OrderedDict
from collections.abc import Callable

from server.core.errors import RateLimited

MonotonicClock = Callable[[], float]
"""Returns seconds since some fixed moment; it never goes backwards."""


class TokenBucket:
    """A token bucket: it holds at most `burst` tokens, is full at first, and gets `rate` tokens a second."""

    __slots__ = ("_burst", "_clock", "_rate", "_tokens", "_updated_at")

    def __init__(self, rate: float, burst: float, clock: MonotonicClock = time.monotonic) -> None:
        self._rate = rate
        self._burst = burst
        self._clock = clock
        self._tokens = burst
        self._updated_at = clock()

    def take(self) -> None:
        """Take one token. Raises RateLimited with the seconds to wait (`retry_after`) if there is none."""
        now = self._clock()
        self._tokens = min(self._burst, self._tokens + (now - self._updated_at) * self._rate)
        self._updated_at = now
        if self._tokens < 1:
            wait = round((1 - self._tokens) / self._rate + 0.001, 3)
            raise RateLimited("Too fast: wait a little and ask again.", retry_after=wait)
        self._tokens -= 1


class AddressLimit:
    """A token bucket for each network address. All IPv6 addresses of one /64 network count as one address.

    At most `max_addresses` are remembered; the one that has not asked for the longest time is forgotten first.
    """

    def __init__(
        self, rate: float, burst: float, max_addresses: int = 10_000, clock: MonotonicClock = time.monotonic
    ) -> None:
        self._rate = rate
        self._burst = burst
        self._clock = clock
        self._max_addresses = max_addresses
        self._buckets: OrderedDict[str, TokenBucket] = OrderedDict()

    def take(self, address: str) -> None:
        """Take one token of this address. Raises RateLimited if there is none."""
        network = _network(address)
        bucket = self._buckets.pop(network, None) or TokenBucket(self._rate, self._burst, self._clock)
        self._buckets[network] = bucket
        if len(self._buckets) > self._max_addresses:
            self._buckets.popitem(last=False)
        bucket.take()


def _network(address: str) -> str:
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(parsed, ipaddress.IPv6Address):
        if parsed.ipv4_mapped:
            return str(parsed.ipv4_mapped)
        return str(ipaddress.ip_network((parsed, 64), strict=False))
    return str(parsed)
