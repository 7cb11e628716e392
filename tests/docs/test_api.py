"""What the page about the HTTP interface says to type works, and it leaves no address out."""

import asyncio
import re
import shutil
import time
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from aiohttp.test_utils import BaseTestServer, TestServer

from cadogan.server.app import Server
from cadogan.server.config import Settings
from cadogan.server.web_app import make_web_app
from cadogan.wire.endpoints import ENDPOINTS
from tests.harness import databases
from tests.harness.patience import soon
from tests.harness.replayed_requests import Replay, record_requests
from tests.harness.statements import Statement, asked, scanned

PAGE = (Path(__file__).parents[2] / "docs" / "api.md").read_text("utf-8")
BLOCKS: list[str] = re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL)
DONE = "-- done --"
NOON = 1_795_176_000_000
UNANSWERED = {
    ("GET", "/api/v1/dailies/{day}/share"),
    ("GET", "/api/v1/dailies/{day}/record"),
    ("GET", "/api/v1/puzzles/{day}"),
    ("POST", "/api/v1/puzzles/{day}/tries"),
    ("POST", "/api/v1/puzzles/{day}/give-up"),
    ("GET", "/api/v1/puzzles/{day}/way"),
    ("GET", "/api/v1/dailies/{day}/review"),
    ("GET", "/api/v1/dailies/{day}/deals/{slot}/best"),
    ("POST", "/api/v1/dailies/{day}/deals/{slot}/spoil"),
    ("PUT", "/api/v1/house/host"),
    ("PUT", "/api/v1/account/access"),
    ("PUT", "/api/v1/account/mail"),
    ("PUT", "/api/v1/account/mail/confirmation"),
    ("PUT", "/api/v1/account/mail/recovery"),
    ("PUT", "/api/v1/account/mail/digest"),
    ("PUT", "/api/v1/account/mail/digest/end"),
    ("PUT", "/api/v1/account/notifications"),
    ("POST", "/api/v1/account/notifications/test"),
    ("POST", "/api/v1/session/passkey"),
    ("PUT", "/api/v1/session/passkey/confirmation"),
    ("POST", "/api/v1/account/passkey"),
    ("PUT", "/api/v1/passkeys"),
    ("POST", "/api/v1/session/oidc/request"),
    ("POST", "/api/v1/session/oidc/confirmation"),
    ("POST", "/api/v1/account/oidc/request"),
    ("POST", "/api/v1/session/oidc"),
    ("POST", "/api/v1/account/oidc"),
    ("DELETE", "/api/v1/account/oidc"),
    ("DELETE", "/api/v1/passkeys/{id}"),
    ("GET", "/api/v1/games/{id}/analysis/stream"),
    ("GET", "/api/v1/games/{id}/analysis/ways/{version}"),
    ("GET", "/api/v1/evenings/{id}/rounds/{round}"),
    ("GET", "/api/v1/evenings/{id}/form"),
    ("GET", "/api/v1/evenings/{id}/record"),
    ("POST", "/api/v1/evenings/{id}/objections"),
    ("POST", "/api/v1/evenings/{id}/virtual"),
    ("POST", "/api/v1/evenings/{id}/virtual/games"),
    ("GET", "/api/v1/evenings/{id}/virtual/form"),
    ("GET", "/api/v1/seasons/{id}"),
    ("DELETE", "/api/v1/seasons/{id}/members/me"),
} | {(entry.method, entry.path) for entry in ENDPOINTS if entry.is_for_staff}
"""What the page asks for and is refused: to have something to share one must have played, the day has not closed, a
new account may not ask to be shown a deal, a new server has no host, SMTP server or provider, a shell no passkey and
no push service, and a round of an evening closes after a minute at least. No analyst works here, so the page leaves the
stream of the analysis before its end, nobody knows a way to win, and no host
has switched seasons on."""
GROWING = {"events", "games", "players", "tokens", "entries", "totals", "log_entries"}
"""The tables that grow with a server's age."""
OF_ALL_GAMES = "FROM archived_games"
"""Is in the one statement that reads all games, for the figures of each game, and whose answer is kept for a while."""


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
async def session(shell: str, url: str, folder: Path) -> AsyncIterator[Session]:
    """A shell beside the running server at this address."""
    strict = [shell, "--norc", "-eu", "-o", "pipefail"]
    environment = {"PATH": "/usr/local/bin:/usr/bin:/bin", "CADOGAN": url}
    process = await asyncio.create_subprocess_exec(
        *strict, stdin=PIPE, stdout=PIPE, stderr=asyncio.subprocess.STDOUT, cwd=folder, env=environment
    )
    try:
        yield Session(process)
    finally:
        assert process.stdin is not None
        process.stdin.close()
        async with asyncio.timeout(soon()):
            await process.wait()


@pytest.mark.slow
async def test_every_example_works_every_address_is_asked_and_none_reads_a_growing_table_whole(
    shell: str, sqlite_url: str, postgresql_url: str, tmp_path: Path
) -> None:
    """What the shell has sent to a server over SQLite is sent once more, to one over PostgreSQL."""
    begun = time.monotonic()
    server = Server(Settings(database_url=sqlite_url), lambda: NOON + round((time.monotonic() - begun) * 1000))
    app = make_web_app(server)
    exchanges = record_requests(app, server.now)
    async with TestServer(app) as listening:
        async with session(shell, address_of(listening), tmp_path) as typed:
            with asked(server.database) as statements:
                for block in BLOCKS:
                    assert await typed.run(block) or "=$(" in block
        assert_all_were_answered(server)
    await assert_no_growing_table_is_read_whole(server, statements)

    replay = Replay(NOON)
    without_limits = Settings(database_url=postgresql_url, rate=1_000_000, burst=1_000_000)
    server = Server(without_limits, lambda: replay.at)
    async with TestServer(make_web_app(server)) as listening:
        with asked(server.database) as statements:
            await replay.send(exchanges, address_of(listening))
        assert_all_were_answered(server)
    await assert_no_growing_table_is_read_whole(server, statements)


def address_of(listening: BaseTestServer) -> str:
    """The address of a server, without a slash at its end."""
    return str(listening.make_url("")).rstrip("/")


def assert_all_were_answered(server: Server) -> None:
    """Assert that every address was asked, and answered as one would wish, except those that are known."""
    assert {(entry.method, entry.path) for entry in ENDPOINTS} - answered(server) == UNANSWERED


async def assert_no_growing_table_is_read_whole(server: Server, statements: list[Statement]) -> None:
    """Assert that no plan of these statements reads all rows of a table that grows."""
    whole = await scanned(server.database, [one for one in statements if OF_ALL_GAMES not in one[0]])
    found = {scan: texts for scan, texts in whole.items() if scan.split()[0] in GROWING}
    assert not found, found


def answered(server: Server) -> set[tuple[str, str]]:
    """The addresses that were asked and answered as one would wish."""
    return {
        (sample.labels["method"], sample.labels["route"])
        for family in server.metrics.requests.collect()
        for sample in family.samples
        if sample.name.endswith("_total") and sample.labels["status"].startswith("2")
    }


def test_the_map_names_every_address() -> None:
    table = PAGE.partition("| address |")[2].partition("\n\n")[0]
    named = [(f"`{one.method} {one.path}`", f"`…/{one.path.rpartition('/')[2]}`") for one in ENDPOINTS]
    assert [full for full, short in named if full not in table and short not in table] == []
