"""The right edge of a tree in tiles: everything needed to append entries and to compute the root.

>>> from cadogan.server.transparency.tree.merkle import leaf_hash
>>> edge = TreeEdge(0, {})
>>> edge.add(leaf_hash(b"a"))
>>> edge.root() == leaf_hash(b"a"), edge.size, [*edge.take_changed()]
(True, 1, [(0, 0)])
"""

from collections.abc import Mapping

from cadogan.server.transparency.tree.merkle import EMPTY_ROOT, complete_parts_of, fold, tree_hash
from cadogan.server.transparency.tree.tiles import WIDTH, Tile, hashes_of


def edge_tiles(size: int) -> list[Tile]:
    """Return the partial tiles of a tree of this size, from the lowest level."""
    levels = range(-(-size.bit_length() // 8))
    return [(level, (size >> 8 * level) // WIDTH) for level in levels if (size >> 8 * level) % WIDTH]


class TreeEdge:
    """The right edge of a growing tree of `size` entries. `tiles` are those listed by `edge_tiles`."""

    def __init__(self, size: int, tiles: Mapping[Tile, bytes]) -> None:
        self.size = size
        self._levels: list[list[bytes]] = [[] for _ in range(-(-size.bit_length() // 8))]
        for tile in edge_tiles(size):
            level, _ = tile
            self._levels[level] = list(hashes_of(tiles[tile]))[: (size >> 8 * level) % WIDTH]
        self._changed: dict[Tile, bytes] = {}

    def add(self, leaf: bytes) -> None:
        """Append an entry, given its leaf hash."""
        self._extend(0, self.size, leaf)
        self.size += 1

    def root(self) -> bytes:
        """Return the root over all entries."""
        complete = [branch for level in reversed(self._levels) for branch in complete_parts_of(level)]
        return fold(complete) if complete else EMPTY_ROOT

    def take_changed(self) -> dict[Tile, bytes]:
        """Return the tiles that have changed since the last call, as they are now."""
        for level, hashes in enumerate(self._levels):
            if hashes:
                self._changed[level, (self.size >> 8 * level) // WIDTH] = b"".join(hashes)
        changed, self._changed = self._changed, {}
        return changed

    def _extend(self, level: int, at: int, branch: bytes) -> None:
        if level == len(self._levels):
            self._levels.append([])
        hashes = self._levels[level]
        hashes.append(branch)
        if len(hashes) == WIDTH:
            self._changed[level, at // WIDTH] = b"".join(hashes)
            hashes.clear()
            self._extend(level + 1, at // WIDTH, tree_hash(hashes_of(self._changed[level, at // WIDTH])))
