"""The rules of a race: one deal for all racers, a time limit, and no boards."""

from collections.abc import Collection

from cadogan.server.eventlog.events import GameDealt
from cadogan.wire.values import Mode


class RaceRules:
    """The decisions of a race about its games."""

    is_shared = True
    reveals_secret_at_end = False

    def owns(self, dealt: GameDealt) -> bool:
        """Return whether the game is part of a race."""
        return dealt.race is not None

    def mode(self, dealt: GameDealt) -> Mode:
        return "race"

    def may_take_back_revealing_moves(self, ranked: bool) -> bool:
        return False

    def may_have_hints(self, ranked: bool) -> bool:
        return False

    def earliest_timeout(self, dealt: GameDealt, ranked: bool) -> int | None:
        """Return a time before every game, because the record of a game does not contain when its race ends."""
        return 0

    def lifts_embargo(self, dealt: GameDealt) -> bool:
        return True

    def topics(self, dealt: GameDealt) -> Collection[str]:
        return ()

    def board_day(self, dealt: GameDealt) -> str | None:
        return None

    def find_fault(self, dealt: GameDealt) -> str | None:
        return None
