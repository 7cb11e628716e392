"""The rules of casual games."""

from collections.abc import Collection

from cadogan.server.eventlog.events import GameDealt
from cadogan.wire.values import Mode


class CasualRules:
    """The rules of a casual game: anybody may watch, every move may be taken back, the end reveals the secret."""

    is_shared = False
    reveals_secret_at_end = True

    def owns(self, dealt: GameDealt) -> bool:
        """Return whether the deal names no competition."""
        return dealt.day is None and dealt.race is None

    def mode(self, dealt: GameDealt) -> Mode:
        return "casual"

    def may_take_back_revealing_moves(self, ranked: bool) -> bool:
        return True

    def may_have_hints(self, ranked: bool) -> bool:
        return True

    def earliest_timeout(self, dealt: GameDealt, ranked: bool) -> int | None:
        return None

    def lifts_embargo(self, dealt: GameDealt) -> bool:
        return False

    def topics(self, dealt: GameDealt) -> Collection[str]:
        return ()

    def board_day(self, dealt: GameDealt) -> str | None:
        return None

    def find_fault(self, dealt: GameDealt) -> str | None:
        return None
