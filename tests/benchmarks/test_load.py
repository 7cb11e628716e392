"""The load test in small: every scenario runs against a real server and measures what happens."""

import re
from pathlib import Path

import pytest

from benchmarks.load import SCENARIOS, Load


@pytest.mark.parametrize(
    ("scenario", "printed"),
    [
        ("many_games", r"moves a second: move p50 [0-9.]+ p95 [0-9.]+ p99 [0-9.]+ ms, received p50 [0-9.]+ "),
        ("arrivals", r"people a second of a core, \d+ came: first cards p50 "),
        ("day_opening", r"events a second: first cards p50 [0-9.]+ .* move p50 "),
        ("day_finish", r"finishes a second: finish p50 .* all spectators have the complete leaderboard after "),
        ("reconnect", r"sockets back a second: resume p50 .*, 0 views, 0 failed attempts"),
        ("evening", r"first cards p50 .*, the standing is right everywhere after [0-9.]+ s, asked for \d+ times, "),
        ("evenings", r"first cards p50 .*, the standing is right everywhere after [0-9.]+ s, asked for \d+ times, "),
        ("memory", r"a socket holds [0-9.-]+, a game [0-9.-]+ KiB"),
    ],
)
async def test_a_scenario_runs_and_is_measured_with_its_baseline(scenario: str, printed: str, tmp_path: Path) -> None:
    load = Load(database="sqlite", nodes=1, scale=0.02, processes=1, seconds=0.5, folder=tmp_path)
    outcome = await SCENARIOS[scenario](load)
    assert re.search(printed, outcome.details), outcome.details
    assert outcome.rate > 0
    assert outcome.baseline != 0 or scenario == "memory"  # memory that was freed before may be enough for all sockets
