"""The tree in tiles: what a growing tree writes are the tiles of the whole tree, and every proof comes from them."""

from functools import cache
from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from cadogan.server.subjects.transparency.tree import (
    ENTRIES,
    HASH_BYTES,
    Tile,
    TreeEdge,
    consistency_parts,
    edge_tiles,
    inclusion_parts,
    leaf_hash,
    part_hash,
    read_bundle,
    read_tile_path,
    require_consistency,
    require_inclusion,
    tile_path,
    tiles_of,
    tiles_under,
    tree_hash,
    width_of,
    write_bundle,
)

LEAVES = [leaf_hash(b"entry %d" % number) for number in range(70_000)]
MANY = st.lists(st.sampled_from([0, 1, 2, 254, 255, 256, 257, 1_000]), min_size=1, max_size=6)


@cache
def root_of(size: int) -> bytes:
    """The root of the whole tree of the first leaves."""
    return tree_hash(LEAVES[:size])


@pytest.mark.slow
@settings(max_examples=30)
@example([65_535, 1, 4_464], 69_999)
@given(MANY, st.integers(0, 100_000))
def test_a_tree_that_grows_in_steps_has_the_tiles_and_the_proofs_of_the_whole_tree(
    steps: list[int], chosen: int
) -> None:
    tiles: dict[Tile, bytes] = {}
    sizes = [0]
    for step in steps:
        before = sizes[-1]
        edge = TreeEdge(before, {tile: tiles[tile] for tile in edge_tiles(before)})
        for leaf in LEAVES[before : before + step]:
            edge.add(leaf)
        tiles.update(edge.take_changed())
        sizes.append(edge.size)
        assert edge.root() == root_of(edge.size)
    size = sizes[-1]
    assert {(level, number): width for level, number, width in tiles_of(size)} == {
        tile: len(hashes) // HASH_BYTES for tile, hashes in tiles.items()
    }
    if size == 0:
        return
    index = chosen % size
    parts = inclusion_parts(index, size)
    needed = {tile: tiles[tile] for tile in tiles_under(parts)}
    proof = [part_hash(part, needed.__getitem__) for part in parts]
    require_inclusion(LEAVES[index], index, size, root_of(size), proof)
    for old, new in pairwise(size for size in sizes if size):
        proof = [part_hash(part, tiles.__getitem__) for part in consistency_parts(old, new)]
        require_consistency(old, root_of(old), new, root_of(new), proof)


@given(st.integers(ENTRIES, 7), st.integers(0, 2**40), st.integers(1, 256))
def test_a_tile_has_one_path(level: int, number: int, width: int) -> None:
    assert read_tile_path(tile_path(level, number, width).removeprefix("tile/")) == (level, number, width)


@pytest.mark.parametrize(
    "path",
    [
        "_",
        "0",
        "0/1",
        "0/001.p/0",
        "0/001.p/256",
        "0/001.p/01",
        "8/000",
        "0/x000/001",
        "0/001/002",
        "data/000",
        "0/../000",
        "0/001%0a",
        "0/" + "x111/" * 7 + "111",
        "0/" + "x111/" * 1500 + "111",
    ],
    ids=lambda path: path[:20],
)
def test_what_is_no_path_of_a_tile_is_none(path: str) -> None:
    assert read_tile_path(path) is None


def test_the_tree_of_the_format_s_own_example_has_its_tiles() -> None:
    widths = [width for level, _, width in tiles_of(70_000) if level == 0]
    assert (widths.count(256), widths[-1]) == (273, 112)
    assert [(level, width) for level, _, width in tiles_of(70_000) if level] == [(1, 256), (1, 17), (2, 1)]
    assert [*tiles_of(256)] == [(0, 0, 256), (1, 0, 1)]
    assert [width_of(ENTRIES, number, 70_000) for number in (0, 273, 274)] == [256, 112, 0]


@given(st.lists(st.binary(max_size=300), max_size=20))
def test_a_bundle_holds_its_entries_and_a_cut_one_is_refused(entries: list[bytes]) -> None:
    bundle = write_bundle(entries)
    assert read_bundle(bundle) == entries
    if entries:
        with pytest.raises(ValueError, match="in the middle of an entry"):
            read_bundle(bundle[:-1])
