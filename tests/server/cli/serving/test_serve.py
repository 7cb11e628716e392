"""What the log of a server process says of its start and its end."""

import asyncio
import json
import re
from pathlib import Path

import pytest

from tests.harness.command_line import run
from tests.harness.databases import postgresql
from tests.harness.server_process import ServerProcess
from tests.harness.several_processes import SeveralProcesses


async def test_a_node_migrates_if_told_so_prints_the_link_of_the_first_host_once_and_logs_why_it_stops(
    tmp_path: Path,
) -> None:
    printed = list[str]()
    for settings in ({"CADOGAN_MIGRATE": "1"}, {"CADOGAN_LOG_FORMAT": "json", "CADOGAN_RATES": "5"}):
        log = tmp_path / f"log{len(printed)}"
        server = ServerProcess(f"sqlite:///{tmp_path}/cadogan.db", log, settings)
        await server.start()
        assert await asyncio.to_thread(server.stop) == 0
        printed.append(log.read_text())
    assert re.search(r"^    http://127\.0\.0\.1:\d+/house/claim/[\w-]{43}$", printed[0], re.MULTILINE)
    assert "/house/claim/" not in printed[1]
    lines = [json.loads(line) for line in printed[1].splitlines()]
    output = [(line["event"], line.get("reason")) for line in lines if line["logger"] == "cadogan"]
    assert output == [
        ("unknown_setting", "CADOGAN_RATES is set, and is no setting of this version: did you mean CADOGAN_RATE?"),
        ("serving", None),
        ("stopping", "SIGTERM"),
        ("stopped", None),
    ]


@pytest.mark.heavy
async def test_what_keeps_several_processes_from_starting_is_said_once(tmp_path: Path) -> None:
    async with postgresql() as empty:
        with pytest.raises(RuntimeError) as failed:
            await SeveralProcesses(empty, tmp_path).start()
    assert str(failed.value).count("the database has no tables yet") == 1
    assert str(failed.value).count("process_started") == 1
    assert "Error: the first process has ended with 1 before it served" in str(failed.value)


@pytest.mark.heavy
async def test_the_link_of_the_first_host_is_printed_once_however_many_processes_serve(
    postgresql_url: str, tmp_path: Path
) -> None:
    settings = {"CADOGAN_LOG_FORMAT": "console", "CADOGAN_PROCESSES": "2", "CADOGAN_KEY_FILE": f"{tmp_path}/key"}
    server = ServerProcess(postgresql_url, tmp_path / "log", settings)
    await server.start()
    assert await asyncio.to_thread(server.stop) == 0
    assert (tmp_path / "log").read_text().count("/house/claim/") == 1


def test_a_database_without_tables_is_said_once(tmp_path: Path) -> None:
    refused = run("serve", CADOGAN_DATABASE_URL=f"sqlite:///{tmp_path}/empty.db", CADOGAN_MIGRATE="0")
    assert refused.exit_code == 1
    assert refused.output.count("the database has no tables yet") == 1


def test_a_host_that_is_no_address_of_this_machine_is_not_taken_for_the_database(sqlite_url: str) -> None:
    for host in ("nosuch.invalid", "203.0.113.7"):
        refused = run("serve", CADOGAN_DATABASE_URL=sqlite_url, CADOGAN_HOST=host)
        assert refused.exit_code == 1
        assert f"Error: cannot listen on {host}, port " in refused.output
        assert refused.output.count("cannot listen on") == 1
        assert "database does not answer" not in refused.output
