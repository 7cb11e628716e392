"""Detection of a damaged database: it holds data that this program never writes."""

import sqlite3

_SQLITE_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


class DatabaseDamaged(Exception):
    """The database holds data that this program never writes. The message names the data and its place."""


def is_damaged_file(error: BaseException | None) -> bool:
    """Whether SQLite reports that a file is damaged, truncated, or not a database."""
    return isinstance(error, sqlite3.DatabaseError) and getattr(error, "sqlite_errorcode", 0) & 0xFF in _SQLITE_DAMAGED
