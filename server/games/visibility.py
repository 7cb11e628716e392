"""Who may see what of a game: the one place that decides, for socket, HTTP, export, replay and error texts.

``seat``: the player, who sees what a person at the table sees and may act. ``board``: the same sight without the hand.
``meter``: how far the game is, and no card or pile; for whoever has yet to play the deal that others play too.
"""

from enum import StrEnum
from typing import NamedTuple


class Sight(StrEnum):
    """A class of viewers: all of a class are sent the same bytes."""

    SEAT = "seat"
    BOARD = "board"
    METER = "meter"


class Standing(NamedTuple):
    """How a viewer stands to a game.

    `own`: the viewer plays it. `shared`: others play the same deal, that of a day or a race. `public`: its day with its
    grace, or its race, is over. `finished`: the viewer's own run of the deal has ended; of a day's deal, the one
    attempt. `spoiled`: the viewer has asked to be shown the deal, and no run of the viewer's counts any more.
    `newcomer`: nobody knows the viewer yet, who is not signed in or has a fresh account, perhaps a second one.
    """

    own: bool = False
    shared: bool = False
    public: bool = False
    finished: bool = False
    spoiled: bool = False
    newcomer: bool = False


def sight(viewer: Standing) -> Sight:
    """What the viewer sees of the game."""
    if viewer.own:
        return Sight.SEAT
    if not viewer.shared or viewer.public:
        return Sight.BOARD
    return Sight.BOARD if (viewer.finished or viewer.spoiled) and not viewer.newcomer else Sight.METER


def is_logged(viewer: Standing) -> bool:
    """Whether it is written down that the viewer was shown the game: another's, of a deal not everybody's yet."""
    return sight(viewer) is Sight.BOARD and viewer.shared and not viewer.public


def may_practise(viewer: Standing) -> bool:
    """Whether a day's deal may be played once more, or too late: when one's own run cannot be helped by it."""
    return viewer.public or viewer.finished or viewer.spoiled


def may_have_record(*, shared: bool, public: bool, over: bool) -> bool:
    """Whether the record of a game, secret and hashes included, is anyone's: after its end, day or race."""
    return public if shared else over
