"""Detects a connection pooler in front of PostgreSQL, and whether each connection has its own session.

A node prepares its statements once for each session and listens in one, so it needs sessions of its own. PgBouncer with
`pool_mode = session` provides them; with `transaction` or `statement` several connections take turns on one session.
"""

import asyncpg

from cadogan.server.core.database.connections import ANSWER_TIMEOUT_SECONDS, Database, DatabaseUnsupported

_TRIES = 3
_PROCESS = "SELECT pg_backend_pid()"


class SessionsShared(DatabaseUnsupported):
    """A pooler in front of the database shares sessions between connections. The message says what to do."""


async def require_own_sessions(database: Database) -> None:
    """Raise SessionsShared if the connections to this database share their sessions. SQLite has none."""
    if not database.is_sqlite and await shares_sessions(database):
        raise SessionsShared(
            "a pooler before PostgreSQL shares sessions between connections: set `pool_mode = session` for this "
            "database in PgBouncer, or connect to PostgreSQL itself, since a node keeps its connections open anyway"
        )


async def shares_sessions(database: Database) -> bool:
    """Return whether connections to this PostgreSQL may share sessions.

    Without a pooler the backend process is the one that PostgreSQL announced when the connection began. With one, a
    connection that begins a transaction gets the session in which another has just ended a transaction.
    """
    _, arguments = database.engine.dialect.create_connect_args(database.url)
    connect = asyncpg.connect if database.primary is None else database.primary.connect
    one, other = [await connect(**arguments, timeout=ANSWER_TIMEOUT_SECONDS, statement_cache_size=0) for _ in range(2)]
    try:
        if await _process_of(one) == one.get_server_pid():
            return False
        processes = set()
        for _ in range(_TRIES):
            processes.add(await _process_of(one))
            async with other.transaction():
                if await other.fetchval(_PROCESS) in processes:
                    return True
                processes.add(await _process_of(one))
        return len(processes) > 1
    except asyncpg.ConnectionDoesNotExistError as error:  # with `statement` PgBouncer disconnects on a transaction
        if isinstance(error.__cause__, asyncpg.ProtocolViolationError):
            return True
        raise
    finally:
        one.terminate()
        other.terminate()


async def _process_of(connection: asyncpg.Connection) -> int:
    async with connection.transaction():
        return int(await connection.fetchval(_PROCESS))
