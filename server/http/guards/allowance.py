"""The rate limit of clients: one token for each request or frame, and one more for each 4 KiB of its answer.

The event-loop time of requests and messages is measured and charged to their address afterwards; an address in debt
must wait.
"""

from aiohttp import web

from cadogan.server.core.rate_limits import TokenBucket
from cadogan.server.http.app_keys import server_of
from cadogan.server.http.requests import client_address
from cadogan.server.realtime.connection import BYTES_PER_TOKEN


def answer_cost(size: int) -> int:
    """Return how many tokens an answer of `size` bytes costs, besides the one for the request.

    >>> answer_cost(4095), answer_cost(40_960)
    (0, 10)
    """
    return size // BYTES_PER_TOKEN


class SocketAllowance:
    """The token bucket of one socket, and the token and time buckets of its address."""

    __slots__ = ("_own", "_shared", "_time")

    def __init__(self, request: web.Request) -> None:
        server = server_of(request)
        settings = server.settings
        self._own = TokenBucket(settings.rate, settings.burst)
        address = client_address(request)
        self._shared = server.limits.address.bucket(address)
        self._time = server.limits.time.bucket(address)

    def take(self) -> float:
        """Take a token for a frame and return 0, or return the seconds to wait for one."""
        wait = max(self._own.seconds_to_wait(), self._shared.seconds_to_wait(), self._time.seconds_to_wait(0))
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
