"""Days pass: what is announced, opened and closed, by whichever node comes first, however long it was away."""

import asyncio

import engine
from server import days
from server.dailies import AHEAD, Dailies
from server.db import Database
from server.deals import Deals
from server.store import Store
from server.store_sql import SqlStore

GAMES = engine.slugs()[:8]
HOUR = 3_600_000
NOON = 1_795_176_000_000
DAY = "2026-11-20"


def node(database: Database, store: Store) -> Dailies:
    return Dailies(store, Deals(database), GAMES, HOUR)


async def types(store: Store, day: str) -> list[str]:
    return [event.type for event in await store.read(f"daily/{day}")]


def test_a_day_opens_at_midnight_utc_and_closes_after_its_grace() -> None:
    span = days.span(DAY, HOUR)
    assert (days.day_of(span.opens_at), days.day_of(span.opens_at - 1)) == (DAY, "2026-11-19")
    assert span.ends_at - span.opens_at == days.MILLISECONDS
    assert span.closes_at - span.ends_at == HOUR


def test_every_game_has_its_day_in_turn() -> None:
    turn = [days.game_of(days.later(DAY, ahead), GAMES) for ahead in range(8)]
    assert sorted(turn) == sorted(GAMES)


async def test_each_event_of_a_day_is_written_once_whoever_asks_and_however_often(
    database: Database, sql_store: SqlStore
) -> None:
    nodes = [node(database, sql_store) for _ in range(3)]
    await asyncio.gather(*(one.listed(NOON) for one in nodes), *(one.get(DAY, NOON) for one in nodes))
    assert await types(sql_store, DAY) == ["daily_announced", "daily_opened"]
    assert await types(sql_store, days.later(DAY, AHEAD)) == ["daily_announced"]
    deals = [await one.get(days.later(DAY, 3), NOON) for one in nodes]
    assert len({daily.deal.commitment for daily in deals if daily}) == 1

    closing = days.span(DAY, HOUR).closes_at
    await asyncio.gather(*(one.listed(closing) for one in nodes))
    assert await types(sql_store, DAY) == ["daily_announced", "daily_opened", "daily_closed"]


async def test_a_day_is_closed_however_long_the_server_was_away(database: Database, sql_store: SqlStore) -> None:
    await node(database, sql_store).listed(NOON)
    await node(database, sql_store).listed(NOON + 100 * days.MILLISECONDS)
    for ahead in range(AHEAD + 1):
        assert (await types(sql_store, days.later(DAY, ahead)))[-1] == "daily_closed"


async def test_a_day_long_past_is_found_and_one_never_announced_is_not(database: Database, sql_store: SqlStore) -> None:
    await node(database, sql_store).listed(NOON)
    later = node(database, sql_store)
    now = NOON + 100 * days.MILLISECONDS
    found = await later.get(DAY, now)
    assert found is not None
    assert found.state(now) == "closed"
    assert await later.get("2020-01-01", now) is None
    assert await later.get("2026-02-30", now) is None


async def test_the_secret_of_a_day_is_in_no_event_before_its_close(database: Database, sql_store: SqlStore) -> None:
    daily = await node(database, sql_store).get(DAY, NOON)
    assert daily is not None
    assert not any(daily.deal.secret.hex() in event.data for event in await sql_store.read(f"daily/{DAY}"))
    await node(database, sql_store).listed(daily.span.closes_at)
    last = (await sql_store.read(f"daily/{DAY}"))[-1]
    assert daily.deal.secret.hex() in last.data
    assert daily.deal.secret.hex() not in repr(daily)
