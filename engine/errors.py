"""What the engine refuses.

EngineError
├── UnknownGame        no game of that name
├── UnreadableMove     the text is no move of this game, in any position
├── IllegalMove        a move, but not allowed in this position
├── UnreadablePosition a pile, card or counter that this game does not have
├── BrokenEffect       an effect that cannot have happened in this position
└── WrongDeclaration   a game file contradicts itself; raised when it is loaded
"""

from engine.translatable_text import Said, said


class EngineError(Exception):
    """Anything the engine refuses; the message names the input and says what would be right."""

    def __init__(self, words: str | Said) -> None:
        super().__init__(words)
        self.said = said(words)
        """The message, so that it can be said in other languages."""


class UnknownGame(EngineError):
    """No game of that name."""


class UnreadableMove(EngineError):
    """A text that is no move of this game in any position."""


class IllegalMove(EngineError):
    """A readable move that the rules do not allow in this position. The message never names a hidden card."""


class UnreadablePosition(EngineError):
    """A position naming a pile, card or counter that the game does not have."""


class BrokenEffect(EngineError):
    """An effect that cannot be folded into this position: the record is damaged."""


class WrongDeclaration(EngineError):
    """A game file that contradicts itself."""
