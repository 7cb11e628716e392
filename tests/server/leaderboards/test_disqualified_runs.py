"""Struck runs: a board never shows them, it is the same again when they return, and events give the same boards."""

from collections.abc import Sequence
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import select

from cadogan.server.core.database.connections import Database
from cadogan.server.core.database.tables import buckets, entries, strikes, totals
from cadogan.server.core.eventlog.event_store import Append
from cadogan.server.core.eventlog.events import Event, GameDealt, GameFinished
from cadogan.server.core.eventlog.hash_chain import START_HASH, chain_event
from cadogan.server.core.eventlog.projections import project
from cadogan.server.core.storage.rebuild import DERIVED_TABLES, derive_rows, rebuild
from cadogan.server.core.storage.sql_store import SqlStore
from cadogan.server.subjects.admin.reports import RunStrikes
from cadogan.server.subjects.known_rules import known_rules
from cadogan.server.subjects.leaderboards.disqualified_runs import DisqualifiedRuns
from cadogan.server.subjects.leaderboards.queries import BoardQueries
from cadogan.wire.admin import Why
from tests.harness.leaderboard_runs import DAY, run, sort_entries
from tests.server.leaderboards.test_queries import shown
from tests.server.leaderboards.test_ranking import empty

NOON = 1_795_176_000_000
WHY = Why(reason="cheating")
PLAYERS = ("ann", "bob", "bot-cat", "dan")
FREELY = settings(
    max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
RUNS = st.lists(
    st.tuples(
        st.sampled_from(PLAYERS), st.integers(1, 3), st.sampled_from((0, 51, 52, 208)), st.sampled_from((80, 81))
    ),
    min_size=1,
    max_size=8,
    unique_by=lambda one: one[:2],
)


def game_id(player: str, slot: int) -> str:
    """The id of the player's run of a deal of the day."""
    return f"{player.replace('-', '')}{'x' * 14}"[:14] + f"{slot}{slot}".translate({49: 97, 50: 98, 51: 99})


async def finish(store: SqlStore, player: str, slot: int, score: int, moves: int) -> str:
    """Append a whole ranked run as a server does, and return its id."""
    game = game_id(player, slot)
    stream, deal = f"game/{game}", f"{DAY}.{slot}"
    dealt = GameDealt("maze", 1, player, deal, "n", "ab", DAY, slot, None, True, {}, {})
    finished = GameFinished("lost", score, 10 * score, moves, 61_000, 61_000)
    facts: list[tuple[Event, int]] = [(dealt, NOON), (finished, NOON + 61_000)]
    first = chain_event(START_HASH, stream, 1, dealt, NOON)
    second = chain_event(first.hash, stream, 2, finished, NOON + 61_000)
    await store.append(Append(stream, None, (first, second), project(stream, facts, known_rules())))
    return game


def strikes_of(database: Database) -> RunStrikes:
    """The acts of hosts on the runs in a database, of which nobody is told."""
    return RunStrikes(database, lambda: NOON + 100_000, lambda _: None)


async def boards_of(database: Database) -> dict[str, list[Any]]:
    """The rows of totals and of buckets."""
    async with database.reading() as connection:
        return {
            table.name: sorted(tuple(row) for row in await connection.execute(select(table)))
            for table in (totals, buckets)
        }


async def derived_anew(database: Database) -> dict[str, list[Any]]:
    """The same rows and those of the strikes, derived from the events into empty tables."""
    async with database.writing() as connection:
        for table in DERIVED_TABLES:
            await connection.execute(table.delete())
        await derive_rows(connection, known_rules())
    return await boards_of(database)


@FREELY
@given(runs=RUNS, data=st.data())
async def test_a_run_that_was_struck_and_put_back_leaves_the_boards_as_they_were(
    sql_store: SqlStore, runs: Sequence[tuple[str, int, int, int]], data: st.DataObject
) -> None:
    await empty(sql_store.database)
    games = [await finish(sql_store, *one) for one in runs]
    before, acts = await boards_of(sql_store.database), strikes_of(sql_store.database)
    chosen = data.draw(st.lists(st.sampled_from(games), unique=True, min_size=1))
    for game in chosen:
        await acts.strike(None, game, True, WHY)
    assert await boards_of(sql_store.database) != before
    for game in data.draw(st.permutations(chosen)):
        await acts.strike(None, game, False, WHY)
    assert await boards_of(sql_store.database) == before


@FREELY
@given(runs=RUNS, data=st.data())
async def test_boards_kept_live_through_strikes_are_those_of_the_other_runs_and_those_of_the_events(
    sql_store: SqlStore, runs: Sequence[tuple[str, int, int, int]], data: st.DataObject
) -> None:
    database = sql_store.database
    await empty(database)
    acts, ended, disqualified = strikes_of(database), dict[str, tuple[str, int, int, int]](), set[str]()
    for one in runs:
        ended[await finish(sql_store, *one)] = one
        for _ in range(data.draw(st.integers(0, 3))):
            game, wanted = data.draw(st.sampled_from(sorted(ended))), data.draw(st.booleans())
            await acts.strike(None, game, wanted, WHY)
            (disqualified.add if wanted else disqualified.discard)(game)
    left = [
        run(player, score, moves, slot=slot)
        for game, (player, slot, score, moves) in ended.items()
        if game not in disqualified
    ]
    expected, boards = sort_entries(left), BoardQueries(database)
    for board in {*sort_entries([run(player, slot=slot) for player, slot, *_ in runs])}:
        assert shown((await boards.page(board, 0, 50))[1]) == expected.get(board, [])
    digests = await boards.digests(DAY, [f"{DAY}.1"])
    assert digests.disqualified == dict.fromkeys(disqualified, "cheating")
    live = await boards_of(database)
    assert all(count > 0 for *_, count in live["buckets"])
    assert await derived_anew(database) == live
    async with database.writing() as connection:
        await connection.execute(strikes.delete())
        await connection.execute(totals.delete())
    await rebuild(database, known_rules())
    assert await boards_of(database) == live
    async with database.reading() as connection:
        assert {*await connection.scalars(select(strikes.c.game_id))} == disqualified
        assert {*await connection.scalars(select(entries.c.game_id))} == {*ended}


async def test_a_board_names_the_runs_that_are_struck_off_it_and_no_others(sql_store: SqlStore) -> None:
    await empty(sql_store.database)
    first, second, third, _ = [
        await finish(sql_store, *one)
        for one in (("ann", 1, 52, 80), ("bob", 2, 52, 80), ("bot-cat", 1, 52, 80), ("dan", 1, 51, 80))
    ]
    for game in (first, second, third):
        await strikes_of(sql_store.database).strike(None, game, True, WHY)
    found = DisqualifiedRuns(sql_store.database)

    async def of(board: str) -> set[str]:
        return {row.game_id for row in await found.of_board(board)}

    assert await of(f"deal:{DAY}.1") == {first}
    assert await of(f"day:{DAY}") == {first, second}
    assert await of(f"bots:deal:{DAY}.1") == {third}
    assert await of("all") == await of("deal:2026-11-21.1") == set()
    assert set(await found.among([first, "nothing"])) == {first}
