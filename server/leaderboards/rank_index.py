"""Rank buckets: counts of the totals in each range of a board, so that a rank is found without counting all totals.

A board is divided into buckets at six levels, each finer than the one before: by scores some thousand apart, by scores
some hundred apart, by the score, by the moves among equal scores, and twice by the time among equal moves. The rank of
a total follows from the counts of the better buckets beside its own at every level, and from the better totals in its
own bucket at the last level. That reads a few hundred counts and a few totals, however many totals there are.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from operator import and_
from typing import Any, NamedTuple

from cadogan.server.leaderboards.ranking import RankKey
from cadogan.server.leaderboards.totals import BoardTotal

ALL_BITS = -1
"""The mask that keeps all bits of a number. The mask 0 clears all."""
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
    """One bucket of a board. `level` counts from 1; the other numbers are the least rank key of the bucket.

    The fields are the columns of the primary key of the table `buckets`, in the same order.
    """

    board: str
    level: int
    deficit: int
    moves: int
    milliseconds: int


BucketChange = tuple[str, int, int, int, int, int]
"""The fields of a `RankBucket`, and by how much its count changes."""


def buckets_of(total: BoardTotal) -> list[RankBucket]:
    """Return the bucket of each level in which this total lies, the coarsest first."""
    key = total.rank_key
    return [RankBucket(total.board, level, *map(and_, key, mask)) for level, mask in enumerate(LEVEL_MASKS, 1)]


def bucket_changes(
    added: Iterable[BoardTotal], now: Iterable[Sequence[Any]]
) -> tuple[list[BucketChange], list[RankBucket]]:
    """Return the change of each bucket's count, and the buckets that may become empty; both sorted.

    `now` are the values of the totals after `added` was added to them; a total of no runs lies in no bucket. The
    previous totals are `now` minus `added`, so nothing is read from the database. Buckets are written in this order.
    """
    by_key = {total[:2]: total for total in added}
    counts: Counter[RankBucket] = Counter()
    for total in map(BoardTotal._make, now):
        if total.runs:
            counts.update(buckets_of(total))
        before = total.minus(by_key[total[:2]])
        if before.runs:
            counts.subtract(buckets_of(before))
    changes = sorted((bucket, count) for bucket, count in counts.items() if count)
    return [(*bucket, count) for bucket, count in changes], [bucket for bucket, count in changes if count < 0]
