"""The feed of what has ended: every reader gets everything, also after a page that was left half-way."""

import asyncio

import pytest
from sqlalchemy import insert

from cadogan.server.core import ended_feed
from cadogan.server.core.database.connections import Database
from cadogan.server.core.database.tables import log_entries
from cadogan.server.core.ended_feed import EndedFeed

pytestmark = pytest.mark.both_databases


async def end(database: Database, *streams: str, first: int = 0) -> None:
    """Let these streams end, in this order."""
    rows = [
        {"number": number, "stream": stream, "version": 1, "entry": b""} for number, stream in enumerate(streams, first)
    ]
    async with database.writing() as connection:
        await connection.execute(insert(log_entries), rows)


async def read(feed: EndedFeed, reader: str, *kinds: str) -> list[str]:
    """All that is new for a reader."""
    return [stream for page in [page async for page in feed.read(reader, *kinds)] for stream in page]


async def test_every_reader_gets_what_it_wants_once(database: Database) -> None:
    feed = EndedFeed(database)
    assert await read(feed, "news", "daily/") == []
    await end(database, "game/a", "daily/1", "match/b", "game/c")
    assert await read(feed, "news", "daily/", "match/") == ["daily/1", "match/b"]
    assert await read(feed, "news", "daily/", "match/") == []
    assert await read(feed, "ranks", "game/") == ["game/a", "game/c"]
    await end(database, "daily/2", first=4)
    assert await read(EndedFeed(database), "news", "daily/", "match/") == ["daily/2"]


async def test_a_page_that_was_left_is_read_again_and_the_pages_before_it_are_not(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ended_feed, "PAGE", 2)
    await end(database, "daily/1", "daily/2", "daily/3", "daily/4", "daily/5")

    async def leave() -> None:
        async for page in EndedFeed(database).read("news", "daily/"):
            if "daily/3" in page:
                raise ValueError("left")

    with pytest.raises(ValueError, match="left"):
        await leave()
    assert await read(EndedFeed(database), "news", "daily/") == ["daily/3", "daily/4", "daily/5"]


async def test_many_nodes_that_read_at_once_leave_one_cursor_behind_all_of_it(database: Database) -> None:
    await end(database, "daily/1", "daily/2")
    nodes = [EndedFeed(database) for _ in range(4)]
    found = await asyncio.gather(*(read(node, "news", "daily/") for node in nodes))
    assert ["daily/1", "daily/2"] in found
    assert await read(EndedFeed(database), "news", "daily/") == []


async def test_a_cursor_that_only_passes_others_is_stored_seldom(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    feed = EndedFeed(database)
    await end(database, "game/a")
    assert await read(feed, "news", "daily/") == []
    await end(database, "daily/1", first=1)
    assert await read(feed, "news", "daily/") == ["daily/1"]
    monkeypatch.setattr(ended_feed, "WRITE_EVERY", 1)
    await end(database, "game/b", first=2)
    assert await read(feed, "news", "daily/") == []
    assert await read(EndedFeed(database), "news", "game/") == []


async def test_a_reader_that_is_far_behind_begins_with_the_last_page_or_after_the_day_before_the_first(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ended_feed, "PAGE", 2)
    await end(
        database, "match/a", "daily/2026-11-01", "match/b", "daily/2026-11-02", "match/c", "daily/2026-11-03", "match/d"
    )
    feed, kinds = EndedFeed(database), ("daily/", "match/")
    monkeypatch.setattr(ended_feed, "MAX_BACKLOG_ENTRIES", 8)
    assert len(await read(feed, "near", *kinds)) == 7
    monkeypatch.setattr(ended_feed, "MAX_BACKLOG_ENTRIES", 7)
    assert await read(feed, "ranks", *kinds) == ["daily/2026-11-03", "match/d"]
    news = [stream async for page in feed.read("news", *kinds, first_day="2026-11-03") for stream in page]
    assert news == ["daily/2026-11-02", "match/c", "daily/2026-11-03", "match/d"]
    everything = [stream async for page in feed.read("all", *kinds, first_day="2026-11-01") for stream in page]
    assert len(everything) == 7
