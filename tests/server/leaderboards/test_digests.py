"""The digests of a day's boards depend on the runs alone, and on all of them."""

from hashlib import sha256

from hypothesis import given, settings
from hypothesis import strategies as st

from cadogan.server.core.eventlog.projections import EntryRow
from cadogan.server.core.ranking import LEVEL_MASKS, BoardTotal, buckets_of, day_digests
from tests.harness.leaderboard_runs import DAY, run

RUNS = st.builds(
    run,
    st.sampled_from(["ann", "bob", "cat", "bot-r2d2"]),
    st.integers(-2, 2),
    st.integers(0, 2),
    st.integers(0, 2),
    slot=st.integers(1, 2),
)
DAYS = st.lists(RUNS, unique_by=lambda entry: entry.game_id)


def digests(entries: list[EntryRow]) -> dict[str, str]:
    return day_digests(DAY, [f"{DAY}.1", f"{DAY}.2"], entries)


def test_the_text_of_a_deal_is_as_published() -> None:
    text = (
        f"deal:{DAY}.1 1 bob 60 70 5000 bob:{DAY}.1 lost\n"
        f"deal:{DAY}.1 2 ann 52 80 61000 ann:{DAY}.1 lost\n"
        f"bots:deal:{DAY}.1 1 bot-r2d2 52 80 61000 bot-r2d2:{DAY}.1 lost\n"
    )
    found = digests([run("bot-r2d2"), run("ann"), run("bob", 60, 70, 5000)])
    assert found[f"{DAY}.1"] == sha256(text.encode()).hexdigest()
    assert found[f"{DAY}.2"] == sha256(b"").hexdigest()


def test_the_text_of_a_day_adds_up_the_runs_and_equal_ones_share_a_rank() -> None:
    lines = ("1 ann 1040 160 122000 2", "2 bob 520 80 61000 1", "2 cat 520 80 61000 1")
    text = "".join(f"day:{DAY} {line}\n" for line in lines)
    found = digests([run("cat"), run("ann"), run("bob", slot=2), run("ann", slot=2)])
    assert found["day"] == sha256(text.encode()).hexdigest()


@given(DAYS, st.randoms(use_true_random=False))
def test_the_order_in_which_runs_come_changes_nothing(entries: list[EntryRow], chance: object) -> None:
    shuffled = list(entries)
    chance.shuffle(shuffled)  # type: ignore[attr-defined]
    assert digests(shuffled) == digests(entries)


@given(DAYS.filter(bool), st.data())
def test_one_more_or_one_less_run_changes_the_digests_of_its_deal_and_its_day(
    entries: list[EntryRow], data: st.DataObject
) -> None:
    left_out = data.draw(st.sampled_from(entries))
    whole, rest = digests(entries), digests([entry for entry in entries if entry is not left_out])
    assert {name for name in whole if whole[name] != rest[name]} == {left_out.deal, "day"}


@settings(max_examples=300)
@given(*[st.tuples(st.integers(-9999, 99), st.integers(0, 3000), st.integers(0, 90_000_000))] * 2)
def test_a_better_place_never_lies_in_a_worse_bucket(one: tuple[int, int, int], other: tuple[int, int, int]) -> None:
    better, worse = (BoardTotal("all", "ann", *key, 1) for key in sorted((one, other)))
    for above, below in zip(buckets_of(better), buckets_of(worse), strict=True):
        assert above <= below
    assert [bucket.level for bucket in buckets_of(better)] == [n for n, _ in enumerate(LEVEL_MASKS, 1)]
