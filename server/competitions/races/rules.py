"""The rules of a race: one deal for all racers, a time limit, and no boards."""

from cadogan.server.eventlog.events import GameDealt
from cadogan.server.games.competition_rules import CompetitionRules


class RaceRules(CompetitionRules):
    """The decisions of a race about its games."""

    key = "race"

    def owns(self, dealt: GameDealt) -> bool:
        """Return whether the game is part of a race."""
        return dealt.race is not None and dealt.competition is None

    def earliest_timeout(self, dealt: GameDealt, ranked: bool) -> int | None:
        """Return a time before every game, because the record of a game does not contain when its race ends."""
        return 0

    def lifts_embargo(self, dealt: GameDealt) -> bool:
        return True

    def find_fault(self, dealt: GameDealt) -> str | None:
        return None
