"""The rules of the games of evenings, and the names of streams and games. Pure."""

import re
from collections.abc import Iterable

from cadogan.server.core.eventlog.events import CompetitionEvent, Event, GameDealt
from cadogan.server.core.eventlog.projections import ContestRow
from cadogan.server.core.fairness.commit_reveal import COMPETITION_DIGITS, beacon_digits, is_candidate_nonce
from cadogan.server.core.games.competition_rules import CompetitionRules
from cadogan.server.subjects.evenings.evening_events import EVENTS, KEY
from cadogan.server.subjects.evenings.evening_state import EveningState

_ABOUT = re.compile("[A-Za-z0-9_-]{1,64}/[1-9][0-9]{0,8}")


class EveningRules(CompetitionRules):
    """The rules of the games of an evening. `about` is the evening, a slash, and the number of the round."""

    key = KEY
    events = EVENTS

    def earliest_timeout(self, dealt: GameDealt, ranked: bool) -> int | None:
        """Return 0: the stream of the evening has the time, which the leader may extend."""
        return 0

    def draws_from_beacon(self, dealt: GameDealt) -> bool:
        return beacon_digits(dealt.nonce) is not None

    def may_have_nonce(self, nonce: str, deal: str) -> bool:
        """Return whether this is the nonce of a candidate; the record of the evening has its number and its round."""
        return is_candidate_nonce(nonce, deal, COMPETITION_DIGITS)

    def find_fault(self, dealt: GameDealt) -> str | None:
        return super().find_fault(dealt) or find_wrong_about(dealt)

    def list_stream(self, stream: str, events: Iterable[tuple[Event, int]]) -> ContestRow | None:
        state = EveningState(stream=stream)
        for event, at in events:
            if isinstance(event, CompetitionEvent):
                state = state.apply(event, at)
        return state.list_row()


def about_of(evening: str, number: int) -> str:
    """Return the value of `about` in the deals of this round.

    >>> about_of("aaaabbbbccccdddd", 2)
    'aaaabbbbccccdddd/2'
    """
    return f"{evening}/{number}"


def find_wrong_about(dealt: GameDealt) -> str | None:
    """Return why a deal names no round of an evening, as text; None if it names one."""
    return None if _ABOUT.fullmatch(dealt.about or "") else "a run of an evening names the evening and its round"


def read_about(dealt: GameDealt) -> tuple[str, int]:
    """Return the id of the evening of a game, and the number of its round."""
    id, _, number = (dealt.about or "").partition("/")
    return id, int(number)


def evening_stream(evening: str) -> str:
    """Return the name of the stream of an evening."""
    return f"{KEY}/{evening}"
