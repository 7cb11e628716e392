"""A day of two hundred players on two nodes: every record is attested and witnessed, offline, and a monitor watched.

The nodes are processes, with PostgreSQL and NATS between them, and another server is the witness. Nothing is called
inside of them: people play over sockets, the day closes, and what is checked is what the nodes send and export.
"""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from server.audit import game_audit
from server.audit.attestation import attest, read_host
from server.audit.day_audit import file_name
from server.audit.recompute_leaderboards import recompute
from server.cli.auditing.records import HOST_FILE, export
from server.transparency.checkpoints import read_checkpoint
from server.transparency.leaves import Ended, read_entry
from server.transparency.signing.host_key import HostKey
from server.transparency.signing.keys import WITNESS, VerifierKey
from server.transparency.signing.notes import read_note
from server.transparency.tree.tiles import ENTRIES, WIDTH, read_bundle, tile_path, width_of
from tests.harness import databases
from tests.harness.clocked_server import CLOCK_FILE, SERVE, SharedClock
from tests.harness.daily_actions import CLOSED, DAY
from tests.harness.fixed_server import write_calendar
from tests.harness.patience import long
from tests.harness.people import Person
from tests.harness.running_server import TEST_SETTINGS, Clock, RunningServer, open_server
from tests.harness.sample_records import rules_of
from tests.harness.server_process import NO_RATE_LIMIT, ServerProcess
from tests.harness.web_verifier import WebVerifier

PLAYERS, AT_ONCE = 200, 20
GAMES = ("quatorze", "olga", "klondike")
LOOK_AGAIN_SECONDS = 0.2


