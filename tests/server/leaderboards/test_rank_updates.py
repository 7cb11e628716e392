"""Counting without reading: whatever batches runs come in, places are their sums and buckets hold every place once."""

from collections import Counter
from itertools import islice

from hypothesis import given
from hypothesis import strategies as st

from cadogan.server.core.eventlog.projections import EntryRow
from cadogan.server.core.games import position
from cadogan.server.core.rank_rows import totals_to_add
from cadogan.server.core.ranking import BoardTotal, RankBucket, bucket_changes, buckets_of, run_totals, sum_totals
from tests.harness.leaderboard_runs import run

RUNS = st.lists(
    st.builds(
        run,
        st.sampled_from(["ann", "bob", "bot-r2d2"]),
        st.integers(-60, 208),
        st.integers(0, 2000),
        st.integers(0, 90_000_000),
        day=st.sampled_from(["2026-11-20", "2026-11-21", "2027-01-01"]),
        slot=st.integers(1, 3),
        rules=st.sampled_from(["maze", "olga"]),
    ),
    max_size=20,
)


@given(RUNS, st.lists(st.integers(1, 5), min_size=20, max_size=20))
def test_the_batches_in_which_runs_are_counted_change_no_place_and_no_bucket(
    runs: list[EntryRow], sizes: list[int]
) -> None:
    now: dict[tuple[str, str], BoardTotal] = {}
    stored: Counter[RankBucket] = Counter()
    waiting = iter(runs)
    for size in sizes:
        batch = totals_to_add(islice(waiting, size))
        for place in batch:
            before = now.get(place[:2])
            now[place[:2]] = place if before is None else before.plus(place)
        for counting in bucket_changes(batch, [now[place[:2]] for place in batch])[0]:
            stored[RankBucket(*counting[:5])] += counting[5]
    whole = sum_totals(place for one in runs for place in run_totals(one))
    assert sorted(now.values()) == sorted(whole)
    assert +stored == Counter(bucket for place in whole for bucket in buckets_of(place))


@given(st.integers(-52, 208), st.integers(-52, 208), st.booleans())
def test_more_score_is_never_fewer_points(one: int, other: int, won: bool) -> None:
    less, more = (position.run_points(score, -52, 208, won=won) for score in sorted((one, other)))
    assert 0 <= less <= more <= position.FULL_POINTS + position.WIN_BONUS
