"""The figures of the process itself."""

import asyncio
import re
from importlib.metadata import version

from cadogan import engine
from cadogan.server.core.event_loop import measure_loop_lag
from cadogan.server.core.metrics import rules_digest
from tests.harness.running_server import RunningServer


async def test_a_running_server_tells_its_build_its_process_and_its_connections(sqlite_server: RunningServer) -> None:
    figures = sqlite_server.server.metrics.render().decode()
    build = f'cadogan_build_info{{rules="{rules_digest()}",version="{version("cadogan")}"}} 1.0'
    assert build in figures
    assert "cadogan_max_database_connections 15.0" in figures
    for name in ("process_cpu_seconds_total", "process_resident_memory_bytes", "process_open_fds"):
        assert float(re.findall(rf"^cadogan_{name} (.+)$", figures, re.MULTILINE)[0]) > 0
    async with sqlite_server.server.database.reading() as connection:
        await connection.exec_driver_sql("SELECT 1")
        assert "cadogan_database_connections 1.0" in sqlite_server.server.metrics.render().decode()


def test_the_digest_of_the_rules_follows_from_every_game_and_its_version() -> None:
    assert re.fullmatch("[0-9a-f]{12}", rules_digest())
    assert all(engine.game(slug).rules_version >= 1 for slug in engine.slugs())


async def test_the_lag_is_how_long_one_piece_of_work_has_kept_the_loop() -> None:
    lags: asyncio.Queue[float] = asyncio.Queue()
    measuring = asyncio.create_task(measure_loop_lag(lags.put_nowait, interval_seconds=0.001))
    await lags.get()
    clock = asyncio.get_running_loop().time
    until = clock() + 0.05
    while clock() < until:
        pass
    assert max([await lags.get(), await lags.get()]) > 0.03
    measuring.cancel()
