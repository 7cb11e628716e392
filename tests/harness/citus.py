"""Databases whose log is distributed with Citus, for the tests that `make citus-tests` runs."""

import os
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from cadogan.server.core.database import migrations
from cadogan.server.core.database.connections import Database
from cadogan.server.core.storage.citus.extension import distribute
from deploy.citus.cluster import CitusCluster

ASKED = os.environ.get("CADOGAN_TEST_CITUS") == "1"
"""Whether tests use Citus instead of plain PostgreSQL."""


@asynccontextmanager
async def distributed_database(cluster: CitusCluster) -> AsyncIterator[str]:
    """Create a database whose log is distributed over the workers, yield its URL, and drop it."""
    name = f"cadogan_test_{secrets.token_hex(6)}"
    await cluster.create_database(name)
    try:
        database = Database(cluster.url(name))
        try:
            await migrations.migrate(database)
            await distribute(database)
        finally:
            await database.close()
        yield cluster.url(name)
    finally:
        await cluster.drop_database(name)
