"""The tree of hashes over many streams: one root that fits only these streams, each at this version with this head.

Leaves are in the order of the streams' names, byte by byte. Of *n* leaves, more than one, the left branch has the
largest power of two below *n*; so the tree grows at its right edge, and what is kept of it are a few dozen hashes.

>>> tree = Tree()
>>> tree.add("daily/2026-11-20", 3, bytes(32))
>>> tree.root().hex()[:16], tree.count
('ec16b846cf8456d3', 1)
"""

from hashlib import sha256


def leaf(stream: str, version: int, head: bytes) -> bytes:
    """The hash of a stream of this many events, of which the last has the hash `head`."""
    return sha256(b"cadogan/leaf/1\0" + stream.encode() + b"\0" + version.to_bytes(8) + head).digest()


def node(left: bytes, right: bytes) -> bytes:
    """The hash over two branches."""
    return sha256(b"cadogan/node/1\0" + left + right).digest()


class Tree:
    """A tree that is given its leaves one after another."""

    def __init__(self) -> None:
        self.count = 0
        self._whole: list[bytes] = []
        """The whole branches, the largest first: one for every bit of the count."""

    def add(self, stream: str, version: int, head: bytes) -> None:
        """Add the leaf of the next stream."""
        branch, count = leaf(stream, version, head), self.count
        while count & 1:
            branch = node(self._whole.pop(), branch)
            count >>= 1
        self._whole.append(branch)
        self.count += 1

    def root(self) -> bytes:
        """The root over the leaves so far, 32 bytes; it counts them too."""
        top = b""
        for branch in reversed(self._whole):
            top = node(branch, top) if top else branch
        return sha256(b"cadogan/root/1\0" + self.count.to_bytes(8) + top).digest()
