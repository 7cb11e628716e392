"""Players analyse finished games on their own machines, over HTTP, and the server finds whose verdicts are wrong."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import suppress

import aiohttp
import pytest
from sqlalchemy import select

from cadogan.engine.solver import SOLVER_VERSION
from cadogan.sdk import Client, connect
from cadogan.sdk.errors import CommandReused, Conflict, Forbidden, NotFound, TooMany, Unauthorized
from cadogan.server.cli.serving.remote_analyst import AnalystLink, LentRun, Refused, RemoteAnalyst
from cadogan.server.core.database.tables import analyses, contributions
from cadogan.server.core.fairness import commit_reveal
from cadogan.server.core.games.game_reader import GameReader
from cadogan.server.subjects.analysis import analyst, run_search
from cadogan.server.subjects.analysis.analyst import Analyst
from cadogan.server.subjects.analysis.contributions import (
    LEND_SECONDS,
    MAX_LEND_MILLISECONDS,
    MAX_LENT_TO_PERSON,
    Contribution,
)
from cadogan.server.subjects.analysis.decided_positions import DecidedPositions
from cadogan.server.subjects.analysis.findings import Findings, read_run
from cadogan.server.subjects.analysis.jobs import WHOLE_GAME, AnalysisJobs
from cadogan.server.subjects.analysis.lent_search import Claims, LentSearch
from cadogan.server.subjects.known_rules import known_rules
from cadogan.wire.analysis import Winnability
from cadogan.wire.lent_work import Decided, LentGame, SearchStep, WorkState
from cadogan.wire.messages import ServerMessage
from tests.harness.hosts import log_of, with_role
from tests.harness.patience import long
from tests.harness.running_server import RunningServer

PASSWORD = "eight red queens"


@pytest.fixture(autouse=True)
def few_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every deal has the same cards, and an analysis ends soon."""
    monkeypatch.setattr(commit_reveal, "draw_secret", lambda: bytes(range(commit_reveal.SECRET_BYTES)))
    monkeypatch.setattr(analyst, "lower_priority", lambda: None)
    monkeypatch.setattr(run_search, "MAX_NODES", 800)


@pytest.fixture
async def ada(running_server: RunningServer) -> AsyncIterator[Client]:
    """Somebody who plays, and asks where games were lost."""
    async with connect(running_server.url) as client:
        await client.claim_name("Ada", PASSWORD)
        yield client


@pytest.fixture
async def bob(running_server: RunningServer) -> AsyncIterator[Client]:
    """Somebody who lends a machine."""
    async with connect(running_server.url) as client:
        await client.claim_name("Bob", PASSWORD)
        yield client


async def asked(client: Client, moves: int = 2) -> str:
    """A game of Quatorze that was given up after some moves, and whose analysis waits; its id."""
    game = await client.deal("quatorze", "mine")
    for _ in range(moves):
        await game.play(game.moves[0])
    await game.resign()
    await client.analyse_game(game.id)
    return game.id


async def token_of(client: Client) -> str:
    return (await client.make_token("My machine", ["analyse"])).token


class Link(AnalystLink):
    """The requests of an analyst, who changes what is submitted, and ends with the first complete game."""

    def __init__(
        self,
        session: aiohttp.ClientSession,
        address: str,
        token: str,
        stopping: asyncio.Event,
        change: Callable[[Decided], Decided],
    ) -> None:
        super().__init__(session, address, token)
        self.stopping = stopping
        self.change = change

    async def submit(self, id: str, after: int, steps: list[SearchStep]) -> WorkState:
        changed = [
            SearchStep(position=one.position, decided=[self.change(verdict) for verdict in one.decided])
            for one in steps
        ]
        state = await super().submit(id, after, changed)
        if state.done:
            self.stopping.set()
        return state


async def lend(server: RunningServer, client: Client, change: Callable[[Decided], Decided] = lambda one: one) -> None:
    """Let this player's machine analyse one game."""
    stopping = asyncio.Event()
    async with asyncio.timeout(long()), aiohttp.ClientSession() as session:
        link = Link(session, server.url, await token_of(client), stopping, change)
        await RemoteAnalyst(link, stopping).work()


async def states(server: RunningServer) -> list[tuple[str, str | None]]:
    """The state of each contribution, and of its check."""
    rows = await server.server.database.fetch(select(contributions.c.state, contributions.c.checked))
    return sorted([(row.state, row.checked) for row in rows], key=str)


