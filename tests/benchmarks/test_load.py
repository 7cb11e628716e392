"""The load benchmark, in small: every scene plays against a real server and notes what happened."""

import re
from pathlib import Path

import pytest

from benchmarks.load import SCENES, Load

pytestmark = pytest.mark.heavy


@pytest.mark.parametrize(
    ("scene", "told"),
    [
        ("many", r"moves a second: move p50 [0-9.]+ p95 [0-9.]+ p99 [0-9.]+ ms, seen p50 [0-9.]+ "),
        ("opening", r"events a second: first cards p50 [0-9.]+ .* move p50 "),
        ("finish", r"finishes a second: finish p50 .* the board complete everywhere after "),
        ("storm", r"sockets back a second: resume p50 .*, 0 views, 0 tries that failed"),
        ("memory", r"a socket holds [0-9.-]+, a game [0-9.-]+ KiB"),
    ],
)
async def test_a_scene_plays_and_is_measured_with_its_limit(scene: str, told: str, tmp_path: Path) -> None:
    load = Load(database="sqlite", nodes=1, scale=0.02, processes=1, seconds=0.5, folder=tmp_path)
    outcome = await SCENES[scene](load)
    assert re.search(told, outcome.words), outcome.words
    assert outcome.rate > 0
    assert outcome.limit != 0 or scene == "memory"  # what had been let go of may be enough for all
