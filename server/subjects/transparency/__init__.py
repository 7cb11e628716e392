"""The signed log of ended streams: an append-only Merkle tree, its checkpoints and witnesses."""
