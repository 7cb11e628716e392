"""Limits of how often something may be asked: buckets that refill with time."""

import ipaddress
import time
from collections import OrderedDict
from collections.abc import Callable

from server.core.errors import RateLimited

Clock = Callable[[], float]


class Bucket:
    """Holds `burst` tokens at first and at most, and gets `rate` of them a second."""

    __slots__ = ("_burst", "_clock", "_level", "_rate", "_since")

    def __init__(self, rate: float, burst: float, clock: Clock = time.monotonic) -> None:
        self._rate = rate
        self._burst = burst
        self._clock = clock
        self._level = burst
        self._since = clock()

    def take(self) -> None:
        """Take one token. Raises RateLimited, saying how long to wait, when there is none."""
        now = self._clock()
        self._level = min(self._burst, self._level + (now - self._since) * self._rate)
        self._since = now
        if self._level < 1:
            wait = round((1 - self._level) / self._rate + 0.001, 3)
            raise RateLimited("Too fast: wait a little and ask again.", retry_after=wait)
        self._level -= 1


class AddressLimit:
    """A bucket for each network address that asked lately; of IPv6 the network of 64 bits counts as one.

    `most` addresses are remembered; the one that asked longest ago is forgotten first.
    """

    def __init__(self, rate: float, burst: float, most: int = 10_000, clock: Clock = time.monotonic) -> None:
        self._rate = rate
        self._burst = burst
        self._clock = clock
        self._most = most
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, address: str) -> None:
        """Count one request of this address. Raises RateLimited."""
        network = _network(address)
        bucket = self._buckets.pop(network, None) or Bucket(self._rate, self._burst, self._clock)
        self._buckets[network] = bucket
        if len(self._buckets) > self._most:
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
