"""The event log in a database: group commit on SQLite and PostgreSQL, and rebuilding all that follows from the log.

Rows that follow from events are written in the transaction of these events, so this floor lies above
`leaderboards`.
"""
