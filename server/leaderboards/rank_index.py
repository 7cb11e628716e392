"""Rank buckets: counts of how many totals lie in each stretch of a board, so that a rank is found without counting all.

A board is divided into buckets at six levels, each finer than the one before: by scores some thousand apart, by scores
some hundred apart, by the score, by the moves among equal scores, and twice by the time among equal moves. The rank of
a total follows from the counts of the better buckets beside its own at every level, and from the better totals in its
own bucket at the last level. That reads a few hundred counts and a few totals, however many totals there are.
"""

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from cadogan.server.leaderboards.ranking import RankKey
from cadogan.server.leaderboards.totals import BoardTotal

ALL_BITS = -1
"""The mask that keeps a number as it is. The mask 0 drops all of it."""
LEVEL_MASKS = (
    RankKey(-(1 << 14), 0, 0),
    RankKey(-(1 << 7), 0, 0),
    RankKey(ALL_BITS, 0, 0),
    RankKey(ALL_BITS, ALL_BITS, 0),
    RankKey(ALL_BITS, ALL_BITS, -(1 << 16)),
    RankKey(ALL_BITS, ALL_BITS, -(1 << 10)),
)
"""One bit mask for each level, the coarsest first. A rank key with the mask applied is the least key of its bucket."""


class RankBucket(NamedTuple):
    """One bucket of a board. `level` counts from 1; the other numbers are the least rank key that lies in the bucket.

    The fields are the columns of the primary key of the table `buckets`, in the same order.
    """

    board: str
    level: int
    deficit: int
    moves: int
    milliseconds: int


def buckets_of(total: BoardTotal) -> list[RankBucket]:
    """Return the bucket of each level in which this total lies, the coarsest first."""
    return [
        RankBucket(
            total.board,
            level,
            total.deficit & mask.deficit,
            total.moves & mask.moves,
            total.milliseconds & mask.milliseconds,
        )
        for level, mask in enumerate(LEVEL_MASKS, 1)
    ]


def bucket_changes(added: Iterable[BoardTotal], now: Iterable[BoardTotal]) -> list[tuple[RankBucket, int]]:
    """Return by how much the count of each bucket changes, sorted by bucket, which is the order for writing them.

    `now` are the totals after `added` was added to them; one of no runs lies in no bucket. Nothing has to be read from
    the database for this: the difference of the two tells where each total was before.
    """
    by_key = {total[:2]: total for total in added}
    counts: Counter[RankBucket] = Counter()
    for total in now:
        if total.runs:
            counts.update(buckets_of(total))
        before = total.minus(by_key[total[:2]])
        if before.runs:
            counts.subtract(buckets_of(before))
    return sorted((bucket, count) for bucket, count in counts.items() if count)
