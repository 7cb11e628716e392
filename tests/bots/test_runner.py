"""A hundred bots and one person play the deals of a day on a real server."""

import asyncio
import random
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from statistics import mean

import pytest

from cadogan.bots.runner import play_day
from cadogan.sdk import Session, connect
from cadogan.server.core import dates, ids
from cadogan.server.subjects.accounts.accounts import MAX_BOTS
from cadogan.server.subjects.audit import game_audit
from cadogan.wire.boards import Board
from cadogan.wire.codec import decode_body
from cadogan.wire.values import GameCard
from tests.harness import fixed_server
from tests.harness.daily_actions import close_day, play_and_resign
from tests.harness.game_steps import DAY, SECRET
from tests.harness.people import Person
from tests.harness.running_server import TEST_SETTINGS, RunningServer, open_server

CARD = ("quatorze", "la-belle-lucie")
AT_ONCE = 10
HOUR_MILLISECONDS = 3_600_000


@pytest.fixture
async def running_server(sqlite_url: str, tmp_path: Path) -> AsyncIterator[RunningServer]:
    """A server over SQLite at the beginning of a day with known deals."""
    fixed_server.write_calendar(tmp_path / "calendar.toml", CARD)
    await fixed_server.seal(sqlite_url, {dates.add_days(DAY, number): SECRET for number in range(-1, 10)}, {})
    settings = replace(TEST_SETTINGS, database_url=sqlite_url, calendar=str(tmp_path / "calendar.toml"))
    async with open_server(settings) as one:
        one.clock.at = dates.day_times(DAY, 0).opens_at
        yield one


async def owner(running_server: RunningServer) -> Person:
    """Return a new player with a name, who may have bots."""
    person = await running_server.guest()
    status, body = await person.post("/account", {"name": "Owner", "password": "eight red queens"})
    assert status == 200, body
    return person


async def bot(running_server: RunningServer, token: str, number: int) -> list[Session]:
    """Let one bot play the day: odd ones look ahead, even ones play at random. Return how its games ended."""
    async with connect(running_server.url, token) as client:
        return await play_day(client, "thought" if number % 2 else "chance", random.Random(number))


async def board(running_server: RunningServer, name: str) -> Board:
    """Return a whole leaderboard, as everybody gets it."""
    async with running_server.session.get(f"{running_server.url}/api/v1/boards/{name}?limit=200") as response:
        return decode_body(Board, await response.read())


async def record(running_server: RunningServer, game: str) -> bytes:
    """Return the record of a game, as everybody gets it."""
    async with running_server.session.get(f"{running_server.url}/api/v1/games/{game}/record") as response:
        return await response.read()


def card(session: Session) -> GameCard:
    """Return the card of a session's game."""
    assert session.game is not None
    return session.game


@pytest.mark.heavy
async def test_a_hundred_bots_play_a_day_and_have_leaderboards_of_their_own(running_server: RunningServer) -> None:
    person = await owner(running_server)
    machines = await fixed_server.people(running_server, map(str, range(100)), kind=ids.BOT_PREFIX)
    players = [one.token for one in machines]
    ended: list[list[Session]] = []
    for begin in range(0, len(players), AT_ONCE):
        running_server.clock.at += 2 * HOUR_MILLISECONDS
        begun = enumerate(players[begin : begin + AT_ONCE], begin)
        ended += await asyncio.gather(*(bot(running_server, token, number) for number, token in begun))
    again = await bot(running_server, players[0], 0)
    await play_and_resign(person, await person.enter(), moves=1)
    await close_day(running_server)

    assert len(ended) == 100
    assert [card(session).id for session in again] == [card(session).id for session in ended[0]]
    assert {tuple(card(session).rules for session in games) for games in ended} == {CARD}
    people, bots = await board(running_server, f"day:{DAY}"), await board(running_server, f"bots:day:{DAY}")
    assert [entry.player.id for entry in people.entries] == [person.id]
    assert (bots.total, {entry.player.bot for entry in bots.entries}) == (100, {True})
    assert {entry.runs for entry in bots.entries} == {len(CARD)}
    for slot in range(len(CARD)):
        runs = {entry.game: entry for entry in (await board(running_server, f"bots:deal:{DAY}.{slot + 1}")).entries}
        assert {run: (entry.score, entry.moves, entry.result) for run, entry in runs.items()} == {
            card(one[slot]).id: (one[slot].score, one[slot].played, one[slot].status) for one in ended
        }
    thought, chance = (mean_rank(bots, [card(games[0]).player.id for games in ended[odd::2]]) for odd in (1, 0))
    assert thought * 1.5 < chance
    for session in (*ended[0], *ended[1]):
        assert game_audit.verify(await record(running_server, card(session).id)).consistent


async def test_a_player_has_at_most_ten_bots(running_server: RunningServer) -> None:
    person = await owner(running_server)
    for number in range(MAX_BOTS):
        assert (await person.post("/bots", {"name": f"Bot {number}"}))[0] == 200
    assert (await person.post("/bots", {"name": "One too many"}))[1]["code"] == "too_many"


def mean_rank(bots: Board, players: list[str]) -> float:
    """Return the mean rank of these players."""
    return mean(entry.rank for entry in bots.entries if entry.player.id in players)
