"""Collections: what a player has won, and what they were the first or the only ones to win, on both databases."""

from collections.abc import Sequence

import pytest
from sqlalchemy import insert

from cadogan.server.core import dates
from cadogan.server.core.database.tables import archived_games, archives
from cadogan.server.core.games.game_index import GameIndex
from cadogan.server.core.storage.rebuild import DERIVED_TABLES, derive_rows, rebuild
from cadogan.server.core.storage.sql_store import SqlStore
from cadogan.server.subjects.collection.collected import MIN_RUNS, STREAKS, Collections
from cadogan.server.subjects.known_rules import known_rules
from cadogan.server.subjects.players.profiles import Profiles
from cadogan.wire.codec import encode
from cadogan.wire.collection import Badge, Win
from tests.harness.finished_games import DAY, close, finish, noon, strike
from tests.harness.running_server import RunningServer
from tests.harness.statements import asked, sqlite_steps
from tests.server.collection.test_badges import OF_LEVEL

pytestmark = pytest.mark.both_databases

TODAY = dates.add_days(DAY, 7)
BOT = "bot-aaaabbbbccccdddd"


def collections_of(store: SqlStore) -> Collections:
    return Collections(store.database, GameIndex(store.database, store), Profiles(store.database))


async def badges_of(store: SqlStore, player: str) -> list[Badge]:
    return await collections_of(store).badges(player, TODAY)


async def kinds_of(store: SqlStore, player: str) -> list[tuple[str, str | None]]:
    return [(badge.kind, badge.rules) for badge in await badges_of(store, player)]


async def finish_field(store: SqlStore, winners: Sequence[str], runs: int = MIN_RUNS, day: str = DAY) -> None:
    """Write the runs of one deal: of these winners, and of so many in all."""
    for number in range(runs - len(winners)):
        await finish(store, f"loser{number}", result="lost", day=day)
    for winner in winners:
        await finish(store, winner, day=day)


async def test_a_game_has_its_first_and_its_best_win(sql_store: SqlStore) -> None:
    await finish(sql_store, "ann", result="lost", score=7, name="lost", at=1_000)
    await finish(sql_store, "ann", moves=90, name="first", at=2_000)
    await finish(sql_store, "ann", moves=70, name="best", at=3_000)
    await finish(sql_store, "ann", moves=70, name="as good, but later", at=4_000)
    await finish(sql_store, "ann", "klondike", "resigned", score=3, name="never won", at=5_000)
    await finish(sql_store, "bob", moves=60, name="of another", at=6_000)
    klondike, maze = await collections_of(sql_store).games("ann")
    assert (maze.rules, maze.played, maze.won, maze.best_score) == ("maze", 4, 3, 52)
    assert maze.first_win == Win(game="first", at=2_000, score=52, moves=90, milliseconds=61_000)
    assert maze.best_win == Win(game="best", at=3_000, score=52, moves=70, milliseconds=61_000)
    assert (klondike.played, klondike.won, klondike.first_win, klondike.best_win) == (1, 0, None, None)


async def test_a_struck_win_is_in_no_collection(sql_store: SqlStore) -> None:
    await finish(sql_store, "ann", name="struck", at=1_000)
    await finish(sql_store, "ann", name="counts", at=2_000)
    await strike(sql_store, "struck", "ann")
    (maze,) = await collections_of(sql_store).games("ann")
    assert maze.won == 1
    assert maze.first_win is not None
    assert maze.first_win.game == "counts"
    assert [badge.game for badge in await badges_of(sql_store, "ann")] == ["counts"]


async def test_whoever_wins_a_game_first_in_the_house_has_a_badge(sql_store: SqlStore) -> None:
    await finish(sql_store, BOT, name="of a bot", at=noon(DAY) - 5)
    await finish(sql_store, "bob", result="lost", name="lost", at=noon(DAY) - 4)
    await finish(sql_store, "ann", name="b", at=noon(DAY))
    await finish(sql_store, "bob", name="c", at=noon(DAY))
    await finish(sql_store, "bob", "klondike", name="d", at=noon(DAY) + 1)
    await finish(sql_store, "ann", "klondike", name="e", at=noon(DAY) + 2)
    assert await badges_of(sql_store, "ann") == [Badge(kind="first_win", day=DAY, rules="maze", game="b")]
    assert await badges_of(sql_store, "bob") == [Badge(kind="first_win", day=DAY, rules="klondike", game="d")]
    assert await badges_of(sql_store, BOT) == []


