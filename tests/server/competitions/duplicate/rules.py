"""What a match decides without a database: its events, and the rules of its games. `cadogan verify` loads no more."""

from typing import ClassVar

from cadogan.server.core.eventlog.events import CompetitionEvent, GameDealt
from cadogan.server.core.games.competition_rules import CompetitionRules
from cadogan.server.core.ranking import RankKey

KEY = "duplicate"


class MatchOpened(CompetitionEvent, frozen=True):
    """A match was opened: a sealed deal of this game for each round, and each round so many seconds."""

    name: ClassVar[str] = "duplicate_opened"
    game: str
    commitments: tuple[str, ...]
    starts_at: int
    seconds: int


class Entered(CompetitionEvent, frozen=True):
    """A player plays for a team."""

    name: ClassVar[str] = "duplicate_entered"
    player: str
    team: str


class RoundOpened(CompetitionEvent, frozen=True):
    """The deal of the next round may be played."""

    name: ClassVar[str] = "duplicate_round_opened"


class RoundClosed(CompetitionEvent, frozen=True):
    """The time of a round is up: what the run of each player came to, and the secret of its deal, in hex."""

    name: ClassVar[str] = "duplicate_round_closed"
    reveals: ClassVar[bool] = True
    runs: dict[str, RankKey]
    secret: str


class MatchEnded(CompetitionEvent, frozen=True):
    """All rounds are closed."""

    name: ClassVar[str] = "duplicate_ended"
    ends: ClassVar[bool] = True


class DuplicateRules(CompetitionRules):
    """The rules of the games of a match. `about` is the match, a slash, and the number of the round."""

    key = KEY
    events = (MatchOpened, Entered, RoundOpened, RoundClosed, MatchEnded)

    def earliest_timeout(self, dealt: GameDealt, ranked: bool) -> int | None:
        return 0

    def lifts_embargo(self, dealt: GameDealt) -> bool:
        return True
