"""How the data of a move is stored: canonical JSON, in which the commonest pieces of text are one character each.

Most events are moves, and most of a move's JSON is the same in each of them. Its commonest pieces stand in the database
as control characters, which JSON never holds: so a shortened text is recognised by its first character, and events of
before, whose text is not shortened, stay as they are. Outside the table of events nothing knows of this: records,
hashes and backups are of the JSON.

>>> short = shorten('{"effects":["moved stock tableau.3 1"],"move":"deal"}')
>>> short
'\\x01\\x10 \\x0f3\\x04deal\\x0e'
>>> expand(short)
'{"effects":["moved stock tableau.3 1"],"move":"deal"}'
"""

from typing import Any

from sqlalchemy import Dialect, Text, TypeDecorator

_MOVE = '{"effects":['
"""How the data of a move begins, and that of no other event."""
PIECES = {
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
"""The piece of text for which each control character stands. Stored moves are read by it: it may never change. A piece
that is part of another one comes after it. Chosen from games played at random by all rules, in which the data of a move
has 24 characters instead of 84. Tabs and ends of lines are left out, for whoever looks at the table."""
_PAIRS = [(piece, character) for character, piece in PIECES.items()]
_TEXTS = str.maketrans(PIECES)


def shorten(data: str) -> str:
    """Return the data of an event, canonical JSON, as it is stored."""
    if not data.startswith(_MOVE):
        return data
    for piece, character in _PAIRS:
        data = data.replace(piece, character)
    return data


def expand(stored: str) -> str:
    """Return the canonical JSON of data as it is stored, shortened or not."""
    return stored.translate(_TEXTS) if stored[:1] < " " else stored


class EventData(TypeDecorator[str]):
    """The column with the data of events: JSON for the program, shortened in the database."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> Any:
        return None if value is None else shorten(value)

    def process_result_value(self, value: Any, dialect: Dialect) -> str | None:
        return None if value is None else expand(value)
