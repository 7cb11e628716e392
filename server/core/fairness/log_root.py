"""The Merkle root over all streams that are no longer secret.

The Merkle tree over many streams: its root changes if any stream, its version or the hash of its last event changes.

The leaves are sorted by the names of the streams, byte by byte. A tree of *n* leaves, if *n* is more than one, has a
left branch whose number of leaves is the largest power of two below *n*. So the tree grows at its right edge, and only
a few dozen hashes are kept in memory.

>>> tree = MerkleTree()
>>> tree.add("daily/2026-11-20", 3, bytes(32))
>>> tree.root().hex()[:16], tree.count
('ec16b846cf8456d3', 1)

Finds the streams of the log that are public: those whose deal's secret an event has revealed.

Pure, so that a root can be computed from a database and from a backup.
"""

from hashlib import sha256

import msgspec

from cadogan.server.core.eventlog.events import UnreadableEvent
from cadogan.server.core.eventlog.streams import DAYS, GAMES, RACES, VIEWS
from cadogan.server.core.fairness.commit_reveal import revealing_stream


def leaf_hash(stream: str, version: int, head: bytes) -> bytes:
    """Return the hash of a leaf: a stream at this version, whose last event has the hash `head`."""
    return sha256(b"cadogan/leaf/1\0" + stream.encode() + b"\0" + version.to_bytes(8) + head).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """Return the hash of a node with these two branches."""
    return sha256(b"cadogan/node/1\0" + left + right).digest()


class MerkleTree:
    """A tree to which leaves are added one after another, in the order of the streams' names."""

    def __init__(self) -> None:
        self.count = 0
        self._complete: list[bytes] = []
        """The hashes of the complete branches, the largest first: one for every 1 in the binary form of `count`."""

    def add(self, stream: str, version: int, head: bytes) -> None:
        """Add the leaf of the next stream; `head` is the hash of its last event."""
        branch, count = leaf_hash(stream, version, head), self.count
        while count & 1:
            branch = node_hash(self._complete.pop(), branch)
            count >>= 1
        self._complete.append(branch)
        self.count += 1

    def root(self) -> bytes:
        """Return the root over all leaves so far, 32 bytes. The number of leaves is part of it."""
        top = b""
        for branch in reversed(self._complete):
            top = node_hash(branch, top) if top else branch
        return sha256(b"cadogan/root/1\0" + self.count.to_bytes(8) + top).digest()


REVEALING_EVENTS = {DAYS: "daily_closed", RACES: "match_finished"}
"""The event that reveals the secret, by the name prefix of the stream (days and races)."""
SELF_REVEALING_EVENT = "deal_revealed"
"""The last event of a casual game, which reveals its own secret."""


class _Begun(msgspec.Struct):
    """The fields of the first event of a game, or of its views, that name the deal."""

    deal: str = ""


_begun = msgspec.json.Decoder(_Begun).decode


def revealed_by(stream: str, first: str) -> str:
    """Return the stream whose end reveals the deal of this stream. `first` is the data of this stream's first event.

    Raises UnreadableEvent if the data is not a JSON object.
    """
    if not stream.startswith((GAMES, VIEWS)):
        return stream
    try:
        return revealing_stream(_begun(first).deal) or stream
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise UnreadableEvent(f"{stream}: the data of its first event cannot be read: {error}") from None
