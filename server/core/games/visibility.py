"""Who may see what of a game: the only place that decides it, for socket, HTTP, exports, replays and error texts.

Nothing here depends on a competition or a database: their answers are passed in as a `Relation`.
"""

from enum import StrEnum
from typing import NamedTuple


class AccessLevel(StrEnum):
    """An access level: how much of a game a viewer sees. All viewers of one level receive the same bytes."""

    SEAT = "seat"
    """The player: the visible cards, and the legal moves."""
    BOARD = "board"
    """The visible cards, but no legal moves."""
    PROGRESS = "meter"
    """Only the progress, no card or pile: for viewers who have not finished a shared deal themselves."""


class Relation(NamedTuple):
    """How a viewer is related to a game."""

    own: bool = False
    """The viewer plays it."""
    shared: bool = False
    """Others play the same deal, in a competition."""
    public: bool = False
    """The deal is public: its competition has revealed the secret, or may reveal it now."""
    finished: bool = False
    """The viewer's own ranked run of the deal has ended. An owner and their bots share one run."""
    spoiled: bool = False
    """The viewer asked to see the deal, so no run of this viewer counts any more."""
    newcomer: bool = False
    """The viewer is not signed in, is a guest, or claimed a name so recently that it may be a second account."""


def access_level_of(viewer: Relation) -> AccessLevel:
    """Return the viewer's access level for the game."""
    if viewer.own:
        return AccessLevel.SEAT
    if not viewer.shared or viewer.public:
        return AccessLevel.BOARD
    return AccessLevel.BOARD if (viewer.finished or viewer.spoiled) and not viewer.newcomer else AccessLevel.PROGRESS


def must_log_view(viewer: Relation) -> bool:
    """Return whether the view must be logged: the game is another player's, and its deal is still secret."""
    return access_level_of(viewer) is AccessLevel.BOARD and viewer.shared and not viewer.public


def may_practise(viewer: Relation) -> bool:
    """Return whether a shared deal may be played for practice (True if this cannot help a ranked run).

    Practice reveals more cards than watching another game, so a newcomer must wait until the deal is public.
    """
    return viewer.public or ((viewer.finished or viewer.spoiled) and not viewer.newcomer)


def may_have_record(*, shared: bool, public: bool, over: bool) -> bool:
    """Return whether the record of a game, with secret and hashes, is public (True after its end, day or race)."""
    return public if shared else over


def may_have_analysis(*, shared: bool, public: bool, over: bool) -> bool:
    """Return whether the analysis of a game is public, and games may continue from it; it reveals all cards.

    A winning line reveals face-down cards, so it stays secret while others may still play the deal.
    """
    return may_have_record(shared=shared, public=public, over=over)


def may_ask_if_winnable(*, own: bool, hints: bool, shared: bool, public: bool) -> bool:
    """Return whether a player may query, while playing, whether the position can still be won.

    `hints` is whether hints are allowed in the game, which is only so if it does not count.
    """
    return own and hints and (public or not shared)


def may_have_secret(*, public: bool) -> bool:
    """Return whether the secret of a shared deal may be revealed (True once the deal is public)."""
    return public
