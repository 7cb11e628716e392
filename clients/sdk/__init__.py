"""The Python SDK: play, watch and read a Cadogan server from programs.

    async with connect("https://patience.example") as cadogan:
        game = await cadogan.deal("klondike")
        await game.play(game.moves[0])
        print(game)

`blocking` has the same for scripts without `async`. `errors` has an exception for each refusal. `protocol`, `session`
and `moves` do no I/O; `text_layout` and `text_canvas` draw any game in characters.

The SDK imports `cadogan.wire` and nothing else of this repository. The terminal client and the bots are built on it.
"""

from cadogan.sdk.client import Client, connect
from cadogan.sdk.game import Game
from cadogan.sdk.moves import Joint, Move, Transfer, Verb
from cadogan.sdk.session import DOWN, Session

__all__ = ["DOWN", "Client", "Game", "Joint", "Move", "Session", "Transfer", "Verb", "connect"]
