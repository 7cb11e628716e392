"""A rebuild beside servers that go on: the rows are those of the log afterwards, and nobody waits for long."""

import asyncio
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import pytest
from sqlalchemy import insert, select, update

from cadogan.server.core.database.connections import Database
from cadogan.server.core.database.tables import buckets, entries, events, games, races, strikes, totals
from cadogan.server.core.eventlog.event_store import Append, StreamIncomplete
from cadogan.server.core.eventlog.events import (
    ChallengeSpoiled,
    Event,
    GameDealt,
    GameFinished,
    HouseActed,
    UnreadableEvent,
)
from cadogan.server.core.eventlog.hash_chain import START_HASH, chain_event
from cadogan.server.core.eventlog.projections import EntryRow, StrikeRow, project
from cadogan.server.core.eventlog.race_events import PlayerJoined, RaceOpened
from cadogan.server.core.eventlog.rating_events import EveningRated, RatedPlayer
from cadogan.server.core.storage import rebuild as rebuilding
from cadogan.server.core.storage import sql_store
from cadogan.server.core.storage.rebuild import DERIVED_TABLES, derive_rows, rebuild
from cadogan.server.core.storage.sql_store import SqlStore
from cadogan.server.subjects.admin.admin_log import lock_admin_log, record_act
from cadogan.server.subjects.known_rules import known_rules
from cadogan.server.subjects.leaderboards.disqualified_runs import move_run
from tests.harness.invisible_events import invisible_event
from tests.harness.sample_events import append

DAY = "2026-11-20"


@pytest.fixture(autouse=True)
def small_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Many pages and many transactions for a few rows."""
    monkeypatch.setattr(sql_store, "STREAMS_PER_PAGE", 7)
    monkeypatch.setattr(rebuilding, "_ROWS_PER_INSERT", 10)
    monkeypatch.setattr(rebuilding, "_ITEMS_AT_ONCE", 3)
    monkeypatch.setattr(rebuilding, "TRANSACTION_SECONDS", 0.0)
    monkeypatch.setattr(rebuilding, "PAUSE_SECONDS", 0.0)


def dealt(number: int) -> GameDealt:
    slot = number % 3 + 1
    deal = f"{DAY}.{slot}"
    return GameDealt("maze", 1, f"player{number // 3:03}", deal, "n", "ab", DAY, slot, None, True, {}, {})


def finished(number: int) -> GameFinished:
    return GameFinished("won", 20 + number % 5, 900 + 31 * number, 50 + number % 7, 60_000 + 777 * number, 60_000)


async def write(store: SqlStore, stream: str, before: Sequence[Event], now: Sequence[Event]) -> None:
    """Append these events to a stream that holds those before, with the rows that follow, as a server does."""
    every = [(event, place * 1000) for place, event in enumerate([*before, *now], 1)]
    sealed = [chain_event(START_HASH, stream, at // 1000, event, at) for event, at in every]
    rows = project(stream, every, known_rules())
    await store.append(Append(stream, None, tuple(sealed[len(before) :]), rows))


async def begin_and_end(store: SqlStore, numbers: range) -> None:
    for number in numbers:
        stream = f"game/{number:04}"
        await write(store, stream, [], [dealt(number)])
        if number % 4 == 1:
            await write(store, stream, [dealt(number)], [finished(number)])
        if number % 4 == 2:
            await write(store, stream, [dealt(number)], [ChallengeSpoiled(dealt(number).player, dealt(number).deal)])


async def strike(store: SqlStore, numbers: range) -> None:
    """Strike these runs, which are over, as hosts do."""
    for number in numbers:
        row = StrikeRow(f"{number:04}", dealt(number).player, "cheating", number)
        async with store.database.writing() as connection:
            await lock_admin_log(connection)
            await connection.execute(insert(strikes).values(asdict(row)))
            entry = (await connection.execute(select(entries).where(entries.c.game_id == row.game_id))).one()
            await move_run(connection, EntryRow(**entry._mapping), on_boards=False)
            act = HouseActed("run_struck", player=row.player, game=row.game_id, reason=row.reason)
            await record_act(connection, act, row.struck_at)


async def end_and_begin_others(store: SqlStore) -> None:
    """What is played during a rebuild: games that ended are followed by others, and races are opened."""
    for number in range(0, 40, 4):
        await write(store, f"game/{number:04}", [dealt(number)], [finished(number)])
        await begin_and_end(store, range(100 + number, 104 + number))
        opened = RaceOpened("ann", "maze", "d", "ab", 2, 60, 5, True, ())
        await write(store, f"match/later{number}", [], [opened, PlayerJoined("ann", "n")])


async def content(database: Database) -> dict[str, set[Any]]:
    async with database.reading() as connection:
        return {table.name: {tuple(row) for row in await connection.execute(select(table))} for table in DERIVED_TABLES}


async def derived_at_once(database: Database) -> dict[str, set[Any]]:
    """What the tables hold if they are emptied and derived in one transaction."""
    async with database.writing() as connection:
        for table in DERIVED_TABLES:
            await connection.execute(table.delete())
        await derive_rows(connection, known_rules())
    return await content(database)


async def spoil_tables(database: Database) -> None:
    """Make wrong rows of every kind: changed, missing, too many, in each other's place."""
    async with database.writing() as connection:
        await connection.execute(update(games).where(games.c.id < "0010").values(status="lost", finished_at=7))
        await connection.execute(games.delete().where(games.c.id.in_(["0015", "0016", "0017", "0018"])))
        await connection.execute(games.delete().where(games.c.id.in_(["0021", "0037"])))
        for here, there in (("0021", 37), ("0037", 21)):  # each has the attempt of the other
            row = project(f"game/{here}", [(dealt(there), 1)], known_rules())[0]
            await connection.execute(insert(games).values(**asdict(row)))
        await connection.execute(update(games).where(games.c.id == "0030").values(id="of nobody", ranked=False))
        await connection.execute(entries.delete().where(entries.c.game_id.in_(["0001", "0033"])))
        await connection.execute(update(entries).where(entries.c.game_id == "0005").values(points=1))
        await connection.execute(update(entries).where(entries.c.game_id == "0009").values(player="nobody"))
        await connection.execute(races.delete())
        await connection.execute(strikes.delete().where(strikes.c.game_id < "0050"))
        await connection.execute(update(strikes).where(strikes.c.game_id == "0053").values(reason="name"))
        await connection.execute(insert(strikes).values(game_id="0001", player="nobody", reason="name", struck_at=1))
        await connection.execute(totals.delete().where(totals.c.player == "player003"))
        await connection.execute(update(totals).where(totals.c.player == "player001").values(moves=1, runs=5))
        wrong = {"deficit": -3, "moves": 1, "milliseconds": 1, "runs": 1}
        await connection.execute(insert(totals).values(board="ever", player="zoe", **wrong))
        await connection.execute(insert(totals).values(board="nowhere", player="zoe", **wrong))
        await connection.execute(buckets.delete().where(buckets.c.level == 2))
        await connection.execute(update(buckets).where(buckets.c.level == 1).values(count=9))
        await connection.execute(
            insert(buckets).values(board="nowhere", level=3, deficit=-70_000, moves=0, milliseconds=0, count=2)
        )


