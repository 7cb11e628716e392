"""A monitor checks the record of each race, and names a race that does not exist, or whose results are others."""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from msgspec import json

from cadogan.server.cli.records import export
from cadogan.server.core.eventlog.streams import race_stream
from cadogan.server.subjects.races.race_record import file_name, verify_race
from cadogan.server.subjects.transparency.leaves import Ended
from tests.harness.command_line import run
from tests.harness.logging_ends import log_ends
from tests.harness.race_actions import game_in_race, get_race, let_race_start, make_race, resign_in_race
from tests.harness.running_server import TEST_SETTINGS, open_server
from tests.server.monitor.lived import Entry, Lived, new_state


class Raced(Lived):
    """A server with a race of two that is over, watched from the beginning."""

    race: str


@pytest.fixture
async def raced(database_url: str, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Raced]:
    """A race that both have given up; its record was asked for while it ran."""
    monkeypatch.setattr("cadogan.server.subjects.transparency.sequencer.BATCH_SECONDS", 3600.0)
    async with (
        open_server(replace(TEST_SETTINGS, database_url=database_url)) as server,
        aiohttp.ClientSession() as session,
    ):
        ann, bob = await server.guest(), await server.guest()
        race = await make_race(ann, bob)
        race = await let_race_start(server, ann, race)
        one = Raced(server, session, [game_in_race(race, person) for person in (ann, bob)])
        one.race = str(race["race"])
        status, refused = await ann.get(f"/races/{one.race}/record")
        assert (status, refused["code"]) == (403, "spoiler_embargo")
        for person in (ann, bob):
            async with person.connect() as socket:
                await resign_in_race(socket, race, person)
        await server.server.races.wait_until_idle()
        assert (await get_race(ann, race))["state"] == "over"
        await log_ends(server.server)
        yield one


async def test_the_record_of_a_race_is_shown_exported_proven_and_checked(raced: Raced, tmp_path: Path) -> None:
    assert await raced.look() == []
    assert raced.state.waiting == []
    async with raced.session.get(f"{raced.server.url}/api/v1/races/{raced.race}/record") as response:
        shown = await response.read()
    assert len(verify_race(shown, raced.race).racers) == 2
    async with raced.session.get(f"{raced.server.url}/api/v1/races/nothing/record") as response:
        assert (response.status, (await response.json())["code"]) == (404, "not_found")
    assert (await export(raced.server.server.settings, tmp_path, raced.server.clock))[0] == 2
    file = tmp_path / file_name(raced.race)
    assert json.decode(file.read_bytes()) == json.decode(shown)
    said = run("verify", str(file), "--trust", str(tmp_path / "host.json"))
    assert (said.exit_code, "attested: entry" in said.output) == (0, True), said.output


async def invent_a_race(raced: Lived) -> None:
    """The log names a race that there never was."""
    entry = Ended(race_stream("aaaabbbbccccdddd"), 5, "ab" * 32)
    await raced.server.server.transparency.append([(entry.stream, 5, entry.as_bytes())], raced.key)


async def invent_a_game(raced: Lived) -> None:
    """The log names a game that there never was."""
    entry = Ended("game/aaaabbbbccccdddd", 5, "ab" * 32)
    await raced.server.server.transparency.append([(entry.stream, 5, entry.as_bytes())], raced.key)


async def change_a_result(raced: Lived) -> None:
    """Somebody has more moves than in the game, and the log was made anew."""
    assert isinstance(raced, Raced)

    def forge(stored: list[dict[str, Any]]) -> None:
        stored[-1]["data"]["results"][-1]["moves"] += 1

    await raced.change_events(race_stream(raced.race), forge)
    events = await raced.server.server.store.read(race_stream(raced.race))

    def follow(entries: list[Entry]) -> list[Entry]:
        head = events[-1]
        again = Ended.of(race_stream(raced.race), head.version, b"", head.hash).as_bytes()
        return [(stream, version, again if stream == race_stream(raced.race) else e) for stream, version, e in entries]

    await raced.log_again(follow)


async def change_the_record(raced: Lived) -> None:
    """Somebody joined later than the record of before said."""
    assert isinstance(raced, Raced)

    def forge(stored: list[dict[str, Any]]) -> None:
        stored[-1]["recorded_at"] += 1

    await raced.change_events(race_stream(raced.race), forge)


async def exchange_the_commitment(raced: Lived) -> None:
    """Another secret than the one that was committed to."""
    assert isinstance(raced, Raced)

    def forge(stored: list[dict[str, Any]]) -> None:
        stored[-1]["data"]["secret"] = "ab" * 32

    await raced.change_events(race_stream(raced.race), forge)


FORGERIES = (
    (invent_a_race, "match/aaaabbbbccccdddd: the server does not show it"),
    (invent_a_game, "game/aaaabbbbccccdddd: the server does not show it"),
    (change_a_result, "is not that of the game"),
    (change_the_record, "its record is not the one that is in the log"),
    (exchange_the_commitment, "its record is broken: the secret does not fit the commitment"),
)


async def test_a_race_or_a_game_that_is_none_or_another_is_named_by_anybody(raced: Raced) -> None:
    for forge, named in FORGERIES:
        async with raced.put_back():
            await forge(raced)
            (found,) = await raced.look_again(new_state())
        assert any(named in wrong for wrong in found), (forge.__name__, found)
    assert await raced.look_again(new_state()) == [[]]
