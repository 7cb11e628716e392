"""The ids of deals. This module is pure: the offline verifier uses it too.

<id>              a casual game's, which is also the id of the game
<day>.<slot>      a day's
race-<race>       a race's
<key>-<id>-<…>    a competition's that is an extension: its key, what the deal is about, with hyphens for slashes
"""

from cadogan.server.core import dates
from cadogan.server.eventlog.streams import day_stream, race_stream

MAX_CANDIDATES = 50
"""The number of candidates for a deal of a day; one of them is played."""
NONCE_DIGITS = 48
"""Digits of a round's digest in a nonce: 192 bits, because a nonce has at most 64 characters."""
_BEACON = "@"
_RACE = "race-"


def daily_deal_id(day: str, slot: int) -> str:
    """Return the id of a deal of a day: the day, and the deal's number among the deals of that day, from 1.

    >>> daily_deal_id("2026-11-20", 1)
    '2026-11-20.1'
    """
    return f"{day}.{slot}"


def daily_nonce(deal: str, candidate: int = 0, round_digest: str | None = None) -> str:
    """Return the nonce that determines the cards of a candidate for a day's deal (`commit_reveal.seed`).

    The nonce of the first candidate, of number 0, is the id of the deal. `round_digest` is the digest of the day's
    beacon round, if it has one (`cadogan.server.fairness.beacon`).

    >>> daily_nonce("2026-11-20.1"), daily_nonce("2026-11-20.1", 7)
    ('2026-11-20.1', '2026-11-20.1/7')
    >>> daily_nonce("2026-11-20.1", 7, "fe290beca10872ef2fb164d2aa4442de4566183ec51c56ff3cd603d930e54fdd")
    '2026-11-20.1/7@fe290beca10872ef2fb164d2aa4442de4566183ec51c56ff'
    """
    name = f"{deal}/{candidate}" if candidate else deal
    return name if round_digest is None else f"{name}{_BEACON}{round_digest[:NONCE_DIGITS]}"


def beacon_digits(nonce: str) -> str | None:
    """Return the digits of a round's digest in the nonce of a day's deal; None if it has none.

    >>> beacon_digits("2026-11-20.1/7")
    """
    _, separator, digits = nonce.partition(_BEACON)
    return digits if separator else None


def race_deal_id(race_id: str) -> str:
    """Return the id of a race's deal. Its format differs from a game's id, so no casual game can have it."""
    return _RACE + race_id


def competition_deal_id(key: str, about: str) -> str:
    """Return the id of a deal of the competition with this key.

    `about` is the id of the competition's stream, and perhaps words after it. The nonce of the cards is the same text.

    >>> competition_deal_id("duplicate", "aaaabbbbccccdddd/1")
    'duplicate-aaaabbbbccccdddd-1'
    """
    return f"{key}-{about.replace('/', '-')}"


def revealing_stream(deal: str) -> str | None:
    """Return the stream whose end reveals the secret of a deal; None for a casual game, which reveals its own.

    >>> deals = ("2026-11-20.1", "race-aaaabbbbccccdddd", "aaaabbbbccccdddd")
    >>> tuple(revealing_stream(deal) for deal in deals)
    ('daily/2026-11-20', 'match/aaaabbbbccccdddd', None)
    """
    if deal.startswith(_RACE):
        return race_stream(deal.removeprefix(_RACE))
    day = deal.partition(".")[0]
    return day_stream(day) if dates.is_valid(day) else None
