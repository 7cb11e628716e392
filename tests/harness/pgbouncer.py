"""A test's own PgBouncer before a PostgreSQL."""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import urlsplit

import asyncpg

from tests.harness import databases
from tests.harness.patience import long
from tests.harness.server_process import free_port


@asynccontextmanager
async def pgbouncer(url: str, pool_mode: str, folder: Path) -> AsyncIterator[str]:
    """Run PgBouncer before the database at this URL; yield its URL. Skips the test if it is not installed."""
    program = shutil.which("pgbouncer")
    if program is None:
        databases.leave_out("needs PgBouncer")
    address, port = urlsplit(url), free_port()
    name, user = address.path.strip("/"), address.username or "postgres"
    password = f" password={address.password}" if address.password else ""
    settings = folder / "pgbouncer.ini"
    settings.write_text(f"""
[databases]
{name} = host={address.hostname} port={address.port or 5432} dbname={name} user={user}{password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
auth_type = any
pool_mode = {pool_mode}
ignore_startup_parameters = extra_float_digits
""")
    for place in (folder, settings):
        place.chmod(0o755)
    as_user = ["-u", "postgres"] if os.getuid() == 0 else []
    process = await asyncio.create_subprocess_exec(program, "-q", *as_user, str(settings))
    through = f"postgresql://{user}@127.0.0.1:{port}/{name}"
    try:
        await _wait_until_it_answers(through)
        yield through
    finally:
        process.kill()
        await process.wait()


async def _wait_until_it_answers(url: str) -> None:
    async with asyncio.timeout(long()):
        while True:
            try:
                connection = await asyncpg.connect(url, statement_cache_size=0)
            except (OSError, asyncpg.PostgresError):
                await asyncio.sleep(0.05)
                continue
            connection.terminate()
            return
