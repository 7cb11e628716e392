"""The rules of the daily challenge: one ranked run of each deal of a day, and practice that counts for nothing."""

import re
from collections.abc import Collection

from cadogan.server.cluster.bus import day_topic
from cadogan.server.core import dates
from cadogan.server.eventlog.events import GameDealt
from cadogan.server.fairness.deal_ids import MAX_CANDIDATES, NONCE_DIGITS, beacon_digits, daily_deal_id, daily_nonce
from cadogan.server.games.competition_rules import CompetitionRules
from cadogan.wire.values import Mode

_DIGITS = re.compile(f"[0-9a-f]{{{NONCE_DIGITS}}}")


class DailyRules(CompetitionRules):
    """The decisions of the daily challenge about its games. A practice run also belongs to the day, but is unranked."""

    key = "daily"

    def owns(self, dealt: GameDealt) -> bool:
        """Return whether the deal belongs to a day."""
        return dealt.day is not None and dealt.competition is None

    def mode(self, dealt: GameDealt) -> Mode:
        return "daily" if dealt.ranked else "practice"

    def may_take_back_revealing_moves(self, ranked: bool) -> bool:
        """Return whether the run is unranked; see `docs/fairness.md`."""
        return not ranked

    def may_have_hints(self, ranked: bool) -> bool:
        """Return whether the run is unranked."""
        return not ranked

    def earliest_timeout(self, dealt: GameDealt, ranked: bool) -> int | None:
        """Return the end of the day for a ranked run, which the day's close ends; None for practice."""
        if not ranked or dealt.day is None or not dates.is_valid(dealt.day):
            return None
        return dates.day_times(dealt.day, 0).ends_at

    def lifts_embargo(self, dealt: GameDealt) -> bool:
        """Return whether this is the ranked run. Practice comes after it and does not matter."""
        return dealt.ranked

    def topics(self, dealt: GameDealt) -> Collection[str]:
        """Return the topic of the day's runs, for a ranked run."""
        return (day_topic(dealt.day),) if dealt.day is not None and dealt.ranked else ()

    def board_day(self, dealt: GameDealt) -> str | None:
        """Return the day of a ranked run."""
        return dealt.day if dealt.ranked else None

    def find_fault(self, dealt: GameDealt) -> str | None:
        """Return the contradiction between the deal's id, nonce, day and slot, as text; None if there is none."""
        deal = daily_deal_id(dealt.day or "", dealt.slot or 0)
        digits = beacon_digits(dealt.nonce)
        nonces = [daily_nonce(deal, number, digits) for number in range(MAX_CANDIDATES)]
        if dealt.deal == deal and dealt.nonce in nonces and (digits is None or _DIGITS.fullmatch(digits)):
            return None
        return f"the nonce of a day's deal is its name, {deal}, or that of one of its candidates, not {dealt.nonce!r}"
