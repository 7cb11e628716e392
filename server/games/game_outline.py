"""The outline of a game without its positions: its player, its visibility and its result."""

from msgspec import Struct

from cadogan.server.eventlog.events import GameDealt, GameFinished
from cadogan.server.games.competition_rules import CompetitionRules
from cadogan.wire.values import Status


class GameOutline(Struct, frozen=True, kw_only=True):
    """A game at one version of its log, without its positions. Times are milliseconds since 1970, UTC."""

    id: str
    competition: CompetitionRules
    """The rules of the competition that the game belongs to."""
    dealt: GameDealt
    version: int
    dealt_at: int
    finished: GameFinished | None = None
    spoiled: bool = False
    """Whether the player asked to see the deal, so that the run no longer counts."""

    @property
    def player(self) -> str:
        """The id of the player whose game it is."""
        return self.dealt.player

    @property
    def ranked(self) -> bool:
        """Whether it is the player's one ranked attempt at a daily deal, and still counts."""
        return self.dealt.ranked and not self.spoiled

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.finished is not None

    @property
    def status(self) -> Status:
        """The result, or ``playing``; ``stuck`` is not detected without positions."""
        return self.finished.result if self.finished is not None else "playing"
