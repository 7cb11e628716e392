"""A bot at a game, and through a day's card."""

import random
from collections.abc import Callable, Sequence
from typing import Protocol

from clients.bots.lookahead_bot import Thought
from clients.bots.random_bot import Chance
from clients.sdk import Client, Game, Session
from clients.sdk.moves import Move
from clients.wire.bodies import PilePlace


class Bot(Protocol):
    """Plays one game: asked again and again, it says the next move, or none to give up."""

    def choose(self, session: Session) -> Move | None:
        """The next move in this position, one of its `moves`."""


BOTS: dict[str, Callable[[Sequence[PilePlace], random.Random], Bot]] = {"chance": Chance, "thought": Thought}
"""The bots that there are, each made for one game from the places of its piles and a source of chance."""


async def play(game: Game, bot: Bot) -> None:
    """Play a game until it is over, or the bot gives up. Raises RefusalError or Unreachable."""
    while not game.over:
        move = bot.choose(game.session)
        if move is None:
            await game.resign()
            return
        await game.play(move)


async def play_card(client: Client, name: str, chance: random.Random, day: str = "today") -> list[Session]:
    """Play every deal of a day, going on with what was begun; how each game ended.

    Raises KeyError for a bot of no such name, RefusalError or Unreachable.
    """
    ended = []
    for deal in (await client.show_daily(day)).deals:
        game = await client.enter(day, deal.slot)
        try:
            await play(game, BOTS[name](game.rules.layout.piles, chance))
        finally:
            game.close()
        ended.append(game.session)
    return ended
