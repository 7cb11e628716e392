"""Reading the rows of a backup: converts each value to its column's type, and checks hashes and secrets."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from sqlalchemy import Boolean, Column, Integer, LargeBinary

from cadogan.server.core import dates
from cadogan.server.database.short_events import expand, shorten
from cadogan.server.eventlog import hash_chain
from cadogan.server.fairness import commit_reveal
from cadogan.server.operations.backup import Value

Row = dict[str, Any]
_MAX_INTEGER = 2**63 - 1


class RowBroken(Exception):
    """A row that the database cannot have held. The message says why."""


def decode_row(columns: Sequence[Column[Any]], values: Sequence[Value]) -> Row:
    """Return a row for inserting, from the values of a line. Raises RowBroken."""
    if len(values) != len(columns):
        raise RowBroken(f"this row has {len(values)} values, not {len(columns)}")
    return {column.name: _value(column, value) for column, value in zip(columns, values, strict=True)}


def _value(column: Column[Any], value: Value) -> Value | bytes:
    if value is None and column.nullable:
        return None
    kind = column.type
    if isinstance(kind, Boolean) and isinstance(value, bool):
        return value
    if isinstance(kind, Integer) and type(value) is int and abs(value) <= _MAX_INTEGER:
        return value
    if isinstance(value, str) and "\0" not in value and not isinstance(kind, Boolean | Integer):
        return _bytes(column, value) if isinstance(kind, LargeBinary) else value
    raise RowBroken(f"{value!r} is not a valid {column.name}")


def _bytes(column: Column[Any], value: str) -> bytes:
    try:
        return bytes.fromhex(value)
    except ValueError:
        raise RowBroken(f"{value!r} is not a valid {column.name}") from None


class ChainCheck:
    """Checks that the versions and hashes of the events of every stream are consecutive."""

    def __init__(self) -> None:
        self._stream = ""
        self._version = 0
        self._head = hash_chain.START_HASH

    def __call__(self, event: Row) -> None:
        """Check the next event. Raises RowBroken."""
        stream, version = event["stream"], event["version"]
        if stream != self._stream:
            if stream.encode() < self._stream.encode():
                raise RowBroken(f"the stream {stream} comes after {self._stream}")
            self._stream, self._version, self._head = stream, 0, hash_chain.START_HASH
        if version != self._version + 1:
            raise RowBroken(f"the stream {stream} has no event {self._version + 1}")
        if not 0 <= event["recorded_at"] <= dates.LAST_MOMENT:
            raise RowBroken(f"{event['recorded_at']} is no time at which event {version} of {stream} can have happened")
        head = (stream, version, event["type"], event["schema"], event["data"], event["recorded_at"])
        if expand(shorten(event["data"])) != event["data"]:
            raise RowBroken(f"the data of event {version} of {stream} has control characters, which JSON has not")
        if hash_chain.event_hash(self._head, *head) != event["hash"]:
            raise RowBroken(f"the hash of event {version} of {stream} does not fit the event and the hash before")
        self._version, self._head = version, event["hash"]


def check_secret(deal: Row) -> None:
    """Check that the secret of a deal or a day matches its commitment. Raises RowBroken."""
    try:
        fits = commit_reveal.commitment(bytes.fromhex(deal["secret"])) == deal["commitment"]
    except ValueError:
        fits = False
    if not fits:
        raise RowBroken("the secret does not fit the commitment")


CHECKS: Mapping[str, Callable[[], Callable[[Row], None]]] = {
    "events": ChainCheck,
    "deals": lambda: check_secret,
    "days": lambda: check_secret,
}
"""For each checked table, a factory of its check, which is then called with every row."""
