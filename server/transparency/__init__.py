"""The transparency log of ended streams: an append-only Merkle tree, signed by the host and by witnesses.

The formats are those of C2SP (`signed-note`, `tlog-checkpoint`, `tlog-tiles`, `tlog-cosignature`, `tlog-proof`), so
that existing tools can read it. Half of the modules are pure and shared with the verifier: they load no database.
"""
