"""The review of a closed day: what the server has analysed by itself, what everybody is told, and when."""

import pytest

from cadogan.server.core.dates import MILLISECONDS_PER_DAY
from cadogan.server.subjects.analysis.findings import Findings, SearchedPosition
from cadogan.server.subjects.analysis.jobs import WHOLE_GAME
from cadogan.server.subjects.analysis.lent_search import Claims
from cadogan.server.subjects.reviews.reviews import DAYS_BACK
from tests.harness.daily_actions import CLOSED, DAY, play_and_resign
from tests.harness.hosts import with_role
from tests.harness.people import JsonMessage, Person
from tests.harness.running_server import RunningServer

LOST_AT_ONCE = Findings((SearchedPosition(0, "won", 9, ()), SearchedPosition(1, "lost", 9, ())))


async def play_day(server: RunningServer, players: int = 2) -> list[tuple[Person, str]]:
    """Let so many guests play three moves of the first deal, and close the day."""
    runs = []
    for _ in range(players):
        guest = await server.guest()
        runs.append((guest, await guest.enter()))
        await play_and_resign(*runs[-1], 3)
    server.clock.at = CLOSED
    await server.stranger().get(f"/dailies/{DAY}")
    return runs


async def analyse(server: RunningServer, findings: Findings = LOST_AT_ONCE) -> int:
    """Complete every analysis that was asked for with these findings; return how many there were."""
    count, jobs = 0, server.server.analysis_jobs
    while job := await jobs.claim("analyst"):
        assert await jobs.finish(job, findings)
        count += 1
    return count


async def read(server: RunningServer) -> JsonMessage:
    status, body = await server.stranger().get(f"/dailies/{DAY}/review")
    assert status == 200, body
    review: JsonMessage = body
    return review


async def test_no_day_is_reviewed_before_it_has_closed(sqlite_server: RunningServer) -> None:
    guest = await sqlite_server.guest()
    await play_and_resign(guest, await guest.enter(), 1)
    assert (await guest.get(f"/dailies/{DAY}/review"))[1]["code"] == "spoiler_embargo"
    assert (await guest.get(f"/dailies/{DAY}/deals/1/best"))[1]["code"] == "spoiler_embargo"
    for unknown in ("2026-11-01", "yesterday"):
        assert (await guest.get(f"/dailies/{unknown}/review"))[1]["code"] == "not_found"


@pytest.mark.both_databases
async def test_the_server_has_the_runs_of_a_closed_day_analysed_and_says_where_they_were_lost(
    running_server: RunningServer,
) -> None:
    runs = await play_day(running_server)
    await running_server.server.reviews.run_due()
    first = (await read(running_server))["deals"][0]
    assert (first["runs"], first["looked_at"], first["analysed"], first.get("losses")) == (2, 2, 0, None)
    assert await analyse(running_server) == 2
    await running_server.server.reviews.run_due()
    review = await read(running_server)
    first = review["deals"][0]
    assert (review["state"], first["analysed"], sum(first["field"])) == ("done", 2, 2)
    assert first["losses"] == {"first": 1, "last": 10, "runs": 2, "known": 2}
    assert (first["positions"], first["decided"]) == (4, 4)
    trial = first["to_try"]
    assert trial["game"] in [game for _, game in runs]
    assert (trial["version"], trial["moves"], trial["lost"]) == (1, 0, 2)
    status, _ = await runs[0][0].post(f"/games/{trial['game']}/continuations", {"version": trial["version"]})
    assert status == 200, "it can be tried"


async def test_a_review_says_working_until_every_analysis_is_there(sqlite_server: RunningServer) -> None:
    await play_day(sqlite_server)
    await sqlite_server.server.reviews.run_due()
    assert (await read(sqlite_server))["state"] == "working"
    assert sqlite_server.server.reviews.known(DAY) is None
    await analyse(sqlite_server)
    await sqlite_server.server.reviews.run_due()
    assert (await read(sqlite_server))["state"] == "done"
    assert sqlite_server.server.reviews.known(DAY) is not None


