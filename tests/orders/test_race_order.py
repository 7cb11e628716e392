"""The server's order of the results of a race, tested against the cases that every client is tested against."""

import json
from pathlib import Path
from typing import Any

import pytest

from cadogan.server.core.eventlog.race_events import RaceResult
from cadogan.server.core.ranking import race_rank_key, ranks

CASES: list[dict[str, Any]] = json.loads(Path(__file__).with_name("race_order.json").read_text("utf-8"))

LOST = {"home": 30, "score": 30, "moves": 60}
"""What two have in common who have not won."""


def result_of(row: dict[str, Any]) -> RaceResult:
    """Return one row of the file as a result. Its `id` names both the player and the game."""
    figures = {name: value for name, value in row.items() if name != "id"}
    return RaceResult(player=row["id"], game=row["id"], **figures)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_the_server_orders_the_results_of_a_race_as_the_file_says(case: dict[str, Any]) -> None:
    results = sorted((result_of(row) for row in case["results"]), key=race_rank_key)
    assert [result.player for result in results] == case["order"]
    assert ranks([race_rank_key(result) for result in results]) == case["ranks"]


def test_of_equal_losers_the_one_whose_last_card_went_home_first_stands_before_the_one_who_gave_up_first() -> None:
    gave_up = result_of(LOST | {"id": "gave up", "result": "resigned", "milliseconds": 90_000, "home_after": 80_000})
    went_on = result_of(
        LOST | {"id": "went on", "result": "out_of_time", "milliseconds": 300_000, "home_after": 70_000}
    )
    before = result_of(LOST | {"id": "of before", "result": "lost", "milliseconds": 75_000})
    assert [one.player for one in sorted((gave_up, before, went_on), key=race_rank_key)] == [
        "went on",
        "of before",
        "gave up",
    ]
