"""Who may see what of a game: the one place that decides, for socket, HTTP, exports, replays and error texts.

Nothing here knows a competition or a database: what is asked of them is handed in as a `Relation`.
"""

from enum import StrEnum
from typing import NamedTuple


class AccessLevel(StrEnum):
    """How much of a game a viewer sees. All viewers of one sight are sent the same bytes."""

    SEAT = "seat"
    """The player: what a person at the table sees, and the legal moves."""
    BOARD = "board"
    """What a person at the table sees, but no legal moves."""
    PROGRESS = "meter"
    """How far the game is, and no card or pile: for whoever has yet to play a deal that others play too."""


class Relation(NamedTuple):
    """How a viewer is related to a game."""

    own: bool = False
    """The viewer plays it."""
    shared: bool = False
    """Others play the same deal, in a competition."""
    public: bool = False
    """The deal is everybody's: its competition has revealed the secret, or may do so now."""
    finished: bool = False
    """The viewer's own run of the deal, the one that counts, has ended. An owner and their bots have one together."""
    spoiled: bool = False
    """The viewer has asked to be shown the deal, and no run of the viewer's counts any more."""
    newcomer: bool = False
    """The viewer is not signed in, is a guest, or claimed a name so late that it may be somebody's second account."""


def access_level_of(viewer: Relation) -> AccessLevel:
    """Return what the viewer sees of the game."""
    if viewer.own:
        return AccessLevel.SEAT
    if not viewer.shared or viewer.public:
        return AccessLevel.BOARD
    return AccessLevel.BOARD if (viewer.finished or viewer.spoiled) and not viewer.newcomer else AccessLevel.PROGRESS


def must_log_view(viewer: Relation) -> bool:
    """Return whether it is logged that the viewer was shown the game: another's, of a deal that is still secret."""
    return access_level_of(viewer) is AccessLevel.BOARD and viewer.shared and not viewer.public


def may_practise(viewer: Relation) -> bool:
    """Return whether a shared deal may be played for practice: when that can help no run that counts.

    Practice shows more cards than any look at another's game, so a newcomer waits until the deal is everybody's.
    """
    return viewer.public or ((viewer.finished or viewer.spoiled) and not viewer.newcomer)


def may_have_record(*, shared: bool, public: bool, over: bool) -> bool:
    """Return whether anybody may have the record of a game, with secret and hashes: after its end, day or race."""
    return public if shared else over


def may_have_analysis(*, shared: bool, public: bool, over: bool) -> bool:
    """Return whether anybody may have the analysis of a game, and play on from it: it tells of all cards, as a record.

    A line that wins says what lies face down, so that nobody may have it while others may still play the deal.
    """
    return may_have_record(shared=shared, public=public, over=over)


def may_ask_if_winnable(*, own: bool, hints: bool, shared: bool, public: bool) -> bool:
    """Return whether a player may ask, while playing, whether the position can still be won.

    `hints` is whether there are hints in the game: whether it counts for nothing.
    """
    return own and hints and (public or not shared)


def may_have_secret(*, public: bool) -> bool:
    """Return whether anybody may have the secret of a shared deal: when the deal is everybody's."""
    return public
