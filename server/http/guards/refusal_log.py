"""Log lines with the address of a client that guesses passwords or sends too much, to ban it by.

docs/operations.md has a filter for fail2ban. Other log lines hold no addresses. A client that is refused again and
again must not fill the disk with it: an address gets some lines at once, and then one each second. The lines of its
requests are limited as well: 500 a second would be 7.6 GB a day.
"""

import logging
from collections.abc import Callable
from contextvars import ContextVar

import structlog
from aiohttp.http_exceptions import HttpProcessingError
from aiohttp.web import RequestPayloadError

from cadogan.server.core.errors import RateLimited, RefusalError
from cadogan.server.core.rate_limits import AddressLimit

LOGGED_CODES = frozenset({"bad_credentials", "bad_message", "rate_limited", "too_many", "unauthorized"})
"""The refusals that are logged: those that people get rarely, and programs that guess or flood get often."""
LINES_AT_ONCE = 20
LINES_PER_SECOND = 1.0
REQUEST_LINES_AT_ONCE = 2000
REQUEST_LINES_PER_SECOND = 10.0

client_address_now: ContextVar[str] = ContextVar("client_address_now")
"""The address of the client whose request or socket is being served."""

log = structlog.stdlib.get_logger("cadogan.refusals")


class RefusalLog:
    """Logs refusals, a limited number for each address."""

    def __init__(self) -> None:
        self._limit = AddressLimit(LINES_PER_SECOND, LINES_AT_ONCE)

    def write(self, refusal: RefusalError) -> None:
        """Log a refusal of the client that is being served, unless its code is harmless or its lines are used up."""
        address = client_address_now.get("")
        if refusal.code not in LOGGED_CODES or not address:
            return
        try:
            self._limit.take(address)
        except RateLimited:
            return
        log.warning("refused", code=refusal.code, address=address)


class RequestLog:
    """Logs requests, a limited number for each address; the next line after others that were left out says how many."""

    def __init__(self) -> None:
        self._limit = AddressLimit(REQUEST_LINES_PER_SECOND, REQUEST_LINES_AT_ONCE)
        self._left_out = 0

    def write(self, write: Callable[..., None], address: str, **values: object) -> None:
        """Log a request of this address by `write`, unless the lines of the address are used up."""
        try:
            self._limit.take(address)
        except RateLimited:
            self._left_out += 1
            return
        if self._left_out:
            values["left_out"], self._left_out = self._left_out, 0
        write("request", **values)


def leave_out_unreadable_requests() -> None:
    """Log nothing of requests that are not HTTP.

    aiohttp would log a traceback for each of them, with the client's address and with the secrets in the request.
    """
    logging.getLogger("aiohttp.server").addFilter(_is_our_failure)


def _is_our_failure(record: logging.LogRecord) -> bool:
    error = record.exc_info[1] if record.exc_info else None
    return not isinstance(error, HttpProcessingError | RequestPayloadError)
