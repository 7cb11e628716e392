"""Buckets: how many places of a board lie in each stretch of it, kept so that nobody has to count a million rows.

A board is cut into stretches at several levels, each finer than the one before: by scores some hundred apart, by the
score, by the moves among equal scores, by the time among equal moves. A place's rank is the number of places in the
better stretches beside its own at every level, and of the better places in its own at the last: a few hundred rows of
counts and a few places, however many there are in all.
"""

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from server.leaderboards.ranking import Place, Standing

WHOLE = -1
"""The mask that leaves a number as it is; 0 leaves nothing of it."""
LEVELS = (
    Standing(-(1 << 14), 0, 0),
    Standing(-(1 << 7), 0, 0),
    Standing(WHOLE, 0, 0),
    Standing(WHOLE, WHOLE, 0),
    Standing(WHOLE, WHOLE, -(1 << 16)),
    Standing(WHOLE, WHOLE, -(1 << 10)),
)
"""What of a standing names its stretch, level by level, as bit masks: a stretch begins at its name."""


class Bucket(NamedTuple):
    """One stretch of a board; `level` counts from 1."""

    board: str
    level: int
    deficit: int
    moves: int
    milliseconds: int


def buckets_of(place: Place) -> list[Bucket]:
    """The stretch that a place lies in, at every level."""
    return [
        Bucket(
            place.board,
            level,
            place.deficit & mask.deficit,
            place.moves & mask.moves,
            place.milliseconds & mask.milliseconds,
        )
        for level, mask in enumerate(LEVELS, 1)
    ]


def changes(added: Iterable[Place], now: Iterable[Place]) -> list[tuple[Bucket, int]]:
    """By how much each count changes when these were added and the places are `now`, in the order for writing them.

    Nothing is read to know it: what was added tells where each place was before.
    """
    by_key = {place[:2]: place for place in added}
    counts: Counter[Bucket] = Counter()
    for place in now:
        counts.update(buckets_of(place))
        before = place.minus(by_key[place[:2]])
        if before.runs:
            counts.subtract(buckets_of(before))
    return sorted((bucket, count) for bucket, count in counts.items() if count)
