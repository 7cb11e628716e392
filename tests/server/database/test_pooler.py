"""PgBouncer before PostgreSQL: it works if it keeps sessions, and is refused with a reason if it shares them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from cadogan.server.config import Settings
from cadogan.server.core.database.connections import Database, database_url
from cadogan.server.core.database.pooler import SessionsShared, require_own_sessions
from cadogan.server.operations.doctor import Severity
from cadogan.server.operations.doctor_probes import diagnose
from tests.harness.pgbouncer import pgbouncer
from tests.harness.running_server import TEST_SETTINGS, open_server


async def test_a_pooler_that_keeps_sessions_serves_a_game(postgresql_url: str, tmp_path: Path) -> None:
    async with (
        pgbouncer(_plain(postgresql_url), "session", tmp_path) as through,
        open_server(replace(TEST_SETTINGS, database_url=through)) as server,
    ):
        player = await server.guest()
        async with player.connect() as socket:
            seen = await socket.request("subscribe", game=await player.deal())
            assert (await socket.play(seen))["version"] == seen["version"] + 1


@pytest.mark.parametrize("pool_mode", ["transaction", "statement"])
async def test_a_pooler_that_shares_sessions_is_refused_with_a_reason(
    postgresql_url: str, tmp_path: Path, pool_mode: str
) -> None:
    async with pgbouncer(_plain(postgresql_url), pool_mode, tmp_path) as through:
        database = Database(through, serving=True)
        with pytest.raises(SessionsShared, match="pool_mode = session"):
            await require_own_sessions(database)
        await database.close()
        findings = [finding async for finding in diagnose(Settings(database_url=through))]
        assert (findings[-1].check, findings[-1].severity) == ("pooler", Severity.ERROR)


async def test_postgresql_itself_and_sqlite_are_not_refused(database_url: str) -> None:
    database = Database(database_url)
    await require_own_sessions(database)
    await database.close()


def _plain(url: str) -> str:
    return database_url(url).set(drivername="postgresql").render_as_string(hide_password=False)
