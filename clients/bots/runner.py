"""Let a bot play a game, or all deals of a day."""

import random
from collections.abc import Callable, Sequence
from typing import Protocol

from cadogan.bots.lookahead_bot import LookaheadBot
from cadogan.bots.random_bot import RandomBot
from cadogan.sdk import Client, Game, Session
from cadogan.sdk.moves import Move
from cadogan.wire.bodies import PilePlace


class Bot(Protocol):
    """Plays one game."""

    def choose(self, session: Session) -> Move | None:
        """Return the next move, one of `session.moves`; None to give up."""


BOTS: dict[str, Callable[[Sequence[PilePlace], random.Random], Bot]] = {"chance": RandomBot, "thought": LookaheadBot}
"""The bots by their names in the option `--bot`. A bot for one game is made from its piles and a random generator."""


async def play_game(game: Game, bot: Bot) -> None:
    """Play a game until it ends. If the bot gives up, the game is resigned. Raises RefusalError or Unreachable."""
    while not game.over:
        move = bot.choose(game.session)
        if move is None:
            await game.resign()
            return
        await game.play(move)


async def play_day(client: Client, bot: str, generator: random.Random, day: str = "today") -> list[Session]:
    """Play every deal of a day, and return how each game ended. Games that were begun before are continued.

    `bot` is a name of `BOTS`. Raises KeyError for another name, RefusalError or Unreachable.
    """
    sessions = []
    for deal in (await client.show_daily(day)).deals:
        game = await client.enter(day, deal.slot)
        try:
            await play_game(game, BOTS[bot](game.rules.layout.piles, generator))
        finally:
            game.close()
        sessions.append(game.session)
    return sessions
