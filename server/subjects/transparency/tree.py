"""The Merkle tree of the log, without a database: hashes, proofs and tiles (RFC 6962, C2SP `tlog-tiles`).

The Merkle tree of RFC 6962, section 2.1: hashes, inclusion proofs and consistency proofs.

A range of entries is written (low, high), without the entry `high`. The ranges that make up a proof follow from numbers
alone; `part_hash` finds the hash of a range. So a proof is made in three steps: list the ranges, read their tiles,
compute their hashes.

    NotInTree      an invalid proof

>>> entries = [b"a", b"b", b"c", b"d", b"e"]
>>> hashes = [leaf_hash(entry) for entry in entries]
>>> root = tree_hash(hashes)
>>> inclusion_parts(2, 5)
[(3, 4), (0, 2), (4, 5)]
>>> proof = [tree_hash(hashes[low:high]) for low, high in inclusion_parts(2, 5)]
>>> require_inclusion(hashes[2], 2, 5, root, proof)
>>> require_inclusion(hashes[1], 2, 5, root, proof)
Traceback (most recent call last):
    ...
cadogan.server.subjects.transparency.tree.NotInTree: the proof leads to another root

The tree as tiles, in the layout of C2SP `tlog-tiles`: files of up to 256 hashes, from which all proofs are computed.

Tile `number` of level `level` has the roots of adjacent subtrees of 256^level entries each; level 0 has the leaf
hashes. A full tile has 256 hashes. Tiles at the right edge of the tree may be partial, and grow.

>>> tile_path(1, 1234067, 256), tile_path(0, 5, 17)
('tile/1/x001/x234/067', 'tile/0/005.p/17')
>>> read_tile_path("0/005.p/17"), read_tile_path("entries/x001/000")
((0, 5, 17), (-1, 1000, 256))

The right edge of a tree in tiles: everything needed to append entries and to compute the root.

>>> from cadogan.server.subjects.transparency.tree import leaf_hash
>>> edge = TreeEdge(0, {})
>>> edge.add(leaf_hash(b"a"))
>>> edge.root() == leaf_hash(b"a"), edge.size, [*edge.take_changed()]
(True, 1, [(0, 0)])
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from hashlib import sha256

HASH_BYTES = 32
EMPTY_ROOT = sha256().digest()
"""The root of a tree without entries."""
Part = tuple[int, int]
"""A range of entries, from the first number up to but not including the second."""


class NotInTree(ValueError):
    """A proof is invalid. The message says why."""


def leaf_hash(entry: bytes) -> bytes:
    """Return the hash of an entry, 32 bytes."""
    return sha256(b"\0" + entry).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """Return the hash of a node over the hashes of its two branches."""
    return sha256(b"\1" + left + right).digest()


def split(count: int) -> int:
    """Return the size of the left branch of `count` >= 2 entries: the largest power of two below `count`."""
    return 1 << ((count - 1).bit_length() - 1)


def tree_hash(hashes: Sequence[bytes]) -> bytes:
    """Return the root over leaf hashes, or over hashes of complete subtrees of equal size."""
    return fold(complete_parts_of(hashes)) if hashes else EMPTY_ROOT


def complete_parts_of(hashes: Sequence[bytes]) -> list[bytes]:
    """Return the hashes of the largest complete subtrees over these hashes, from left to right."""
    complete: list[bytes] = []
    for count, branch in enumerate(hashes):
        while count & 1:
            branch = node_hash(complete.pop(), branch)
            count >>= 1
        complete.append(branch)
    return complete


def fold(complete: Sequence[bytes]) -> bytes:
    """Return the root over one or more complete subtrees, each smaller than the one before it."""
    root = complete[-1]
    for branch in reversed(complete[:-1]):
        root = node_hash(branch, root)
    return root


def complete_parts(part: Part) -> list[Part]:
    """Return the largest complete subtrees of an aligned range, from left to right.

    >>> complete_parts((8, 15))
    [(8, 12), (12, 14), (14, 15)]
    """
    low, high = part
    found = []
    while low < high:
        size = 1 << ((high - low).bit_length() - 1)
        found.append((low, low + size))
        low += size
    return found


def inclusion_parts(index: int, size: int) -> list[Part]:
    """Return the ranges whose hashes prove entry `index`, from 0, in a tree of `size` entries.

    They are in the order of RFC 6962, section 2.1.1: from the leaf's sibling up to the root's child.
    """
    low, high = 0, size
    found = []
    while high - low > 1:
        middle = low + split(high - low)
        if index < middle:
            found.append((middle, high))
            high = middle
        else:
            found.append((low, middle))
            low = middle
    return found[::-1]


def consistency_parts(old: int, new: int) -> list[Part]:
    """Return the ranges whose hashes prove that a tree of `new` entries extends one of `old` entries.

    `old` is from 1 to `new`. They are in the order of RFC 6962, section 2.1.2.
    """
    low, high = 0, new
    found = []
    whole = True
    while old < high:
        middle = low + split(high - low)
        if old <= middle:
            found.append((middle, high))
            high = middle
        else:
            found.append((low, middle))
            low, whole = middle, False
    if not whole:
        found.append((low, high))
    return found[::-1]


def require_inclusion(leaf: bytes, index: int, size: int, root: bytes, proof: Sequence[bytes]) -> None:
    """Check that the tree with this size and root has the entry with this leaf hash at `index`.

    Raises NotInTree.
    """
    if not 0 <= index < size:
        raise NotInTree(f"entry {index} is not in a tree of {size}")
    parts = inclusion_parts(index, size)
    if len(parts) != len(proof):
        raise NotInTree(f"the proof has {len(proof)} hashes, and needs {len(parts)}")
    computed = leaf
    for (low, _), sibling in zip(parts, proof, strict=True):
        computed = node_hash(computed, sibling) if low > index else node_hash(sibling, computed)
    if computed != root:
        raise NotInTree("the proof leads to another root")


def require_consistency(old: int, old_root: bytes, new: int, new_root: bytes, proof: Sequence[bytes]) -> None:
    """Check that a tree of `new` entries extends a tree of `old` entries. Raises NotInTree."""
    if not 0 <= old <= new:
        raise NotInTree(f"a tree of {new} entries does not begin with {old}")
    parts = consistency_parts(old, new) if old else []
    if len(parts) != len(proof):
        raise NotInTree(f"the proof has {len(proof)} hashes, and needs {len(parts)}")
    if old == 0 and old_root != EMPTY_ROOT:
        raise NotInTree("a tree without entries has another root")
    if old == 0:
        return
    # If the old tree is one complete subtree of the new one, the proof omits its root, which the verifier has.
    is_subtree = not parts or parts[0][0] == old
    before = after = old_root if is_subtree else proof[0]
    for (low, _), given in list(zip(parts, proof, strict=True))[0 if is_subtree else 1 :]:
        if low < old:
            before = node_hash(given, before)
            after = node_hash(given, after)
        else:
            after = node_hash(after, given)
    if before != old_root:
        raise NotInTree("the proof leads to another root of the smaller tree")
    if after != new_root:
        raise NotInTree("the proof leads to another root of the larger tree")


WIDTH = 256
ENTRIES = -1
"""Used in place of a level: the entries themselves instead of their hashes."""
MAX_LEVEL = 7
"""The highest level: enough for 2^62 entries."""
_PATH = re.compile(r"(entries|[0-7])/((?:x[0-9]{3}/){0,6}[0-9]{3})(?:\.p/([1-9][0-9]{0,2}))?")
Tile = tuple[int, int]
"""The level of a tile, and its number in this level."""


def tile_path(level: int, number: int, width: int) -> str:
    """Return the path of a tile, or of a bundle of entries, with this many hashes or entries."""
    digits = f"{number:03}"
    digits = digits.zfill(-(-len(digits) // 3) * 3)
    parts = [digits[start : start + 3] for start in range(0, len(digits), 3)]
    name = "/".join([*(f"x{part}" for part in parts[:-1]), parts[-1]])
    kind = "entries" if level == ENTRIES else str(level)
    return f"tile/{kind}/{name}" + (f".p/{width}" if width < WIDTH else "")


def read_tile_path(path: str) -> tuple[int, int, int] | None:
    """Return level, number and width of the tile at this path, without `tile/`; None if the path is invalid."""
    match = _PATH.fullmatch(path)
    if match is None:
        return None
    kind, name, partial = match.groups()
    level, number = ENTRIES if kind == "entries" else int(kind), int(name.replace("/", "").replace("x", ""))
    width = int(partial) if partial else WIDTH
    if (partial and width >= WIDTH) or tile_path(level, number, width) != f"tile/{path}":
        return None
    return level, number, width


def width_of(level: int, number: int, size: int) -> int:
    """Return how many hashes a tile has in a tree of this size; 0 if it does not exist yet."""
    complete = size if level == ENTRIES else size >> (8 * level)
    return max(0, min(WIDTH, complete - number * WIDTH))


def tiles_of(size: int) -> Iterator[tuple[int, int, int]]:
    """Iterate over level, number and width of all tiles of a tree, from the lowest level."""
    for level in range(MAX_LEVEL + 1):
        for number in range(-(-(size >> (8 * level)) // WIDTH)):
            yield level, number, width_of(level, number, size)


def tiles_under(parts: Iterable[Part]) -> set[Tile]:
    """Return the tiles that `part_hash` reads for these ranges."""
    return {tile for part in parts for piece in complete_parts(part) for tile in [_place(piece)[0]]}


def part_hash(part: Part, read: Callable[[Tile], bytes]) -> bytes:
    """Return the hash of an aligned range of entries.

    `read` returns the concatenated hashes of a tile, at least as many as the proof's tree has.
    """
    hashes = []
    for piece in complete_parts(part):
        tile, first, count = _place(piece)
        found = hashes_of(read(tile))[first : first + count]
        assert len(found) == count, "the tile is shorter than the tree"
        hashes.append(tree_hash(found))
    return fold(hashes)


def hashes_of(tile: bytes) -> Sequence[bytes]:
    """Return the hashes of a tile."""
    return [tile[start : start + HASH_BYTES] for start in range(0, len(tile), HASH_BYTES)]


def _place(piece: Part) -> tuple[Tile, int, int]:
    """Return the tile that covers a complete subtree, the index of the first of its hashes there, and their number."""
    low, high = piece
    height = (high - low).bit_length() - 1
    level = height // 8
    first = low >> (8 * level)
    return (level, first // WIDTH), first % WIDTH, 1 << (height - 8 * level)


def write_bundle(entries: Iterable[bytes]) -> bytes:
    """Encode a bundle of entries: each with its length as a prefix of two bytes."""
    return b"".join(len(entry).to_bytes(2) + entry for entry in entries)


def read_bundle(bundle: bytes) -> list[bytes]:
    """Decode the entries of a bundle. Raises ValueError if it is truncated."""
    entries, at = [], 0
    while at < len(bundle):
        length = int.from_bytes(bundle[at : at + 2])
        entry = bundle[at + 2 : at + 2 + length]
        if len(entry) != length or at + 2 > len(bundle):
            raise ValueError("the bundle ends in the middle of an entry")
        entries.append(entry)
        at += 2 + length
    return entries


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