@pytest.mark.parametrize("emptied", [False, True])
async def test_rows_are_right_after_a_rebuild_during_which_games_went_on(sql_store: SqlStore, emptied: bool) -> None:
    database = sql_store.database
    await begin_and_end(sql_store, range(95))
    await strike(sql_store, range(45, 95, 4))
    await write(sql_store, "match/r", [], [RaceOpened("ann", "maze", "d", "ab", 2, 60, 5, True, ())])
    rated = tuple([RatedPlayer(f"player{place}", place, 150000, 150000, 150000, 1) for place in range(1, 13)])
    parts = [EveningRated("elo-mmr@1", "evening1", "all", "person", "contest", some, part=part)
             for part, some in enumerate((rated[:8], rated[8:]), 1)]  # fmt: skip
    await write(sql_store, "ratings", [], parts)
    if emptied:
        async with database.writing() as connection:
            for table in DERIVED_TABLES:
                await connection.execute(table.delete())
    else:
        await spoil_tables(database)
    # Two people may rebuild at the same time, too.
    await asyncio.gather(
        rebuild(database, known_rules()), rebuild(database, known_rules()), end_and_begin_others(sql_store)
    )
    rebuilt = await content(database)
    assert rebuilt == await derived_at_once(database)
    assert min(len(rows) for table, rows in rebuilt.items() if table != "contests") > 10


async def test_a_rebuild_of_right_rows_writes_nothing(sql_store: SqlStore, monkeypatch: pytest.MonkeyPatch) -> None:
    await begin_and_end(sql_store, range(20))
    await strike(sql_store, range(1, 10, 4))
    right = await content(sql_store.database)
    monkeypatch.setattr(Database, "writing", None)  # whoever would write fails
    assert await rebuild(sql_store.database, known_rules()) == sum(
        len(right[name]) for name in ("games", "entries", "strikes")
    )


async def test_a_rebuild_stops_at_an_event_that_cannot_be_read_and_names_its_stream(sql_store: SqlStore) -> None:
    database = sql_store.database
    await begin_and_end(sql_store, range(40))
    right = await content(database)
    async with database.writing() as connection:
        await connection.execute(update(games).values(status="lost"))
        readable = await connection.scalar(select(events.c.data).where(events.c.stream == "game/0030"))
        of_one = update(events).where(events.c.stream == "game/0030", events.c.version == 1)
        await connection.execute(of_one.values(data='{"x":' + "[" * 100_000))
    with pytest.raises(UnreadableEvent, match=r"^game/0030: the data of this game_dealt cannot be read"):
        await rebuild(database, known_rules())
    found = {row[0]: row for row in (await content(database))["games"]}
    wanted = {row[0]: row for row in right["games"]}
    assert found["0000"] == wanted["0000"]
    assert found["0039"] != wanted["0039"]
    async with database.writing() as connection:
        await connection.execute(of_one.values(data=readable))
    await rebuild(database, known_rules())
    assert await content(database) == right


async def test_a_rebuild_is_refused_while_an_event_is_missing(sql_store: SqlStore) -> None:
    await sql_store.append(append("game/a", 1, events=3))
    for version in (1, 2):
        async with invisible_event(sql_store.database, "game/a", version):
            with pytest.raises(StreamIncomplete):
                await rebuild(sql_store.database, known_rules())
