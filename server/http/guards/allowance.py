"""What clients may ask for: a token for each request or frame, and one more for each 4 KiB that is sent for it."""

from aiohttp import web

from server.core.rate_limits import TokenBucket
from server.http.app_keys import ADDRESS_LIMIT, SETTINGS
from server.http.requests import client_address
from server.realtime.connection import BYTES_PER_TOKEN


def answer_cost(size: int) -> int:
    """Return how many tokens an answer of so many bytes costs, besides the one of the request.

    >>> answer_cost(4095), answer_cost(40_960)
    (0, 10)
    """
    return size // BYTES_PER_TOKEN


class SocketAllowance:
    """The tokens of one socket, and of its address."""

    __slots__ = ("_own", "_shared")

    def __init__(self, request: web.Request) -> None:
        settings = request.app[SETTINGS]
        self._own = TokenBucket(settings.rate, settings.burst)
        self._shared = request.app[ADDRESS_LIMIT].bucket(client_address(request))

    def take(self) -> float:
        """Take a token for a frame and return 0, or return for how many seconds to wait for one."""
        wait = max(self._own.seconds_to_wait(), self._shared.seconds_to_wait())
        if not wait:
            self._own.owe(1)
            self._shared.owe(1)
        return wait

    def owe(self, size: int) -> None:
        """Take the tokens for so many bytes that were sent."""
        if cost := answer_cost(size):
            self._own.owe(cost)
            self._shared.owe(cost)

    def is_used_up(self) -> bool:
        """Return whether it is this socket that has to wait, and not others of its address."""
        return self._own.seconds_to_wait() > 0
