"""Proof that nobody chose or changed the cards: commitments to secrets, the sealed deals, Merkle trees.

`sealed_deals` is the only module that reads secrets from the database. Imports `eventlog`, `database` and `core`.
"""
