"""The SDK's order of a day's games in progress, tested against the cases that the server is tested against."""

import json
from pathlib import Path
from typing import Any

import pytest

from cadogan.sdk.ranking import progress_rank_key
from cadogan.wire.values import Meter, Player

CASES: list[dict[str, Any]] = json.loads(Path(__file__).with_name("progress_order.json").read_text("utf-8"))


def meter_of(row: dict[str, Any]) -> Meter:
    """Return one row of the file as a meter. The order reads only the score and the moves."""
    figures = {name: value for name, value in row.items() if name != "id"}
    player = Player(id=row["id"], name=row["id"], guest=False)
    return Meter(game=row["id"], deal="d", player=player, milliseconds=0, status="playing", ranked=True, **figures)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_the_sdk_orders_the_games_of_a_day_as_the_file_says(case: dict[str, Any]) -> None:
    meters = sorted((meter_of(row) for row in case["meters"]), key=progress_rank_key)
    assert [meter.game for meter in meters] == case["order"]
