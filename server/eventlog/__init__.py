"""The event log without a database: events, streams, the hash chain, the contract that every event store keeps.

Also the rows that follow from events (`projections`), and what happens when the database is away. The stores
themselves are in `storage`. Imports `core` only, and `database` for nothing but its errors.
"""
