"""Boards: everybody's place is where sorting puts it, whoever wrote it, however it is looked up."""

import asyncio
import random
from collections.abc import Sequence
from contextlib import AsyncExitStack
from typing import Any

import pytest
from sqlalchemy import select

from cadogan.server.core.database.connections import Database
from cadogan.server.core.database.tables import buckets, totals
from cadogan.server.core.eventlog.projections import EntryRow
from cadogan.server.core.storage.rebuild import fill_buckets
from cadogan.server.core.storage.sql_store import SqlStore
from cadogan.server.subjects.leaderboards import queries as reading
from cadogan.server.subjects.leaderboards.queries import BoardQueries, RankedTotal
from tests.harness.leaderboard_runs import DAY, Sorted, finish, players, run, sort_entries

pytestmark = pytest.mark.slow

DEAL_BOARD = f"deal:{DAY}.1"


def shown(found: Sequence[RankedTotal]) -> Sorted:
    return [(r.rank, r.player, -r.deficit, r.moves, r.milliseconds, r.runs) for r in found]


async def written(database: Database) -> tuple[list[Any], list[Any]]:
    """The rows of totals and of buckets."""
    async with database.reading() as connection:
        return (
            sorted(map(tuple, await connection.execute(select(totals)))),
            sorted(map(tuple, await connection.execute(select(buckets)))),
        )


def season(seed: int, people: int, days: int) -> list[EntryRow]:
    """Runs of so many people on so many days; many are equal, some scores are below zero, one in five is a bot's."""
    chance = random.Random(seed)
    names = [name if n % 5 else f"bot-{name}" for n, name in enumerate(players(people))]
    return [
        run(
            name,
            score=chance.choice((-52, -1, 0, 0, 51, 104, chance.randrange(208))),
            moves=chance.choice((0, 40, 41, chance.randrange(3000))),
            milliseconds=chance.choice((0, 1023, 1024, 65_536, chance.randrange(90_000_000))),
            day=f"2026-{11 + day // 28:02}-{1 + day % 28:02}",
            slot=slot,
            rules=chance.choice(("maze", "olga")),
        )
        for day in range(days)
        for slot in (1, 2)
        for name in names
        if chance.random() < 0.7
    ]


async def test_ranks_from_buckets_equal_ranks_from_sorting(
    sql_store: SqlStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "MAX_SKIPPED_ROWS", 3)
    entries = season(1, people=40, days=4)
    await asyncio.gather(*(finish(sql_store, entry) for entry in entries))
    boards = BoardQueries(sql_store.database)
    for board, expected in sort_entries(entries).items():
        assert shown(await boards.ranked(board, [name for _, name, *_ in expected])) == expected
        assert await boards.page(board, len(expected), 9) == (len(expected), [])
        for offset in range(len(expected)):
            total, page = await boards.page(board, offset, 4)
            assert total == len(expected)
            assert shown(page) == expected[offset : offset + 4]
            assert [row.position for row in page] == [offset + 1 + n for n in range(len(page))]


async def test_a_rebuild_gives_the_same_places_and_counts(sql_store: SqlStore) -> None:
    for entry in season(2, people=15, days=3):
        await finish(sql_store, entry)
    before = await written(sql_store.database)
    assert all(count > 0 for *_, count in before[1])
    async with sql_store.database.writing() as connection:
        await connection.execute(buckets.delete())
        await fill_buckets(connection)
    assert await written(sql_store.database) == before


async def test_runs_of_one_player_finished_at_two_servers_at_once_all_count(database_url: str) -> None:
    entries = [run("ann", score=n, moves=n, day=f"2026-11-{1 + n // 2:02}", slot=1 + n % 2) for n in range(40)]
    entries += [run("bob", score=n, moves=9, day=f"2026-11-{1 + n // 2:02}", slot=1 + n % 2) for n in range(40)]
    random.Random(3).shuffle(entries)
    async with AsyncExitStack() as stack:
        stores = []
        for _ in range(2):
            database = Database(database_url)
            stack.push_async_callback(database.close)
            stores.append(SqlStore(database))
            stack.push_async_callback(stores[-1].close)
        await asyncio.gather(*(finish(stores[n % 2], entry) for n, entry in enumerate(entries)))
        for board, expected in sort_entries(entries).items():
            total, page = await BoardQueries(database).page(board, 0, 10)
            assert (total, shown(page)) == (len(expected), expected)