async def let_server_work(server: RunningServer) -> None:
    """Let an analyst of the server do everything that waits, checks and jobs by turns."""
    one = server.server
    reader, positions = GameReader(one.store, one.deals, known_rules()), DecidedPositions(one.database, one.now)
    analyst = Analyst(AnalysisJobs(one.database, one.now), positions, reader, one.admin.analysts)
    async with asyncio.timeout(long()):
        while await analyst.outbox.send_due():
            pass


def lie(decided: Decided) -> Decided:
    """Every move loses, and nothing was searched."""
    return decided if decided.line else Decided(verdict="won" if decided.verdict == "lost" else "lost", nodes=1)


@pytest.mark.both_databases
async def test_a_lent_machine_finds_what_an_analyst_of_the_house_finds_and_passes_its_check(
    running_server: RunningServer, ada: Client, bob: Client
) -> None:
    game = await asked(ada)
    await lend(running_server, bob)
    found = await ada.show_analysis(game)
    assert (found.state, found.verdicts[0]) == ("done", "won")
    assert found.choices
    assert (await ada.show_way(game, 1)).steps
    assert await states(running_server) == [("done", "waiting")]
    again = await asked(ada)
    await let_server_work(running_server)
    assert await states(running_server) == [("done", "passed")]
    theirs = await ada.show_analysis(again)
    assert (theirs.verdicts, theirs.choices) == (found.verdicts, found.choices)


@pytest.mark.both_databases
async def test_a_liar_is_found_and_dropped_and_the_games_are_analysed_again(
    running_server: RunningServer, ada: Client, bob: Client
) -> None:
    host = await with_role(running_server, "Hedwig", "host")
    games = [await asked(ada), await asked(ada)]
    for _ in games:
        await lend(running_server, bob, lie)
    lies = [(await ada.show_analysis(game)).choices for game in games]
    await let_server_work(running_server)
    assert await states(running_server) == [("withdrawn", "failed"), ("withdrawn", None)]
    truth = [(await ada.show_analysis(game)).choices for game in games]
    assert all(one != other for one, other in zip(lies, truth, strict=True))
    assert truth[0] == truth[1]
    (act,) = [one for one in await log_of(host) if one["act"] == "analyst_dropped"]
    assert act["player"]["name"] == "Bob"
    await asked(ada)
    with pytest.raises(Forbidden):
        await bob.take_work(SOLVER_VERSION)
    admin = running_server.server.admin
    assert [(one.name, one.done, one.withdrawn, one.failed) for one in await admin.analysts.contributors()] == [
        ("Bob", 0, 2, 1)
    ]
    await admin.analysts.restore(await admin.players.named("Bob"))
    assert (await bob.take_work(SOLVER_VERSION)).work is not None
    with pytest.raises(NotFound):
        await admin.analysts.restore(await admin.players.named("Bob"))


async def test_a_lie_is_found_when_its_account_is_erased_already(
    running_server: RunningServer, ada: Client, bob: Client
) -> None:
    game = await asked(ada)
    await lend(running_server, bob, lie)
    lies = (await ada.show_analysis(game)).choices
    me = (await bob.who_am_i()).player
    assert me is not None
    await running_server.server.admin.erasure.erase(me.id, me.id, "request")
    await let_server_work(running_server)
    assert (await ada.show_analysis(game)).choices != lies


async def test_a_line_that_does_not_win_drops_whoever_submits_it_at_once(
    running_server: RunningServer, ada: Client, bob: Client
) -> None:
    game = await asked(ada)
    with pytest.raises(Refused) as refused:
        await lend(running_server, bob, lambda one: Decided(verdict="won", nodes=one.nodes, line=one.line[1:]))
    assert refused.value.code == "forbidden"
    assert await states(running_server) == [("withdrawn", "failed")]
    assert (await ada.show_analysis(game)).state == "waiting"


async def test_a_game_that_is_not_over_is_never_lent_nor_one_whose_deal_others_may_play(
    running_server: RunningServer, ada: Client, bob: Client
) -> None:
    jobs = running_server.server.analysis_jobs
    playing = await ada.deal("quatorze", "mine")
    received = asyncio.Queue[ServerMessage]()
    playing.listen(received.put_nowait)
    asking = asyncio.create_task(playing.ask_if_winnable())
    queued = await received.get()
    assert isinstance(queued, Winnability)
    assert queued.verdict is None
    asking.cancel()
    daily = await ada.enter()
    await daily.resign()
    await jobs.ask(daily.id, WHOLE_GAME, "ada")  # which nobody can ask for over HTTP
    await jobs.ask(playing.id, WHOLE_GAME, "ada")
    assert (await bob.take_work(SOLVER_VERSION)).work is None
    held = await running_server.server.database.fetch(select(analyses.c.analyst, analyses.c.failures))
    assert [tuple(row) for row in held] == [(None, 0)] * 3
    await playing.resign()
    work = (await bob.take_work(SOLVER_VERSION)).work
    assert work is not None
    assert work.game == playing.id


