"""A log is distributed only where there are workers: any other database is refused, with what to do."""

import pytest

from cadogan.server.core.database.connections import Database
from cadogan.server.core.storage.citus.extension import (
    NotDistributable,
    distribute,
    find_unavailable_workers,
    is_distributed,
)


async def test_a_database_without_citus_is_refused_and_said_to_be_undistributed(database: Database) -> None:
    with pytest.raises(NotDistributable, match="SQLite is one file" if database.is_sqlite else "no extension citus"):
        await distribute(database)
    async with database.reading() as connection:
        assert not await is_distributed(connection)
        assert await find_unavailable_workers(connection) == []
