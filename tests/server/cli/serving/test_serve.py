"""What the log of a server process says of its start and its end."""

import asyncio
import json
import re
from pathlib import Path

import pytest

from tests.harness.databases import postgresql
from tests.harness.server_process import ServerProcess
from tests.harness.several_processes import SeveralProcesses


async def test_a_node_migrates_if_told_so_and_logs_why_it_stops(tmp_path: Path) -> None:
    settings = {"CADOGAN_MIGRATE": "1", "CADOGAN_LOG_FORMAT": "json", "CADOGAN_RATES": "5"}
    server = ServerProcess(f"sqlite:///{tmp_path}/cadogan.db", tmp_path / "log", settings)
    await server.start()
    assert await asyncio.to_thread(server.stop) == 0
    lines = [json.loads(line) for line in (tmp_path / "log").read_text().splitlines()]
    output = [(line["event"], line.get("reason")) for line in lines if line["logger"] == "cadogan"]
    assert output == [
        ("unknown_setting", "CADOGAN_RATES is set, and is no setting of this version: did you mean CADOGAN_RATE?"),
        ("serving", None),
        ("stopping", "SIGTERM"),
        ("stopped", None),
    ]


async def test_a_server_without_a_host_prints_the_link_of_the_first_one_once(tmp_path: Path) -> None:
    address = f"sqlite:///{tmp_path}/cadogan.db"
    printed = []
    for number in range(2):
        server = ServerProcess(address, tmp_path / f"log{number}", {"CADOGAN_MIGRATE": "1"})
        await server.start()
        assert await asyncio.to_thread(server.stop) == 0
        printed.append((tmp_path / f"log{number}").read_text())
    assert re.search(r"^    http://127\.0\.0\.1:\d+/house/claim/[\w-]{43}$", printed[0], re.MULTILINE)
    assert "/house/claim/" not in printed[1]


@pytest.mark.heavy
async def test_what_keeps_several_processes_from_starting_is_said_once(tmp_path: Path) -> None:
    async with postgresql() as empty:
        with pytest.raises(RuntimeError) as failed:
            await SeveralProcesses(empty, tmp_path).start()
    assert str(failed.value).count("Error: the database") == 1
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


async def test_a_host_that_is_no_address_of_this_machine_is_not_taken_for_the_database(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/cadogan.db"
    for host in ("nosuch.invalid", "203.0.113.7"):
        server = ServerProcess(url, tmp_path / "log", {"CADOGAN_MIGRATE": "1", "CADOGAN_HOST": host})
        with pytest.raises(RuntimeError) as failed:
            await server.start()
        assert f"Error: cannot listen on {host}, port " in str(failed.value)
        assert "database does not answer" not in str(failed.value)
