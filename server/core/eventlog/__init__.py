"""The event log apart from its stores: events, streams, the hash chain, the contract that every event store keeps.

Also the rows that follow from events (`projections`), what is in memory of them (`aggregate`) and who is handed each
commit (`commits`), background tasks, and which errors mean that the database cannot be reached. The stores themselves
are in `storage`.
"""
