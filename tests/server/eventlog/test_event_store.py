"""What every log promises, tried on every kind of store."""

import asyncio
from collections import Counter

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cadogan.server.core.eventlog.event_store import (
    Append,
    AttemptConflict,
    NewEvent,
    Store,
    StoreClosed,
    VersionConflict,
)
from tests.harness.memory_store import MemoryStore
from tests.harness.sample_events import append, event, game_row, outcome, stored


async def test_what_was_appended_is_read_back(store: Store) -> None:
    await store.append(append("game/a", 1, "c1", events=3))
    read = await store.read("game/a")
    assert [stored(found) for found in read] == [event(1), event(2), event(3)]
    assert [found.command_id for found in read] == ["c1", None, None]
    assert {found.stream for found in read} == {"game/a"}


async def test_every_text_comes_back_as_it_was(store: Store) -> None:
    texts = (
        '{"name":"Zoë \\"♠\\" \\\\ \\n 𝄞","empty":""}',
        '{"effects":["moved stock tableau.3 1","turned waste"],"move":"Zoë \\u0001 ♠"}',
        '{"effects":[],"move":"deal"}',
    )
    events = tuple(event(version, data) for version, data in enumerate(texts, 1))
    await store.append(Append("game/a", None, events))
    assert tuple(found.data for found in await store.read("game/a")) == texts


async def test_reading_since_a_version_gives_only_what_is_later(store: Store) -> None:
    await store.append(append("game/a", 1, events=5))
    assert [found.version for found in await store.read("game/a", after=3)] == [4, 5]
    assert [found.version for found in await store.read("game/a", after=1, limit=2)] == [2, 3]
    assert await store.read("game/a", after=5) == []


async def test_an_unknown_stream_is_empty(store: Store) -> None:
    await store.append(append("game/a", 1))
    assert await store.read("game/b") == []


async def test_the_versions_of_streams_are_those_of_their_last_events(store: Store) -> None:
    await store.append(append("game/a", 1, events=3))
    await store.append(append("game/a", 4))
    await store.append(append("game/b", 1))
    await store.append(append("game/c", 1))
    found = [one async for one in store.last_versions(["game/a", "game/b", "game/none"])]
    assert sorted(found) == [("game/a", 4), ("game/b", 1)]
    assert [one async for one in store.last_versions([])] == []


async def test_a_stream_has_ended_once_its_end_is_written_whatever_comes_before_and_after(store: Store) -> None:
    end = NewEvent(2, "game_finished", 1, "{}", 1_700_000_000_000, bytes(32))
    await store.append(append("game/a", 1))
    await store.append(append("game/b", 1))
    asked = ["game/a", "game/b", "game/none"]
    assert await store.find_ended(asked) == set()
    await store.append(Append("game/a", None, (end,)))
    assert await store.find_ended(asked) == {"game/a"}
    await store.append(append("game/a", 3))
    assert await store.find_ended(asked) == {"game/a"}
    assert await store.find_ended([]) == set()


async def test_later_events_of_several_streams_are_read_at_once(store: Store) -> None:
    for name, count in (("game/a", 5), ("game/b", 1), ("game/c", 2), ('game/"\\é', 1)):
        await store.append(append(name, 1, events=count))
    asked = (("game/a", 3), ("game/a", 1), ("game/b", 1), ("game/none", 0), ('game/"\\é', 0))
    found = await asyncio.gather(*(store.read_later(*stream_and_version) for stream_and_version in asked))
    assert [*found] == [await store.read(*stream_and_version) for stream_and_version in asked]
    assert [len(events) for events in found] == [2, 4, 0, 0, 1]


async def test_a_taken_version_is_refused_and_changes_nothing(store: Store) -> None:
    await store.append(append("game/a", 1, "c1"))
    with pytest.raises(VersionConflict) as refused:
        await store.append(append("game/a", 1, "c2"))
    assert (refused.value.stream, refused.value.version) == ("game/a", 1)
    assert [found.command_id for found in await store.read("game/a")] == ["c1"]


async def test_of_two_concurrent_writers_exactly_one_succeeds(store: Store) -> None:
    outcomes = await asyncio.gather(*(outcome(store.append(append("game/a", 1, f"c{n}"))) for n in range(2)))
    assert sorted(map(str, outcomes)) == sorted(map(str, [None, VersionConflict]))
    (winner,) = await store.read("game/a")
    assert winner.command_id == f"c{outcomes.index(None)}"


async def test_a_command_sent_twice_at_one_version_is_written_once(store: Store) -> None:
    outcomes = await asyncio.gather(*(outcome(store.append(append("game/a", 1, "c1", events=2))) for _ in range(3)))
    assert Counter(outcomes) == {None: 1, VersionConflict: 2}
    assert [found.command_id for found in await store.read("game/a")] == ["c1", None]


async def test_an_append_is_atomic(store: Store) -> None:
    await store.append(append("game/a", 3))
    with pytest.raises(VersionConflict):
        await store.append(append("game/a", 1, "c1", events=4))
    assert [(found.version, found.command_id) for found in await store.read("game/a")] == [(3, None)]


