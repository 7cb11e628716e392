"""Rows follow from events: as they happen, or all anew from the log."""

from dataclasses import asdict
from typing import Any

import pytest
from sqlalchemy import select, update

from cadogan.server.core.database.connections import Database
from cadogan.server.core.database.tables import entries, games
from cadogan.server.core.eventlog.event_store import Append, NewEvent
from cadogan.server.core.eventlog.events import (
    ChallengeSpoiled,
    Event,
    GameDealt,
    GameFinished,
    MovePlayed,
    UnreadableEvent,
)
from cadogan.server.core.eventlog.hash_chain import START_HASH, chain_event
from cadogan.server.core.eventlog.projections import EntryRow, GameRow, project
from cadogan.server.core.storage.rebuild import rebuild
from cadogan.server.core.storage.sql_store import SqlStore
from cadogan.server.subjects.known_rules import known_rules
from tests.harness.sample_events import append

DAY = "2026-11-20"
MOVE = MovePlayed("draw", ("moved stock waste 1",))
END = GameFinished("lost", 31, 240, 1, 2000, 1500)


def dealt(player: str = "ann", day: str | None = DAY, ranked: bool = True) -> GameDealt:
    return GameDealt(
        "olga", 1, player, f"deal of {day}", "nonce", "ab", day, 1 if day else None, None, ranked, {"stock": ["QH"]}, {}
    )


def test_a_game_being_played_has_a_row_without_an_end() -> None:
    assert project("game/g", [(dealt(), 1000), (MOVE, 2000)], known_rules()) == (
        GameRow("g", "olga", "ann", f"deal of {DAY}", DAY, 1, None, True, "playing", None, None, None, 1000, None),
    )


def test_a_finished_ranked_game_is_on_the_board_of_its_day() -> None:
    assert project("game/g", [(dealt(), 1000), (MOVE, 2000), (END, 3000)], known_rules()) == (
        GameRow("g", "olga", "ann", f"deal of {DAY}", DAY, 1, None, True, "lost", 31, 1, 2000, 1000, 3000),
        EntryRow("g", f"deal of {DAY}", DAY, 1, "olga", "ann", "lost", 31, 240, 1, 2000, 1500, 3000),
    )


@pytest.mark.parametrize("first", [dealt(day=None, ranked=False), dealt(ranked=False)])
def test_a_casual_or_unranked_game_is_on_no_board(first: GameDealt) -> None:
    assert [type(row) for row in project("game/g", [(first, 1000), (END, 3000)], known_rules())] == [GameRow]


def test_a_spoiled_run_is_on_no_board_however_late_it_was_spoiled() -> None:
    spoiled = ChallengeSpoiled("ann", f"deal of {DAY}")
    (row,) = project("game/g", [(dealt(), 1000), (MOVE, 2000), (spoiled, 2500), (END, 3000)], known_rules())
    assert isinstance(row, GameRow)
    assert not row.ranked


def test_a_run_is_on_a_board_unless_its_end_says_that_it_does_not_count() -> None:
    for end, kinds in (
        (GameFinished("resigned", 0, 0, 0, 900, 900), [GameRow, EntryRow]),
        (GameFinished("resigned", 0, 0, 0, 900, 900, counts=False), [GameRow]),
    ):
        rows = project("game/g", [(dealt(), 1000), (end, 1900)], known_rules())
        assert [type(row) for row in rows] == kinds


def test_events_between_deal_and_end_change_no_row() -> None:
    whole: list[tuple[Event, int]] = [(dealt(), 1000), (MOVE, 2000), (MOVE, 2500), (END, 3000)]
    assert project("game/g", whole, known_rules()) == project("game/g", [whole[0], whole[-1]], known_rules())


async def play(store: SqlStore, stream: str, *happened: Event) -> None:
    """Append each event with the rows that follow, as a server does."""
    facts: list[tuple[Event, int]] = []
    before = START_HASH
    for version, event in enumerate(happened, 1):
        facts.append((event, version * 1000))
        new = chain_event(before, stream, version, event, version * 1000)
        before = new.hash
        rows = () if isinstance(event, MovePlayed) else project(stream, facts, known_rules())
        await store.append(Append(stream, None, (new,), rows))


async def rows(database: Database) -> list[dict[str, Any]]:
    async with database.reading() as connection:
        chosen = [*(await connection.execute(select(games).order_by(games.c.id))).mappings()]
        return [dict(row) for row in [*chosen, *(await connection.execute(select(entries))).mappings()]]


async def test_rows_are_written_and_overwritten_as_a_game_goes_on(sql_store: SqlStore) -> None:
    await play(sql_store, "game/g", dealt(), MOVE)
    (before,) = await rows(sql_store.database)
    await sql_store.append(append("game/g", 3, rows=project("game/g", [(dealt(), 1000), (END, 3000)], known_rules())))
    expected = project("game/g", [(dealt(), 1000), (END, 3000)], known_rules())
    assert before["status"] == "playing"
    assert await rows(sql_store.database) == [asdict(row) for row in expected]


async def test_rebuilding_gives_the_same_rows(sql_store: SqlStore) -> None:
    await play(sql_store, "game/a", dealt("ann"), MOVE, MOVE, END)
    await play(sql_store, "game/b", dealt("bob"), MOVE)
    await play(sql_store, "game/c", dealt("bob", None, False), MOVE, END)
    before = await rows(sql_store.database)
    async with sql_store.database.writing() as connection:
        await connection.execute(update(games).values(status="won"))
        await connection.execute(entries.delete())
    assert await rows(sql_store.database) != before
    assert await rebuild(sql_store.database, known_rules()) == len(before) == 4
    assert await rows(sql_store.database) == before


async def test_rebuilding_an_empty_log_gives_no_rows(sql_store: SqlStore) -> None:
    assert await rebuild(sql_store.database, known_rules()) == 0


async def test_an_unreadable_log_leaves_the_rows_unchanged(sql_store: SqlStore) -> None:
    await play(sql_store, "game/a", dealt(), END)
    before = await rows(sql_store.database)
    await sql_store.append(Append("game/b", None, (NewEvent(1, "game_dealt", 99, "{}", 0, bytes(32)),)))
    with pytest.raises(UnreadableEvent):
        await rebuild(sql_store.database, known_rules())
    assert await rows(sql_store.database) == before
