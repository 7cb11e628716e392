"""A player's games as lines of JSON."""

import json
from dataclasses import replace
from typing import Any

import aiohttp
import pytest

from cadogan.server.core.dates import MILLISECONDS_PER_DAY
from tests.harness.daily_actions import play_and_resign
from tests.harness.invisible_events import invisible_event
from tests.harness.people import Person
from tests.harness.running_server import TEST_SETTINGS, RunningServer, open_server
from tests.harness.schema_checks import check_body


async def export(asker: Person, player: str, query: str = "") -> tuple[int, list[Any]]:
    """The status and the lines of an export."""
    address = f"{asker.url}/api/v1/players/{player}/games{query}"
    async with asker.session.get(address, headers=asker.headers) as response:
        return response.status, [json.loads(line) for line in (await response.text()).splitlines()]


async def test_an_export_has_every_finished_game_once_and_no_card(
    running_server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cadogan.server.subjects.players.profiles.MAX_PAGE", 2)
    ada, bob = await running_server.guest(), await running_server.guest()
    games = [await ada.deal("quatorze") for _ in range(5)] + [await ada.enter()]
    for game in games:
        await play_and_resign(ada, game, moves=1)
    await ada.deal()  # it goes on
    status, lines = await export(bob, ada.id)
    assert status == 200
    assert {line["game"]["id"] for line in lines} == set(games)
    assert len(lines) == len(games)
    for line in lines:
        check_body("RecentGame", line)
        assert set(line) == {"game", "score", "moves", "milliseconds"}
    running_server.clock.at += MILLISECONDS_PER_DAY
    late = await ada.deal("quatorze")
    await play_and_resign(ada, late, moves=1)
    assert [one["game"]["id"] for one in (await export(bob, ada.id, "?since=2026-11-21"))[1]] == [late]
    assert len((await export(bob, ada.id, "?until=2026-11-21"))[1]) == len(games)
    assert (await export(bob, "a" * 16))[0] == 404
    assert (await export(bob, ada.id, "?since=2026-13-45"))[0] == 400


async def test_an_export_that_fails_midway_breaks_off_and_is_charged_to_who_asks(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cadogan.server.subjects.players.profiles.MAX_PAGE", 1)
    async with open_server(replace(TEST_SETTINGS, database_url=sqlite_url, rate=1, proxies=1)) as running_server:
        ada, server = await running_server.guest(), running_server.server
        games = sorted([await ada.deal("quatorze") for _ in range(3)])
        for game in games:
            await play_and_resign(ada, game)
        async with invisible_event(server.database, f"game/{games[0]}", 1):
            status, (refusal,) = await export(ada, ada.id)
            assert (status, refusal["code"]) == (503, "unavailable")
        async with invisible_event(server.database, f"game/{games[2]}", 1):
            with pytest.raises(aiohttp.ClientPayloadError):
                await export(ada, ada.id)
        assert len((await export(ada, ada.id))[1]) == 3
        server.limits.history.take("10.0.0.1", TEST_SETTINGS.burst * 1000)  # that is more than there is at once
        address, elsewhere = f"{ada.url}/api/v1/players/{ada.id}/games", {"X-Forwarded-For": "10.0.0.1"}
        async with ada.session.get(address, headers=elsewhere) as response:
            assert (response.status, (await response.json())["code"]) == (429, "rate_limited")
