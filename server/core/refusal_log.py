"""Log lines with the address of a client that guesses passwords or floods the server, for banning it.

docs/operations.md has a filter for fail2ban. Other log lines hold no addresses. Repeated refusals must not fill the
disk: an address has a small burst of lines, then one per second. Request lines are limited as well: 500 a second would
be 7.6 GB a day.
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
"""The codes of refusals that are logged: rare for people, frequent for programs that guess or flood."""
LINES_AT_ONCE = 20
LINES_PER_SECOND = 1.0
REQUEST_LINES_AT_ONCE = 2000
REQUEST_LINES_PER_SECOND = 10.0

client_address_now: ContextVar[str] = ContextVar("client_address_now")
"""The address of the client that is being served in this context."""

log = structlog.stdlib.get_logger("cadogan.refusals")


class RefusalLog:
    """Logs refusals, a limited number for each address."""

    def __init__(self) -> None:
        self._limit = AddressLimit(LINES_PER_SECOND, LINES_AT_ONCE)

    def write(self, refusal: RefusalError) -> None:
        """Log a refusal of the current client, unless its code is not in `LOGGED_CODES` or its limit is reached."""
        address = client_address_now.get("")
        if refusal.code not in LOGGED_CODES or not address:
            return
        try:
            self._limit.take(address)
        except RateLimited:
            return
        log.warning("refused", code=refusal.code, address=address)


class RequestLog:
    """Logs requests, a limited number for each address; the next line after omitted ones includes their number."""

    def __init__(self) -> None:
        self._limit = AddressLimit(REQUEST_LINES_PER_SECOND, REQUEST_LINES_AT_ONCE)
        self._left_out = 0

    def write(self, write: Callable[..., None], address: str, **values: object) -> None:
        """Log a request of this address by calling `write`, unless its limit is reached."""
        try:
            self._limit.take(address)
        except RateLimited:
            self._left_out += 1
            return
        if self._left_out:
            values["left_out"], self._left_out = self._left_out, 0
        write("request", **values)


def leave_out_unreadable_requests() -> None:
    """Log nothing about requests that are not valid HTTP.

    aiohttp would log a traceback for each, with the client's address and the secrets in the request.
    """
    logging.getLogger("aiohttp.server").addFilter(_is_our_failure)


def _is_our_failure(record: logging.LogRecord) -> bool:
    error = record.exc_info[1] if record.exc_info else None
    return not isinstance(error, HttpProcessingError | RequestPayloadError)
