"""The backup page's own example holds."""

import hashlib
import json
import re
from pathlib import Path

from cadogan.server.core.fairness.log_root import MerkleTree, leaf_hash

PAGE = (Path(__file__).parents[2] / "docs" / "backup.md").read_text("utf-8")


def test_the_leaves_and_the_roots_are_those_of_the_page() -> None:
    (block,) = re.findall(r"```json root\n(.*?)```", PAGE, re.DOTALL)
    shown = json.loads(block)
    tree = MerkleTree()
    assert tree.root().hex() == shown["empty"]
    for one in shown["streams"]:
        named = (one["stream"], one["version"], bytes.fromhex(one["head"]))
        tree.add(*named)
        assert (leaf_hash(*named).hex(), tree.root().hex()) == (one["leaf"], one["root"])


def test_the_leaves_the_branch_and_the_roots_follow_from_the_words_of_the_page_alone() -> None:
    """Computed with hashlib and nothing of ours, byte by byte."""
    (block,) = re.findall(r"```json root\n(.*?)```", PAGE, re.DOTALL)
    shown = json.loads(block)

    def hashed(*parts: bytes) -> str:
        return hashlib.sha256(b"".join(parts)).hexdigest()

    one, two, three = shown["streams"]
    for stream in shown["streams"]:
        name, version = stream["stream"].encode(), stream["version"]
        number = bytes([0, 0, 0, 0, 0, 0, version // 256, version % 256])
        assert hashed(b"cadogan/leaf/1\x00", name, b"\x00", number, bytes.fromhex(stream["head"])) == stream["leaf"]
    leaf = [bytes.fromhex(stream["leaf"]) for stream in shown["streams"]]
    assert hashed(b"cadogan/node/1\x00", leaf[0], leaf[1]) == shown["branch"]
    branch = bytes.fromhex(shown["branch"])
    top = bytes.fromhex(hashed(b"cadogan/node/1\x00", branch, leaf[2]))
    numbers = [bytes([0, 0, 0, 0, 0, 0, 0, count]) for count in range(4)]
    assert hashed(b"cadogan/root/1\x00", numbers[0]) == shown["empty"]
    assert hashed(b"cadogan/root/1\x00", numbers[1], leaf[0]) == one["root"]
    assert hashed(b"cadogan/root/1\x00", numbers[2], branch) == two["root"]
    assert hashed(b"cadogan/root/1\x00", numbers[3], top) == three["root"]
