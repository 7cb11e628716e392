"""A competition is one folder: the one in `duplicate`, outside the server, needs no edit in it.

A match has two rounds. In each, the teams play the same sealed deal, for as long as the server's clock says.
"""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from aiohttp.test_utils import TestServer
from msgspec import json
from msgspec.structs import replace as replace_deal

from cadogan.server.app import Server
from cadogan.server.core.cluster.bus import LocalBus
from cadogan.server.core.games.own_streams import StreamCommitted
from cadogan.server.core.storage.rebuild import rebuild
from cadogan.server.subjects.known_rules import installed
from cadogan.server.web_app import make_web_app
from tests.harness import game_steps
from tests.harness.command_line import run
from tests.harness.patience import soon
from tests.harness.people import Person
from tests.harness.running_server import TEST_SETTINGS, Clock, RunningServer
from tests.harness.sample_records import rules_of
from tests.harness.web_verifier import WebVerifier
from tests.server.competitions.duplicate.competition import Duplicate, Match
from tests.server.competitions.duplicate.rules import DuplicateRules

MINUTE = 60_000
NAME = "duplicate-m-1"


class Club:
    """Two nodes over one database, each with the competition beside its own, and people at the first one."""

    def __init__(self, nodes: list[RunningServer], duplicates: list[Duplicate]) -> None:
        self.first, self.second = nodes
        self.duplicates = duplicates
        self.clock = self.first.clock
        self.match = ""

    async def gather(self, milliseconds: int = MINUTE) -> None:
        """Let ann and amy, for the reds, and bob, for the blues, enter a match that begins so soon."""
        self.ann, self.amy, self.bob = [await self.first.guest() for _ in range(3)]
        new = {"game": "klondike", "starts_at": self.clock.at + milliseconds, "seconds": 60}
        self.match = (await self.ann.post("/duplicates", new))[1]["id"]
        for player, team in ((self.ann, "red"), (self.amy, "red"), (self.bob, "blue")):
            assert await self.enter(player, team) == 200

    async def enter(self, player: Person, team: str) -> int:
        """Let somebody enter; the status of the answer."""
        return (await player.post(f"/duplicates/{self.match}", {"team": team}))[0]

    def at_second(self, person: Person) -> Person:
        """The same person, as a client of the second node."""
        other = Person(self.second.url, self.second.session)
        other.id, other.token = person.id, person.token
        return other

    async def pass_time(self, milliseconds: int = MINUTE) -> None:
        """Let time pass, and the first node do what is due, though nobody asks."""
        self.clock.at += milliseconds
        await self.duplicates[0].run_due()
        for node in (self.first, self.second):
            await node.server.wait_until_idle()

    async def look(self, person: Person) -> Any:
        """What somebody sees of the match."""
        return (await person.get(f"/duplicates/{self.match}"))[1]

    async def game_of(self, person: Person) -> str:
        """The id of somebody's game of the open round."""
        return str((await self.look(person))["game"])

    async def sight(self, viewer: Person, game: str) -> str:
        """How much somebody sees of a game."""
        async with viewer.connect() as socket:
            return str((await socket.request("subscribe", game=game))["sight"])

    async def resign(self, *players: Person) -> None:
        """Let players give up their games of the open round."""
        for player in players:
            game = await self.game_of(player)
            async with player.connect() as socket:
                seen = await socket.request("subscribe", game=game)
                ended = await socket.request("resign", game=game, version=seen["version"])
                assert ended["type"] == "game_finished"

    async def events(self) -> list[tuple[str, int]]:
        """The events of the match, with their times from the start of the first round, in minutes."""
        stored = await self.first.server.store.read(f"duplicate/{self.match}")
        start = Clock.at + MINUTE
        return [(event.type, (event.recorded_at - start) // MINUTE) for event in stored]


@asynccontextmanager
async def open_club(url: str, clock: Clock, steady: Clock | None = None) -> AsyncIterator[Club]:
    """Two nodes at work."""
    nodes, duplicates, bus = list[RunningServer](), list[Duplicate](), LocalBus()

    def make_duplicate(server: Server) -> Duplicate:
        duplicates.append(Duplicate(server))
        return duplicates[-1]

    async with AsyncExitStack() as stack, aiohttp.ClientSession() as session:
        for _ in range(2):
            settings = replace(TEST_SETTINGS, database_url=url)
            server = Server(settings, clock, bus, competitions=(make_duplicate,), steady=steady)
            app = make_web_app(server)
            listening = await stack.enter_async_context(TestServer(app))
            nodes.append(RunningServer(server, app, str(listening.make_url("")).rstrip("/"), session, clock))
        yield Club(nodes, duplicates)


@pytest.fixture
async def club(database_url: str) -> AsyncIterator[Club]:
    """A match that begins in a minute."""
    async with open_club(database_url, Clock()) as one:
        await one.gather()
        yield one


async def test_a_round_opens_by_the_clock_and_everybody_plays_the_same_cards(club: Club) -> None:
    assert (await club.look(club.at_second(club.ann)))["standing"] == [[1, "blue", 0], [1, "red", 0]]
    await club.pass_time()
    views = []
    for player in (club.ann, club.amy, club.at_second(club.bob)):
        async with player.connect() as socket:
            views.append(await socket.request("subscribe", game=await club.game_of(player)))
    assert views[0]["piles"] == views[1]["piles"] == views[2]["piles"]
    cards = {(view["game"]["mode"], view["game"]["competition"], view["game"]["about"]) for view in views}
    assert cards == {("race", "duplicate", f"{club.match}/1")}
    assert await club.enter(club.bob, "red") == 409


async def test_a_team_is_shown_the_cards_of_others_when_its_last_run_is_over(club: Club) -> None:
    await club.pass_time()
    blue, red = await club.game_of(club.bob), await club.game_of(club.amy)
    await club.resign(club.ann)
    async with club.at_second(club.ann).connect() as watching:
        assert (await watching.request("subscribe", game=blue))["sight"] == "meter"
        await club.resign(club.amy)
        assert (await watching.receive("view"))["sight"] == "board"
    assert await club.sight(club.bob, red) == "meter"


async def test_everybody_is_shown_everything_when_the_round_closes(club: Club) -> None:
    await club.pass_time()
    red = await club.game_of(club.ann)
    status, refused = await club.bob.get(f"/games/{red}/record")
    assert (status, refused["code"]) == (403, "spoiler_embargo")
    async with club.at_second(club.bob).connect() as watching:
        assert (await watching.request("subscribe", game=red))["sight"] == "meter"
        await club.pass_time()
        assert (await watching.receive("game_finished", "advanced"))["type"] == "advanced"
        assert (await watching.receive("view"))["sight"] == "board"
    assert await club.sight(club.first.stranger(), red) == "board"


async def test_who_plays_on_from_a_game_of_a_match_plays_a_casual_game(club: Club) -> None:
    await club.pass_time()
    game = await club.game_of(club.ann)
    await club.pass_time()
    status, view = await club.bob.post(f"/games/{game}/continuations", {"version": 1})
    assert (status, view["game"]["mode"], view["game"].get("competition")) == (200, "casual", None)


async def test_a_command_after_the_end_of_the_round_is_refused(club: Club) -> None:
    await club.pass_time()
    async with club.ann.connect() as socket:
        seen = await socket.request("subscribe", game=await club.game_of(club.ann))
        played = await socket.play(seen, "deal")
        assert played["can_take_back"] is False
        club.clock.at += MINUTE
        assert (await socket.play(played, "deal"))["code"] == "game_over"


async def test_the_better_run_of_a_deal_has_two_points_and_equal_ones_have_one_each(club: Club) -> None:
    await club.pass_time()
    await club.resign(club.bob)
    club.clock.at += 5_000
    await club.resign(club.ann, club.amy)
    await club.pass_time(MINUTE - 5_000)
    assert await club.look(club.ann) | {"game": None} == {
        "id": club.match,
        "closed": 1,
        "standing": [[1, "blue", 2], [2, "red", 0]],
        "game": None,
    }
    await club.pass_time()
    assert (await club.look(club.at_second(club.ann)))["standing"] == [[1, "blue", 3], [2, "red", 1]]
    assert await club.first.server.boards.total("all") == 0


@pytest.mark.both_databases
async def test_what_the_clock_asks_for_is_written_once_at_its_time_by_whichever_node_comes_first(club: Club) -> None:
    club.clock.at += 3 * MINUTE + 1
    await asyncio.gather(*(duplicate.run_due() for duplicate in club.duplicates))
    opened, *entered = (await club.events())[:4]
    assert [name for name, _ in (opened, *entered)] == ["duplicate_opened", *["duplicate_entered"] * 3]
    assert (await club.events())[4:] == [
        ("duplicate_round_opened", 0),
        ("duplicate_round_closed", 1),
        ("duplicate_round_opened", 1),
        ("duplicate_round_closed", 2),
        ("duplicate_ended", 2),
    ]


async def test_a_round_opens_by_itself_although_nobody_asks(club: Club) -> None:
    opened = asyncio.Event()

    def note(committed: StreamCommitted) -> None:
        if isinstance(committed.state, Match) and committed.state.rounds_opened:
            opened.set()

    club.first.server.commits.subscribe(StreamCommitted, note)
    await club.gather(milliseconds=2_000)
    club.clock.at += 2_000
    async with asyncio.timeout(soon()):
        await opened.wait()


async def test_no_round_opens_while_the_clock_was_set(sqlite_url: str) -> None:
    clock, steady = Clock(), Clock()
    async with open_club(sqlite_url, clock, steady) as club:
        await club.gather()
        await club.pass_time(2 * MINUTE)
        assert len(await club.events()) == 4
        steady.at += 2 * MINUTE
        await club.pass_time(0)
        names = [name for name, _ in await club.events()][4:]
        assert names == ["duplicate_round_opened", "duplicate_round_closed", "duplicate_round_opened"]


@pytest.mark.both_databases
async def test_a_node_that_was_told_nothing_of_a_match_finds_it_in_the_log(club: Club) -> None:
    for node in (club.first, club.second):
        node.server.wake_ups.close()
    await club.gather()
    club.clock.at += MINUTE
    await club.duplicates[1].resync(None)
    await club.duplicates[1].run_due()
    assert (await club.events())[-1] == ("duplicate_round_opened", 0)


@pytest.mark.both_databases
async def test_a_match_goes_on_after_a_restart_and_ends_in_the_log(club: Club, database_url: str) -> None:
    await club.pass_time()
    await club.resign(club.bob)
    club.clock.at += 5_000
    async with open_club(database_url, club.clock) as again:
        again.match, bob = club.match, again.at_second(club.bob)
        assert await again.look(bob) == await club.look(club.bob)
        club.clock.at += 2 * MINUTE
        assert (await again.look(bob))["standing"] == [[1, "blue", 3], [2, "red", 1]]
        stream, database = f"duplicate/{club.match}", again.first.server.database
        assert await again.first.server.store.find_ended([stream]) == {stream}
        assert await rebuild(database, again.first.server.competitions.rules) == 6


@pytest.fixture
def installed_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The competition as an installed package: what its entry points say."""
    metadata = tmp_path / "duplicate-1.0.dist-info"
    metadata.mkdir()
    folder = "tests.server.competitions.duplicate"
    groups = (
        f"[cadogan.competition_rules]\nduplicate = {folder}.rules:DuplicateRules",
        f"[cadogan.competitions]\nduplicate = {folder}.competition:Duplicate\n",
    )
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: duplicate\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text("\n".join(groups))
    monkeypatch.syspath_prepend(tmp_path)
    installed.cache_clear()
    yield
    installed.cache_clear()


async def test_a_record_is_verified_with_the_rules_that_are_installed_and_by_the_web_client_without_them(
    club: Club, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """The record of a game that the close of its round ended."""
    await club.pass_time()
    game = await club.game_of(club.ann)
    await club.pass_time()
    status, record = await club.first.stranger().get(f"/games/{game}/record")
    assert status == 200
    file = tmp_path / "record.json"
    file.write_bytes(json.encode(record))
    refused = run("verify", str(file))
    assert refused.exit_code == 1
    assert "no competition here has the key 'duplicate'" in refused.output
    request.getfixturevalue("installed_package")
    assert run("verify", str(file)).exit_code == 0
    verifier = WebVerifier()
    with verifier.process:
        assert verifier.verdict(file.read_bytes(), rules_of("klondike")).consistent


@pytest.mark.usefixtures("installed_package")
def test_a_server_has_the_competitions_that_are_installed(sqlite_url: str) -> None:
    server = Server(replace(TEST_SETTINGS, database_url=sqlite_url))
    deal = replace_deal(game_steps.dealt("klondike"), competition="duplicate", about="m/1")
    assert server.competitions.rules.rules_of(deal).key == "duplicate"


def test_a_deal_that_is_not_the_one_of_its_round_is_refused() -> None:
    fault = DuplicateRules().find_fault
    deal = replace_deal(game_steps.dealt("klondike"), competition="duplicate", about="m/1", deal=NAME, nonce=NAME)
    assert fault(deal) is None
    for wrong in ({"about": "m/2"}, {"deal": "deal"}, {"nonce": "own words"}, {"ranked": True}, {"race": "r"}):
        assert fault(replace_deal(deal, **wrong)) is not None
