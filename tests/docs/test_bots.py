"""What the page about bots says to type works."""

import asyncio
import os
import re
import sys
from asyncio.subprocess import PIPE, STDOUT
from pathlib import Path

import pytest

from tests.docs.test_api import shell
from tests.harness.running_server import RunningServer

__all__ = ["shell"]

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "bots.md").read_text("utf-8")
ACCOUNT, THOUGHT = re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL)
(LINES,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


def test_the_ten_lines_are_ten() -> None:
    assert len([line for line in LINES.splitlines() if line.strip()]) <= 10


@pytest.mark.slow
@pytest.mark.parametrize("way", ["by chance", "with thought"])
async def test_a_bot_plays_the_days_card_as_the_page_says(shell: str, sqlite_server: RunningServer, way: str) -> None:
    ada = await sqlite_server.guest()
    assert (await ada.post("/account", {"name": "Ada", "password": "eight red queens"}))[0] == 200
    script = ACCOUNT + ('python -c "$LINES"' if way == "by chance" else THOUGHT)
    documented = {"PATH": f"{Path(sys.executable).parent}:/usr/local/bin:/usr/bin:/bin", "PYTHONPATH": str(ROOT)}
    process = await asyncio.create_subprocess_exec(
        *(shell, "--norc", "-eu", "-o", "pipefail", "-c", script),
        env={**os.environ, **documented, "CADOGAN": sqlite_server.url, "LINES": LINES},
        stdout=PIPE,
        stderr=STDOUT,
    )
    printed, _ = await process.communicate()
    assert process.returncode == 0, printed.decode()
    _, board = await ada.get("/boards/bots:day:2026-11-20")
    (entry,) = board["entries"]
    assert (entry["player"]["name"], entry["runs"]) == ("Marvin", 3)
    assert len(re.findall(r"score -?[0-9]+", printed.decode())) == 3
