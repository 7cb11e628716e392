"""The shields of the month: whoever leads a game, counted in the database and by the rules of scoring."""

import random
import threading
from fractions import Fraction
from types import ModuleType

import pytest

from cadogan.server.core import dates
from cadogan.server.core.clock_check import ClockCheck
from cadogan.server.core.scoring.deals import matchpoints, neuberg
from cadogan.server.core.scoring.fields import fraction
from cadogan.server.core.scoring.forms import Run, ShieldRun, Shields
from cadogan.server.core.scoring.shields import MIN_RUNS, award_shields
from cadogan.server.core.storage.sql_store import SqlStore
from cadogan.server.subjects.shields import month_runs, shields
from cadogan.server.subjects.shields.month_runs import MonthRuns
from cadogan.server.subjects.shields.shields import MAX_AGE_MILLISECONDS, MonthShields
from cadogan.wire.collection import Shield
from tests.harness.finished_games import finish, noon, strike

pytestmark = pytest.mark.both_databases

MONTH = "2026-11"
TODAY = "2026-11-20"
BOT = "bot-aaaabbbbccccdddd"


class Clock:
    """A clock that stands still."""

    def __init__(self, at: int) -> None:
        self.at = at

    def __call__(self) -> int:
        return self.at


def shields_on(store: SqlStore, day: str = TODAY) -> MonthShields:
    return shields_by(store, Clock(noon(day)))


def shields_by(store: SqlStore, clock: Clock) -> MonthShields:
    """The shields of a server that has no evenings."""
    return MonthShields(store.database, MonthRuns(store.database, no_evenings), ClockCheck(clock), clock)


async def no_evenings(_since: int, _until: int) -> list[ShieldRun]:
    return []


async def rank(store: SqlStore, day: str, *players: str, rules: str = "maze", slot: int = 1) -> None:
    """Write the runs of one deal, the best first."""
    for number, player in enumerate(players):
        await finish(store, player, rules, "lost", day=day, slot=slot, score=50 - number)


async def test_whoever_leads_a_game_has_its_shield(sql_store: SqlStore) -> None:
    await rank(sql_store, "2026-11-10", "ann", "bob", "eve", "dan")
    await rank(sql_store, "2026-11-11", "bob", "ann", "eve", "dan")
    await rank(sql_store, "2026-11-12", "bob", "eve", "ann", "dan")
    await rank(sql_store, "2026-11-12", "dan", "ann", "bob", "eve", rules="klondike", slot=2)
    of_month = shields_on(sql_store)
    assert of_month.month == MONTH
    assert await of_month.of("bob") == [Shield(rules="maze", sum=round(2 / 3 + 1 + 1, 4))]
    assert await of_month.of("dan") == [Shield(rules="klondike", sum=1.0)]
    assert await of_month.of("ann") == []


async def test_deals_of_other_months_of_today_of_few_runs_and_of_bots_do_not_count(sql_store: SqlStore) -> None:
    field = ["ann", "bob", "eve", "dan"]
    await rank(sql_store, "2026-10-30", *field)
    await rank(sql_store, TODAY, *field)
    await rank(sql_store, "2026-11-10", BOT, *field[: MIN_RUNS - 1])
    assert await shields_on(sql_store).of("ann") == []
    await rank(sql_store, "2026-11-11", BOT, *field)
    assert await shields_on(sql_store).of("ann") == [Shield(rules="maze", sum=1.0)]
    assert await shields_on(sql_store).of(BOT) == []


async def test_they_are_counted_in_threads_so_that_nobody_is_held_up(
    sql_store: SqlStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads = list[threading.Thread]()

    def watch(module: ModuleType, name: str) -> None:
        compute = getattr(module, name)

        def compute_seen(given: object) -> object:
            threads.append(threading.current_thread())
            return compute(given)

        monkeypatch.setattr(module, name, compute_seen)

    watch(month_runs, "fraction")
    watch(shields, "award_shields")
    await rank(sql_store, "2026-11-10", "ann", "bob", "eve", "dan")
    assert await shields_on(sql_store).of("ann") == [Shield(rules="maze", sum=1.0)]
    assert len(threads) == 5
    assert threading.main_thread() not in threads


async def test_a_struck_run_leads_nothing_after_a_while(sql_store: SqlStore) -> None:
    await rank(sql_store, "2026-11-11", "ann", "bob", "eve", "dan", "kim")
    clock = Clock(noon(TODAY))
    of_month = shields_by(sql_store, clock)
    assert await of_month.of("ann") == [Shield(rules="maze", sum=1.0)]
    await strike(sql_store, "ann:2026-11-11.1", "ann")
    clock.at += MAX_AGE_MILLISECONDS - 1
    assert await of_month.of("ann") != []
    clock.at += 1
    assert (await of_month.of("ann"), await of_month.of("bob")) == ([], [Shield(rules="maze", sum=1.0)])


async def test_the_database_finds_the_leaders_that_the_rules_of_scoring_name(sql_store: SqlStore) -> None:
    chance = random.Random(7)
    runs: list[ShieldRun] = []
    players = [f"player{number}" for number in range(8)]
    for number in range(1, 20):
        day = f"2026-11-{number:02}"
        for slot, rules in enumerate(chance.sample(["maze", "klondike", "louis"], 2), 1):
            field = {}
            for player in chance.sample(players, chance.randint(3, 8)):
                score, moves = chance.randint(10, 14), chance.randint(70, 72)
                result = chance.choice(["won", "lost"])
                at = noon(day) + chance.randint(0, 9)
                await finish(sql_store, player, rules, result, day=day, slot=slot, at=at, score=score, moves=moves)  # type: ignore[arg-type]
                field[player] = Run("r", "d", player, 0, at, result, score, 900, moves, 61_000)  # type: ignore[arg-type]
            points = matchpoints(field, time_counts=True)
            shares = {player: neuberg(m, len(field), len(field)) for player, m in points.items()}
            runs += [
                ShieldRun(rules, player, fraction(share), len(field), field[player].ended_at)
                for player, share in shares.items()
            ]
    expected = award_shields(Shields("cadogan shields 1", MONTH, {}, runs))["shields"]
    of_month = shields_on(sql_store)
    found = {one.rules: (player, one.sum) for player in players for one in await of_month.of(player)}
    assert found == {one["game"]: (one["holder"], round(float(Fraction(one["sum"])), 4)) for one in expected}
    assert len(found) == 3


async def test_a_run_that_ends_after_its_month_counts_in_the_next_one(sql_store: SqlStore) -> None:
    first = dates.day_times("2026-11-01", 0).opens_at
    for number, player in enumerate(["ann", "bob", "eve", "dan"]):
        await finish(sql_store, player, result="lost", day="2026-10-31", at=first - number, score=50 - number)
    assert await shields_on(sql_store).of("ann") == [Shield(rules="maze", sum=1.0)]
    assert await shields_on(sql_store).of("bob") == []
