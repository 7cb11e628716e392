"""Wake-ups between the nodes of one server: a bus in one process, over PostgreSQL, or over a server for messages.

A wake-up names a stream and its version; it never says what happened, and this package knows nothing of games.
"""
