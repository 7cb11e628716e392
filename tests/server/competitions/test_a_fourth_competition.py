"""A competition is an extension: one written here, outside the server, needs no edit in it.

A group shares one deal for a week. Each member has one run of it. Nobody who has yet to finish sees a card of the
others' runs; when the week is over, everything is everybody's, and the runs are ranked by score, moves and time.
"""

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import replace

import aiohttp
import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer
from msgspec import json

from cadogan.server.app import Server
from cadogan.server.audit import game_audit
from cadogan.server.competitions.competition import Competition, OwnRun
from cadogan.server.competitions.known_rules import known_rules
from cadogan.server.core import ids
from cadogan.server.core.errors import GameOver
from cadogan.server.eventlog.events import GameDealt
from cadogan.server.games.commits import Committed
from cadogan.server.games.competition_rules import CompetitionRules
from cadogan.server.games.deal_event import make_deal_event
from cadogan.server.games.game_outline import GameOutline
from cadogan.server.games.game_state import GameState
from cadogan.server.games.run_results import RunResults
from cadogan.server.leaderboards.ranking import RankKey, ranks
from cadogan.server.web_app import make_web_app
from cadogan.wire.values import Mode
from tests.harness.people import Person
from tests.harness.running_server import TEST_SETTINGS, Clock, RunningServer

WEEK_MILLISECONDS = 7 * 24 * 60 * 60 * 1000
DEAL = "week-the-club-2026-11-23"


class GroupWeekRules(CompetitionRules):
    """What the week decides without a database."""

    key = "week"

    def owns(self, dealt: GameDealt) -> bool:
        return dealt.deal.startswith("week-")

    def mode(self, dealt: GameDealt) -> Mode:
        return "practice"  # of the words that clients know, the nearest

    def lifts_embargo(self, dealt: GameDealt) -> bool:
        return True

    def find_fault(self, dealt: GameDealt) -> str | None:
        return None if dealt.nonce == dealt.deal else "the nonce of a week's deal is its name"


class GroupWeek(Competition):
    """The week at work, from `begins_at` on, for these rules."""

    rules = GroupWeekRules()

    def __init__(self, server: Server, slug: str, begins_at: int) -> None:
        self.finished: dict[str, RankKey] = {}
        self._server = server
        self._slug = slug
        self._ends_at = begins_at + WEEK_MILLISECONDS
        self._results = RunResults(server.index)

    async def enter(self, player: str) -> GameState:
        """Return the member's one run."""
        deal = await self._server.deals.seal_named(DEAL, self._slug, self._server.now())
        dealt = make_deal_event(deal, player)
        game_id = ids.derive_id(deal.secret, "week", player)
        return await self._server.commands.deal(game_id, dealt, deal.secret, self._server.now())

    def standings(self) -> list[tuple[int, str]]:
        """Return the members who have finished, by rank."""
        ordered = sorted(self.finished, key=self.finished.__getitem__)
        return list(zip(ranks([self.finished[player] for player in ordered]), ordered, strict=True))

    def routes(self) -> Iterable[web.RouteDef]:
        return (web.get("/weeks/club", self.show_standings),)

    async def show_standings(self, _: web.Request) -> web.Response:
        """Answer with the ranks, and who has them."""
        return web.json_response(self.standings())

    async def is_public(self, game: GameOutline) -> bool:
        return self._server.now() >= self._ends_at

    async def own_run(self, player: str, game: GameOutline) -> OwnRun:
        secret = await self._server.deals.get_secret(game.dealt.deal)
        assert secret is not None
        attempt = await self._results.get(ids.derive_id(secret, "week", player))
        return OwnRun(finished=attempt.result is not None)

    async def require_open(self, game: GameState, now: int) -> None:
        if now >= self._ends_at:
            raise GameOver("The week is over.", version=game.version)

    def on_commit(self, committed: Committed) -> None:
        end = committed.state.finished
        if end is not None and committed.state.competition is self.rules:
            self.finished[committed.state.player] = RankKey(-end.score, end.moves, end.milliseconds)


class Club:
    """A running server with a week that has begun, and two members who have entered."""

    def __init__(self, running: RunningServer, week: GroupWeek, ann: Person, bob: Person) -> None:
        self.running = running
        self.week = week
        self.ann = ann
        self.bob = bob
        self.games: dict[str, str] = {}

    async def enter(self) -> None:
        """Deal a run to both."""
        for member in (self.ann, self.bob):
            self.games[member.id] = (await self.week.enter(member.id)).id

    async def resign(self, member: Person) -> None:
        """Let a member give up."""
        async with member.connect() as socket:
            seen = await socket.request("subscribe", game=self.games[member.id])
            answer = await socket.request("resign", game=self.games[member.id], version=seen["version"])
            assert answer["type"] == "game_finished"


