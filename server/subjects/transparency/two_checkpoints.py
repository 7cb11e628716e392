"""Whether two checkpoints of one log contradict each other: two histories that one host has signed."""

from collections.abc import Awaitable, Callable

from cadogan.server.subjects.transparency.checkpoints import Checkpoint
from cadogan.server.subjects.transparency.tree import (
    NotInTree,
    Tile,
    consistency_parts,
    part_hash,
    require_consistency,
    tiles_under,
)

ReadTile = Callable[[Tile, int], Awaitable[bytes]]
"""Returns a tile of the log as its server has it, for a tree of this size."""


class Undecided(Exception):
    """The two checkpoints cannot be compared. The message says why."""


class Contradiction(Exception):
    """No log has both trees. The message says why."""


async def compare_checkpoints(one: Checkpoint, other: Checkpoint, read: ReadTile | None) -> str:
    """Return in what way two checkpoints agree.

    Two trees of the same size agree if they have the same root. Of two sizes, the proof that the larger tree begins
    with the smaller one is computed from the tiles of the log. Raises Contradiction or Undecided.
    """
    old, new = sorted((one, other), key=lambda checkpoint: checkpoint.size)
    if old.origin != new.origin:
        raise Undecided(f"they are of two logs: {old.origin} and {new.origin}")
    if old.size == new.size:
        if old.root != new.root:
            raise Contradiction(f"two different trees of {old.size} entries are signed")
        return f"both are the tree of {old.size} entries"
    if old.size == 0:
        return f"a log of {new.size} entries, and the empty log before it"
    if read is None:
        raise Undecided(f"trees of {old.size} and {new.size} entries: the tiles of the log are needed, name its server")
    parts = consistency_parts(old.size, new.size)
    tiles = {tile: await read(tile, new.size) for tile in tiles_under(parts)}
    try:
        proof = [part_hash(part, tiles.__getitem__) for part in parts]
        require_consistency(old.size, old.root, new.size, new.root, proof)
    except (NotInTree, ValueError, IndexError) as error:
        begins = f"the tree of {new.size} entries begins with that of {old.size}"
        raise Contradiction(f"the tiles of the server do not prove that {begins}: {error}") from None
    return f"the tree of {new.size} entries begins with that of {old.size}"
