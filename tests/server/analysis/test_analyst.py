"""Analysts at work on a real game that was lost: what they find, and what is left when one of them is killed."""

import asyncio
import os
import sys
import threading
from collections.abc import AsyncIterator, Callable

import pytest
from sqlalchemy import func, select, update

from cadogan.engine.game import Game
from cadogan.engine.moves import Move
from cadogan.engine.solver import Solution, Steps, solve, solve_in_steps
from cadogan.engine.state import State
from cadogan.server.core.clock import now
from cadogan.server.core.database.connections import Database
from cadogan.server.core.database.tables import positions
from cadogan.server.core.fairness.sealed_deals import SealedDeals
from cadogan.server.core.games.game_reader import GameReader
from cadogan.server.core.storage.sql_store import SqlStore
from cadogan.server.subjects.analysis import analyst as job_turn
from cadogan.server.subjects.analysis import run_search
from cadogan.server.subjects.analysis.analyst import Analyst
from cadogan.server.subjects.analysis.decided_positions import RETENTION_MILLISECONDS, DecidedPositions
from cadogan.server.subjects.analysis.findings import Findings, read_run
from cadogan.server.subjects.analysis.jobs import LEASE_SECONDS, MAX_FAILURES, WHOLE_GAME, AnalysisJobs, Job
from cadogan.server.subjects.analysis.run_search import NODES, RunSearch
from cadogan.server.subjects.known_rules import known_rules
from tests.harness.game_steps import GAME
from tests.harness.lost_game import lost_game, store_lost_game, wait_for_findings
from tests.harness.patience import soon

LAST_WON, FIRST_LOST = 150, 151
"""The positions between which the game was lost."""
NEVER_SEARCHED = -1
"""As many nodes as no search takes."""


@pytest.fixture
async def database(sqlite_url: str) -> AsyncIterator[Database]:
    """A fresh open database; whichever it is makes no difference to an analyst."""
    database = Database(sqlite_url)
    yield database
    await database.close()


@pytest.fixture
async def sql_store(database: Database) -> AsyncIterator[SqlStore]:
    """The log in this database."""
    store = SqlStore(database)
    yield store
    await store.close()


@pytest.fixture
def jobs(database: Database) -> AnalysisJobs:
    return AnalysisJobs(database, now)


@pytest.fixture
def reader(database: Database, sql_store: SqlStore) -> GameReader:
    return GameReader(sql_store, SealedDeals(database), known_rules())


@pytest.fixture
def analyst(database: Database, jobs: AnalysisJobs, reader: GameReader) -> Analyst:
    return Analyst(jobs, DecidedPositions(database, now), reader)


