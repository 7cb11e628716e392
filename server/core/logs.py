"""Logging: one line per event, as JSON or for people, with the id of the request, and without secrets.

The log messages of libraries go through the same processors as ours. `remove_secrets` recognises secret values by their
keys, tokens by their form, and invitation tokens of groups and races by their place in a path. Then the rest is
escaped: JSON does that by itself, `escape_controls` does it for terminals.

Our own messages are written without creating a `logging.LogRecord`, which took half of the time per line, mostly for
unused fields such as the calling function, and every request logs a line.

Log lines with the address of a client that guesses passwords or floods the server, for banning it.

docs/operations.md has a filter for fail2ban. Other log lines hold no addresses. Repeated refusals must not fill the
disk: an address has a small burst of lines, then one per second. Request lines are limited as well: 500 a second would
be 7.6 GB a day.
"""

import logging
import re
import sys
from collections.abc import Callable
from contextlib import suppress
from contextvars import ContextVar
from typing import Any, TextIO

import structlog
from aiohttp.http_exceptions import HttpProcessingError
from aiohttp.web import RequestPayloadError
from structlog.typing import EventDict, Processor, WrappedLogger

from cadogan.server.core.errors import RateLimited, RefusalError
from cadogan.server.core.rate_limits import AddressLimit
from cadogan.wire.printable import printable

log = structlog.stdlib.get_logger("cadogan.refusals")
REMOVED = "[removed]"
SECRET_NAMES = frozenset(
    {
        "authorization",
        "cookie",
        "cookies",
        "nonce",
        "parameters",
        "params",
        "password",
        "password_hash",
        "piles",
        "secret",
        "seed",
        "set-cookie",
        "set_cookie",
        "state",
        "stock",
        "token",
    }
)
"""Keys whose values are removed, at any depth."""
_SECRET_PATTERNS = (
    ("cadogan_", re.compile(r"cadogan_[A-Za-z0-9_-]{20,}")),
    ("bearer ", re.compile(r"(?i)(?<=bearer )\S+")),
    ("cadogan_session=", re.compile(r"(?i)(?<=cadogan_session=)[^\s;,]+")),
    ("cadogan_device=", re.compile(r"(?i)(?<=cadogan_device=)[^\s;,]+")),
    ("$argon2", re.compile(r"\$argon2\w*\$[^\s'\"]+")),
    ("://", re.compile(r"(?<=://)[^/\s@:]{0,200}:[^\s@]{1,1000}(?=@)")),
    ("", re.compile(r"\b[0-9a-f]{64}\b")),
    ("/join", re.compile(r"(?i)(?<=/join/)[^\s?#&'\"]+|(?<=/join%2f)[^\s?#&'\"]+")),
    ("token", re.compile(r"(?i)(?<=token=)[^\s&#;,'\"]+|(?<=token%3d)[^\s&#;,'\"]+")),
)
"""Tokens, bearer and cookie values, password hashes, the password in a database's URL, 32 bytes in hex, and the tokens
in the links that invite into a group (`/join/…`) or a race (`?token=…`). Each pattern is preceded by a lower-case
substring of every text that it matches, as a fast test, because most texts contain none of them. A text may be long, so
no pattern may take quadratic time: a password in a URL is recognised up to 1,000 characters."""
_TEXTS_OF_LINES = frozenset({"exception", "stack"})
"""Keys whose values are multi-line texts."""


def configure(level: str, log_format: str, stream: TextIO | None = None, process: int | None = None) -> None:
    """Configure logging for the whole process, for `logging` and for structlog.

    `level` is the lowest level that is logged, `log_format` is `json` or `console`, and `stream` is where the lines go
    (by default standard error). Each line includes the number `process` if several processes serve.
    """

    def add_process(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
        return event if process is None else {"process": process, **event}

    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        add_process,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    json = log_format == "json"
    rendering: list[Processor] = [
        structlog.processors.StackInfoRenderer(),
        structlog.processors.format_exc_info,
        remove_secrets,
        *([structlog.processors.JSONRenderer()] if json else [escape_controls, _console_renderer]),
    ]
    handler = _LineHandler(stream or sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[*shared, structlog.stdlib.PositionalArgumentsFormatter()],
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *rendering],
        )
    )
    logging.basicConfig(handlers=[handler], level=level.upper(), force=True)
    logging.captureWarnings(True)
    logging.getLogger("alembic").setLevel(logging.WARNING)  # it logs its configuration at every run
    logging.getLogger("aiohttp.access").setLevel(logging.WARNING)  # it logs whole URLs; our line is enough
    logging.getLogger("aiosqlite").setLevel(logging.WARNING)  # it logs the values of every query, tokens among them
    structlog.configure(
        processors=[*shared, *rendering],
        logger_factory=lambda name: _LineLogger(name, handler),
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelNamesMapping()[level.upper()]),
        cache_logger_on_first_use=False,
    )


class _LineHandler(logging.StreamHandler[TextIO]):
    """Writes whole lines to a stream, one at a time, from any thread."""

    def write(self, line: str) -> None:
        """Write a finished line. If this fails, as on a full disk, the line is lost and no error is raised."""
        self.acquire()
        try:
            with suppress(OSError, ValueError):
                self.stream.write(line + self.terminator)
                self.flush()
        finally:
            self.release()


class _LineLogger:
    """The logger that structlog wraps: it writes finished lines of any level."""

    def __init__(self, name: str, handler: _LineHandler) -> None:
        self.name = name
        self.debug = self.info = self.warning = self.error = self.critical = handler.write


_console_renderer = structlog.dev.ConsoleRenderer(colors=False, exception_formatter=structlog.dev.plain_traceback)


def remove_secrets(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    """Return a log event with every secret replaced by `REMOVED`. This is a processor for structlog."""
    return {key: _redact(key, value) for key, value in event.items()}


def escape_controls(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    """Return a log event without terminal control sequences and forged lines. This is a processor for structlog.

    The lines of a traceback are kept, each prefixed with a bar.
    """
    return {printable(key): _escape(key, value) for key, value in event.items()}


def _escape(key: str, value: Any) -> Any:
    if not isinstance(value, str):
        return value  # the renderer uses its repr, which escapes
    if key in _TEXTS_OF_LINES:
        return "\n".join([f"| {printable(line)}" for line in value.split("\n")])
    return printable(value)


def _redact(key: object, value: Any) -> Any:
    if isinstance(key, str) and key.lower() in SECRET_NAMES:
        return REMOVED
    if isinstance(value, bool | int | float | None):
        return value
    if isinstance(value, dict):
        return {name: _redact(name, part) for name, part in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_redact(None, part) for part in value]
    text = value if isinstance(value, str) else repr(value)
    lowered = text.lower()
    for part, pattern in _SECRET_PATTERNS:
        if part in lowered:
            text = pattern.sub(REMOVED, text)
    return text


LOGGED_CODES = frozenset({"bad_credentials", "bad_message", "rate_limited", "too_many", "unauthorized"})
"""The codes of refusals that are logged: rare for people, frequent for programs that guess or flood."""
LINES_AT_ONCE = 20
LINES_PER_SECOND = 1.0
REQUEST_LINES_AT_ONCE = 2000
REQUEST_LINES_PER_SECOND = 10.0
client_address_now: ContextVar[str] = ContextVar("client_address_now")
"""The address of the client that is being served in this context."""


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
