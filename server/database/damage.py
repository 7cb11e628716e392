"""How a damaged database is recognised: one that holds what this program never writes into it."""

import sqlite3

_SQLITE_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


class DatabaseDamaged(Exception):
    """The database holds what this program never writes. The message says what, and where."""


def is_damaged_file(error: BaseException | None) -> bool:
    """Whether SQLite says that a file is damaged, cut off, or no database."""
    return isinstance(error, sqlite3.DatabaseError) and getattr(error, "sqlite_errorcode", 0) & 0xFF in _SQLITE_DAMAGED
