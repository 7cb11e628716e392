"""The moves of a game as an analysis sees them, and the position at each version of the game."""

from typing import NamedTuple

from cadogan.engine import Move
from cadogan.engine.game import Game
from cadogan.engine.state import State
from cadogan.server.core.errors import Conflict
from cadogan.server.eventlog.events import MovePlayed, MoveTakenBack
from cadogan.server.games.game_reader import GameReader
from cadogan.server.games.game_state import Step

MAX_VERSIONS = 3000
"""Longer games are not analysed."""


class Run(NamedTuple):
    """A game up to some version. `seed` is the 32-byte seed of its deal, `deal` its first position.

    `played` are the moves in order; None takes the last one back. `played_at[v - 1]` is how many of them were played at
    version `v`.
    """

    rules: Game
    seed: bytes
    deal: State
    played: list[Move | None]
    played_at: list[int]

    def moves_left(self) -> list[Move]:
        """Return the moves that were not taken back."""
        moves = list[Move]()
        for move in self.played:
            if move is None:
                moves.pop()
            else:
                moves.append(move)
        return moves


async def read_run(reader: GameReader, game_id: str, version: int | None = None) -> Run:
    """Return a game up to this version, or all of it. Raises NotFound, or Conflict for a game that is too long."""
    if version is not None:
        _require_short(version)
    played: list[Move | None] = []
    played_at: list[int] = []
    deals: list[State] = []

    def use(step: Step) -> None:
        match step.event:
            case MovePlayed(move):
                played.append(step.after.rules.move(move))
            case MoveTakenBack():
                played.append(None)
        if step.before is None:
            deals.append(step.after.position.state)
        played_at.append(len(played))

    game = await reader.read_steps(game_id, use, version)
    _require_short(game.version)
    return Run(game.rules, game.seed, deals[0], played, played_at)


def _require_short(version: int) -> None:
    if version > MAX_VERSIONS:
        raise Conflict("A game of more than {count} moves and take-backs is not analysed.", count=MAX_VERSIONS)
