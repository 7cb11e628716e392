"""The rules of patience: cards, games, moves and their effects. No I/O, no clock, no randomness, no third party.

>>> klondike = game("klondike")
>>> state = klondike.deal(bytes(32))
>>> move = klondike.move("deal")
>>> effects, state, revealed = klondike.play(state, move)
>>> [klondike.effect_text(effect) for effect in effects]
['moved stock waste 1']
"""

from cadogan.engine.errors import (
    BrokenEffect,
    EngineError,
    IllegalMove,
    UnknownDeal,
    UnknownGame,
    UnreadableMove,
    UnreadablePosition,
    WrongDeclaration,
)
from cadogan.engine.game import Game, Played
from cadogan.engine.moves import Move
from cadogan.engine.registry import all_games, game, slugs
from cadogan.engine.state import State
from cadogan.engine.translatable_text import TranslatableText

__all__ = [
    "BrokenEffect",
    "EngineError",
    "Game",
    "IllegalMove",
    "Move",
    "Played",
    "State",
    "TranslatableText",
    "UnknownDeal",
    "UnknownGame",
    "UnreadableMove",
    "UnreadablePosition",
    "WrongDeclaration",
    "all_games",
    "game",
    "slugs",
]