async def taken(client: Client) -> LentGame:
    work = (await client.take_work(SOLVER_VERSION)).work
    assert work is not None
    return work


@pytest.mark.both_databases
async def test_a_game_returns_to_the_queue_when_its_time_is_over_as_often_as_it_is_left(
    running_server: RunningServer, ada: Client, bob: Client
) -> None:
    game = await asked(ada)
    for number in range(4):
        async with connect(running_server.url) as other:
            await other.claim_name(f"Other {number}", PASSWORD)
            work = await taken(other)
            assert work.game == game
            assert (await bob.take_work(SOLVER_VERSION)).work is None
            running_server.clock.at += LEND_SECONDS * 500
            assert (await other.submit_work(work.id, 0, [])).done is False
            running_server.clock.at += LEND_SECONDS * 600
            assert (await bob.take_work(SOLVER_VERSION)).work is None
            running_server.clock.at += LEND_SECONDS * 500
    work = await taken(bob)
    with pytest.raises(NotFound):
        await ada.submit_work(work.id, 0, [])
    await bob.give_work_up(work.id)
    assert (await bob.take_work(SOLVER_VERSION)).work is None  # no game twice
    with pytest.raises(NotFound):
        await bob.submit_work(work.id, 0, [])
    held = (await running_server.server.database.fetch(select(analyses.c.analyst, analyses.c.failures)))[0]
    assert tuple(held) == (None, 0)


async def test_nothing_is_taken_after_the_longest_time(running_server: RunningServer, ada: Client, bob: Client) -> None:
    await asked(ada)
    work = await taken(bob)
    running_server.clock.at += MAX_LEND_MILLISECONDS + 1
    with pytest.raises(NotFound):
        await bob.submit_work(work.id, 0, [])


async def test_steps_are_known_when_they_are_submitted_again_and_refused_when_they_are_not_the_next(
    running_server: RunningServer, ada: Client, bob: Client
) -> None:
    await asked(ada)
    work = await taken(bob)
    unknown = SearchStep(position=1, decided=[Decided(verdict="unknown", nodes=1)])
    for _ in range(2):
        assert (await bob.submit_work(work.id, 0, [unknown])).steps == 1
    too_far = SearchStep(position=7, decided=[Decided(verdict="unknown", nodes=1)])
    too_much = SearchStep(position=0, decided=[Decided(verdict="unknown", nodes=1_000_000)])
    for after, step in ((2, unknown), (1, too_far), (1, too_much)):
        with pytest.raises(Conflict):
            await bob.submit_work(work.id, after, [step])


async def test_a_person_has_a_few_games_at_once_with_the_right_solver_and_a_name(
    running_server: RunningServer, ada: Client, bob: Client
) -> None:
    for _ in range(MAX_LENT_TO_PERSON + 1):
        await asked(ada)
    first, *_ = [await taken(bob) for _ in range(MAX_LENT_TO_PERSON)]
    with pytest.raises(TooMany):
        await bob.take_work(SOLVER_VERSION)
    await bob.give_work_up(first.id)
    assert (await taken(bob)).game != first.game
    with pytest.raises(Conflict):
        await ada.take_work(SOLVER_VERSION + 1)
    async with connect(running_server.url) as guest:
        with pytest.raises(Forbidden):
            await guest.take_work(SOLVER_VERSION)


async def test_the_same_request_gets_the_same_game(running_server: RunningServer, ada: Client, bob: Client) -> None:
    await asked(ada)
    await asked(ada)
    async with aiohttp.ClientSession() as session:
        link = AnalystLink(session, running_server.url, await token_of(bob))
        first = await link.take("once")
        assert first is not None
        assert await link.take("once") == first
        other = await link.take("twice")
        assert other is not None
        assert other.game != first.game
        await link.give_up(first.id)
        with pytest.raises(Refused) as refused:
            await link.take("once")
        assert refused.value.code == CommandReused.code


