"""The signed log of what has ended: an append-only Merkle tree, its checkpoints and witnesses."""
