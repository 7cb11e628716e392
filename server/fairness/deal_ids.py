"""The ids of deals. This module is pure: the offline verifier uses it too.

<id>              a casual game's, which is also the id of the game
<day>.<slot>      a day's
race-<race>       a race's
"""

from server.core import dates
from server.eventlog.streams import day_stream, race_stream

MAX_CANDIDATES = 50
"""How many candidates there are for a deal of a day, from which the one that is played is chosen."""
_RACE = "race-"


def daily_deal_id(day: str, slot: int) -> str:
    """Return the id of a deal of a day: the day, and the deal's number among the deals of that day, from 1.

    >>> daily_deal_id("2026-11-20", 1)
    '2026-11-20.1'
    """
    return f"{day}.{slot}"


def daily_nonce(deal: str, candidate: int = 0) -> str:
    """Return the nonce from which the cards of a candidate for a day's deal follow (`commit_reveal.seed`).

    The nonce of the first candidate, of number 0, is the id of the deal.

    >>> daily_nonce("2026-11-20.1"), daily_nonce("2026-11-20.1", 7)
    ('2026-11-20.1', '2026-11-20.1/7')
    """
    return f"{deal}/{candidate}" if candidate else deal


def race_deal_id(race_id: str) -> str:
    """Return the id of a race's deal. It is not formed like a game's id, so nobody can begin a casual game with it."""
    return _RACE + race_id


def revealing_stream(deal: str) -> str | None:
    """Return the stream whose end reveals the secret of a deal; None for a casual game's, which does so itself.

    >>> deals = ("2026-11-20.1", "race-aaaabbbbccccdddd", "aaaabbbbccccdddd")
    >>> tuple(revealing_stream(deal) for deal in deals)
    ('daily/2026-11-20', 'match/aaaabbbbccccdddd', None)
    """
    if deal.startswith(_RACE):
        return race_stream(deal.removeprefix(_RACE))
    day = deal.partition(".")[0]
    return day_stream(day) if dates.is_valid(day) else None