@dataclass
class Club:
    """Two nodes with one database and one key, their clock, and the key of the witness of their log."""

    nodes: tuple[ServerProcess, ServerProcess]
    clock: SharedClock
    witness: VerifierKey
    database_url: str
    folder: Path
    session: aiohttp.ClientSession

    async def fetch(self, path: str, node: int = 0) -> bytes:
        """A file that anybody may have."""
        async with self.session.get(self.nodes[node].url + path) as response:
            assert response.status == 200, path
            return await response.read()

    async def monitor(self) -> str:
        """What `cadogan monitor` prints after one look at a node; raises CalledProcessError if anything is wrong."""
        state = str(self.folder / "monitor.json")
        watch = ("monitor", self.nodes[0].url, "--state", state, "--key", self.witness.text)
        return await asyncio.to_thread(self.nodes[0].command, *watch)

    async def entries(self, node: int) -> list[Ended]:
        """The whole log of a node, whose latest checkpoint the witness has signed."""
        note = read_note((await self.fetch("/log/checkpoint", node)).decode())
        size = read_checkpoint(note.text).size
        bundles = [
            read_bundle(await self.fetch(f"/log/{tile_path(ENTRIES, n, width_of(ENTRIES, n, size))}", node))
            for n in range(-(-size // WIDTH))
        ]
        found = [read_entry(entry) for bundle in bundles for entry in bundle]
        return [entry for entry in found if isinstance(entry, Ended)]


async def until(holds: Callable[[], Awaitable[bool]]) -> None:
    """Return as soon as something holds that the nodes do by themselves. Raises TimeoutError."""
    async with asyncio.timeout(long()):
        while True:
            if await holds():
                return
            await asyncio.sleep(LOOK_AGAIN_SECONDS)


@pytest.fixture
async def club(postgresql_url: str, nats_url: str, sqlite_template: Path, tmp_path: Path) -> AsyncIterator[Club]:
    """Two nodes at noon of a day, and a witness for their log."""
    key_file, clock = tmp_path / "club.key", SharedClock(tmp_path / "clock")
    clock.turn_to(Clock.at)
    log_key = HostKey(key_file).make().verifier()
    write_calendar(tmp_path / "calendar.toml", GAMES)
    settings = replace(TEST_SETTINGS, key_file=str(tmp_path / "witness.key"), witness_for=(log_key.text,))
    async with AsyncExitStack() as stack:
        url = stack.enter_context(databases.sqlite(tmp_path, sqlite_template))
        witness = await anext(opened := open_server(replace(settings, database_url=url)))
        stack.push_async_callback(opened.aclose)  # type: ignore[attr-defined]  # it is a generator
        witness_key = key_of(witness)
        environment = {
            **NO_RATE_LIMIT,
            "CADOGAN_BUS": nats_url,
            "CADOGAN_KEY_FILE": str(key_file),
            "CADOGAN_CALENDAR": str(tmp_path / "calendar.toml"),
            "CADOGAN_WITNESSES": f"{witness.url}/witness#{witness_key.text}",
            CLOCK_FILE: str(tmp_path / "clock"),
        }
        one, two = (ServerProcess(postgresql_url, tmp_path / f"{n}.log", environment, SERVE) for n in (1, 2))
        await stack.enter_async_context(one)
        await stack.enter_async_context(two)
        session = await stack.enter_async_context(aiohttp.ClientSession())
        yield Club((one, two), clock, witness_key, postgresql_url, tmp_path, session)


def key_of(witness: RunningServer) -> VerifierKey:
    """The public key of a witness."""
    return witness.server.host_key.get().witness().verifier(WITNESS)


async def play_a_day(club: Club, number: int) -> dict[str, bool]:
    """What one player does: for each game that was begun, whether it was ended. Some change the node in the middle."""
    chance = random.Random(number)
    here, there = chance.sample(club.nodes, 2)
    person = await Person(here.url, club.session).arrive()
    begun: dict[str, bool] = {}
    for slot in chance.sample((1, 2, 3), chance.choice((1, 2))):
        game = await person.enter(slot=slot)
        person.url = chance.choice((here, there)).url
        begun[game] = await play_on(person, game, chance)
    return begun


async def play_on(person: Person, game: str, chance: random.Random) -> bool:
    """Play some moves at random, and give up or leave; return whether the game has ended."""
    async with person.connect() as socket:
        seen = await socket.request("subscribe", game=game)
        for _ in range(chance.randrange(8)):
            if not seen["legal"]:
                break
            seen = {**seen, **await socket.play({**seen, "game": game}, chance.choice(seen["legal"]))}
        if seen.get("status", "playing") == "playing" and chance.random() < 0.2:
            return False
        await socket.send("resign", game=game, version=seen["version"])
        return bool((await socket.receive("game_finished", "refused"))["type"])


@pytest.mark.slow
async def test_a_day_of_two_hundred_players_on_two_nodes_is_attested_and_witnessed_offline(
    club: Club, web_verifier: WebVerifier
) -> None:
    at_once = asyncio.Semaphore(AT_ONCE)

    async def play(number: int) -> dict[str, bool]:
        async with at_once:
            return await play_a_day(club, number)

    begun: dict[str, bool] = {}
    for played in await asyncio.gather(*map(play, range(PLAYERS))):
        begun |= played
    assert len(begun) > PLAYERS
    assert 10 < list(begun.values()).count(False) < len(begun) / 2

    async def is_witnessed_up_to(size: int) -> bool:
        note = read_note((await club.fetch("/log/checkpoint")).decode())
        return read_checkpoint(note.text).size >= size and note.is_signed_by(club.witness)

    await until(lambda: is_witnessed_up_to(list(begun.values()).count(True)))
    assert f"0 records verified, {list(begun.values()).count(True)} not public yet" in await club.monitor()

    club.clock.turn_to(CLOSED)
    await until(lambda: is_witnessed_up_to(len(begun) + 1))
    left = {game for game, ended in begun.items() if not ended}

    async def are_ends_logged() -> bool:
        """Whether the log has the ends that the close of the day gave to the runs that were left."""
        for game in tuple(left):
            record = json.loads(await club.fetch(f"/api/v1/games/{game}/record"))
            logged = {entry.stream: entry.version for entry in await club.entries(0)}
            if record["events"][-1]["type"] != "game_finished" or logged[record["stream"]] != len(record["events"]):
                return False
            left.remove(game)
        return await is_witnessed_up_to(len(await club.entries(0)))

    await until(are_ends_logged)
    first, second = [await club.entries(node) for node in (0, 1)]
    assert first == second
    assert {entry.stream for entry in first} == {f"daily/{DAY}", *(f"game/{game}" for game in begun)}
    assert f"{len(first)} records verified, 0 not public yet" in await club.monitor()

    witnesses = (f"http://127.0.0.1:1/witness#{club.witness.text}",)
    settings = replace(TEST_SETTINGS, database_url=club.database_url, key_file=str(club.folder / "club.key"))
    folder = club.folder / "records"
    assert (await export(replace(settings, witnesses=witnesses), folder, club.clock))[0] == len(begun)
    for node in club.nodes:
        node.stop()
    assert_is_witnessed(folder, begun, web_verifier)


def assert_is_witnessed(folder: Path, games: dict[str, bool], web_verifier: WebVerifier) -> None:
    """Check by both verifiers, without a server, that all records of an export are attested and witnessed."""
    host = json.loads((folder / HOST_FILE).read_bytes())
    numbers = set[int]()
    for game in games:
        text = (folder / f"{game}.json").read_bytes()
        verdict = game_audit.verify(text)
        assert verdict.consistent, verdict
        found = attest(game_audit.read_record(text), verdict.hashes, read_host(host))
        assert found is not None
        assert (found.version, len(found.witnesses)) == (len(verdict.hashes), 1)
        assert found.key is not None
        numbers.add(found.number)
        theirs = web_verifier.verdict(text, rules_of(slug_of(json.loads(text))), host)
        assert (theirs.consistent, theirs.attested, len(theirs.witnessed)) == (True, True, 1)
    assert len(numbers) == len(games)
    assert (folder / file_name(DAY)).is_file()
    board = recompute(DAY, folder)
    assert board.agrees, board


def slug_of(record: dict[str, Any]) -> str:
    """The game of a record."""
    return str(record["events"][0]["data"]["game"])
