"""What the log of a server process says of its start and its end."""

import asyncio
import json
from pathlib import Path

from tests.harness.server_process import ServerProcess


async def test_a_node_migrates_if_told_so_and_logs_why_it_stops(tmp_path: Path) -> None:
    settings = {"CADOGAN_MIGRATE": "1", "CADOGAN_LOG_FORMAT": "json"}
    server = ServerProcess(f"sqlite:///{tmp_path}/cadogan.db", tmp_path / "log", settings)
    await server.start()
    assert await asyncio.to_thread(server.stop) == 0
    lines = [json.loads(line) for line in (tmp_path / "log").read_text().splitlines()]
    told = [(line["event"], line.get("reason")) for line in lines if line["logger"] == "cadogan"]
    assert told == [("serving", None), ("stopping", "SIGTERM"), ("stopped", None)]
