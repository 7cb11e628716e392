"""The history that fills a database for `benchmarks.growing_old`: it is made of games that could have been played."""

import pytest

from benchmarks.generated_history import FIRST_DAY, TOKEN, History, table_bytes
from cadogan.server.subjects.audit import game_audit
from tests.harness.running_server import RunningServer


@pytest.mark.both_databases
async def test_generated_games_verify_and_runs_of_days_stand_on_boards(running_server: RunningServer) -> None:
    history = History(running_server.server)
    await history.grow(1000)
    first = list(history.games)
    size = sum((await table_bytes(running_server.server.database)).values())
    assert history.events >= 1000
    await history.grow(history.events + 1)
    assert history.games[: len(first)] == first
    assert len(history.games) > len(first)
    assert sum((await table_bytes(running_server.server.database)).values()) > size

    api = f"{running_server.url}/api/v1"
    headers = {"Authorization": f"Bearer {TOKEN}"}
    for game in (first[0], history.games[-1]):
        async with running_server.session.get(f"{api}/games/{game}/record", headers=headers) as answer:
            verdict = game_audit.verify(await answer.read())
        assert verdict.consistent, verdict.reason
        assert verdict.finished
    async with running_server.session.get(f"{api}/boards/day:{FIRST_DAY}", headers=headers) as answer:
        board = await answer.json()
    assert board["total"] == len(history.games)
