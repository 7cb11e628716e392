"""Other nodes are told of every run of a day, though of a crowd's moves only of samples."""

from __future__ import annotations

from collections.abc import Collection

from hypothesis import given
from hypothesis import strategies as st

from cadogan.server.subjects.wake_ups import SAMPLES_PER_INTERVAL, DaySamples

DAY = ("day/2026-11-20",)


class Others:
    """What the other nodes have been told."""

    def __init__(self) -> None:
        self.samples: list[tuple[str, int]] = []

    def hear(self, game: str, version: int, topics: Collection[str]) -> None:
        assert topics == DAY
        self.samples.append((game, version))


@given(moves=st.lists(st.integers(0, 30), max_size=120))
async def test_an_interval_has_few_samples_and_every_game_is_told_as_it_is_in_the_end(moves: list[int]) -> None:
    others = Others()
    samples, versions = DaySamples(others.hear), dict[str, int]()
    for number in moves:
        game = f"game{number}"
        versions[game] = versions.get(game, 0) + 1
        samples.publish_sample(game, versions[game], DAY)
    assert len(others.samples) == min(len(moves), SAMPLES_PER_INTERVAL)
    for _ in moves:
        before = len(others.samples)
        samples.begin_interval()
        assert len(others.samples) <= before + SAMPLES_PER_INTERVAL
    assert dict(others.samples) == versions
    assert len(others.samples) == len(set(others.samples))
    samples.close()


async def test_a_game_that_has_ended_and_a_node_that_stops_tell_nothing_more() -> None:
    others = Others()
    samples = DaySamples(others.hear)
    for number in range(SAMPLES_PER_INTERVAL + 2):
        samples.publish_sample(f"game{number}", 1, DAY)
    samples.forget(f"game{SAMPLES_PER_INTERVAL}")
    samples.begin_interval()
    assert len(others.samples) == SAMPLES_PER_INTERVAL + 1
    for number in range(2 * SAMPLES_PER_INTERVAL):
        samples.publish_sample(f"game{number}", 2, DAY)
    before = len(others.samples)
    samples.close()
    samples.begin_interval()
    assert len(others.samples) == before
