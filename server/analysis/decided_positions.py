"""The positions that were searched, in the database: none is searched twice, in whatever game it comes up again.

The key of a position is a hash that nobody can compute without the seed of its deal. Equal deals share their positions:
all who play a deal of the day, or go on from the same game.
"""

from collections.abc import Collection, Mapping
from hashlib import sha256
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from engine.game import Game
from engine.solver import SOLVER_VERSION
from engine.solver.solution import Verdict
from engine.state import State, pack_state
from server.database.connections import Database
from server.database.tables import positions
from server.database.upsert import upsert

_DOMAIN = b"cadogan/position/1\0"
_KEYS_PER_QUERY = 500


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
    versions = f"{SOLVER_VERSION} {game.slug} {game.rules_version}".encode()
    return sha256(_DOMAIN + versions + b"\0" + seed + pack_state(state)).hexdigest()


class DecidedPositions:
    """The positions in a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

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
        rows = [
            {"position": key, "verdict": one.verdict, "nodes": one.nodes, "line": " ".join(one.line)}
            for key, one in decided.items()
        ]
        if rows:
            async with self._database.writing() as connection:
                await connection.execute(upsert(positions, connection.dialect), rows)


async def _select(connection: AsyncConnection, keys: list[str]) -> dict[str, DecidedPosition]:
    rows = await connection.execute(select(positions).where(positions.c.position.in_(keys)))
    return {row.position: DecidedPosition(row.verdict, row.nodes, tuple(row.line.split())) for row in rows}
