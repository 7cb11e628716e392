"""The npm package: it is packed from the web client's modules, and a game is played with it."""

import asyncio
import json
import shutil
import tarfile
from asyncio.subprocess import PIPE
from pathlib import Path

import pytest

from tests.harness.databases import leave_out
from tests.harness.running_server import RunningServer

ROOT = Path(__file__).parents[3]


async def run(*command: str, cwd: Path) -> str:
    """Run a command and return what it prints. Raises AssertionError if it fails."""
    process = await asyncio.create_subprocess_exec(*command, cwd=cwd, stdout=PIPE, stderr=PIPE)
    printed, told = await process.communicate()
    assert process.returncode == 0, (printed + told).decode()
    return printed.decode()


@pytest.mark.slow
async def test_a_game_is_played_with_the_packed_package(sqlite_server: RunningServer, tmp_path: Path) -> None:
    if shutil.which("npm") is None:
        leave_out("npm is not installed")
    shutil.copytree(ROOT / "clients" / "web" / "js", tmp_path / "clients" / "web" / "js")
    shutil.copytree(ROOT / "clients" / "wire", tmp_path / "clients" / "wire")
    package = tmp_path / "clients" / "javascript"
    shutil.copytree(ROOT / "clients" / "javascript", package, ignore=shutil.ignore_patterns("lib", "*.tgz"))
    await run("npm", "pack", cwd=package)
    (packed,) = package.glob("*.tgz")
    with tarfile.open(packed) as archive:
        archive.extractall(tmp_path, filter="data")
    types = (tmp_path / "package" / "index.d.ts").read_text("utf-8")
    assert "connect(origin: string, token: string" in types
    assert "../wire.js" in (tmp_path / "package" / "lib" / "net" / "api.d.ts").read_text("utf-8")
    script = str(Path(__file__).with_name("play.mjs"))
    options = ("--experimental-websocket", "--no-warnings")
    printed = await run("node", *options, script, str(tmp_path / "package"), sqlite_server.url, cwd=tmp_path)
    assert json.loads(printed) == {"played": 1, "status": "resigned", "refused": "not_found"}
