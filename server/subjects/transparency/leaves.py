"""The entries of the log: ended streams, events of days, disqualified runs, and the host's keys.

An entry is canonical JSON. Most name a stream of events, the version of its last event, and a digest of that event's
hash, which covers all events before it:

    {"digest":"<hex>","stream":"game/aaaabbbbccccdddd","version":57}

The hash of a game of an open day would allow guesses at hidden cards to be tested. So the digest of a game also covers
the secret of its deal, which only the game's record contains until its cards are revealed. Streams without a deal use
an empty secret.

Before a day closes, each of its events has an entry when it is recorded: that it was announced, drawn and opened. So a
witness that signs the log dates the commitment to the cards of the day. All of this is public, and no secret is used:

    {"at":1763640000000,"commitment":"<hex>","digest":"<hex>","stream":"daily/2026-11-20","type":"daily_announced",
     "version":1}

The announcement of an evening has an entry when it is recorded, too. The digest covers the commitments to its cards:

    {"at":1763640000000,"digest":"<hex>","stream":"evening/aaaabbbbccccdddd","version":1}

A run that hosts disqualified or reinstated has an entry of its own, without who did it and why:

    {"at":1763640000000,"run":"aaaabbbbccccdddd","struck":true}

The other entries are notes in which one host key names the next one: {"key":"<note>"}.

    NoEntry     bytes that are not an entry

>>> entry = Ended.of("daily/2026-11-20", 3, b"", bytes(32))
>>> read_entry(entry.as_bytes()) == entry
True
"""

from hashlib import sha256
from typing import NamedTuple

import msgspec
from msgspec import structs

from cadogan.server.core.eventlog.events import DAY_EVENTS, canonical_json
from cadogan.server.core.eventlog.streams import DAYS

_LABEL = b"cadogan/logged/1\0"


class NoEntry(ValueError):
    """Bytes that are not an entry of a log of this server."""


class Ended(NamedTuple):
    """An ended stream, the version of its last event, and the digest, in hex."""

    stream: str
    version: int
    digest: str

    @classmethod
    def of(cls, stream: str, version: int, secret: bytes, head: bytes) -> "Ended":
        """Return the entry for a stream whose last event has the hash `head`, 32 bytes.

        `secret` is the secret of a game's deal, and empty for every other stream.
        """
        return cls(stream, version, sha256(_LABEL + secret + head).hexdigest())

    def as_bytes(self) -> bytes:
        """Return the entry as stored in the log."""
        return canonical_json(self._asdict()).encode()


class DayEvent(NamedTuple):
    """An event of a day that has not closed; `at` is when it was recorded, in milliseconds since 1970.

    `commitment` is the announced commitment to the secret of the day, in hex, and `type` the stored name of the event.
    """

    at: int
    commitment: str
    digest: str
    stream: str
    type: str
    version: int

    @classmethod
    def of(cls, stream: str, version: int, type: str, at: int, head: bytes, commitment: str) -> "DayEvent":
        """Return the entry for an event with the hash `head`, 32 bytes, of a day with this commitment."""
        return cls(at, commitment, Ended.of(stream, version, b"", head).digest, stream, type, version)

    def as_bytes(self) -> bytes:
        """Return the entry as stored in the log."""
        return canonical_json(self._asdict()).encode()


class Announcement(NamedTuple):
    """The first event of a competition, recorded at `at`, in milliseconds since 1970; `version` is 1."""

    at: int
    digest: str
    stream: str
    version: int

    @classmethod
    def of(cls, stream: str, at: int, head: bytes) -> "Announcement":
        """Return the entry for the first event of a stream, whose hash is `head`, 32 bytes."""
        return cls(at, Ended.of(stream, 1, b"", head).digest, stream, 1)

    def as_bytes(self) -> bytes:
        """Return the entry as stored in the log."""
        return canonical_json(self._asdict()).encode()


class Strike(NamedTuple):
    """Hosts disqualified a run, or reinstated it if `struck` is false; `at` is in milliseconds since 1970."""

    at: int
    run: str
    struck: bool

    def as_bytes(self) -> bytes:
        """Return the entry as stored in the log."""
        return canonical_json(self._asdict()).encode()


class NextKey(NamedTuple):
    """A note, signed by the current host key, that names the next one."""

    key: str

    def as_bytes(self) -> bytes:
        """Return the entry as stored in the log."""
        return canonical_json(self._asdict()).encode()


class _Fields(msgspec.Struct, forbid_unknown_fields=True):
    stream: str | None = None
    version: int | None = None
    digest: str | None = None
    key: str | None = None
    at: int | None = None
    run: str | None = None
    struck: bool | None = None
    commitment: str | None = None
    type: str | None = None


_fields = msgspec.json.Decoder(_Fields).decode
Entry = Ended | DayEvent | Announcement | NextKey | Strike
_KINDS: dict[frozenset[str], type[Entry]] = {
    frozenset(kind._fields): kind for kind in (Ended, DayEvent, Announcement, NextKey, Strike)
}


def read_entry(entry: bytes) -> Entry:
    """Parse an entry. Raises NoEntry."""
    try:
        found = _fields(entry)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise NoEntry(f"an entry is not what it should be: {error}") from None
    given = {name: value for name, value in structs.asdict(found).items() if value is not None}
    kind = _KINDS.get(frozenset(given))
    read = None if kind is None else kind(**given)
    if read is None or read.as_bytes() != entry:
        raise NoEntry(
            "an entry is about the end of a stream, an event of a day, an announcement, a run that was struck, or a "
            "key, and has nothing else"
        )
    if isinstance(read, DayEvent) and not (read.type in DAY_EVENTS and read.stream.startswith(DAYS)):
        raise NoEntry(f"an entry is about the event {read.type!r} of {read.stream!r}, which is none of a day")
    if isinstance(read, Announcement) and read.version != 1:
        raise NoEntry(f"an entry is about the announcement of {read.stream!r}, and names version {read.version}")
    return read
