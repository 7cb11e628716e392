"""A client that somebody else's tool makes from the OpenAPI document, and a game played with it."""

import importlib
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import connect

from cadogan.wire.schema import openapi
from tests.harness.databases import leave_out
from tests.harness.running_server import RunningServer


@pytest.fixture
def generated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of a package that openapi-python-client has just made; without that tool the test is left out."""
    tool = Path(sys.executable).with_name("openapi-python-client")
    if not tool.exists():
        leave_out("openapi-python-client is not installed: pip install openapi-python-client")
    document = tmp_path / "openapi.json"
    document.write_text(json.dumps(openapi()))
    made: list[str | Path] = [
        tool,
        "generate",
        "--path",
        document,
        "--output-path",
        tmp_path / "generated_cadogan",
        "--meta",
        "none",
    ]
    (tmp_path / "config.yaml").write_text("post_hooks: []\n")
    printed = subprocess.run(
        [*made, "--config", tmp_path / "config.yaml", "--fail-on-warning"], capture_output=True, text=True, check=False
    )
    assert printed.returncode == 0, printed.stdout + printed.stderr
    monkeypatch.syspath_prepend(tmp_path)
    return "generated_cadogan"


@pytest.mark.slow
async def test_a_game_is_played_with_a_generated_client(sqlite_server: RunningServer, generated: str) -> None:
    def part(path: str) -> Any:
        return importlib.import_module(f"{generated}.{path}")

    models, clients = part("models"), part("client")
    async with clients.Client(sqlite_server.url) as stranger:
        guest = await part("api.session.begin_as_guest").asyncio(client=stranger)

    async with clients.AuthenticatedClient(sqlite_server.url, token=guest.token) as client:

        async def ask(path: str, *words: str, **keys: Any) -> Any:
            return await part(f"api.{path}").asyncio(*words, client=client, **keys)

        sealed = await ask("deals.seal_deal", body=models.NewDeal(rules="quatorze"))
        begun = await ask("games.begin_game", body=models.NewGame(deal=sealed.deal, nonce="my own words"))
        game = begun.game.id
        seen = await ask("games.show_game", game)
        address = sqlite_server.url.replace("http", "ws", 1) + "/ws/v1"
        async with connect(
            address, additional_headers={"Authorization": f"Bearer {guest.token}"}, proxy=None
        ) as socket:
            move = {"type": "play", "id": "1", "game": game, "version": seen.version, "move": seen.legal[0]}
            await socket.send(json.dumps(move))
            played = models.MovePlayed.from_dict(json.loads(await socket.recv()))
            await socket.send(json.dumps({"type": "resign", "id": "2", "game": game, "version": played.version}))
            over = models.GameFinished.from_dict(json.loads(await socket.recv()))
        assert (played.move, over.result) == (seen.legal[0], "resigned")
        assert (await ask("games.show_game", game)).status == "resigned"
        assert len((await ask("games.replay_game", game)).messages) == 3
        assert (await ask("games.show_pace", game)).points[0] == [0, 0, 0]
        assert (await ask("games.download_record", game)).commitment == sealed.commitment
        assert (await ask("games.show_game", "unknown")).code == "not_found"
