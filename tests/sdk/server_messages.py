"""Messages of a server about one game, for tests without a server."""

from typing import Any

from msgspec import json, structs

from cadogan.wire import messages as wire
from cadogan.wire.message import Message
from cadogan.wire.values import GameCard, Player

GAME = "k3v7q2m5x4c6z2ab"
CARD = GameCard(
    id=GAME,
    rules="klondike",
    rules_version=1,
    player=Player(id="p", name="Ada", guest=False),
    deal="d",
    mode="daily",
    ranked=True,
    status="playing",
    started_at=0,
    commitment="0" * 64,
)
VIEW = wire.View(
    game=CARD,
    sight="seat",
    version=4,
    score=0,
    home=0,
    moves=3,
    status="playing",
    watchers=2,
    clock=5000,
    piles={"stock": [2], "waste": ["7H"], "tableau.0": [1, "8S"], "foundation.0": []},
    counters={"redeals": 1},
    legal=["waste/tableau.0", "deal"],
    can_take_back=True,
    may_ask_if_winnable=True,
)
PLAYED = wire.MovePlayed(
    game=GAME,
    version=5,
    move="waste/tableau.0",
    effects=["moved waste tableau.0 1"],
    piles={"waste": [], "tableau.0": [1, "8S", "7H"]},
    counters={},
    score=1,
    home=0,
    moves=4,
    status="playing",
    at=9,
    legal=["deal"],
    can_take_back=True,
)


def frame(message: Message, **changed: Any) -> bytes:
    """Return the frame of a message, with some of its keys replaced."""
    return json.encode(structs.replace(message, **changed))
