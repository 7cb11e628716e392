"""The boards that people see are those that follow from the records: every change in the database is named.

The forger changes rows of boards and of struck runs, adds a run to a closed day, or changes old records, without
touching the log.
"""

from copy import deepcopy
from typing import Any

import pytest
from msgspec import json
from sqlalchemy import delete, insert, select, update

from cadogan.server.core import ids
from cadogan.server.core.database.tables import buckets, entries, events, strikes, totals
from cadogan.server.core.eventlog import hash_chain
from cadogan.server.core.eventlog.events import canonical_json
from cadogan.server.operations.monitor_state import MonitorState
from cadogan.server.subjects.transparency.leaves import Ended
from tests.harness.daily_actions import CLOSED, DAY
from tests.harness.logging_ends import log_ends
from tests.server.monitor.lived import Lived, new_state
from tests.server.monitor.test_monitor import strike

HOUR = 3_600_000


async def change_a_score(lived: Lived) -> None:
    async with lived.database.writing() as connection:
        await connection.execute(update(entries).where(entries.c.game_id == lived.games[0]).values(active=1))


async def change_a_total(lived: Lived, board: str) -> None:
    async with lived.database.writing() as connection:
        chosen = select(totals.c.player).where(totals.c.board == board).order_by(totals.c.player).limit(1)
        player = await connection.scalar(chosen)
        mine = (totals.c.board == board) & (totals.c.player == player)
        await connection.execute(update(totals).where(mine).values(moves=totals.c.moves + 1))


async def change_a_deal(lived: Lived) -> None:
    await change_a_total(lived, f"deal:{DAY}.1")


async def change_a_day(lived: Lived) -> None:
    await change_a_total(lived, f"day:{DAY}")


async def change_all_time(lived: Lived) -> None:
    await change_a_total(lived, "all")


async def change_a_week(lived: Lived) -> None:
    await change_a_total(lived, "week:2026-W47")


async def change_a_month(lived: Lived) -> None:
    await change_a_total(lived, "month:2026-11")


async def hide_a_player(lived: Lived) -> None:
    async with lived.database.writing() as connection:
        player = await connection.scalar(select(totals.c.player).where(totals.c.board == "all").limit(1))
        await connection.execute(delete(totals).where(totals.c.player == player))


async def invent_a_player(lived: Lived) -> None:
    async with lived.database.writing() as connection:
        for table in (totals, buckets):
            rows = [dict(row._mapping) for row in await connection.execute(select(table).where(table.c.board == "all"))]
            if table is totals:
                row = {**rows[0], "player": "invented"}
                await connection.execute(insert(table).values(row))
            else:
                await connection.execute(update(table).where(table.c.board == "all").values(count=table.c.count + 1))


async def empty_the_boards(lived: Lived) -> None:
    async with lived.database.writing() as connection:
        await connection.execute(delete(totals))
        await connection.execute(delete(buckets))


FORGERIES = (
    change_a_score,
    change_a_deal,
    change_a_day,
    change_all_time,
    change_a_week,
    change_a_month,
    hide_a_player,
    invent_a_player,
    empty_the_boards,
)


async def test_what_is_changed_on_a_board_is_named_by_who_has_watched_and_by_who_comes_anew(lived: Lived) -> None:
    assert await lived.look() == []
    for forge in FORGERIES:
        async with lived.put_back():
            await forge(lived)
            for found in await lived.look_again(deepcopy(lived.state), new_state(), at=CLOSED + HOUR):
                assert found, forge.__name__
                assert all(wrong.startswith("the board ") for wrong in found), (forge.__name__, found)
    assert await lived.look_again(lived.state, new_state(), at=CLOSED + HOUR) == [[], []]


async def test_a_run_that_is_struck_later_leaves_all_boards_and_comes_back(lived: Lived) -> None:
    assert await lived.look() == []
    for struck in (True, False):
        lived.server.clock.at += 1000
        await strike(lived, 0, struck)
        assert await lived.look() == []  # the entry may still come
        await log_ends(lived.server.server)
        assert await lived.look(at=lived.server.clock.at + HOUR) == []
        assert await lived.look_anew() == []
        assert (lived.games[0] in lived.state.boards.struck) == struck


