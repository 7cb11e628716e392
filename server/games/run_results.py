"""The results of runs that count: whether a player's one attempt at a deal was begun, spoiled or finished."""

from collections.abc import Iterable

from cadogan.server.eventlog.stream_workers import WorkerBatcher
from cadogan.server.eventlog.streams import game_stream
from cadogan.server.games.game_index import Attempt, GameIndex

MAX_REMEMBERED = 100_000
"""Attempts that are remembered once they are finished or spoiled, since that never changes again."""


class RunResults:
    """Asks the index for attempts, many at once, and remembers what cannot change."""

    def __init__(self, index: GameIndex) -> None:
        self._attempts = WorkerBatcher(index.workers, game_stream, index.read_attempts)
        self._settled: dict[str, Attempt] = {}

    async def get(self, game_id: str) -> Attempt:
        """Return what the log says of the attempt of this id."""
        return (await self.get_many((game_id,))).get(game_id, Attempt())

    async def get_many(self, wanted: Iterable[str], *, partly: bool = False) -> dict[str, Attempt]:
        """Return what the log says of the attempts with these ids. One neither begun nor spoiled is left out.

        With `partly=True`, so is one whose worker is away, where the log is distributed.
        """
        known = {game_id: self._settled.get(game_id) for game_id in wanted}
        unsettled = [game_id for game_id, attempt in known.items() if attempt is None]
        found = await self._attempts.get_many(unsettled, partly=partly)
        settled = {id: one for id, one in found.items() if one.spoiled or one.result is not None}
        if len(self._settled) + len(settled) > MAX_REMEMBERED:
            self._settled.clear()
        self._settled |= settled
        return {id: one for id, one in known.items() if one is not None} | found
