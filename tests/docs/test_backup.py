"""The backup page's own example holds."""

import json
import re
from pathlib import Path

from server.fairness.merkle_tree import MerkleTree, leaf_hash

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