async def test_equal_runs_share_a_rank_and_the_next_rank_counts_them(sql_store: SqlStore) -> None:
    for entry in (run("cat"), run("ann"), run("bob"), run("dan", score=40), run("eve", score=60)):
        await finish(sql_store, entry)
    _, page = await BoardQueries(sql_store.database).page(DEAL_BOARD, 0, 10)
    assert [(r.rank, r.player) for r in page] == [(1, "eve"), (2, "ann"), (2, "bob"), (2, "cat"), (5, "dan")]


async def test_a_deal_is_ordered_by_score_then_fewer_moves_then_less_time(sql_store: SqlStore) -> None:
    best = [run("a", 60, 99, 99), run("b", 50, 10, 99), run("c", 50, 11, 1), run("d", 50, 11, 2), run("e", -1, 0, 0)]
    for entry in reversed(best):
        await finish(sql_store, entry)
    _, page = await BoardQueries(sql_store.database).page(DEAL_BOARD, 0, 10)
    assert [(r.player, r.game_id, r.result) for r in page] == [(e.player, e.game_id, "lost") for e in best]


async def test_boards_of_points_add_runs_up(sql_store: SqlStore) -> None:
    await finish(sql_store, run("ann", points=700, moves=10, milliseconds=5))
    await finish(sql_store, run("ann", points=300, moves=20, milliseconds=6, slot=2))
    (ann,) = await BoardQueries(sql_store.database).ranked(f"day:{DAY}", ["ann"])
    assert (ann.rank, ann.position, ann.player, ann.deficit) == (1, 1, "ann", -1000)
    assert (ann.moves, ann.milliseconds, ann.runs, ann.game_id) == (30, 11, 2, None)


async def test_bots_have_boards_of_their_own(sql_store: SqlStore) -> None:
    for player in ("ann", "bot-r2d2"):
        await finish(sql_store, run(player))
    boards = BoardQueries(sql_store.database)
    for board in (DEAL_BOARD, f"day:{DAY}", "week:2026-W47", "month:2026-11", "all", "game:maze"):
        assert [r.player for r in (await boards.page(board, 0, 10))[1]] == ["ann"]
        assert [r.player for r in (await boards.page(f"bots:{board}", 0, 10))[1]] == ["bot-r2d2"]


async def test_friends_are_ranked_among_each_other(sql_store: SqlStore) -> None:
    for n, player in enumerate(players(9)):
        await finish(sql_store, run(player, score=n // 2))
    found = await BoardQueries(sql_store.database).ranked_among(
        DEAL_BOARD, ["player008", "player003", "player002", "stranger"]
    )
    assert [(r.rank, r.position, r.player) for r in found] == [
        (1, 1, "player008"),
        (2, 2, "player002"),
        (2, 3, "player003"),
    ]


async def test_of_two_friends_with_the_same_points_and_moves_the_quicker_stands_first(sql_store: SqlStore) -> None:
    for player, seconds in (("ann", 63), ("bob", 62), ("cat", 62)):
        await finish(sql_store, run(player, milliseconds=1000 * seconds))
    boards = BoardQueries(sql_store.database)
    for board in (DEAL_BOARD, f"day:{DAY}", "all"):
        found = await boards.ranked_among(board, ["ann", "bob", "cat"])
        assert [(r.rank, r.player) for r in found] == [(1, "bob"), (1, "cat"), (3, "ann")]


async def test_a_run_whose_append_conflicts_is_counted_nowhere(sql_store: SqlStore) -> None:
    await finish(sql_store, run("ann"))
    before = await written(sql_store.database)
    outcomes = await asyncio.gather(*(finish(sql_store, run("ann")) for _ in range(3)), return_exceptions=True)
    assert all(isinstance(outcome, Exception) for outcome in outcomes)
    assert await written(sql_store.database) == before


async def test_an_unknown_board_is_empty(sql_store: SqlStore) -> None:
    boards = BoardQueries(sql_store.database)
    assert await boards.page("all", 5, 10) == (0, [])
    assert await boards.ranked("all", ["ann"]) == []
    assert await boards.ranked_among("all", []) == []
    assert set((await boards.digests(DAY, [])).boards) == {"day"}
