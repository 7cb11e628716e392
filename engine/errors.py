"""The errors of the engine.

EngineError
├── UnknownGame        no game has that name
├── UnknownDeal        the game has no deal with that number
├── UnreadableMove     the text is no move of this game, in any position
├── IllegalMove        the move is readable, but not allowed in this position
├── UnreadablePosition a pile, card or counter that this game does not have
├── BrokenEffect       an effect that cannot have happened in this position
├── WrongResult        a result of the solver that is damaged or false
└── WrongDeclaration   a game file contradicts itself; raised when it is loaded
"""

from cadogan.engine.translatable_text import TranslatableText, as_translatable


class EngineError(Exception):
    """The base class of the engine's errors; the message names the input and what would be valid."""

    def __init__(self, words: str | TranslatableText) -> None:
        super().__init__(words)
        self.translatable = as_translatable(words)
        """The message, in the form that clients can translate."""


class UnknownGame(EngineError):
    """No game has that name."""


class UnknownDeal(EngineError):
    """The game has no deal with that number."""


class UnreadableMove(EngineError):
    """The text is no move of this game, in any position."""


class IllegalMove(EngineError):
    """The move is readable, but the rules do not allow it in this position. The message never names a hidden card."""


class UnreadablePosition(EngineError):
    """The position names a pile, card or counter that the game does not have."""


class BrokenEffect(EngineError):
    """The effect cannot have happened in this position: the record is damaged."""


class WrongResult(EngineError):
    """A line in a file of the solver's results is damaged or false."""


class WrongDeclaration(EngineError):
    """A game file contradicts itself."""
