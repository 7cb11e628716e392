"""Reading untrusted input: JSON with one meaning for every verifier, bodies up to a limit, hidden characters.

Strict parsing of untrusted JSON: every verifier must read the same value from the same bytes.

`docs/record.md` lists what is rejected although some JSON libraries accept it: numbers with a fraction or an exponent,
``-0``, numbers beyond 2^53 - 1, duplicate keys, lone surrogates, a byte order mark, deep nesting.
`clients/web/js/proof/json.js` is the same in JavaScript.
"""

import json
import unicodedata
from collections import Counter
from typing import Any, NoReturn, Protocol

MAX_NESTING = 16
"""The maximum nesting depth of objects and arrays. A record needs 6."""
MAX_INTEGER = 2**53 - 1
"""The largest integer that every JSON library represents exactly."""


class UnreadableJson(Exception):
    """Bytes that are not valid JSON for a record. The message says why."""


def read_json(text: bytes) -> Any:
    """Parse JSON from these bytes. Raises UnreadableJson."""
    try:
        value = json.loads(
            text.decode(),
            parse_int=_integer,
            parse_float=_refuse_number,
            parse_constant=_refuse_number,
            object_pairs_hook=_object,
        )
        _check(value, 1)
    except RecursionError:
        raise UnreadableJson(f"it is nested deeper than {MAX_NESTING} levels") from None
    except UnicodeError as error:
        raise UnreadableJson(f"it is not UTF-8: {error}") from None
    except ValueError as error:
        raise UnreadableJson(str(error)) from None
    return value


def _integer(text: str) -> int:
    value = int(text) if len(text) <= len(str(MAX_INTEGER)) + 1 else MAX_INTEGER + 1
    if abs(value) > MAX_INTEGER or text == "-0":
        _refuse_number(text)
    return value


def _refuse_number(text: str) -> NoReturn:
    raise UnreadableJson(f"{text[:40]} is not an integer from -(2^53 - 1) to 2^53 - 1, written as one")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        ((twice, _),) = Counter(key for key, _ in pairs).most_common(1)
        raise UnreadableJson(f"the key {twice!r} is twice in one object")
    return value


def _check(value: Any, depth: int) -> None:
    """Raise UnreadableJson for deep nesting, and UnicodeEncodeError for a lone surrogate."""
    if isinstance(value, str):
        value.encode()
    elif isinstance(value, dict | list):
        if depth > MAX_NESTING:
            raise UnreadableJson(f"it is nested deeper than {MAX_NESTING} levels")
        if isinstance(value, dict):
            for key in value:
                key.encode()
        for inner in value.values() if isinstance(value, dict) else value:
            _check(inner, depth + 1)


class Readable(Protocol):
    """A readable stream of bytes."""

    async def read(self, n: int = -1) -> bytes:
        """Return some bytes, at most `n`; none at the end."""


class TooLong(ValueError):
    """The stream is longer than the limit."""


async def read_at_most(stream: Readable, most: int) -> bytes:
    """Return all bytes of a stream. Raises TooLong for more than `most` bytes."""
    pieces, left = [], most
    while piece := await stream.read(left + 1):
        left -= len(piece)
        if left < 0:
            raise TooLong(f"it is longer than {most} bytes")
        pieces.append(piece)
    return b"".join(pieces)


_JOINERS = frozenset("\u200c\u200d")
"""The format characters that languages and emoji need. All others can hide text, or reverse the reading direction of
the surrounding page."""
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
"""Categories of control and format characters, surrogates, unassigned characters, and line and paragraph separators."""


def has_unseen_characters(text: str) -> bool:
    r"""Return whether a text has control characters or others that cannot be shown.

    >>> has_unseen_characters("a rainy Friday"), has_unseen_characters("a\x9brainy\u202e Friday")
    (False, True)
    """
    return any(unicodedata.category(letter) in _UNSEEN and letter not in _JOINERS for letter in text)
