"""A Python client for Cadogan: play, watch and read a server from programs.

    async with connect("https://patience.example") as cadogan:
        game = await cadogan.deal("klondike")
        await game.play(game.moves[0])
        print(game)

`clients.sdk.blocking` is the same for scripts that wait for every answer. `protocol` and `session` do no I/O,
`text_canvas` draws any game in characters, `errors` has an exception for each refusal.
"""

from clients.sdk.client import Client, connect
from clients.sdk.game import Game
from clients.sdk.moves import Joint, Move, Transfer, Verb
from clients.sdk.session import DOWN, Session

__all__ = ["DOWN", "Client", "Game", "Joint", "Move", "Session", "Transfer", "Verb", "connect"]
