"""The server's order of a day's games in progress, tested against the cases that every client is tested against."""

import json
from pathlib import Path
from typing import Any

import pytest

from cadogan.server.core.ranking import progress_rank_key, ranks
from cadogan.wire.values import Meter, Player

CASES: list[dict[str, Any]] = json.loads(Path(__file__).with_name("progress_order.json").read_text("utf-8"))


def meter_of(row: dict[str, Any]) -> Meter:
    """Return one row of the file as a meter. The order reads only the score and the moves."""
    player = Player(id=row["id"], name=row["id"], guest=False)
    figures = {name: value for name, value in row.items() if name != "id"}
    return Meter(
        game=row["id"], deal="2026-11-20.1", player=player, milliseconds=0, status="playing", ranked=True, **figures
    )


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_the_server_orders_the_games_of_a_day_as_the_file_says(case: dict[str, Any]) -> None:
    meters = sorted((meter_of(row) for row in case["meters"]), key=progress_rank_key)
    assert [meter.game for meter in meters] == case["order"]
    assert ranks([progress_rank_key(meter) for meter in meters]) == case["ranks"]
