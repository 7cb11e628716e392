"""The entries of the log: ended streams, disqualified runs, and the host's keys.

An entry is canonical JSON. Most name a stream of events, the version of its last event, and a digest of that event's
hash, which covers all events before it:

    {"digest":"<hex>","stream":"game/aaaabbbbccccdddd","version":57}

The hash of a game of an open day would allow guesses at hidden cards to be tested. So the digest of a game also covers
the secret of its deal, which only the game's record contains until its cards are revealed. Streams without a deal use
an empty secret.

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

from cadogan.server.core.eventlog.events import canonical_json

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


class Strike(NamedTuple):
    """Hosts disqualified a run, or reinstated it if `struck` is false; `at` is in milliseconds since 1970."""

    at: int
    run: str
    struck: bool

    def as_bytes(self) -> bytes:
        """Return the entry as stored in the log."""
        return canonical_json(self._asdict()).encode()


class NextKey(NamedTuple):
    """A note in which a host key names the key that signs from then on."""

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


_fields = msgspec.json.Decoder(_Fields).decode


def read_entry(entry: bytes) -> Ended | NextKey | Strike:
    """Parse an entry. Raises NoEntry."""
    try:
        found = _fields(entry)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise NoEntry(f"an entry is not what it should be: {error}") from None
    read: Ended | NextKey | Strike | None = None
    if found.key is not None:
        read = NextKey(found.key)
    elif found.at is not None and found.run is not None and found.struck is not None:
        read = Strike(found.at, found.run, found.struck)
    elif found.stream is not None and found.version is not None and found.digest is not None:
        read = Ended(found.stream, found.version, found.digest)
    if read is None or read.as_bytes() != entry:
        raise NoEntry("an entry is about the end of a stream, a run that was struck, or a key, and has nothing else")
    return read