@pytest.fixture
def few_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let an analyst end soon: after the verdicts and a few of the choices, and however busy the machine is."""
    monkeypatch.setattr(job_turn, "lower_priority", lambda: None)
    monkeypatch.setattr(run_search, "MAX_NODES", 2_200)


async def finish(analyst: Analyst, jobs: AnalysisJobs, version: int = WHOLE_GAME) -> Findings:
    """What the analyst has found when the job is done."""
    await analyst.outbox.send_due()
    state = await jobs.get(GAME, version)
    assert state is not None
    assert state.state == "done"
    return state.findings


@pytest.mark.usefixtures("few_nodes")
async def test_every_verdict_is_that_of_a_search_of_the_position(
    database: Database, jobs: AnalysisJobs, reader: GameReader, analyst: Analyst
) -> None:
    await store_lost_game(database)
    await jobs.ask(GAME, WHOLE_GAME, "ann")
    search = RunSearch(await read_run(reader, GAME), WHOLE_GAME, await finish(analyst, jobs))
    verdicts = search.analysis.verdicts
    near_the_loss = range(LAST_WON - 2, FIRST_LOST + 3)
    for position in (*range(0, len(verdicts), 20), *near_the_loss):
        found = solve(search.rules, search.states[position], search.seed, NODES)
        assert found.verdict in (verdicts[position], "unknown")
    assert search.analysis.losing_positions() == [FIRST_LOST]


@pytest.mark.usefixtures("few_nodes")
async def test_the_ways_win_and_the_choices_before_the_loss_are_counted_first(
    database: Database, jobs: AnalysisJobs, reader: GameReader, analyst: Analyst
) -> None:
    await store_lost_game(database)
    await jobs.ask(GAME, WHOLE_GAME, "ann")
    findings = await finish(analyst, jobs)
    search = RunSearch(await read_run(reader, GAME), WHOLE_GAME, findings)
    for one in findings.searched:
        state = search.states[one.position]
        for text in one.line:
            state = search.rules.play(state, search.rules.move(text), search.seed).state
        assert search.rules.won(state) == (one.verdict == "won")
    first = findings.choices[0]
    state = search.states[LAST_WON]

    def verdict(move: Move) -> str:
        return solve(search.rules, search.rules.play_legal(state, move, search.seed).state, search.seed, 1000).verdict

    counted = [verdict(move) for move in search.rules.legal_moves(state)]
    assert (first.position, first.unknown) == (LAST_WON, 0)
    assert (first.keeping, first.losing) == (counted.count("won"), counted.count("lost"))
    assert first.keeping > 0
    assert first.losing > 0


async def test_a_question_about_a_position_is_answered_by_one_search(
    database: Database, jobs: AnalysisJobs, analyst: Analyst
) -> None:
    await store_lost_game(database)
    verdicts = []
    for step in (lost_game()[100], lost_game()[-3]):
        version = step.sealed.version
        await jobs.ask(GAME, version, "ann")
        findings = await finish(analyst, jobs, version)
        (answer,) = findings.searched
        assert (answer.position, findings.choices) == (0, ())
        state = step.after.position.state
        for text in answer.line:
            state = step.after.rules.play(state, step.after.rules.move(text), step.after.seed).state
        assert step.after.rules.won(state) == (answer.verdict == "won")
        verdicts.append(answer.verdict)
    assert verdicts == ["won", "lost"]


async def test_an_analyst_erases_old_positions_and_what_was_found_of_a_game_stays(
    database: Database, jobs: AnalysisJobs, reader: GameReader, analyst: Analyst
) -> None:
    await store_lost_game(database)
    await jobs.ask(GAME, lost_game()[-3].sealed.version, "ann")
    findings = await finish(analyst, jobs, lost_game()[-3].sealed.version)
    positions = DecidedPositions(database, lambda: now() + RETENTION_MILLISECONDS + 1)
    assert await positions.count() == 1
    later = Analyst(jobs, positions, reader)
    working = asyncio.create_task(later.work())
    async with asyncio.timeout(soon()):
        while await positions.count():
            pass
    later.stop()
    await working
    stored = await jobs.get(GAME, lost_game()[-3].sealed.version)
    assert stored == ("done", None, findings)


async def test_a_game_that_cannot_be_read_is_given_up_after_some_tries(jobs: AnalysisJobs, analyst: Analyst) -> None:
    await jobs.ask(GAME, WHOLE_GAME, "ann")
    assert await analyst.outbox.send_due() == MAX_FAILURES
    assert await jobs.get(GAME, WHOLE_GAME) == ("done", None, Findings())


class WatchedSearches:
    """Searches as they are; `before` is called before each step, in its thread, and `is_under_way` during a step."""

    def __init__(self, before: Callable[[], object] = bool) -> None:
        self.is_under_way = False
        self._before = before

    def solve_in_steps(self, game: Game, state: State, seed: bytes, nodes: int) -> Steps[Solution]:
        """Take the place of the function of this name."""
        steps = solve_in_steps(game, state, seed, nodes)
        while True:
            self.is_under_way = True
            self._before()
            try:
                next(steps)
            except StopIteration as end:
                found: Solution = end.value
                return found
            finally:
                self.is_under_way = False
            yield


async def test_an_analyst_that_is_stopped_gives_its_job_back_at_once(
    database: Database, jobs: AnalysisJobs, analyst: Analyst, monkeypatch: pytest.MonkeyPatch
) -> None:
    has_found, may_end, keep = threading.Event(), threading.Event(), jobs.keep

    async def watched_keep(job: Job, findings: Findings) -> bool:
        stored = await keep(job, findings)
        if findings.searched:
            has_found.set()
        return stored

    def wait_for_the_stop() -> None:
        if has_found.is_set():
            may_end.wait()

    monkeypatch.setattr(run_search, "solve_in_steps", WatchedSearches(wait_for_the_stop).solve_in_steps)
    monkeypatch.setattr(job_turn, "PAUSE_SECONDS", 0.0)  # the job is stored after each step
    monkeypatch.setattr(jobs, "keep", watched_keep)
    await store_lost_game(database)
    await jobs.ask(GAME, WHOLE_GAME, "ann")
    working = asyncio.create_task(analyst.work())
    await wait_for_findings(jobs, 1)
    analyst.stop()
    may_end.set()
    await working
    job = await jobs.claim("other")
    assert job is not None
    assert (job.failures, job.findings.searched != ()) == (0, True)


@pytest.mark.usefixtures("few_nodes")
async def test_a_search_pauses_while_the_job_is_stored(
    database: Database, jobs: AnalysisJobs, analyst: Analyst, monkeypatch: pytest.MonkeyPatch
) -> None:
    searches, keep, beside = WatchedSearches(), jobs.keep, list[bool]()

    async def watched_keep(job: Job, findings: Findings) -> bool:
        beside.append(searches.is_under_way)
        stored = await keep(job, findings)
        beside.append(searches.is_under_way)
        return stored

    monkeypatch.setattr(run_search, "solve_in_steps", searches.solve_in_steps)
    monkeypatch.setattr(sys.modules[solve.__module__], "STEP_NODES", 250)  # long steps,
    monkeypatch.setattr(job_turn, "PAUSE_SECONDS", 0.0)  # and a pause after each,
    monkeypatch.setattr(job_turn, "LATE_SECONDS", 3600.0)  # however late it comes
    monkeypatch.setattr(jobs, "keep", watched_keep)
    await store_lost_game(database)
    await jobs.ask(GAME, WHOLE_GAME, "ann")
    findings = await finish(analyst, jobs)
    assert findings.searched != ()
    assert len(beside) > 10
    assert not any(beside)


@pytest.mark.usefixtures("few_nodes")
async def test_a_job_is_held_also_while_a_search_does_not_come_to_its_pause(
    database: Database, jobs: AnalysisJobs, analyst: Analyst, monkeypatch: pytest.MonkeyPatch
) -> None:
    held, keep = threading.Event(), jobs.keep

    async def watched_keep(job: Job, findings: Findings) -> bool:
        held.set()
        return await keep(job, findings)

    monkeypatch.setattr(run_search, "solve_in_steps", WatchedSearches(held.wait).solve_in_steps)
    monkeypatch.setattr(job_turn, "LATE_SECONDS", 0.01)
    monkeypatch.setattr(jobs, "keep", watched_keep)
    await store_lost_game(database)
    await jobs.ask(GAME, lost_game()[100].sealed.version, "ann")
    findings = await finish(analyst, jobs, lost_game()[100].sealed.version)
    assert findings.searched[0].verdict == "won"


@pytest.mark.slow
@pytest.mark.usefixtures("few_nodes")
async def test_what_a_killed_analyst_has_decided_is_never_decided_again(database: Database, jobs: AnalysisJobs) -> None:
    await store_lost_game(database)
    await jobs.ask(GAME, WHOLE_GAME, "ann")
    environment = {name: value for name, value in os.environ.items() if not name.startswith("CADOGAN_")}
    environment["CADOGAN_DATABASE_URL"] = database.url.render_as_string(hide_password=False)
    command = (sys.executable, "-m", "cadogan", "analyst")
    killed = await asyncio.create_subprocess_exec(*command, env=environment, stderr=asyncio.subprocess.DEVNULL)
    await wait_for_findings(jobs, 3)
    killed.kill()
    await killed.wait()
    async with database.writing() as connection:
        await connection.execute(update(positions).values(nodes=NEVER_SEARCHED))
    decided = await count_positions(database)
    later = AnalysisJobs(database, lambda: now() + LEASE_SECONDS * 1000 + 1)
    store = SqlStore(database)
    other = Analyst(later, DecidedPositions(database, now), GameReader(store, SealedDeals(database), known_rules()))
    findings = await finish(other, later)
    await store.close()
    async with database.reading() as connection:
        stored = select(func.count()).select_from(positions).where(positions.c.nodes == NEVER_SEARCHED)
        assert await connection.scalar(stored) == decided
    assert findings.choices[0].position == LAST_WON


async def count_positions(database: Database) -> int:
    """How many positions were decided and stored."""
    async with database.reading() as connection:
        return await connection.scalar(select(func.count()).select_from(positions)) or 0
