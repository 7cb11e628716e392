"""What a game is, without its positions: enough to say whose it is, who may see it, and how it ended."""

from msgspec import Struct

from cadogan.server.eventlog.events import GameDealt, GameFinished
from cadogan.server.games.competition_rules import CompetitionRules
from cadogan.wire.values import Status


class GameOutline(Struct, frozen=True, kw_only=True):
    """A game at one version of its log, without its positions. Times are milliseconds since 1970, UTC."""

    id: str
    competition: CompetitionRules
    """The rules of what it is played for."""
    dealt: GameDealt
    version: int
    dealt_at: int
    finished: GameFinished | None = None
    spoiled: bool = False
    """Whether the player has asked to be shown the deal, so that the run counts no more."""

    @property
    def player(self) -> str:
        """The id of the player whose game it is."""
        return self.dealt.player

    @property
    def ranked(self) -> bool:
        """Whether it is the player's one attempt at a day's deal, and still counts."""
        return self.dealt.ranked and not self.spoiled

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.finished is not None

    @property
    def status(self) -> Status:
        """The result, or ``playing``: an outline does not tell whether a game is stuck."""
        return self.finished.result if self.finished is not None else "playing"
