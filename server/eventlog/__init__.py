"""The event log apart from its stores: events, streams, the hash chain, the contract that every event store keeps.

Also the rows that follow from events (`projections`), background tasks, and which errors mean that the database cannot
be reached. The stores themselves are in `storage`.
"""
