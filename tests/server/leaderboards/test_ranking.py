"""Each order is one key: SQL on both databases, the rank index and the digests agree with the Python keys."""

import asyncio
from dataclasses import fields
from hashlib import sha256
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cadogan.server.core.database.connections import Database
from cadogan.server.core.database.tables import buckets, log_queue, totals
from cadogan.server.core.eventlog.projections import EntryRow
from cadogan.server.core.ranking import BoardTotal, RankBucket, RankKey, day_digests, progress_rank_key, ranks
from cadogan.server.core.storage.rebuild import DERIVED_TABLES
from cadogan.server.core.storage.sql_store import SqlStore
from cadogan.server.core.storage.writers import TABLES
from cadogan.server.subjects.leaderboards import queries
from cadogan.server.subjects.leaderboards.queries import BoardQueries
from cadogan.wire.values import Meter, Player
from tests.harness.leaderboard_runs import DAY, finish, run

BOARD = f"deal:{DAY}.1"
RUNS = st.lists(
    st.builds(
        run,
        st.sampled_from("abcdefghijkl"),
        st.sampled_from((-52, 0, 1, 127, 128, 208, 20_000)),
        st.sampled_from((0, 1, 90)),
        st.sampled_from((0, 1023, 1024, 65_535, 65_536, 80_000_000)),
    ),
    min_size=1,
    max_size=12,
    unique_by=lambda entry: entry.player,
)


async def empty(database: Database) -> None:
    async with database.writing() as connection:
        for table in DERIVED_TABLES:
            await connection.execute(table.delete())
        await connection.execute(log_queue.delete())
        await connection.exec_driver_sql("DELETE FROM events")


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(entries=RUNS)
async def test_a_board_in_the_database_has_the_order_of_the_rank_key(
    sql_store: SqlStore, monkeypatch: pytest.MonkeyPatch, entries: list[EntryRow]
) -> None:
    monkeypatch.setattr(queries, "MAX_SKIPPED_ROWS", 1)
    await empty(sql_store.database)
    await asyncio.gather(*(finish(sql_store, entry) for entry in entries))
    keys = {entry.player: RankKey(-entry.score, entry.moves, entry.milliseconds) for entry in entries}
    ordered = sorted(keys, key=lambda player: (keys[player], player))
    rank_of = dict(zip(ordered, ranks([keys[player] for player in ordered]), strict=True))
    expected = [(rank_of[player], number, player) for number, player in enumerate(ordered, 1)]

    boards = BoardQueries(sql_store.database)
    for found in (await boards.ranked(BOARD, ordered), await boards.ranked_among(BOARD, ordered)):
        assert [(row.rank, row.position, row.player) for row in found] == expected
    for offset in range(len(ordered)):
        _, page = await boards.page(BOARD, offset, 3)
        assert [(row.rank, row.position, row.player) for row in page] == expected[offset : offset + 3]


@given(RUNS)
def test_a_digest_lists_a_board_in_the_order_of_the_rank_key(entries: list[EntryRow]) -> None:
    ordered = sorted(entries, key=lambda one: (-one.score, one.moves, one.milliseconds, one.player))
    keys = [RankKey(-one.score, one.moves, one.milliseconds) for one in ordered]
    text = "".join(
        f"{BOARD} {rank} {one.player} {one.score} {one.moves} {one.milliseconds} {one.game_id} {one.result}\n"
        for rank, one in zip(ranks(keys), ordered, strict=True)
    )
    assert day_digests(DAY, [f"{DAY}.1"], entries)[f"{DAY}.1"] == sha256(text.encode()).hexdigest()


def test_the_columns_in_the_database_are_the_fields_of_the_rank_key_in_its_order() -> None:
    (index,) = [index for index in totals.indexes if index.name == "ix_totals_board"]
    assert [column.name for column in index.columns] == ["board", *RankKey._fields, "player", "runs"]
    assert [column.name for column in totals.columns] == list(BoardTotal._fields)
    assert [column.name for column in buckets.primary_key] == list(RankBucket._fields)
    assert BoardTotal._fields[2:5] == RankBucket._fields[2:] == RankKey._fields


def test_every_row_that_is_written_has_the_columns_of_its_table() -> None:
    for kind, table in TABLES.items():
        assert sorted(field.name for field in fields(kind)) == sorted(table.columns.keys())


def test_more_score_comes_first_then_fewer_moves_then_less_time() -> None:
    best_first = [
        RankKey(-60, 99, 99),
        RankKey(-50, 10, 99),
        RankKey(-50, 11, 1),
        RankKey(-50, 11, 2),
        RankKey(1, 0, 0),
    ]
    assert all(better < worse for better, worse in pairwise(best_first))


def test_in_a_day_in_progress_more_score_comes_first_then_fewer_moves() -> None:
    def meter(home: int, score: int, moves: int) -> Meter:
        return Meter(
            game="g",
            deal=f"{DAY}.1",
            player=Player(id="ann", name="Ann", guest=True),
            home=home,
            score=score,
            moves=moves,
            milliseconds=0,
            status="playing",
            ranked=True,
        )

    best_first = [meter(2, 5, 9), meter(3, 4, 1), meter(2, 4, 2), meter(9, 0, 9)]
    assert all(progress_rank_key(better) < progress_rank_key(worse) for better, worse in pairwise(best_first))


def test_equal_keys_share_a_rank_and_the_next_rank_counts_them() -> None:
    assert ranks([(7,), (7,), (7,), (8,)]) == [1, 1, 1, 4]
    assert ranks([]) == []
