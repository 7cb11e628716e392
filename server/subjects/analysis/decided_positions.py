"""A database cache of searched positions, so that no position is searched twice, in any game.

The key of a position is a hash that cannot be computed without the seed of its deal. Runs of the same deal share
positions: those of a deal of the day, or those played on from the same game.

The cache only saves searches; the analysis of a game is stored with its job (`cadogan.server.subjects.analysis.jobs`).
So old entries are deleted, and the oldest ones if there are too many.
"""

from collections.abc import Collection, Mapping, Sequence
from hashlib import sha256
from typing import NamedTuple

from sqlalchemy import delete, func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from cadogan.engine.game import Game
from cadogan.engine.solver import SOLVER_VERSION
from cadogan.engine.solver.solution import Verdict
from cadogan.engine.state import State, pack_state, unpack_state
from cadogan.server.core.clock import Clock
from cadogan.server.core.database.connections import Database
from cadogan.server.core.database.statements import upsert
from cadogan.server.core.database.tables import positions
from cadogan.server.core.games.game_state import GameState

_DOMAIN = b"cadogan/position/1\0"
_KEYS_PER_QUERY = 500
RETENTION_MILLISECONDS = 30 * 24 * 3600 * 1000
"""Milliseconds after which an entry is deleted."""
MAX_POSITIONS = 100_000
"""The maximum number of entries, those searched last: some 300 MB if all of them are won, with lines of 3 KB."""
_ERASED_AT_ONCE = 1_000
"""Entries that one transaction deletes, so that a move never waits for long."""


class DecidedPosition(NamedTuple):
    """The verdict of a search on a position. `line` has winning moves, as text; it is empty for any other verdict."""

    verdict: Verdict
    nodes: int
    line: tuple[str, ...] = ()

    def answers(self, nodes: int) -> bool:
        """Return whether a search with this node limit would find nothing new."""
        return self.verdict != "unknown" or self.nodes >= nodes


def position_key(game: Game, seed: bytes, state: State) -> str:
    """Return the key of a position, a hash over deal, position, rules and solver version."""
    return packed_position_key(game, seed, pack_state(state))


def packed_position_key(game: Game, seed: bytes, packed: bytes) -> str:
    """Return the key of a position that was packed by `cadogan.engine.state.pack_state`."""
    versions = f"{SOLVER_VERSION} {game.slug} {game.rules_version}".encode()
    return sha256(_DOMAIN + versions + b"\0" + seed + packed).hexdigest()


def packed_past(game: GameState, most: int) -> list[bytes]:
    """Return the packed positions before the present one, latest first, without those that were taken back."""
    before, past = list[bytes](), game.past
    while past is not None and len(before) < most:
        before.append(past.packed)
        past = past.before
    return before


def moves_along(game: GameState, after: Sequence[bytes], start: bytes, won: DecidedPosition) -> int:
    """Return how many moves the player followed the winning line from `start`.

    `after` are the packed positions of the game after `start`, latest first.
    """
    state = unpack_state(start, len(game.rules.piles))
    for count, (text, packed) in enumerate(zip(won.line, reversed(after), strict=False)):
        state = game.rules.play_legal(state, game.rules.move(text), game.seed).state
        if pack_state(state) != packed:
            return count
    return min(len(won.line), len(after))


class DecidedPositions:
    """The searched positions in a database."""

    def __init__(self, database: Database, now: Clock) -> None:
        self._database = database
        self._now = now

    async def get(self, keys: Collection[str]) -> dict[str, DecidedPosition]:
        """Return the entries with these keys. Positions that were not searched are left out."""
        found: dict[str, DecidedPosition] = {}
        wanted = list(keys)
        async with self._database.reading() as connection:
            for start in range(0, len(wanted), _KEYS_PER_QUERY):
                found |= await _select(connection, wanted[start : start + _KEYS_PER_QUERY])
        return found

    async def put(self, decided: Mapping[str, DecidedPosition]) -> None:
        """Store entries by key, in place of earlier ones."""
        at = self._now()
        rows = [
            {"position": key, "verdict": one.verdict, "nodes": one.nodes, "line": " ".join(one.line), "searched_at": at}
            for key, one in decided.items()
        ]
        if rows:
            async with self._database.writing() as connection:
                await connection.execute(upsert(positions, connection.dialect), rows)

    async def count(self) -> int:
        """Return the number of entries."""
        return int(await self._database.fetch_value(select(func.count()).select_from(positions)) or 0)

    async def erase_old(self) -> None:
        """Delete the entries older than `KEPT_MILLISECONDS`, and the oldest ones beyond `MAX_POSITIONS`."""
        is_old = positions.c.searched_at < self._now() - RETENTION_MILLISECONDS
        old = int(await self._database.fetch_value(select(func.count()).where(is_old)) or 0)
        left = max(old, await self.count() - MAX_POSITIONS)
        while left > 0:
            left = left - _ERASED_AT_ONCE if await self._erase_oldest(min(left, _ERASED_AT_ONCE)) else 0

    async def _erase_oldest(self, count: int) -> int:
        """Delete at most `count` of the oldest entries, skipping rows locked by others; return their number."""
        oldest = select(positions.c.position).order_by(positions.c.searched_at).limit(count)
        chosen = positions.c.position.in_(oldest.with_for_update(skip_locked=True))
        async with self._database.writing() as connection:
            return (await connection.execute(delete(positions).where(chosen))).rowcount


async def _select(connection: AsyncConnection, keys: list[str]) -> dict[str, DecidedPosition]:
    rows = await connection.execute(select(positions).where(positions.c.position.in_(keys)))
    return {row.position: DecidedPosition(row.verdict, row.nodes, tuple(row.line.split())) for row in rows}