async def add_a_run(lived: Lived) -> str:
    """A third player's run is put into the closed day, and into the log, with all that follows from its secret."""
    async with lived.database.reading() as connection:
        chosen = select(events).where(events.c.stream == f"game/{lived.games[0]}").order_by(events.c.version)
        rows = [dict(row._mapping) for row in await connection.execute(chosen)]
    dealt = json.decode(rows[0]["data"])
    secret = bytes.fromhex(json.decode(await lived.watched.game_record(lived.games[0]) or b"")["secret"])
    stream = f"game/{ids.derive_id(secret, 'attempt', dealt['deal'], 'latecomer')}"
    before = hash_chain.START_HASH
    async with lived.database.writing() as connection:
        for row in rows:
            data = json.decode(row["data"])
            text = canonical_json({**data, "player": "latecomer"} if "player" in data else data)
            head = (stream, row["version"], row["type"], row["schema"], text, row["recorded_at"])
            before = hash_chain.event_hash(before, *head)
            values = {**row, "stream": stream, "data": text, "hash": before}
            values.pop("id", None)
            await connection.execute(insert(events).values(values))
    version = len(rows)
    entry = Ended.of(stream, version, secret, before).as_bytes()
    await lived.server.server.transparency.append([(stream, version, entry)], lived.key)
    return stream


async def test_a_run_that_is_put_into_a_day_after_its_close_is_named(lived: Lived) -> None:
    assert await lived.look() == []
    stream = await add_a_run(lived)
    for found in await lived.look_again(lived.state, new_state(), at=CLOSED + HOUR):
        assert any(f"{stream}: a ranked run, logged after its day {DAY} had closed" in wrong for wrong in found), found


async def test_a_struck_run_that_the_board_does_not_show_as_struck_is_named(lived: Lived) -> None:
    assert await lived.look() == []
    await strike(lived, 0)
    await log_ends(lived.server.server)
    assert await lived.look() == []
    async with lived.database.writing() as connection:
        await connection.execute(delete(strikes))
    assert await lived.look_again(lived.state) == [[]]  # it may have been put back just now
    ((found,),) = await lived.look_again(lived.state, at=CLOSED + 2 * HOUR)
    board = f"the board day:{DAY} does not say so"
    assert found == f"the log says that the run {lived.games[0]} is struck, and {board}"


async def test_an_old_record_that_is_gone_is_found_by_looking_again(
    lived: Lived, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cadogan.server.operations.old_entries.SAMPLE", 1000)
    assert await lived.look() == []
    async with lived.database.writing() as connection:
        await connection.execute(delete(events).where(events.c.stream == f"game/{lived.games[0]}"))
    (found,) = await lived.look_again(lived.state)
    assert any(f"the server does not show game/{lived.games[0]} any more" in wrong for wrong in found)


async def forge_a_move(lived: Lived, number: int) -> None:
    def later(rows: list[dict[str, Any]]) -> None:
        rows[-1]["recorded_at"] += 1

    await lived.change_events(f"game/{lived.games[number]}", later)


async def test_an_old_record_that_is_changed_with_all_its_hashes_is_found_by_looking_again(
    lived: Lived, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cadogan.server.operations.old_entries.SAMPLE", 1000)
    assert await lived.look() == []
    await forge_a_move(lived, 0)
    (found,) = await lived.look_again(lived.state)
    assert any(f"game/{lived.games[0]}" in wrong and "looked at again" in wrong for wrong in found)


async def test_a_log_that_stands_still_is_named_after_a_day_and_a_half(lived: Lived) -> None:
    assert await lived.look() == []
    lived.state.announced.latest_at = 0
    found = await lived.look(at=CLOSED + 36 * HOUR)
    assert f"the log stands still: it has had {lived.state.size} entries for 36 hours" in found


async def test_a_monitor_that_begins_late_knows_what_one_knows_that_was_there_from_the_start(lived: Lived) -> None:
    assert await lived.look() == []
    late = MonitorState(lived.server.url, [])
    assert await lived.look(late) == []
    assert late.boards.totals == lived.state.boards.totals
