"""The Merkle tree of RFC 6962: held against its recursive definition, and against proofs that were changed."""

from collections.abc import Sequence
from functools import partial
from hashlib import sha256

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from cadogan.server.subjects.transparency.tree import (
    EMPTY_ROOT,
    NotInTree,
    consistency_parts,
    inclusion_parts,
    leaf_hash,
    node_hash,
    require_consistency,
    require_inclusion,
    tree_hash,
)

LEAVES = [leaf_hash(b"entry %d" % number) for number in range(300)]
SIZES = st.integers(1, len(LEAVES))


def defined_root(leaves: Sequence[bytes]) -> bytes:
    """The tree's hash as section 2.1 of the RFC defines it."""
    if len(leaves) <= 1:
        return leaves[0] if leaves else sha256().digest()
    half = 1
    while half * 2 < len(leaves):
        half *= 2
    return node_hash(defined_root(leaves[:half]), defined_root(leaves[half:]))


def inclusion(index: int, size: int) -> list[bytes]:
    """The proof that a tree of this size has the entry with this number."""
    return [defined_root(LEAVES[low:high]) for low, high in inclusion_parts(index, size)]


def consistency(old: int, new: int) -> list[bytes]:
    """The proof that the larger tree begins with the smaller one."""
    return [defined_root(LEAVES[low:high]) for low, high in consistency_parts(old, new)]


def test_the_hashes_are_those_of_the_test_vectors_of_certificate_transparency() -> None:
    entries = [b"", b"\0", b"\x10", b"\x20\x21", b"\x30\x31", b"\x40\x41\x42\x43", b"\x50\x51\x52\x53\x54\x55\x56\x57"]
    entries.append(bytes(range(0x60, 0x70)))
    assert EMPTY_ROOT.hex().startswith("e3b0c44298fc1c14")
    assert leaf_hash(b"").hex() == "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d"
    assert tree_hash([leaf_hash(entry) for entry in entries]).hex() == (
        "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328"
    )


@given(SIZES)
def test_the_root_is_the_one_that_the_definition_gives(size: int) -> None:
    assert tree_hash(LEAVES[:size]) == defined_root(LEAVES[:size])


@pytest.mark.slow
@given(st.data())
def test_every_entry_is_proven_and_no_other_one_by_the_same_proof(data: st.DataObject) -> None:
    size = data.draw(SIZES)
    index, other = data.draw(st.integers(0, size - 1)), data.draw(st.integers(0, len(LEAVES) - 1))
    root, proof = defined_root(LEAVES[:size]), inclusion(index, size)
    require_inclusion(LEAVES[index], index, size, root, proof)
    assume(other != index)
    with pytest.raises(NotInTree):
        require_inclusion(LEAVES[other], index, size, root, proof)
    with pytest.raises(NotInTree):
        require_inclusion(LEAVES[index], other, size, root, proof)


@given(st.data())
def test_a_tree_is_proven_to_begin_with_an_earlier_one_and_with_no_other(data: st.DataObject) -> None:
    new = data.draw(SIZES)
    old = data.draw(st.integers(0, new))
    old_root, new_root = defined_root(LEAVES[:old]), defined_root(LEAVES[:new])
    proof = consistency(old, new) if old else []
    require_consistency(old, old_root, new, new_root, proof)
    with pytest.raises(NotInTree):
        require_consistency(old, sha256(b"another").digest(), new, new_root, proof)
    if old:
        with pytest.raises(NotInTree):
            require_consistency(old, old_root, new, sha256(b"another").digest(), proof)


@pytest.mark.slow
@given(st.data())
def test_a_proof_with_one_changed_hash_one_too_few_or_one_too_many_is_refused(data: st.DataObject) -> None:
    new = data.draw(st.integers(2, len(LEAVES)))
    old, index = data.draw(st.integers(1, new - 1)), data.draw(st.integers(0, new - 1))
    old_root, new_root = defined_root(LEAVES[:old]), defined_root(LEAVES[:new])
    grown, included = consistency(old, new), inclusion(index, new)
    check_growth = partial(require_consistency, old, old_root, new, new_root)
    check_entry = partial(require_inclusion, LEAVES[index], index, new, new_root)
    for check, proof in ((check_growth, grown), (check_entry, included)):
        place = data.draw(st.integers(0, len(proof) - 1))
        changed = [*proof[:place], sha256(proof[place]).digest(), *proof[place + 1 :]]
        for wrong in (changed, proof[:place] + proof[place + 1 :], [*proof, proof[place]]):
            with pytest.raises(NotInTree):
                check(wrong)


def test_what_is_outside_of_a_tree_is_not_proven() -> None:
    with pytest.raises(NotInTree, match="entry 3 is not in a tree of 3"):
        require_inclusion(LEAVES[3], 3, 3, defined_root(LEAVES[:3]), [])
    with pytest.raises(NotInTree, match="does not begin with 4"):
        require_consistency(4, defined_root(LEAVES[:4]), 3, defined_root(LEAVES[:3]), [])
    with pytest.raises(NotInTree, match="without entries"):
        require_consistency(0, defined_root(LEAVES[:1]), 3, defined_root(LEAVES[:3]), [])
