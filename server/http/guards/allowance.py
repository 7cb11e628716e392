"""What clients may ask for: a token for each request or frame, and one more for each 4 KiB that is sent for it.

Besides, what its requests and messages take of the event loop is measured, and charged to their address when it is
known: who owes time has to wait until it is paid.
"""

from aiohttp import web

from cadogan.server.core.rate_limits import TokenBucket
from cadogan.server.http.app_keys import server_of
from cadogan.server.http.requests import client_address
from cadogan.server.realtime.connection import BYTES_PER_TOKEN


def answer_cost(size: int) -> int:
    """Return how many tokens so many bytes cost, besides the one of the request.

    >>> answer_cost(4095), answer_cost(40_960)
    (0, 10)
    """
    return size // BYTES_PER_TOKEN


class SocketAllowance:
    """The tokens of one socket, and the tokens and the time of its address."""

    __slots__ = ("_own", "_shared", "_time")

    def __init__(self, request: web.Request) -> None:
        server = server_of(request)
        settings = server.settings
        self._own = TokenBucket(settings.rate, settings.burst)
        address = client_address(request)
        self._shared = server.limits.address.bucket(address)
        self._time = server.limits.time.bucket(address)

    def take(self) -> float:
        """Take a token for a frame and return 0, or return for how many seconds to wait for one."""
        wait = max(self._own.seconds_to_wait(), self._shared.seconds_to_wait(), self._time.seconds_to_wait(0))
        if not wait:
            self._own.charge_later(1)
            self._shared.charge_later(1)
        return wait

    def charge_later(self, size: int) -> None:
        """Take the tokens for so many bytes that were sent."""
        if cost := answer_cost(size):
            self._own.charge_later(cost)
            self._shared.charge_later(cost)

    def is_used_up(self) -> bool:
        """Return whether it is this socket that has to wait, and not others of its address."""
        return self._own.seconds_to_wait() > 0
