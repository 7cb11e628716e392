"""Compression of stored events: each of the commonest pieces of their text is replaced by one character.

Most events are moves, and most of the JSON of a move, or of a deal, is the same in each of them. The commonest pieces
are stored as control characters, which never occur in JSON: a shortened text is recognised by its first character, and
older events with unshortened text stay valid. Only the table of events uses this form: records, hashes and backups use
the JSON.

>>> short = shorten('{"effects":["moved stock tableau.3 1"],"move":"deal"}')
>>> short
'\\x01\\x10 \\x0f3\\x04deal\\x0e'
>>> expand(short)
'{"effects":["moved stock tableau.3 1"],"move":"deal"}'
"""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Dialect, Text, TypeDecorator

Pieces = Mapping[str, str]
"""Control characters and the piece of text that each replaces. A piece that is part of another comes after it."""
MOVE_PIECES: Pieces = {
    "\x01": '{"effects":["moved ',
    "\x02": '{"effects":["',
    "\x03": '{"effects":[',
    "\x04": ' 1"],"move":"',
    "\x05": '"],"move":"',
    "\x06": '],"move":"',
    "\x07": ' 1","moved stock ',
    "\x08": ' 1","moved ',
    "\x0b": '","moved ',
    "\x0c": '","turned ',
    "\x0e": '"}',
    "\x0f": "tableau.",
    "\x10": "stock",
    "\x11": "foundation.",
    "\x12": "waste",
    "\x13": "discard",
    "\x14": "counted ",
    "\x15": "grid.",
    "\x16": "alphabet.",
    "\x17": "garden.",
    "\x18": "ground.",
    "\x19": "maze.",
    "\x1a": "square.",
    "\x1b": "promenade.",
    "\x1c": "ramparts.",
    "\x1d": "auxiliaries.",
    "\x1e": "cushion.",
    "\x1f": "under.",
}
DEAL_PIECES: Pieces = {
    "\t": '{"commitment":"',
    "\x01": '","-',
    "\x02": '"],"tableau.',
    "\x03": '"],"foundation.',
    "\x04": '"],"',
    "\x05": '":["-',
    "\x06": '":["',
    "\x07": '","piles":{"',
    "\x08": '"]},"player":"',
    "\x0b": '","counters":{',
    "\x0c": '},"day":null,"deal":"',
    "\x0e": '},"day":"',
    "\x0f": '","deal":"',
    "\x10": '","game":"',
    "\x11": '","match":null,"nonce":"',
    "\x12": '","match":"',
    "\x13": '","nonce":"',
    "\x14": '","ranked":false,"rules_version":',
    "\x15": '","ranked":true,"rules_version":',
    "\x16": ',"slot":null}',
    "\x17": ',"slot":',
    "\x18": '","',
    "\x19": "tableau.",
    "\x1a": "foundation.",
    "\x1b": "redeals",
    "\x1c": "reserve.",
    "\x1d": "stock",
    "\x1e": "waste",
}
"""Stored events are decoded with these two tables, so they must never change. They were chosen from random games of all
rules: the data of a move has 24 characters instead of 84, that of a deal 533 instead of 1072."""
_KINDS = (('{"effects":[', MOVE_PIECES), ('{"commitment":"', DEAL_PIECES))
"""The start of the data of a move and of a deal; no other event's data starts like these."""
_MOVE_TEXTS, _DEAL_TEXTS = str.maketrans(dict(MOVE_PIECES)), str.maketrans(dict(DEAL_PIECES))
_PAIRS = [(start, [(piece, character) for character, piece in pieces.items()]) for start, pieces in _KINDS]


def shorten(data: str) -> str:
    """Return the data of an event, canonical JSON, as it is stored."""
    for start, pairs in _PAIRS:
        if data.startswith(start):
            for piece, character in pairs:
                data = data.replace(piece, character)
    return data


def expand(stored: str) -> str:
    """Return the canonical JSON of data as it is stored, shortened or not."""
    if not stored or stored[0] >= " ":
        return stored
    return stored.translate(_DEAL_TEXTS if stored[0] == "\t" else _MOVE_TEXTS)


class EventData(TypeDecorator[str]):
    """The column type for the data of events: JSON in the program, shortened in the database."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> Any:
        return None if value is None else shorten(value)

    def process_result_value(self, value: Any, dialect: Dialect) -> str | None:
        return None if value is None else expand(value)
