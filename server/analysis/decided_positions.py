"""The positions that were searched, in the database: none is searched twice, in whatever game it comes up again.

The key of a position is a hash that nobody can compute without the seed of its deal. Equal deals share their positions:
all who play a deal of the day, or go on from the same game.

They only save searches: what is shown of a game is kept with its job (`cadogan.server.analysis.jobs`). So they are
erased when they are old, and the oldest when they are many.
"""

from collections.abc import Collection, Mapping
from hashlib import sha256
from typing import NamedTuple

from sqlalchemy import delete, func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from cadogan.engine.game import Game
from cadogan.engine.solver import SOLVER_VERSION
from cadogan.engine.solver.solution import Verdict
from cadogan.engine.state import State, pack_state
from cadogan.server.core.clock import Clock
from cadogan.server.database.connections import Database
from cadogan.server.database.tables import positions
from cadogan.server.database.upsert import upsert

_DOMAIN = b"cadogan/position/1\0"
_KEYS_PER_QUERY = 500
RETENTION_MILLISECONDS = 30 * 24 * 3600 * 1000
"""For so long what was found of a position is kept."""
MAX_POSITIONS = 100_000
"""So many positions are kept, those that were searched last: some 300 MB if all of them are won, by lines of 3 KB."""
_ERASED_AT_ONCE = 1_000
"""Positions that one transaction erases, so that a move never waits for long."""


class DecidedPosition(NamedTuple):
    """What a search has found of a position. `line` has moves that win, as text; it is empty for any other verdict."""

    verdict: Verdict
    nodes: int
    line: tuple[str, ...] = ()

    def answers(self, nodes: int) -> bool:
        """Return whether a search with so many nodes would find no more."""
        return self.verdict != "unknown" or self.nodes >= nodes


def position_key(game: Game, seed: bytes, state: State) -> str:
    """Return the key of a position: it differs if the deal, the position, the rules or the solver does."""
    return packed_position_key(game, seed, pack_state(state))


def packed_position_key(game: Game, seed: bytes, packed: bytes) -> str:
    """Return the key of a position that was packed by `cadogan.engine.state.pack_state`."""
    versions = f"{SOLVER_VERSION} {game.slug} {game.rules_version}".encode()
    return sha256(_DOMAIN + versions + b"\0" + seed + packed).hexdigest()


class DecidedPositions:
    """The positions in a database."""

    def __init__(self, database: Database, now: Clock) -> None:
        self._database = database
        self._now = now

    async def get(self, keys: Collection[str]) -> dict[str, DecidedPosition]:
        """Return what was found of the positions with these keys. Those that were not searched are left out."""
        found: dict[str, DecidedPosition] = {}
        wanted = list(keys)
        async with self._database.reading() as connection:
            for start in range(0, len(wanted), _KEYS_PER_QUERY):
                found |= await _select(connection, wanted[start : start + _KEYS_PER_QUERY])
        return found

    async def put(self, decided: Mapping[str, DecidedPosition]) -> None:
        """Store what was found of the positions with these keys, instead of what was found before."""
        at = self._now()
        rows = [
            {"position": key, "verdict": one.verdict, "nodes": one.nodes, "line": " ".join(one.line), "searched_at": at}
            for key, one in decided.items()
        ]
        if rows:
            async with self._database.writing() as connection:
                await connection.execute(upsert(positions, connection.dialect), rows)

    async def count(self) -> int:
        """Return how many positions are kept."""
        return int(await self._database.fetch_value(select(func.count()).select_from(positions)) or 0)

    async def erase_old(self) -> None:
        """Erase the positions that were searched long ago, and the oldest ones beyond `MAX_POSITIONS`."""
        is_old = positions.c.searched_at < self._now() - RETENTION_MILLISECONDS
        old = int(await self._database.fetch_value(select(func.count()).where(is_old)) or 0)
        left = max(old, await self.count() - MAX_POSITIONS)
        while left > 0:
            left = left - _ERASED_AT_ONCE if await self._erase_oldest(min(left, _ERASED_AT_ONCE)) else 0

    async def _erase_oldest(self, count: int) -> int:
        """Erase at most so many, without those that another analyst is erasing; return how many were."""
        oldest = select(positions.c.position).order_by(positions.c.searched_at).limit(count)
        chosen = positions.c.position.in_(oldest.with_for_update(skip_locked=True))
        async with self._database.writing() as connection:
            return (await connection.execute(delete(positions).where(chosen))).rowcount


async def _select(connection: AsyncConnection, keys: list[str]) -> dict[str, DecidedPosition]:
    rows = await connection.execute(select(positions).where(positions.c.position.in_(keys)))
    return {row.position: DecidedPosition(row.verdict, row.nodes, tuple(row.line.split())) for row in rows}
