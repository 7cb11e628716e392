"""What the page about the HTTP interface says to type works, and it leaves no address out."""

import asyncio
import re
import shutil
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from clients.wire.endpoint import Endpoint
from clients.wire.endpoints import ENDPOINTS
from tests.harness import databases
from tests.harness.running_server import RunningServer
from tests.harness.two_day_history import lived_in

PAGE = (Path(__file__).parents[2] / "docs" / "api.md").read_text("utf-8")
BLOCKS: list[str] = re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL)
DONE = "-- done --"
A_MINUTE = 60_000
UNANSWERED = {("GET", "/api/v1/dailies/{day}/share")}
"""What the page asks for and is refused: to have something to share one must have played."""


@pytest.fixture
def shell() -> str:
    """A shell with curl and jq; without these the test is skipped, or fails where everything must run."""
    missing = [name for name in ("bash", "curl", "jq") if shutil.which(name) is None]
    if missing:
        reason = f"{' and '.join(missing)} not installed"
        if databases.REQUIRED:
            pytest.fail(reason)
        pytest.skip(reason)
    return "bash"


class Session:
    """One shell that is told a block at a time, and remembers what it was told."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    async def run(self, block: str) -> str:
        """What the block prints. Raises AssertionError, with what went wrong, if a command in it fails."""
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        stdin.write(f"{block}\necho '{DONE}'\n".encode())
        printed = ""
        while not printed.endswith(f"{DONE}\n"):
            line = (await stdout.readline()).decode()
            assert line, f"this failed:\n{block}\nafter it printed:\n{printed}"
            printed += line
        return printed.removesuffix(f"{DONE}\n")


@asynccontextmanager
async def session(shell: str, running_server: RunningServer, folder: Path) -> AsyncIterator[Session]:
    """A shell beside a running server."""
    strict = [shell, "--norc", "-eu", "-o", "pipefail"]
    environment = {"PATH": "/usr/local/bin:/usr/bin:/bin", "CADOGAN": running_server.url}
    process = await asyncio.create_subprocess_exec(
        *strict, stdin=PIPE, stdout=PIPE, stderr=asyncio.subprocess.STDOUT, cwd=folder, env=environment
    )
    try:
        yield Session(process)
    finally:
        assert process.stdin is not None
        process.stdin.close()
        async with asyncio.timeout(30):
            await process.wait()


@pytest.mark.slow
async def test_every_example_works_and_every_address_is_asked_by_one(
    shell: str, sqlite_url: str, tmp_path: Path
) -> None:
    async with lived_in(sqlite_url) as running_server, session(shell, running_server, tmp_path) as typed:
        before = answered(running_server)
        for block in BLOCKS:
            assert await typed.run(block) or "=$(" in block
            running_server.clock.at += A_MINUTE
        asked = {address for address, count in answered(running_server).items() if count > before.get(address, 0)}
    assert {(entry.method, entry.path) for entry in ENDPOINTS} - asked == UNANSWERED


def answered(running_server: RunningServer) -> dict[tuple[str, str], float]:
    """How often each address was asked and answered as one would wish."""
    counts: dict[tuple[str, str], float] = {}
    for family in running_server.server.metrics.requests.collect():
        for sample in family.samples:
            if sample.name.endswith("_total") and sample.labels["status"].startswith("2"):
                address = sample.labels["method"], sample.labels["route"]
                counts[address] = counts.get(address, 0) + sample.value
    return counts


@pytest.mark.parametrize("entry", ENDPOINTS, ids=lambda entry: f"{entry.method} {entry.path}")
def test_the_map_names_every_address(entry: Endpoint) -> None:
    table = PAGE.partition("| address |")[2].partition("\n\n")[0]
    assert f"`{entry.method} {entry.path}`" in table or f"`…/{entry.path.rpartition('/')[2]}`" in table
