"""Imports everything that `cadogan serve` uses, including drivers and games; `tests.harness.forked_server` forks it."""

import aiosqlite
from sqlalchemy.dialects import postgresql, sqlite

import cadogan.cli
import cadogan.server.cli.serving.serve
from cadogan.server.core.metrics import rules_digest

__all__ = ["aiosqlite", "cadogan", "postgresql", "sqlite"]

rules_digest()  # compiles every game
