"""An interrupted or killed run of the tests leaves no process and no database; no run drops databases of another."""

import asyncio
import os
import secrets
import signal
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from subprocess import STDOUT

import asyncpg
import pytest

from tests.harness import databases
from tests.harness.patience import long

ROOT = Path(__file__).parents[1]
TESTS = """
import asyncio
import json
import os
from pathlib import Path

from playwright.async_api import async_playwright

from tests.harness.chromium import ARGUMENTS, chromium
from tests.harness.forked_server import ForkedServer
from tests.harness.guardian import RUN
from tests.harness.server_process import ServerProcess


async def test_waits(postgresql_url, tmp_path):
    async with (
        ForkedServer(postgresql_url, tmp_path / "forked.log"),
        ServerProcess(postgresql_url, tmp_path / "started.log"),
        async_playwright() as playwright,
    ):
        await playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
        Path(__file__).with_name("ready").write_text(os.environ[RUN])
        await asyncio.Event().wait()
"""
ENDINGS: dict[str, tuple[Callable[[int, int], None], signal.Signals, list[str]]] = {
    "Ctrl-C": (os.killpg, signal.SIGINT, []),
    "Ctrl-C with a worker": (os.killpg, signal.SIGINT, ["--numprocesses", "1"]),
    "told to end": (os.kill, signal.SIGTERM, []),
    "killed with a worker": (os.kill, signal.SIGKILL, ["--numprocesses", "1"]),
}
HERE = "PYTEST_FOLDER_OF_CADOGAN"


def processes_of(folder: Path) -> list[str]:
    """What runs of those that were started in this folder: their command lines."""
    found = []
    for process in Path("/proc").glob("[1-9]*"):
        try:
            if f"{HERE}={folder}".encode() in (process / "environ").read_bytes():
                found.append((process / "cmdline").read_bytes().replace(b"\0", b" ").decode())
        except OSError:  # it has ended meanwhile, or is another user's
            continue
    return found


async def names(administrator: asyncpg.Connection, run: str) -> list[str]:
    """The names of the databases of a run."""
    found = await administrator.fetch("SELECT datname FROM pg_database WHERE datname LIKE $1", f"cadogan_test_{run}_%")
    return [row["datname"] for row in found]


@pytest.fixture
async def administrator(postgresql_server: None) -> AsyncIterator[asyncpg.Connection]:
    """A connection to PostgreSQL, to see which databases there are."""
    connection = await asyncpg.connect(f"{databases.SERVER}/postgres")
    yield connection
    await connection.close()


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="needs /proc")
@pytest.mark.parametrize("ending", ENDINGS)
async def test_an_interrupted_run_leaves_no_process_and_no_database(
    ending: str, tmp_path: Path, administrator: asyncpg.Connection
) -> None:
    end, number, arguments = ENDINGS[ending]
    test, ready = tmp_path / "test_it.py", tmp_path / "ready"
    test.write_text(TESTS)
    plugins = ["-p", "tests.conftest", "-p", "no:cacheprovider", "--rootdir", str(tmp_path), "-o", "asyncio_mode=auto"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), HERE: str(tmp_path)}
    with (tmp_path / "output").open("wb") as output:
        run = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "pytest", *plugins, *arguments, str(test)),
            env=environment,
            cwd=tmp_path,
            stdout=output,
            stderr=STDOUT,
            start_new_session=True,
        )
    async with asyncio.timeout(long()):
        while not ready.exists() or not (name := ready.read_text()):
            assert run.returncode is None, (tmp_path / "output").read_text()
            await asyncio.sleep(0.05)
    end(run.pid, number)
    await run.wait()

    left: tuple[list[str], list[str]]
    try:
        async with asyncio.timeout(long()):
            while any(left := (processes_of(tmp_path), await names(administrator, name))):  # noqa: ASYNC110
                await asyncio.sleep(0.05)
    except TimeoutError:
        pytest.fail(f"processes and databases are left: {left}")


async def test_a_run_drops_the_databases_of_runs_that_have_ended_and_no_others(
    administrator: asyncpg.Connection,
) -> None:
    ended, alive = secrets.token_hex(6), secrets.token_hex(6)
    await administrator.execute("SELECT pg_advisory_lock_shared($1)", int(alive, 16))
    for run in (ended, alive):
        await administrator.execute(f"CREATE DATABASE cadogan_test_{run}_{secrets.token_hex(6)}")
    await databases.drop_left()
    assert (len(await names(administrator, ended)), len(await names(administrator, alive))) == (0, 1)
    await administrator.execute("SELECT pg_advisory_unlock_shared($1)", int(alive, 16))
    await databases.drop_left()
    assert await names(administrator, alive) == []