async def test_a_win_after_that_of_an_archived_guest_is_not_the_first(sql_store: SqlStore) -> None:
    await finish(sql_store, "ann", name="a", at=2_000)
    assert await kinds_of(sql_store, "ann") == [("first_win", "maze")]
    async with sql_store.database.writing() as connection:
        await connection.execute(insert(archives).values(sha256="s", name="old", before=DAY, games=1, created_at=1))
        row = {"stream": "game/old", "archive": "s", "version": 3, "hash": b"h", "game": "maze", "status": "won"}
        await connection.execute(insert(archived_games).values(**row, moves=9, milliseconds=9, revealed_at=2_001))
    assert await kinds_of(sql_store, "ann") == [("first_win", "maze")]
    async with sql_store.database.writing() as connection:
        await connection.execute(archived_games.update().values(revealed_at=1_999))
    assert await kinds_of(sql_store, "ann") == []


async def test_the_only_winner_of_a_deal_has_a_badge_once_its_day_has_closed(sql_store: SqlStore) -> None:
    await finish_field(sql_store, ["ann"])
    only = Badge(kind="only_win", day=DAY, rules="maze", game=f"ann:{DAY}.1", runs=MIN_RUNS)
    assert only not in await badges_of(sql_store, "ann")
    await close(sql_store)
    assert only in await badges_of(sql_store, "ann")
    assert only not in await collections_of(sql_store).badges("ann", DAY)


@pytest.mark.parametrize(("winners", "runs"), [(["ann"], MIN_RUNS - 1), (["ann", "bob"], 9), (["ann", BOT], 9)])
async def test_a_win_of_few_runs_or_of_several_winners_is_not_alone(
    sql_store: SqlStore, winners: list[str], runs: int
) -> None:
    await finish_field(sql_store, winners, runs)
    await close(sql_store)
    assert "only_win" not in [badge.kind for badge in await badges_of(sql_store, "ann")]


async def test_a_struck_win_of_another_leaves_the_only_win(sql_store: SqlStore) -> None:
    await finish_field(sql_store, ["ann", "bob"], MIN_RUNS + 1)
    await close(sql_store)
    assert ("only_win", "maze") not in await kinds_of(sql_store, "ann")
    await strike(sql_store, f"bob:{DAY}.1", "bob")
    assert ("only_win", "maze") in await kinds_of(sql_store, "ann")


async def test_a_collection_is_the_same_to_the_byte_after_its_rows_were_derived_again(sql_store: SqlStore) -> None:
    for number in range(STREAKS[0]):
        day = dates.add_days(DAY, -number)
        for slot, rules in enumerate(OF_LEVEL.values(), 1):
            await finish(sql_store, "ann", rules, day=day, slot=slot)
    await finish_field(sql_store, ["bob"], day=dates.add_days(DAY, 1))
    for other in range(MIN_RUNS):
        await finish(sql_store, f"other{other}", OF_LEVEL["gentle"], "lost", day=DAY)
    await close(sql_store)
    await close(sql_store, dates.add_days(DAY, 1))
    await finish(sql_store, "bob", "klondike", name="struck", at=1)
    await strike(sql_store, "struck", "bob")

    async def as_bytes() -> list[bytes]:
        read, found = collections_of(sql_store), list[bytes]()
        for player in ("ann", "bob"):
            found += map(encode, [*await read.games(player), *await badges_of(sql_store, player)])
        return found

    before = await as_bytes()
    kinds = {badge.kind for badge in await badges_of(sql_store, "ann")}
    assert kinds == {"streak", "all_levels", "first_win", "only_win"}
    async with sql_store.database.writing() as connection:
        for table in DERIVED_TABLES:
            await connection.execute(table.delete())
    assert await as_bytes() == []
    async with sql_store.database.writing() as connection:
        await derive_rows(connection, known_rules())
    assert await as_bytes() == before
    async with sql_store.database.writing() as connection:
        for table in DERIVED_TABLES:
            await connection.execute(table.delete())
    await rebuild(sql_store.database, known_rules())
    assert await as_bytes() == before


async def test_sqlite_reads_wins_from_indexes_that_have_all_that_is_asked_for(sqlite_server: RunningServer) -> None:
    server = sqlite_server.server
    with asked(server.database) as statements:
        await server.collections.games("ann")
        await server.collections.badges("ann", TODAY)
    steps = await sqlite_steps(server.database, statements)
    own = [step for step in steps if "ix_games_player_won" in step]
    of_all = [step for step in steps if "ix_games_won" in step]
    assert own
    assert of_all
    assert [step for step in own + of_all if "USING COVERING INDEX" not in step] == []


async def test_later_wins_are_not_compared_with_those_of_everybody_else(sql_store: SqlStore) -> None:
    for number in range(3):
        await finish(sql_store, BOT, name=f"of a bot {number}", at=noon(DAY) - 9 + number)
        await finish(sql_store, "ann", name=f"own {number}", at=noon(DAY) + number)
    with asked(sql_store.database) as statements:
        badges = await badges_of(sql_store, "ann")
    assert [badge.game for badge in badges] == ["own 0"]
    compared = [parameters for text, parameters in statements if "archived_games" in text]
    assert len(compared) == 1
    assert "own 0" in str(compared)
    assert "own 1" not in str(compared)
