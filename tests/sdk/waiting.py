"""Wait until a game has reached a number of moves."""

import asyncio

from cadogan.sdk import Session
from cadogan.sdk.game import Game
from tests.harness.patience import soon


async def until_played(game: Game, moves: int) -> Session:
    """Wait until this many moves have been played, and return the session then."""
    async with asyncio.timeout(soon()):
        async for session in game.changes():
            if session.played >= moves:
                return session
    raise AssertionError(f"the game ended after {game.played} moves")
