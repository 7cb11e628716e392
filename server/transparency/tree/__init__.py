"""The Merkle tree of the log, without a database: hashes, proofs and tiles."""
