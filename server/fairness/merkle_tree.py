"""The Merkle tree over many streams: its root changes if any stream, its version or the hash of its last event changes.

The leaves are sorted by the names of the streams, byte by byte. A tree of *n* leaves, if *n* is more than one, has a
left branch whose number of leaves is the largest power of two below *n*. So the tree grows at its right edge, and only
a few dozen hashes are kept in memory.

>>> tree = MerkleTree()
>>> tree.add("daily/2026-11-20", 3, bytes(32))
>>> tree.root().hex()[:16], tree.count
('ec16b846cf8456d3', 1)
"""

from hashlib import sha256


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
