"""Does once what every `cadogan serve` does first; `tests.harness.forked_server` forks it.

It imports everything, including drivers and games, and builds a server that is never opened: that compiles the patterns
of the routes and checks the names of the parts.
"""

import asyncio
import gc

import aiosqlite
from sqlalchemy.dialects import postgresql, sqlite

import cadogan.cli
import cadogan.server.cli.serving.serve
from cadogan.server.config import Settings
from cadogan.server.core.metrics import rules_digest
from cadogan.server.web_app import make_app

__all__ = ["aiosqlite", "cadogan", "postgresql", "sqlite"]


async def _build_server() -> None:
    make_app(Settings(database_url="sqlite:///never-opened.db"))


rules_digest()  # compiles every game
asyncio.run(_build_server())
gc.collect()
gc.freeze()  # a forked server looks for garbage among its own objects alone
