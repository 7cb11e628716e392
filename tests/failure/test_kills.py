"""A server killed in the middle of play loses no acknowledged move and plays none twice."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.kill_harness import Outcome, play_and_kill
from benchmarks.log_checker import Row, events, judge, projections
from tests.harness.server_process import NO_RATE_LIMIT, ServerProcess

KILLS = 10


@pytest.mark.kills
async def test_ten_kills_in_the_middle_of_play_lose_nothing_and_double_nothing(
    database_url: str, tmp_path: Path
) -> None:
    server = ServerProcess(database_url, tmp_path / "server.log", NO_RATE_LIMIT)
    outcome = await play_and_kill(server, KILLS, players=8, seed=1)
    log = await events(database_url)
    verdict = judge(outcome.ledger, log)
    assert verdict.clean, verdict
    assert outcome.ledger.resent > 0
    derived = await projections(database_url)
    assert derived["games"]
    assert derived["entries"]
    server.command("rebuild")
    assert await projections(database_url) == derived
    _assert_the_oracle_would_have_seen_it(outcome, log)


def _assert_the_oracle_would_have_seen_it(outcome: Outcome, log: list[Row]) -> None:
    place = next(place for place, row in enumerate(log) if row.type == "move_played")
    move, rest = log[place], log[:place] + log[place + 1 :]
    assert judge(outcome.ledger, rest).lost
    assert judge(outcome.ledger, [*log, move]).doubled
    assert judge(outcome.ledger, [*rest, replace(move, data=move.data.replace("move", "m0ve", 1))]).broken
