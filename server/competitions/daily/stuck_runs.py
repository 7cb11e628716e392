"""Ends the runs of a day that were left without a legal move: they were played to the end, and count like any other."""

from collections.abc import Sequence
from typing import Protocol

from cadogan.server.games.game_index import GameIndex
from cadogan.server.games.game_reader import GameReader
from cadogan.server.games.game_state import GameState


class Commands(Protocol):
    """The game command that ends a run."""

    async def end_at_dead_end(self, game_id: str) -> GameState:
        """Return a game, and end it if it has no legal move."""


class StuckRuns:
    """The attempts without a legal move, in which the last move could still be taken back."""

    def __init__(self, index: GameIndex, reader: GameReader, commands: Commands) -> None:
        self._index = index
        self._reader = reader
        self._commands = commands

    async def end_all(self, deals: Sequence[str]) -> None:
        """End everybody's attempts at these deals in which no move is left, each as of its last move.

        Call this when no move can be played any more, and before the boards are final.
        """
        for game_id in await self._index.unfinished_attempts(deals):
            if (await self._reader.load(game_id)).status == "stuck":
                await self._commands.end_at_dead_end(game_id)
