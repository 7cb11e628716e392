"""The command `cadogan play`, on a given server and with an embedded one."""

import json
import logging
from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog
from click.testing import CliRunner

from cadogan.cli import main
from cadogan.embedded import DATABASE, LOG, embedded_server
from cadogan.sdk import connect
from cadogan.sdk.errors import Unreachable
from cadogan.terminal.app import TerminalApp
from cadogan.terminal.main import run_client
from cadogan.terminal.token_store import FILE_NAME, TokenStore
from cadogan.terminal.words import language
from cadogan.wire.settings import Settings
from tests.harness.running_server import RunningServer
from tests.harness.server_process import UNREACHABLE_URL


@pytest.fixture(autouse=True)
def restored_logging() -> Iterator[None]:
    """Restore the logging after the test: a server has changed it."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    logging.captureWarnings(False)
    structlog.reset_defaults()


@pytest.fixture
def players(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Replace the application, and collect the ids of its players."""
    ids: list[str] = []

    async def run(app: TerminalApp) -> None:
        player = (await app.client.who_am_i()).player
        assert player is not None
        ids.append(player.id)

    monkeypatch.setattr(TerminalApp, "run_async", run)
    return ids


async def test_an_embedded_server_stores_its_games_in_a_folder(tmp_path: Path) -> None:
    folder = tmp_path / "data" / "cadogan"
    async with embedded_server(folder) as address:
        assert address.startswith("http://127.0.0.1:")
        async with connect(address) as client:
            game = await client.deal("klondike")
            await game.play("deal")
            token, id = client.token, game.id
    async with embedded_server(folder) as address, connect(address, token) as client:
        assert (await client.game(id)).played == 1
    assert {DATABASE, LOG} <= {file.name for file in folder.iterdir()}
    with pytest.raises(Unreachable):
        async with connect(address, timeout_seconds=1):
            raise AssertionError("it should have ended")


async def test_the_player_is_the_same_the_next_time(
    sqlite_server: RunningServer, tmp_path: Path, players: list[str]
) -> None:
    tokens = TokenStore(tmp_path)
    for _ in range(2):
        await run_client(sqlite_server.url, tokens)
    assert players[0] == players[1]
    assert list(json.loads((tmp_path / FILE_NAME).read_text())) == [sqlite_server.url]


async def test_a_player_with_an_unknown_token_becomes_a_new_guest(
    sqlite_server: RunningServer, tmp_path: Path, players: list[str]
) -> None:
    tokens = TokenStore(tmp_path)
    tokens.save(sqlite_server.url, "forgotten")
    await run_client(sqlite_server.url, tokens)
    assert len(players) == 1
    assert tokens.get(sqlite_server.url) != "forgotten"


async def test_the_language_is_that_of_the_option_then_of_the_account_then_of_the_environment(
    sqlite_server: RunningServer, tmp_path: Path, players: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    tokens, seen = TokenStore(tmp_path), []
    monkeypatch.setenv("LC_ALL", "tr_TR.UTF-8")
    for wanted in (None, None, "de"):
        await run_client(sqlite_server.url, tokens, language=wanted)
        seen.append(language())
        async with connect(sqlite_server.url, tokens.get(sqlite_server.url)) as client:
            await client.keep_settings(Settings(language="hu"))
    assert seen == ["tr", "hu", "de"]
    assert len(set(players)) == 1


def test_an_unknown_language_is_refused_with_those_that_exist() -> None:
    refused = CliRunner().invoke(main, ["play", "--language", "xx"])
    assert refused.exit_code == 2
    assert "xx is not one of de, en, hu, tr." in refused.output


def test_without_a_server_an_embedded_server_is_used(
    tmp_path: Path, players: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.delenv("CADOGAN_SERVER", raising=False)
    played = [CliRunner().invoke(main, ["play", "--data", str(tmp_path / "data")]) for _ in range(2)]
    assert [(one.exit_code, one.output) for one in played] == [
        (0, f"Your games are kept in {tmp_path / 'data'}.\n")
    ] * 2
    assert players[0] == players[1]


@pytest.mark.parametrize("server", ["ftp://patience.example", UNREACHABLE_URL])
def test_a_missing_server_is_reported_as_a_sentence_without_a_traceback(
    server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    refused = CliRunner().invoke(main, ["play"], env={"CADOGAN_SERVER": server})
    assert refused.exit_code == 1
    assert refused.output.startswith("Error: ")
    assert "Traceback" not in refused.output
