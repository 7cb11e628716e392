"""The log over several PostgreSQL machines: the table `events` distributed by stream with the extension Citus.

Everything else stays on the coordinator, to which the nodes connect. All events of a stream are in one shard, and
therefore on one worker.
"""

from sqlalchemy import Connection, text
from sqlalchemy.ext.asyncio import AsyncConnection

from cadogan.server.core.database.connections import Database, DatabaseUnsupported
from cadogan.server.core.database.revisions import migration_transaction

SHARDS_PER_WORKER = 4
"""Initial number of shards of the log per worker: allows growth to four times as many workers."""

_WORKERS = text("SELECT count(*) FROM pg_dist_node WHERE noderole = 'primary' AND isactive AND shouldhaveshards")
_IS_DISTRIBUTED = text("SELECT EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = 'events'::regclass)")
_HAS_CITUS = text("SELECT to_regclass('pg_catalog.pg_dist_partition') IS NOT NULL")

TWO_PHASE_TABLE = "two_phase_commits"
COMMIT_IN_TWO_PHASES = f"UPDATE {TWO_PHASE_TABLE} SET unused = 0"
"""Makes a Citus transaction use two-phase commit, so that it is atomic across the coordinator and a worker.

Citus does this by itself only for its own tables and with two workers. The table updated here is empty.
"""


STALE_TRANSACTION_SECONDS = 300
"""A transaction that was prepared longer ago counts as hanging: Citus finishes what it can within a minute."""
FINISH_STALE = "on Citus run SELECT recover_prepared_transactions() at the coordinator; else see pg_prepared_xacts"
"""What an operator does about a hanging transaction."""

_STALE_TRANSACTIONS = """
SELECT string_agg(gid, ' ') FROM pg_prepared_xacts
WHERE database = current_database() AND prepared <= now() - interval '{} seconds'
"""
_UNAVAILABLE_WORKERS = text("""
SELECT nodename || ':' || nodeport FROM pg_dist_node
WHERE noderole = 'primary' AND isactive AND NOT citus_check_connection_to_node(nodename, nodeport) ORDER BY 1
""")
_STALE_ON_WORKERS = text("SELECT result FROM run_command_on_workers(:asked) WHERE success AND result <> ''")


class NotDistributable(DatabaseUnsupported):
    """The log of this database cannot be distributed. The message says what to do."""


async def is_distributed(connection: AsyncConnection) -> bool:
    """Return whether the table `events` is distributed over Citus workers."""
    if connection.dialect.name != "postgresql" or not await connection.scalar(_HAS_CITUS):
        return False
    return bool(await connection.scalar(_IS_DISTRIBUTED))


async def require_workers(database: Database) -> int:
    """Return the number of workers. Raises NotDistributable without PostgreSQL, Citus or workers."""
    if database.is_sqlite:
        raise NotDistributable("SQLite is one file: only a log in PostgreSQL with Citus can be distributed")
    async with database.reading() as connection:
        if not await connection.scalar(_HAS_CITUS):
            raise NotDistributable("this database has no extension citus: see deploy/citus/README.md")
        workers = int(await connection.scalar(_WORKERS) or 0)
    if not workers:
        raise NotDistributable("this Citus has no workers: add them with `SELECT citus_add_node(host, port)`")
    return workers


async def distribute(database: Database) -> int:
    """Distribute the log by stream over the workers, unless it is distributed; return the number of workers.

    All nodes must be stopped, because they would write as if the table were on one machine. Raises NotDistributable.
    """
    workers = await require_workers(database)
    async with migration_transaction(database) as connection:
        if not await is_distributed(connection):
            await connection.run_sync(_distribute, SHARDS_PER_WORKER * workers)
    return workers


async def find_unavailable_workers(connection: AsyncConnection) -> list[str]:
    """Return the addresses of the workers that do not answer the coordinator; empty without a distributed log."""
    return [*await connection.scalars(_UNAVAILABLE_WORKERS)] if await is_distributed(connection) else []


async def find_stale_transactions(connection: AsyncConnection, seconds: int = STALE_TRANSACTION_SECONDS) -> list[str]:
    """Return the names of the transactions that were prepared over `seconds` ago and are not finished.

    It checks this PostgreSQL server and the workers that answer.
    """
    asked = _STALE_TRANSACTIONS.format(seconds)
    found = [await connection.scalar(text(asked))]
    if await is_distributed(connection):
        found += await connection.scalars(_STALE_ON_WORKERS, {"asked": asked})
    return sorted(name for names in found if names for name in names.split())


def _distribute(connection: Connection, shards: int) -> None:
    connection.execute(text(f"CREATE TABLE {TWO_PHASE_TABLE} (unused integer)"))
    connection.execute(text(f"SELECT citus_add_local_table_to_metadata('{TWO_PHASE_TABLE}')"))
    create = "SELECT create_distributed_table('events', 'stream', shard_count => :shards)"
    connection.execute(text(create), {"shards": shards})
    connection.execute(text("SELECT truncate_local_data_after_distributing_table('events')"))
