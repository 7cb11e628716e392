"""The migrations: all changes of the database's tables, in order. A migration never changes an event in the log."""
