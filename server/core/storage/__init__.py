"""The event log in a database, on SQLite or on PostgreSQL machines; and rebuilding what follows from it.

Rows that follow from events are written in the transaction of these events, so this floor lies above
`leaderboards`.
"""
