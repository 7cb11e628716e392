"""The ids of daily deals. This module is pure: the offline verifier uses it too."""


def daily_deal_id(day: str, slot: int) -> str:
    """Return the id of a deal of a day: the day, and the deal's number among the deals of that day, from 1.

    The id is also the nonce from which the deal's cards follow (`commit_reveal.seed`).

    >>> daily_deal_id("2026-11-20", 1)
    '2026-11-20.1'
    """
    return f"{day}.{slot}"
