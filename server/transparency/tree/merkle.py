"""The Merkle tree of RFC 6962, section 2.1: hashes, inclusion proofs and consistency proofs.

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
cadogan.server.transparency.tree.merkle.NotInTree: the proof leads to another root
"""

from collections.abc import Sequence
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