@pytest.mark.both_databases
async def test_requests_at_the_same_moment_get_no_more_games_than_one_after_another(
    running_server: RunningServer, ada: Client, bob: Client
) -> None:
    for _ in range(MAX_LENT_TO_PERSON + 2):
        await asked(ada)
    async with aiohttp.ClientSession() as session:
        link = AnalystLink(session, running_server.url, await token_of(bob))
        same = await asyncio.gather(*[link.take("once") for _ in range(3)])
        assert same[0] is not None
        assert same == [same[0]] * 3
        others = await asyncio.gather(
            *[link.take(str(n)) for n in range(MAX_LENT_TO_PERSON + 1)], return_exceptions=True
        )
    assert sum(isinstance(one, LentGame) for one in others) == MAX_LENT_TO_PERSON - 1
    assert {one.code for one in others if isinstance(one, Refused)} <= {TooMany.code}
    held = await running_server.server.database.fetch(select(analyses.c.game).where(analyses.c.analyst.is_not(None)))
    assert len(held) == MAX_LENT_TO_PERSON


async def finish(server: RunningServer, client: Client, work: LentGame) -> None:
    """Submit lies about all of a lent game."""
    async with aiohttp.ClientSession() as session:
        stopping = asyncio.Event()
        run = LentRun(Link(session, server.url, await token_of(client), stopping, lie), work, stopping)
        while await run.search_next():
            pass


@pytest.mark.both_databases
@pytest.mark.parametrize("late", ["keep", "give_up"])
async def test_a_lie_is_checked_whatever_is_sent_at_the_same_moment(
    running_server: RunningServer, ada: Client, bob: Client, monkeypatch: pytest.MonkeyPatch, late: str
) -> None:
    games, contributed = [await asked(ada), await asked(ada)], running_server.server.lent_games.contributions
    change = getattr(contributed, late)
    work = await taken(bob)

    async def wait(lent: Contribution, *arguments: object) -> object:
        """Let the same player submit all lies before this takes place."""
        with monkeypatch.context() as undone:
            undone.setattr(contributed, late, change)
            await finish(running_server, bob, work)
        return await change(lent, *arguments)

    monkeypatch.setattr(contributed, late, wait)
    with suppress(NotFound):
        await (bob.submit_work(work.id, 0, []) if late == "keep" else bob.give_work_up(work.id))
    monkeypatch.undo()
    assert await states(running_server) == [("done", "waiting")]
    assert {(await ada.show_analysis(game)).state for game in games} == {"done", "waiting"}
    await let_server_work(running_server)
    assert await states(running_server) == [("withdrawn", "failed")]
    choices = [(await ada.show_analysis(game)).choices for game in games]
    assert choices[0] == choices[1]


async def test_a_lent_game_is_replayed_move_by_move_while_others_are_served(
    running_server: RunningServer, ada: Client
) -> None:
    run = await read_run(running_server.server.reader, await asked(ada, moves=5))
    search = LentSearch(run, Findings(), Claims())
    assert len([*search.take(0, [])]) == 5
    assert not search.is_done


async def test_a_token_that_may_analyse_may_do_nothing_else(running_server: RunningServer, bob: Client) -> None:
    reading = (await bob.make_token("Notebook", ["read"])).token
    async with connect(running_server.url, token=reading) as reader:
        with pytest.raises(Unauthorized):
            await reader.take_work(SOLVER_VERSION)
    async with connect(running_server.url, token=await token_of(bob)) as machine:
        assert (await machine.take_work(SOLVER_VERSION)).work is None
        with pytest.raises(Unauthorized):
            await machine.list_groups()
        with pytest.raises(Unauthorized):
            await machine.list_unfinished_games()


@pytest.mark.slow
async def test_the_command_analyses_a_game_over_http_and_gives_its_game_back_at_its_end(
    running_server: RunningServer, ada: Client, bob: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()  # the process has all nodes
    game = await asked(ada)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("CADOGAN_")}
    environment |= {"CADOGAN_TOKEN": await token_of(bob), "CADOGAN_LOG_LEVEL": "error"}
    command = (sys.executable, "-m", "cadogan", "analyst", "--server", running_server.url, "--with-input")
    process = await asyncio.create_subprocess_exec(*command, env=environment, stdin=asyncio.subprocess.PIPE)
    async with asyncio.timeout(long()):
        async for found in ada.follow_analysis(game):
            if found.state == "working":
                break
    assert process.stdin is not None
    process.stdin.close()
    async with asyncio.timeout(long()):
        assert await process.wait() == 0
    assert (await states(running_server))[0][0] in ("given_up", "done")
