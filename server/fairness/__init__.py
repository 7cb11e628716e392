"""Proof that nobody has chosen or changed the cards: commitments to secrets, sealed deals and Merkle trees.

`sealed_deals` is the only module that reads secrets from the database. Imports `eventlog`, `database` and `core`.
"""
