"""The programs in `docs/sdk.md` and the README work: ten lines that play, and some that watch."""

import ast
import asyncio
import re
import subprocess
import sys
from pathlib import Path

import pytest

from cadogan.sdk import connect
from tests.harness.analysts import analyst_at_work
from tests.harness.patience import long
from tests.harness.running_server import RunningServer

ROOT = Path(__file__).parents[2]
PAGES = (ROOT / "README.md", ROOT / "docs" / "sdk.md")
BLOCK = re.compile(r"```python ten-lines\n(.*?)```", re.DOTALL)


def test_the_program_that_plays_has_ten_lines_and_is_the_same_on_every_page() -> None:
    found = {block for page in PAGES for block in BLOCK.findall(page.read_text())}
    (lines,) = found
    assert len([line for line in lines.splitlines() if line.strip()]) <= 10


def run(script: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, timeout=long())


async def test_the_program_that_plays_finishes_a_practice_deal(sqlite_server: RunningServer) -> None:
    (lines,) = {block for page in PAGES for block in BLOCK.findall(page.read_text())}
    script = lines.replace("http://127.0.0.1:8000", sqlite_server.url)
    assert script != lines
    ran = await asyncio.to_thread(run, script)
    assert ran.stderr == ""
    heading, _, *table = ran.stdout.splitlines()
    assert heading.endswith((", resigned", ", lost", ", won"))
    assert any("♠" in line or "♥" in line or "♦" in line or "♣" in line for line in table)


async def test_the_program_that_watches_prints_every_game_until_it_ends(
    sqlite_server: RunningServer, capsys: pytest.CaptureFixture[str]
) -> None:
    (lines,) = re.findall(r"```python watching\n(.*?)```", PAGES[1].read_text(), re.DOTALL)
    script = lines.replace("https://patience.example", sqlite_server.url)
    program = compile(script, "docs/sdk.md", "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    async with connect(sqlite_server.url) as player:
        game = await player.deal("klondike")
        watching = asyncio.ensure_future(eval(program, {}))
        async with asyncio.timeout(long()):
            async for session in game.changes():
                if session.watchers:
                    break
        await game.resign()
        await watching
    printed = capsys.readouterr().out
    assert "0 moves, playing" in printed
    assert "0 moves, resigned" in printed


async def test_the_program_that_asks_where_a_game_was_lost_is_told(
    sqlite_server: RunningServer, capsys: pytest.CaptureFixture[str]
) -> None:
    (lines,) = re.findall(r"```python analysis\n(.*?)```", PAGES[1].read_text(), re.DOTALL)
    script = lines.replace("https://patience.example", sqlite_server.url)
    program = compile(script, "docs/sdk.md", "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    async with asyncio.timeout(long()), analyst_at_work(sqlite_server.server):
        await eval(program, {})
    printed = capsys.readouterr().out
    assert re.search(r"^done, \d+ positions searched\nthe deal: won lost at versions: \[", printed, re.MULTILINE)


def test_the_program_without_io_sends_a_subscription(capsys: pytest.CaptureFixture[str]) -> None:
    (lines,) = re.findall(r"```python protocol\n(.*?)```", PAGES[1].read_text(), re.DOTALL)
    exec(lines, {})
    assert capsys.readouterr().out == """['{"type":"subscribe","id":"my-client-1","game":"k3v7q2m5x4c6z2ab"}']\n"""
