"""The log of what has ended: an append-only Merkle tree, signed by the host and by witnesses.

The formats are those of C2SP (`signed-note`, `tlog-checkpoint`, `tlog-tiles`, `tlog-cosignature`, `tlog-proof`), so
that the tools of others work on it. Half of the modules are pure and are the verifier's as well: they load no database.
"""