async def test_of_a_day_long_ago_no_analysis_is_asked_for(sqlite_server: RunningServer) -> None:
    runs = await play_day(sqlite_server, 1)
    sqlite_server.clock.at += DAYS_BACK * MILLISECONDS_PER_DAY
    await sqlite_server.server.reviews.run_due()
    assert await sqlite_server.server.analysis_jobs.get(runs[0][1], WHOLE_GAME) is None
    review = await read(sqlite_server)
    assert (review["state"], review["deals"][0]["analysed"], review["deals"][0]["looked_at"]) == ("done", 0, 1)


async def test_a_struck_run_is_in_no_review(sqlite_server: RunningServer) -> None:
    moderator = await with_role(sqlite_server, "Ada", "moderator")
    (_, struck), _ = await play_day(sqlite_server)
    status, answer = await moderator.ask("PUT", f"/house/runs/{struck}/strike", {"struck": True, "reason": "cheating"})
    assert status == 200, answer
    assert (await read(sqlite_server))["deals"][0]["runs"] == 1


async def test_where_no_way_to_win_is_known_no_best_line_is_shown(sqlite_server: RunningServer) -> None:
    await play_day(sqlite_server, 1)
    status, refused = await sqlite_server.stranger().get(f"/dailies/{DAY}/deals/1/best")
    assert (status, refused["message"]) == (404, "No way to win this deal is known.")


async def test_a_run_that_is_struck_after_the_review_was_made_leaves_it_and_comes_back_when_it_is_put_back(
    sqlite_server: RunningServer,
) -> None:
    runs = await play_day(sqlite_server)
    await sqlite_server.server.reviews.run_due()
    await analyse(sqlite_server)
    await sqlite_server.server.reviews.run_due()
    review = await read(sqlite_server)
    assert (review["state"], review["deals"][0]["runs"]) == ("done", 2)
    host = await with_role(sqlite_server, "host", "host")
    for is_struck, left in ((True, 1), (False, 2)):
        body = {"reason": "cheating", "struck": is_struck}
        assert (await host.ask("PUT", f"/house/runs/{runs[0][1]}/strike", body))[0] == 200
        assert (await read(sqlite_server))["deals"][0]["runs"] == left


async def test_a_run_that_is_struck_late_is_replaced_although_nobody_asks_for_the_review(
    sqlite_server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cadogan.server.subjects.reviews.reviews.MAX_OTHERS", 1)
    runs, reviews = await play_day(sqlite_server), sqlite_server.server.reviews
    await reviews.run_due()
    assert await analyse(sqlite_server) == 1
    await reviews.run_due()
    made = reviews.known(DAY)
    assert made is not None
    losses = made.deals[0].losses
    assert losses is not None
    host = await with_role(sqlite_server, "host", "host")
    for _, run in runs:
        body = {"reason": "cheating", "struck": run == min(game for _, game in runs)}
        await host.ask("PUT", f"/house/runs/{run}/strike", body)
    await reviews.run_due()
    assert reviews.known(DAY) is None
    assert await analyse(sqlite_server) == 1
    await reviews.run_due()
    made = reviews.known(DAY)
    assert made is not None
    assert made.deals[0].runs == 1


async def test_what_an_analyst_who_lied_has_found_leaves_the_review_of_a_day(sqlite_server: RunningServer) -> None:
    await play_day(sqlite_server, 1)
    server = sqlite_server.server
    await server.reviews.run_due()

    async def may_be_lent(game: str) -> bool:
        return True

    lent = await server.lent_games.contributions.take("eve", "eve", "m3x5q7a2b4c6d2ef", may_be_lent)
    assert lent is not None
    assert await server.lent_games.contributions.keep(lent, LOST_AT_ONCE, Claims(1), done=True)
    await server.reviews.run_due()
    assert (await read(sqlite_server))["deals"][0]["losses"]
    await server.lent_games.contributions.drop(lent)
    review = await read(sqlite_server)
    assert (review["state"], review["deals"][0].get("losses")) == ("working", None)
    sqlite_server.clock.at += 1000
    await analyse(sqlite_server, Findings((SearchedPosition(0, "lost", 9, ()),)))
    await server.reviews.run_due()
    assert (await read(sqlite_server))["state"] == "done"
