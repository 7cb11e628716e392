"""Provably fair deals: commitments, sealed deals, beacons, certificates and Merkle trees.

`sealed_deals` is the only module that reads secrets from the database, and `stored_certificates` the only one that
reads the certificates of future deals.
"""
