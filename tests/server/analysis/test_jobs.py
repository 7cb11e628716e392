"""The queue of the analysts, on each database: turns, holding, failing, and limits."""

import asyncio
from collections.abc import Iterator

import pytest
from sqlalchemy import insert, update

from cadogan.server.core.database.connections import Database
from cadogan.server.core.database.tables import analyses, players
from cadogan.server.core.errors import TooMany
from cadogan.server.subjects.analysis.findings import Findings, SearchedPosition
from cadogan.server.subjects.analysis.jobs import (
    ANSWER_RETENTION_MILLISECONDS,
    LEASE_SECONDS,
    MAX_FAILURES,
    MAX_WAITING_FOR_GUESTS,
    MAX_WAITING_OF_PERSON,
    WHOLE_GAME,
    AnalysisJobs,
    Job,
    QueueFigures,
)

SOME = Findings((SearchedPosition(3, "lost", 12, ()),))
MORE = Findings((*SOME.searched, SearchedPosition(1, "won", 40, ("a1/b", "c/d"))))


class Clock:
    """A clock that stands still until it is told to go on."""

    def __init__(self) -> None:
        self.milliseconds = 1_000_000_000

    def __call__(self) -> int:
        return self.milliseconds

    def pass_seconds(self, seconds: float) -> None:
        self.milliseconds += int(seconds * 1000)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def jobs(database: Database, clock: Clock) -> AnalysisJobs:
    return AnalysisJobs(database, clock)


async def ask(jobs: AnalysisJobs, clock: Clock, person: str, *games: str) -> None:
    """Ask for the analysis of these games, one a millisecond."""
    for game in games:
        clock.pass_seconds(0.001)
        await jobs.ask(game, WHOLE_GAME, person)


async def claim(jobs: AnalysisJobs, analyst: str = "one") -> Job:
    """The next job; there must be one."""
    job = await jobs.claim(analyst)
    assert job is not None
    return job


async def work_in_turns(jobs: AnalysisJobs, turns: int) -> Iterator[str]:
    """The games that one analyst works on in so many turns; it finishes none."""
    done = []
    for _ in range(turns):
        job = await claim(jobs)
        done.append(job.game)
        await jobs.put_back(job, job.findings)
    return iter(done)


async def test_a_job_waits_is_worked_on_and_is_done(jobs: AnalysisJobs) -> None:
    asked = await jobs.ask("game", WHOLE_GAME, "ann")
    job = await claim(jobs)
    held = await jobs.get("game", WHOLE_GAME)
    stored = await jobs.keep(job, SOME)
    worked = await jobs.get("game", WHOLE_GAME)
    finished = await jobs.finish(job, MORE)
    done = await jobs.get("game", WHOLE_GAME)
    assert asked == ("waiting", 0, Findings())
    assert (job.game, job.version, job.findings) == ("game", WHOLE_GAME, Findings())
    assert (held, stored, worked) == (("working", None, Findings()), True, ("working", None, SOME))
    assert (finished, done) == (True, ("done", None, MORE))
    assert await jobs.claim("one") is None


async def test_a_job_is_there_once_whoever_asks_and_however_often(jobs: AnalysisJobs) -> None:
    states = await asyncio.gather(*(jobs.ask("game", 7, person) for person in ("ann", "ben", "ann")))
    assert set(states) == {("waiting", 0, Findings())}
    await jobs.finish(await claim(jobs), SOME)
    assert await jobs.claim("one") is None
    assert await jobs.ask("game", 7, "cleo") == ("done", None, SOME)
    assert (await jobs.get("game", WHOLE_GAME), await jobs.get("other", 7)) == (None, None)


async def test_persons_take_turns_and_the_jobs_of_one_come_in_their_order(jobs: AnalysisJobs, clock: Clock) -> None:
    await ask(jobs, clock, "ann", "a1", "a2", "a3")
    await ask(jobs, clock, "ben", "b1")
    order = []
    while job := await jobs.claim("one"):
        order.append(job.game)
        await jobs.finish(job, SOME)
    assert order == ["a1", "b1", "a2", "a3"]


async def test_a_long_job_holds_up_nobody_who_comes_later(jobs: AnalysisJobs, clock: Clock) -> None:
    await ask(jobs, clock, "ann", "a1", "a2")
    alone = list(await work_in_turns(jobs, 3))
    await ask(jobs, clock, "ben", "b1")
    ahead = await jobs.get("b1", WHOLE_GAME)
    await ask(jobs, clock, "cleo", "c1")
    assert alone == ["a1", "a1", "a1"]
    assert ahead is not None
    assert ahead.ahead == 2
    assert list(await work_in_turns(jobs, 6)) == ["a1", "b1", "c1", "a1", "b1", "c1"]


async def test_those_who_have_more_jobs_have_not_more_turns(jobs: AnalysisJobs, clock: Clock) -> None:
    await ask(jobs, clock, "ann", *(f"a{number}" for number in range(MAX_WAITING_OF_PERSON)))
    await ask(jobs, clock, "ben", "b")
    worked_on = list(await work_in_turns(jobs, 10))
    assert worked_on.count("b") == 5


