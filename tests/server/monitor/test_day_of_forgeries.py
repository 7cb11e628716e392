"""A day of two hundred players, in which the host forges one thing an hour: each is named within one look.

Every hour the host copies the database, forges one thing in the copy, and shows the copy to a monitor that has watched
from the beginning. The honest server goes on, and at each hour nothing is wrong with it.
"""

import copy
import shutil
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import aiohttp
import pytest
from sqlalchemy import select

from cadogan.server.app import Server
from cadogan.server.config import Settings
from cadogan.server.core import dates
from cadogan.server.core.database.tables import entries
from cadogan.server.operations.monitor_state import MonitorState
from cadogan.server.operations.watched_server import WatchedServer
from cadogan.server.subjects.transparency.leaves import DayEvent
from tests.harness import fixed_server, simulated_players
from tests.harness.daily_actions import CLOSED, end_left_runs
from tests.harness.game_steps import DAY, SECRET
from tests.harness.logging_ends import DAY_ENTRIES, log_ends
from tests.harness.running_server import TEST_SETTINGS, RunningServer, open_server
from tests.harness.simulated_players import Player
from tests.server.monitor import test_announced_days as announced
from tests.server.monitor import test_forged_histories as records
from tests.server.monitor import test_races as races
from tests.server.monitor import test_shown_boards as boards
from tests.server.monitor.lived import Lived, no_wait

PEOPLE, HOUR = 200, 3_600_000
NOON = announced.NOON
OPEN_HOURS = 12
"""The day has begun at noon, when the server was started, and ends at midnight."""
Forge = Callable[[races.Raced], Awaitable[None]]


async def set_the_log_back(lived: Lived) -> None:
    await lived.log_again(lambda logged: logged[: DAY_ENTRIES - 1])


async def announce_twice(lived: Lived) -> None:
    forged = DayEvent.of(f"daily/{announced.COMING}", 1, "daily_announced", NOON, bytes(32), announced.OTHER_COMMITMENT)
    await announced.append(lived, forged)


async def exchange_the_secret(lived: Lived) -> None:
    await announced.exchange_the_secret(lived, announced.COMING)


async def put_a_run_into_the_day(lived: Lived) -> None:
    await boards.add_a_run(lived)


IN_THE_LOG: tuple[tuple[Forge, str], ...] = (
    (set_the_log_back, "the log was set back"),
    (records.drop_one, "entry 2 of the log is another one than before"),
    (records.sign_with_another_key, "is not signed by the key of the host"),
    (records.show_what_is_no_entry, "of the log is none"),
    (races.invent_a_race, "match/aaaabbbbccccdddd: the server does not show it"),
    (announce_twice, f"daily/{announced.COMING}: it is announced a second time, with another commitment"),
)
"""What the host does to the log while the server runs, and words of the sentence that names it."""
WHILE_THE_DAY_IS_OPEN: tuple[tuple[Forge, str], ...] = (
    (exchange_the_secret, f"the server shows the day {announced.COMING} with another commitment"),
    (announced.exchange_a_deal, f"the server shows the day {announced.COMING} with other deals"),
    (races.change_a_result, "is not that of the game"),
    (races.exchange_the_commitment, "its record is broken: the secret does not fit the commitment"),
    (records.cut_a_game, "its record was cut before event"),
    (records.break_a_rule, "its record is broken"),
    (records.hide_a_game, "the server does not show it"),
)
AT_THE_CLOSE: tuple[tuple[Forge, str], ...] = (
    (records.change_a_board, "its record is not the one that is in the log"),
)
WHEN_IT_HAS_CLOSED: tuple[tuple[Forge, str], ...] = (
    *((forge, "the board ") for forge in boards.FORGERIES),
    (put_a_run_into_the_day, f"a ranked run, logged after its day {DAY} had closed"),
)
FORGERIES = (*IN_THE_LOG, *WHILE_THE_DAY_IS_OPEN, *AT_THE_CLOSE, *WHEN_IT_HAS_CLOSED)
"""One for each hour."""