async def test_a_conflicting_append_fails_without_the_others_of_its_batch(store: Store) -> None:
    await store.append(append("game/7", 1))
    outcomes = await asyncio.gather(*(outcome(store.append(append(f"game/{n}", 1))) for n in range(20)))
    assert outcomes == [VersionConflict if n == 7 else None for n in range(20)]


async def test_many_concurrent_appends_are_all_written_in_order(store: Store) -> None:
    async def play(stream: str) -> None:
        for version in range(1, 41):
            await store.append(append(stream, version, f"c{version}"))

    await asyncio.gather(*(play(f"game/{n}") for n in range(64)))
    for n in range(64):
        assert [found.version for found in await store.read(f"game/{n}")] == list(range(1, 41))


async def test_more_waiting_events_than_fit_a_transaction_are_all_written(store: Store) -> None:
    await asyncio.gather(*(store.append(append(f"game/{n}", 1, events=700)) for n in range(4)))
    assert [len(await store.read(f"game/{n}")) for n in range(4)] == [700] * 4


async def test_streams_are_listed_by_prefix_in_the_order_of_their_bytes(store: Store) -> None:
    names = ["daily/2026-11-20", "game/B", "game/a", "game/a/b", "game/é", "games", "gamE/a"]
    await asyncio.gather(*(store.append(append(name, 1, events=2)) for name in names))
    assert [name async for name in store.stream_names("game/")] == ["game/B", "game/a", "game/a/b", "game/é"]
    assert [name async for name in store.stream_names()] == sorted(names)
    assert [name async for name in store.stream_names("match/")] == []


async def test_a_second_ranked_game_of_a_deal_is_refused(store: Store) -> None:
    await store.append(append("game/a", 1, rows=(game_row("a", ranked=True),)))
    with pytest.raises(AttemptConflict):
        await store.append(append("game/b", 1, rows=(game_row("b", ranked=True),)))
    assert await store.read("game/b") == []
    await store.append(append("game/c", 1, rows=(game_row("c", ranked=False),)))
    await store.append(append("game/d", 1, rows=(game_row("d", player="bob", ranked=True),)))
    await store.append(append("game/a", 2, rows=(game_row("a", ranked=True),)))


async def test_closing_writes_waiting_appends_and_refuses_later_ones(store: Store) -> None:
    waiting = [asyncio.ensure_future(store.append(append(f"game/{n}", 1))) for n in range(50)]
    await asyncio.sleep(0)
    await store.close()
    assert await asyncio.gather(*waiting) == [None] * 50
    with pytest.raises(StoreClosed):
        await store.append(append("game/late", 1))
    assert [len(await store.read(f"game/{n}")) for n in range(50)] == [1] * 50
    assert await store.read("game/late") == []


async def test_a_cancelled_caller_does_not_cancel_the_others(store: Store) -> None:
    first, second = (asyncio.ensure_future(store.append(append(f"game/{n}", 1))) for n in range(2))
    await asyncio.sleep(0)
    first.cancel()
    await second
    assert len(await store.read("game/1")) == 1


@pytest.mark.parametrize(("stream", "command_id"), [("game/\0", None), ("game/a", "c\0"), ("game/\ud800", "c")])
def test_a_name_that_a_database_might_refuse_is_no_valid_append(stream: str, command_id: str | None) -> None:
    with pytest.raises(ValueError, match="printable"):
        append(stream, 1, command_id)


def test_a_hash_of_another_length_is_no_valid_event() -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        NewEvent(1, "move_played", 1, "{}", 0, bytes(31))


_ATTEMPTS = st.lists(
    st.tuples(
        st.sampled_from("abc"), st.integers(1, 6), st.sampled_from([None, "x", "y"]), st.integers(1, 3), st.booleans()
    ),
    max_size=16,
)
"""Stream, version, command id, number of events, and whether it would be the ranked game of its deal."""


@pytest.fixture
def tried() -> list[int]:
    """One entry for every example that has run, so that each has streams of its own."""
    return []


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(attempts=_ATTEMPTS)
async def test_concurrent_appends_have_the_outcome_of_sequential_ones(
    store: Store, tried: list[int], attempts: list[tuple[str, int, str | None, int, bool]]
) -> None:
    tried.append(len(tried))
    appends = []
    for letter, version, command_id, events, ranked in attempts:
        identity = f"{letter}{len(tried)}"
        rows = (game_row(identity, deal=f"d{len(tried)}", ranked=True),) if ranked else ()
        appends.append(append(f"game/{identity}", version, command_id, events, rows))
    model = MemoryStore()
    expected = [await outcome(model.append(one)) for one in appends]
    assert await asyncio.gather(*(outcome(store.append(one)) for one in appends)) == expected
    for stream in {one.stream for one in appends}:
        assert [(stored(found), found.command_id) for found in await store.read(stream)] == [
            (stored(found), found.command_id) for found in await model.read(stream)
        ]