@pytest.mark.both_databases
async def test_a_job_whose_analyst_is_silent_goes_to_another_with_what_was_found(
    jobs: AnalysisJobs, clock: Clock
) -> None:
    await jobs.ask("game", WHOLE_GAME, "ann")
    dead = await claim(jobs, "dead")
    await jobs.keep(dead, SOME)
    clock.pass_seconds(LEASE_SECONDS)
    assert await jobs.claim("other") is None
    clock.pass_seconds(0.001)
    taken = await claim(jobs, "other")
    assert taken.findings == SOME
    assert [await jobs.keep(dead, MORE), await jobs.finish(dead, MORE), await jobs.fail(dead)] == [False] * 3
    assert await jobs.put_back(dead, MORE) is False
    assert await jobs.get("game", WHOLE_GAME) == ("working", None, SOME)
    assert await jobs.keep(taken, MORE)


async def test_a_job_that_is_held_stays_with_its_analyst(jobs: AnalysisJobs, clock: Clock) -> None:
    await jobs.ask("game", WHOLE_GAME, "ann")
    job = await claim(jobs)
    for _ in range(3):
        clock.pass_seconds(LEASE_SECONDS - 1)
        assert await jobs.keep(job, Findings())
        assert await jobs.claim("other") is None


@pytest.mark.parametrize("killed", [False, True])
async def test_a_job_that_fails_again_and_again_ends_with_what_was_found(
    jobs: AnalysisJobs, clock: Clock, killed: bool
) -> None:
    await jobs.ask("game", WHOLE_GAME, "ann")
    first = await claim(jobs)
    await jobs.keep(first, SOME)
    tries = 0
    while job := first if tries == 0 else await jobs.claim("one"):
        tries += 1
        assert tries <= MAX_FAILURES
        if killed:
            clock.pass_seconds(LEASE_SECONDS + 1)
        else:
            assert await jobs.fail(job)
    assert tries == MAX_FAILURES
    assert await jobs.get("game", WHOLE_GAME) == ("done", None, SOME)


async def test_a_job_that_finds_something_between_its_failures_goes_on(jobs: AnalysisJobs) -> None:
    await jobs.ask("game", WHOLE_GAME, "ann")
    found = Findings()
    for number in range(2 * MAX_FAILURES):
        await jobs.fail(await claim(jobs))
        job = await claim(jobs)
        found = Findings((*found.searched, SearchedPosition(number, "lost", 1, ())))
        await jobs.put_back(job, found)
    assert await jobs.get("game", WHOLE_GAME) == ("working", None, found)


async def test_a_person_has_so_many_unfinished_jobs_at_most(jobs: AnalysisJobs) -> None:
    for version in range(1, MAX_WAITING_OF_PERSON + 1):
        await jobs.ask("game", version, "ann")
    with pytest.raises(TooMany, match=f"At most {MAX_WAITING_OF_PERSON} analyses"):
        await jobs.ask("game", 99, "ann")
    assert (await jobs.ask("game", 1, "ann")).state == "waiting"
    await jobs.ask("game", 99, "ben")
    await jobs.finish(await claim(jobs), SOME)
    assert (await jobs.ask("game", 100, "ann")).state == "waiting"


async def test_a_crowd_of_guests_leaves_room_for_players_with_a_name(database: Database, jobs: AnalysisJobs) -> None:
    row = {"version": WHOLE_GAME, "solver": 0, "turn": 0, "asked_at": 0, "failures": 0}
    crowd = [{**row, "game": f"g{number}", "person": f"p{number}"} for number in range(MAX_WAITING_FOR_GUESTS)]
    async with database.writing() as connection:
        await connection.execute(insert(analyses), crowd)
        named = {"id": "ann", "name": "Ann", "name_key": "ann", "created_at": 0, "claimed_at": 1}
        await connection.execute(insert(players).values(named))
    await jobs.ask("game", 1, "guest")  # the crowd has asked another version of the solver
    async with database.writing() as connection:
        (solver,) = await connection.execute(analyses.select().where(analyses.c.game == "game"))
        await connection.execute(update(analyses).values(solver=solver.solver))
    with pytest.raises(TooMany, match="Too many analyses are waiting"):
        await jobs.ask("game", 2, "guest")
    assert (await jobs.ask("game", 2, "ann")).state == "waiting"


async def test_what_the_queue_says_of_itself(jobs: AnalysisJobs, clock: Clock) -> None:
    empty = await jobs.count()
    await ask(jobs, clock, "ann", "a1", "a2")
    await ask(jobs, clock, "ben", "b1")
    await claim(jobs)
    await jobs.finish(await claim(jobs), SOME)
    clock.pass_seconds(7)
    assert empty == QueueFigures(0, 0, 0.0)
    assert await jobs.count() == QueueFigures(waiting=1, working=1, oldest_waiting_seconds=7.001)


async def test_old_answers_about_positions_are_erased_and_analyses_of_games_are_kept(
    jobs: AnalysisJobs, clock: Clock
) -> None:
    for version in (WHOLE_GAME, 5, 6):
        await jobs.ask("game", version, "ann")
    for _ in range(2):
        await jobs.finish(await claim(jobs), SOME)
    clock.pass_seconds(ANSWER_RETENTION_MILLISECONDS / 1000 + 1)
    await jobs.erase_old()
    assert await jobs.get("game", WHOLE_GAME) == ("done", None, SOME)
    assert await jobs.get("game", 5) is None
    assert await jobs.get("game", 6) == ("waiting", 0, Findings())
