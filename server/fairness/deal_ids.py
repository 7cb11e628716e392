"""The ids of deals. This module is pure: the offline verifier uses it too.

<id>              a casual game's, which is also the id of the game
<day>.<slot>      a day's
race-<race>       a race's
"""

from server.core import dates
from server.eventlog.streams import day_stream, race_stream

_RACE = "race-"


def daily_deal_id(day: str, slot: int) -> str:
    """Return the id of a deal of a day: the day, and the deal's number among the deals of that day, from 1.

    The id is also the nonce from which the deal's cards follow (`commit_reveal.seed`).

    >>> daily_deal_id("2026-11-20", 1)
    '2026-11-20.1'
    """
    return f"{day}.{slot}"


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
