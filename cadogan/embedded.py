"""A server of one's own within the terminal client: on this machine alone, with its games in a folder of the user's."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TextIO

from aiohttp import web

from cadogan.server.config import Settings
from cadogan.server.core import logs
from cadogan.server.core.database.connections import open_database
from cadogan.server.core.database.migrations import migrate
from cadogan.server.web_app import make_app

DATABASE = "cadogan.db"
LOG = "server.log"
FAST_RATE = 1000
"""Commands a second: nobody has to be kept from flooding oneself."""


@asynccontextmanager
async def embedded_server(folder: Path) -> AsyncIterator[str]:
    """A server over the database in this folder, made if need be, on a free port of the loopback address; its address.

    What it logs goes to a file there, anew each time.

    Raises OSError where the folder cannot be written, or what the database's driver raises.
    """
    settings = Settings(
        database_url=f"sqlite+aiosqlite:///{folder / DATABASE}", rate=FAST_RATE, burst=FAST_RATE, fresh=0
    )
    with _log(folder) as log:
        logs.configure("warning", "console", log)
        async with open_database(settings.database_url) as database:
            await migrate(database)
        runner = web.AppRunner(make_app(settings), access_log=None)
        await runner.setup()
        try:
            await web.TCPSite(runner, "127.0.0.1", 0).start()
            host, port = runner.addresses[0][:2]
            yield f"http://{host}:{port}"
        finally:
            await runner.cleanup()


def _log(folder: Path) -> TextIO:
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    return (folder / LOG).open("w")