@asynccontextmanager
async def open_club(url: str, slug: str = "klondike") -> AsyncIterator[Club]:
    """A server that knows the week beside its own competitions."""
    clock, weeks = Clock(), list[GroupWeek]()

    def make_week(server: Server) -> GroupWeek:
        weeks.append(GroupWeek(server, slug, clock.at))
        return weeks[-1]

    server = Server(replace(TEST_SETTINGS, database_url=url), clock, competitions=(make_week,))
    app = make_web_app(server)
    async with TestServer(app) as listening, aiohttp.ClientSession() as session:
        running = RunningServer(server, app, str(listening.make_url("")).rstrip("/"), session, clock)
        club = Club(running, weeks[0], await running.guest(), await running.guest())
        await club.enter()
        yield club


@pytest.fixture
async def club(sqlite_url: str) -> AsyncIterator[Club]:
    """A week of Klondike over a fresh SQLite database."""
    async with open_club(sqlite_url) as one:
        yield one


async def test_the_members_play_the_same_cards(club: Club) -> None:
    views = []
    for member in (club.ann, club.bob):
        async with member.connect() as socket:
            views.append(await socket.request("subscribe", game=club.games[member.id]))
    assert views[0]["piles"] == views[1]["piles"]
    assert {view["sight"] for view in views} == {"seat"}


async def test_who_enters_twice_gets_the_same_run(club: Club) -> None:
    assert (await club.week.enter(club.ann.id)).id == club.games[club.ann.id]


async def test_who_has_yet_to_finish_sees_how_far_others_are_and_no_card(club: Club) -> None:
    async with club.bob.connect() as socket:
        seen = await socket.request("subscribe", game=club.games[club.ann.id])
    assert (seen["sight"], seen.get("piles")) == ("meter", None)
    status, refused = await club.bob.get(f"/games/{club.games[club.ann.id]}/replay")
    assert (status, refused["code"]) == (403, "spoiler_embargo")


async def test_who_finishes_while_watching_is_shown_the_cards_at_once(club: Club) -> None:
    async with club.bob.connect() as watching:
        assert (await watching.request("subscribe", game=club.games[club.ann.id]))["sight"] == "meter"
        await club.resign(club.bob)
        assert (await watching.receive("view"))["sight"] == "board"


async def test_a_move_that_turned_up_a_card_stays_played(club: Club) -> None:
    async with club.ann.connect() as socket:
        seen = await socket.request("subscribe", game=club.games[club.ann.id])
        played = await socket.play(seen, "deal")
        assert played["can_take_back"] is False
        refused = await socket.request("take_back", game=played["game"], version=played["version"])
    assert refused["code"] == "take_back_revealed"


async def test_a_run_ends_no_day_counts_on_no_board_and_is_ranked_at_an_address_of_the_week(club: Club) -> None:
    await club.resign(club.bob)
    club.running.clock.at += 5000
    await club.resign(club.ann)
    async with club.running.session.get(f"{club.running.url}/weeks/club") as response:
        assert await response.json() == [[1, club.bob.id], [2, club.ann.id]]
    assert await club.running.server.boards.total("all") == 0


async def test_after_the_week_no_command_is_taken_and_everything_is_everybodys(club: Club) -> None:
    game = club.games[club.ann.id]
    club.running.clock.at += WEEK_MILLISECONDS
    async with club.ann.connect() as socket:
        seen = await socket.request("subscribe", game=game)
        assert (await socket.play(seen))["code"] == "game_over"
    async with club.running.stranger().connect() as socket:
        assert (await socket.request("subscribe", game=game))["sight"] == "board"


async def test_the_record_is_had_after_the_week_and_the_audit_proves_it_with_the_rules_of_the_week(club: Club) -> None:
    await club.resign(club.ann)
    address = f"/games/{club.games[club.ann.id]}/record"
    assert (await club.ann.get(address))[0] == 403
    club.running.clock.at += WEEK_MILLISECONDS
    status, record = await club.running.stranger().get(address)
    assert status == 200
    rules = known_rules()
    rules.add(GroupWeekRules())
    assert game_audit.verify(json.encode(record), rules).consistent
    assert not game_audit.verify(json.encode(record)).consistent
