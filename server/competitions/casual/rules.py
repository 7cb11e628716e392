"""The rules of casual games."""

from cadogan.server.eventlog.events import GameDealt
from cadogan.server.games.competition_rules import CompetitionRules
from cadogan.wire.values import Mode


class CasualRules(CompetitionRules):
    """The rules of a casual game: everybody may watch, every move may be taken back, the end reveals the secret."""

    key = "casual"
    is_shared = False
    reveals_secret_at_end = True

    def owns(self, dealt: GameDealt) -> bool:
        """Return whether no competition is named in the deal."""
        return dealt.day is None and dealt.race is None and dealt.competition is None

    def mode(self, dealt: GameDealt) -> Mode:
        return "casual"

    def may_take_back_revealing_moves(self, ranked: bool) -> bool:
        return True

    def may_have_hints(self, ranked: bool) -> bool:
        return True

    def find_fault(self, dealt: GameDealt) -> str | None:
        return None
