"""Schemathesis generates requests from the OpenAPI document, valid and invalid ones, and checks the answers."""

import asyncio
import copy
import json
import os
import sys
from asyncio.subprocess import PIPE, STDOUT
from pathlib import Path

import pytest

from cadogan.server.core.eventlog.events import MovePlayed
from cadogan.server.subjects.admin.reports import Reports
from cadogan.server.subjects.analysis.findings import Findings, SearchedPosition
from cadogan.server.subjects.analysis.jobs import WHOLE_GAME, AnalysisJobs
from cadogan.wire.admin import Why
from cadogan.wire.schema import openapi
from tests.harness.daily_actions import play_and_resign
from tests.harness.hosts import confirm, roles
from tests.harness.lost_game import lost_game, store_lost_game
from tests.harness.race_actions import make_race
from tests.harness.running_server import RunningServer

ROOT = Path(__file__).parents[2]
SCHEMATHESIS = str(Path(sys.executable).with_name("schemathesis"))
CONFIGURATION = Path(__file__).parent / "schemathesis_setup" / "schemathesis.toml"


async def analysed_game(running_server: RunningServer) -> str:
    """A finished game whose analysis is complete, and knows a way to win from the deal; its id."""
    jobs = AnalysisJobs(running_server.server.database, running_server.clock)
    game = await store_lost_game(running_server.server.database)
    await jobs.ask(game, WHOLE_GAME, "ann")
    job = await jobs.claim("an analyst")
    assert job is not None
    played = lost_game()[1].event
    assert isinstance(played, MovePlayed)
    won = SearchedPosition(position=0, verdict="won", nodes=1, line=(played.move,))
    assert await jobs.finish(job, Findings((won,)))
    return game


async def run_schemathesis(running_server: RunningServer, folder: Path, document: str, *only: str) -> tuple[int, str]:
    """Test a server on which somebody has played, and return the exit code and the output of schemathesis."""
    ada, bob, carol, dora = [await running_server.guest() for _ in range(4)]
    for person, name in ((ada, "Ada"), (bob, "Bob"), (carol, "Carol"), (dora, "Dora")):
        assert (await person.post("/account", {"name": name, "password": "eight red queens"}))[0] == 200
    over = await ada.deal()
    await play_and_resign(ada, over, moves=3)
    await play_and_resign(ada, await ada.enter(), moves=1)
    await play_and_resign(bob, struck := await bob.enter(), moves=1)
    await carol.ask("PUT", f"/reports/runs/{struck}", {"reason": "cheating"})
    report = (await Reports(running_server.server.database, running_server.clock).waiting(0, 1))[0].id
    race = (await make_race(ada, bob, start=False))["race"]
    await roles(running_server).change(None, ada.id, "host", Why(reason="request"))
    await confirm(ada)
    starts_at = running_server.clock.at + 600_000
    evening = (await ada.post("/evenings", {"title": "Thursday", "starts_at": starts_at}))[1]
    group = (await ada.post("/groups", {"name": "The snug"}))[1]
    assert (await ada.ask("PUT", f"/groups/{group['id']}/talk", {"on": True}))[0] == 200
    assert (await bob.post("/groups/join", {"token": group["token"]}))[0] == 200
    written = (await bob.post(f"/groups/{group['id']}/messages", {"text": "Hello!"}))[1]["id"]
    bot = (await ada.post("/bots", {"name": "Zaphod"}))[1]["player"]["id"]
    environment = {
        "SERVER_URL": running_server.url,
        "TOKEN": ada.token,
        "OVER": over,
        "STRUCK": struck,
        "REPORT": report,
        "ANALYSED": await analysed_game(running_server),
        "RACE": race,
        "EVENING": evening["id"],
        "CODE": evening["code"],
        "GROUP": group["id"],
        "MESSAGE": written,
        "BOT": bot,
        "PLAYER": bob.id,
        "BANNED": carol.id,
        "SUSPENDED": dora.id,
        "PYTHONPATH": str(ROOT),
    }
    process = await asyncio.create_subprocess_exec(
        *(SCHEMATHESIS, "--config-file", str(CONFIGURATION), "run", document, "--url", running_server.url, *only),
        env={**os.environ, **environment},
        cwd=folder,
        stdout=PIPE,
        stderr=STDOUT,
    )
    printed, _ = await process.communicate()
    assert process.returncode is not None
    return process.returncode, printed.decode()


@pytest.mark.slow
async def test_schemathesis_finds_no_error(sqlite_server: RunningServer, tmp_path: Path) -> None:
    document = f"{sqlite_server.url}/api/v1/openapi.json"
    code, printed = await run_schemathesis(sqlite_server, tmp_path, document, "--exclude-operation-id", "change_entry")
    assert code == 0, printed


@pytest.mark.slow
async def test_schemathesis_finds_no_error_where_the_entry_is_changed(
    sqlite_server: RunningServer, tmp_path: Path
) -> None:
    document = f"{sqlite_server.url}/api/v1/openapi.json"  # by itself, because the others need guests
    alone = ("--include-operation-id", "change_entry", "--phases", "examples,coverage,fuzzing")  # it has no links
    code, printed = await run_schemathesis(sqlite_server, tmp_path, document, *alone)
    assert code == 0, printed


@pytest.mark.slow
async def test_schemathesis_finds_an_error_in_a_wrong_document(sqlite_server: RunningServer, tmp_path: Path) -> None:
    wrong = copy.deepcopy(openapi())
    wrong["components"]["schemas"]["RulesCard"]["properties"]["packs"]["minimum"] = 2
    (tmp_path / "wrong.json").write_text(json.dumps(wrong))
    code, printed = await run_schemathesis(
        sqlite_server, tmp_path, str(tmp_path / "wrong.json"), "--include-operation-id", "list_rules"
    )
    assert code == 1
    assert "1 is less than the minimum of 2" in printed