class Club:
    """The honest server, its players, and the monitor that looks at it every hour."""

    def __init__(self, server: RunningServer, session: aiohttp.ClientSession, players: list[Player]) -> None:
        self.lived = races.Raced(server, session, [])
        self.players = players

    async def live_an_hour(self, hour: int) -> None:
        """Let this hour pass, in which some play for the day, and two race; everything that ended is logged."""
        server = self.lived.server
        server.clock.at = max(server.clock.at, NOON + (hour - 1) * HOUR)
        name, racers = f"race {hour}", [self.players[hour], self.players[-hour]]
        lives = [simulated_players.races(racers, name)]
        if hour <= OPEN_HOURS:
            lives += [daily_life(player) for player in self.players[hour - 1 :: OPEN_HOURS]]
        await simulated_players.live(server, lives)
        assert server.clock.at < NOON + hour * HOUR
        server.clock.at = NOON + hour * HOUR
        if server.clock.at > CLOSED:
            await server.server.challenges.write_due(server.clock.at)
            await end_left_runs(server)
        await log_ends(server.server)
        self.lived.race = simulated_players.race_called(name)
        self.lived.games = [str(await server.server.races.game_of(self.lived.race, one.id)) for one in racers]
        if server.clock.at > CLOSED:
            async with self.lived.database.reading() as connection:
                chosen = select(entries.c.game_id).where(entries.c.deal == f"{DAY}.1").order_by(entries.c.game_id)
                self.lived.games = [*await connection.scalars(chosen)]

    async def show_forged(self, folder: Path, forge: Forge, state: MonitorState) -> list[str]:
        """What the monitor finds in a copy of the server in which one thing is forged."""
        honest = self.lived.server
        settings = fork(honest, folder)
        is_at_work = any(forge is one for one, _ in IN_THE_LOG)
        if not is_at_work:  # a server that runs might keep in memory what it was
            rests = Server(settings, honest.clock)
            await forge(self.like(RunningServer(rests, honest.app, honest.url, honest.session, honest.clock)))
            await rests.database.close()
        async with open_server(settings, at=honest.clock.at) as shown:
            forged = self.like(shown)
            if is_at_work:
                await forge(forged)
            return await forged.look(state)

    def like(self, server: RunningServer) -> races.Raced:
        """The same games and the same race on another server."""
        other = races.Raced(server, self.lived.session, self.lived.games)
        other.race, other.key = self.lived.race, self.lived.key
        other.watched = WatchedServer(other.session, server.url, no_wait)
        return other


def fork(honest: RunningServer, folder: Path) -> Settings:
    """The settings of a server with a copy of the database and of the key."""
    folder.mkdir()
    settings = honest.server.settings
    source, target = settings.database_url.removeprefix("sqlite:///"), folder / "forged.db"
    with closing(sqlite3.connect(source)) as old, closing(sqlite3.connect(target)) as new:
        old.backup(new)
    shutil.copyfile(settings.key_file, folder / "host.key")
    return replace(settings, database_url=f"sqlite:///{target}", key_file=str(folder / "host.key"))


async def daily_life(player: Player) -> simulated_players.Life:
    """Play one or two deals of the day, one after another, and resign most of them."""
    for slot in player.chance.sample((1, 2, 3), player.chance.choice((1, 2))):
        game = await player.enter(slot)
        async for _ in player.play(game, player.chance.randrange(2, 10)):
            yield
        if player.chance.random() < 0.8:
            await player.give_up(game)


@pytest.fixture
async def club(sqlite_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Club]:
    """The server at noon, when the day has just been opened."""
    monkeypatch.setattr("cadogan.server.subjects.transparency.sequencer.BATCH_SECONDS", 3600.0)
    secrets = {dates.add_days(DAY, n): SECRET for n in range(-1, 9)}
    called = map(simulated_players.race_called, (f"race {hour}" for hour in range(1, 25)))
    await fixed_server.seal(sqlite_url, secrets, {f"race-{race}": "quatorze" for race in called})
    fixed_server.write_calendar(tmp_path / "calendar.toml", simulated_players.CARD)
    settings = replace(TEST_SETTINGS, database_url=sqlite_url, key_file=str(tmp_path / "host.key"))
    settings = replace(settings, calendar=str(tmp_path / "calendar.toml"))
    async with open_server(settings, at=NOON) as server, aiohttp.ClientSession() as session:
        people = await fixed_server.people(server, map(str, range(PEOPLE)))
        await log_ends(server.server)
        yield Club(server, session, [Player(server, number, one.id) for number, one in enumerate(people)])


@pytest.mark.heavy
async def test_what_a_host_forges_each_hour_of_a_day_of_two_hundred_players_is_named_within_one_look(
    club: Club, tmp_path: Path
) -> None:
    assert len(FORGERIES) == 24
    assert await club.lived.look() == []
    for hour, (forge, named) in enumerate(FORGERIES, 1):
        await club.live_an_hour(hour)
        state = copy.deepcopy(club.lived.state)
        found = await club.show_forged(tmp_path / f"hour {hour}", forge, state)
        assert any(named in wrong for wrong in found), (hour, forge.__name__, found)
        assert await club.lived.look() == [], (hour, forge.__name__)
    assert club.lived.state.verified > PEOPLE
    assert club.lived.state.findings == 0
