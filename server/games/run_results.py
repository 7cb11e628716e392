"""The results of ranked runs: whether a player's one attempt at a deal was started, spoiled or finished."""

from collections.abc import Iterable

from cadogan.server.eventlog.streams import game_stream
from cadogan.server.games.game_index import Attempt, GameIndex

MAX_REMEMBERED = 100_000
"""Cached attempts that are finished or spoiled, since these never change."""


class RunResults:
    """Reads attempts from the index in batches, and caches those that cannot change."""

    def __init__(self, index: GameIndex) -> None:
        self._attempts = index.store.batcher(game_stream, index.read_attempts)
        self._settled: dict[str, Attempt] = {}

    async def get(self, game_id: str) -> Attempt:
        """Return the attempt with this game id."""
        return (await self.get_many((game_id,))).get(game_id, Attempt())

    async def get_many(self, wanted: Iterable[str], *, partly: bool = False) -> dict[str, Attempt]:
        """Return the attempts with these game ids. Attempts that are neither started nor spoiled are left out.

        With `partly=True`, attempts in an unavailable part of the log are left out as well.
        """
        known = {game_id: self._settled.get(game_id) for game_id in wanted}
        unsettled = [game_id for game_id, attempt in known.items() if attempt is None]
        found = await self._attempts.get_many(unsettled, partly=partly)
        settled = {id: one for id, one in found.items() if one.spoiled or one.result is not None}
        if len(self._settled) + len(settled) > MAX_REMEMBERED:
            self._settled.clear()
        self._settled |= settled
        return {id: one for id, one in known.items() if one is not None} | found
