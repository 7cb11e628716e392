"""Logs: one line per event, for people or as JSON, with the request's id, and never with a secret.

Everything goes through the same processors, what libraries log too: the last before the line is written is
`without_secrets`, which takes out values by their names and tokens by their form.
"""

import logging
import re
import sys
from typing import Any, TextIO

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

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
"""Keys whose values are taken out wherever they stand, at any depth."""
_SECRET_FORMS = (
    re.compile(r"cadogan_[A-Za-z0-9_-]{20,}"),
    re.compile(r"(?i)(?<=bearer )\S+"),
    re.compile(r"(?i)(?<=cadogan_session=)[^\s;,]+"),
    re.compile(r"\$argon2\w*\$[^\s'\"]+"),
    re.compile(r"(?<=://)[^/\s@]+:[^\s@]+(?=@)"),
    re.compile(r"\b[0-9a-f]{64}\b"),
)
"""Tokens, bearer and cookie values, password hashes, the password in a database's URL, and 32 bytes in hexadecimal."""


def configure(level: str, form: str, stream: TextIO | None = None) -> None:
    """Log what is of this level and above to the stream (standard error by default), as `json` or for the `console`.

    Applies to the whole process, to `logging` and to structlog alike.
    """
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    json = form == "json"
    rendering: list[Processor] = [
        structlog.stdlib.ProcessorFormatter.remove_processors_meta,
        structlog.processors.StackInfoRenderer(),
        structlog.processors.format_exc_info,
        without_secrets,
        structlog.processors.JSONRenderer() if json else _for_people,
    ]
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[*shared, structlog.stdlib.PositionalArgumentsFormatter()], processors=rendering
        )
    )
    logging.basicConfig(handlers=[handler], level=level.upper(), force=True)
    logging.captureWarnings(True)
    logging.getLogger("alembic").setLevel(logging.WARNING)  # it says where it looked, each time
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *shared,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=False,
    )


_for_people = structlog.dev.ConsoleRenderer(colors=False, exception_formatter=structlog.dev.plain_traceback)


def without_secrets(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    """Take every secret out of what is about to be logged."""
    return {key: _clean(key, value) for key, value in event.items()}


def _clean(key: object, value: Any) -> Any:
    if isinstance(key, str) and key.lower() in SECRET_NAMES:
        return REMOVED
    if isinstance(value, bool | int | float | None):
        return value
    if isinstance(value, dict):
        return {name: _clean(name, part) for name, part in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_clean(None, part) for part in value]
    text = value if isinstance(value, str) else repr(value)
    for form in _SECRET_FORMS:
        text = form.sub(REMOVED, text)
    return text
