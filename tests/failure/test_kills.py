"""A server killed in the middle of play loses no acknowledged move and plays none twice."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from benchmarks.kill_harness import KillOutcome, play_and_kill
from benchmarks.log_checker import EventRow, check_log
from tests.failure.verdicts import assert_nothing_is_lost
from tests.harness.forked_server import ForkedServer
from tests.harness.server_process import NO_RATE_LIMIT

KILLS = 10


async def test_ten_kills_in_the_middle_of_play_lose_nothing_and_double_nothing(
    database_url: str, tmp_path: Path
) -> None:
    server = ForkedServer(database_url, tmp_path / "server.log", NO_RATE_LIMIT)
    outcome = await play_and_kill(server, KILLS, players=8, seed=1)
    assert outcome.history.resent_count > 0
    log = await assert_nothing_is_lost(outcome.history, database_url)
    _assert_that_the_checker_finds_faults(outcome, log)


def _assert_that_the_checker_finds_faults(outcome: KillOutcome, log: list[EventRow]) -> None:
    place = next(place for place, row in enumerate(log) if row.type == "move_played")
    move, rest = log[place], log[:place] + log[place + 1 :]
    assert check_log(outcome.history, rest).lost
    assert check_log(outcome.history, [*log, move]).duplicated
    assert check_log(outcome.history, [*rest, replace(move, data=move.data.replace("move", "m0ve", 1))]).broken
