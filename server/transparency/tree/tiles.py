"""The tree as tiles, in the layout of C2SP `tlog-tiles`: files of up to 256 hashes, from which all proofs are computed.

Tile `number` of level `level` has the roots of adjacent subtrees of 256^level entries each; level 0 has the leaf
hashes. A full tile has 256 hashes. Tiles at the right edge of the tree may be partial, and grow.

>>> tile_path(1, 1234067, 256), tile_path(0, 5, 17)
('tile/1/x001/x234/067', 'tile/0/005.p/17')
>>> read_tile_path("0/005.p/17"), read_tile_path("entries/x001/000")
((0, 5, 17), (-1, 1000, 256))
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from cadogan.server.transparency.tree.merkle import HASH_BYTES, Part, complete_parts, fold, tree_hash

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
