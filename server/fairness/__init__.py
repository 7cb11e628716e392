"""Proof that nobody has chosen or changed the cards: commitments, sealed deals, certificates and Merkle trees.

`sealed_deals` is the only module that reads secrets from the database, and `stored_certificates` the only one that
reads how the deals to come can be won.
"""
