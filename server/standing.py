"""Who may see what of a game: the one place that decides, for socket, HTTP, export, replay and error texts.

``seat``: the player, who sees what a person at the table sees and may act. ``board``: the same sight without the hand.
``meter``: how far the game is, and no card or pile; for whoever has yet to play the deal that everyone plays.
"""

from enum import StrEnum


class Sight(StrEnum):
    """A class of viewers: all of a class are sent the same bytes."""

    SEAT = "seat"
    BOARD = "board"
    METER = "meter"


def sight(*, own: bool, daily: bool, closed: bool, finished: bool) -> Sight:
    """What a viewer sees of a game.

    `own`: it is the viewer's; `daily`: everyone plays this deal; `closed`: its day and grace are over; `finished`: the
    viewer's own run of that day has ended.
    """
    if own:
        return Sight.SEAT
    return Sight.BOARD if not daily or closed or finished else Sight.METER


def may_have_record(*, daily: bool, closed: bool, over: bool) -> bool:
    """Whether the record of a game, secret and hashes included, is anyone's: after its end, a daily's after its day."""
    return closed if daily else over
