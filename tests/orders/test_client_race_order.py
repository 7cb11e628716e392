"""The SDK's order of a race, tested against the cases that the server and the web page are tested against."""

import json
from pathlib import Path
from typing import Any

import pytest

from cadogan.sdk.ranking import race_rank_key
from cadogan.wire.values import Meter, Player

CASES: list[dict[str, Any]] = json.loads(Path(__file__).with_name("race_order.json").read_text("utf-8"))


def meter_of(row: dict[str, Any]) -> Meter:
    """Return one row of the file as a meter. Its `id` names both the player and the game."""
    figures = {name: value for name, value in row.items() if name not in ("id", "result")}
    player = Player(id=row["id"], name=row["id"], guest=False)
    return Meter(game=row["id"], deal="d", player=player, status=row["result"], ranked=False, **figures)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_the_sdk_orders_the_games_of_a_race_as_the_file_says(case: dict[str, Any]) -> None:
    meters = sorted((meter_of(row) for row in case["results"]), key=race_rank_key)
    assert [meter.game for meter in meters] == case["order"]
