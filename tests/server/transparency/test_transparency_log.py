"""The transparency log over a database: what ends is in it once, in one order, and is proven to be there."""

import asyncio
import re
from collections.abc import Iterable

import pytest
from msgspec import structs
from sqlalchemy import func, select

from cadogan.server.core import dates
from cadogan.server.core.database.connections import Database
from cadogan.server.core.database.tables import log_heads
from cadogan.server.core.eventlog.event_store import Append, NewEvent
from cadogan.server.core.eventlog.events import (
    DailyAnnounced,
    DailyClosed,
    DailyDrawn,
    DailyOpened,
    Event,
    HouseActed,
    canonical_json,
    register_events,
)
from cadogan.server.core.eventlog.hash_chain import START_HASH, chain_event
from cadogan.server.core.storage.sql_store import SqlStore
from cadogan.server.subjects.evenings.evening_events import EVENTS, EntryOpened
from cadogan.server.subjects.evenings.evening_events import KEY as EVENINGS
from cadogan.server.subjects.transparency.checkpoints import read_checkpoint
from cadogan.server.subjects.transparency.leaves import DayEvent, Ended, NextKey, NoEntry, read_entry
from cadogan.server.subjects.transparency.notes import WITNESS, SigningKey, cosign, cosigned_at
from cadogan.server.subjects.transparency.transparency_log import TransparencyLog
from cadogan.server.subjects.transparency.tree import (
    EMPTY_ROOT,
    ENTRIES,
    NotInTree,
    leaf_hash,
    read_bundle,
    require_consistency,
)
from tests.harness.statements import asked, scanned

KEY = SigningKey("club.example/log", bytes(range(32)))
CLOSED = DailyClosed("ab" * 32, {}, ())


def closing(days: Iterable[int]) -> list[Append]:
    """The ends of days, each the only event of its stream."""
    streams = [f"daily/2026-11-{day:02}" for day in days]
    return [Append(stream, None, (chain_event(START_HASH, stream, 1, CLOSED, 1_000),)) for stream in streams]


async def write(store: SqlStore, appends: Iterable[Append]) -> None:
    """Write appends, together where the store does."""
    await asyncio.gather(*map(store.append, appends))


async def test_what_has_ended_is_in_the_log_once_and_is_proven_to_be_there(
    database: Database, sql_store: SqlStore
) -> None:
    log = TransparencyLog(database)
    assert (await log.head(), await log.prove("daily/2026-11-01"), await log.tile(0, 0, 1)) == (None, None, None)
    await write(sql_store, closing(range(1, 6)))
    assert await log.is_waiting()
    assert await log.append_waiting(KEY) == 5
    assert (await log.is_waiting(), await log.append_waiting(KEY)) == (False, 0)
    for append in closing(range(1, 6)):
        proof = await log.prove(append.stream)
        assert proof is not None
        proof.note.require_signature(KEY.verifier())
        entry = Ended.of(append.stream, 1, b"", append.events[0].hash)
        proof.require_entry(leaf_hash(entry.as_bytes()))
        with pytest.raises(NotInTree):
            proof.require_entry(leaf_hash(entry._replace(version=2).as_bytes()))
    bundle = await log.tile(ENTRIES, 0, 5)
    assert bundle is not None
    assert [read_entry(entry) for entry in read_bundle(bundle)] == [
        Ended.of(append.stream, 1, b"", append.events[0].hash) for append in closing(range(1, 6))
    ]
    whole = await log.tile(0, 0, 5)
    assert whole is not None
    assert (len(whole), await log.tile(0, 0, 3)) == (5 * 32, whole[: 3 * 32])
    assert await log.tile(ENTRIES, 0, 6) is None
    assert await log.tile(1, 0, 1) is None


async def test_the_store_knows_what_has_ended_before_and_after_it_is_in_the_log(
    database: Database, sql_store: SqlStore
) -> None:
    log = TransparencyLog(database)
    asked = ["daily/2026-11-01", "daily/2026-11-02"]
    assert await sql_store.find_ended(asked) == set()
    await write(sql_store, closing([1]))
    assert await sql_store.find_ended(asked) == {"daily/2026-11-01"}
    await log.append_waiting(KEY)
    assert not await log.is_waiting()
    assert await sql_store.find_ended(asked) == {"daily/2026-11-01"}


async def test_every_checkpoint_begins_with_the_one_before(database: Database, sql_store: SqlStore) -> None:
    log, roots = TransparencyLog(database), {0: EMPTY_ROOT}
    for days in (range(1, 2), range(2, 9), range(9, 12), range(12, 28)):
        await write(sql_store, closing(days))
        await log.append_waiting(KEY)
        note = await log.head()
        assert note is not None
        new = read_checkpoint(note.text)
        roots[new.size] = new.root
        for old, root in roots.items():
            require_consistency(old, root, new.size, new.root, await log.prove_consistency(old, new.size))
    assert sorted(roots) == [0, 1, 8, 11, 27]


@pytest.mark.both_databases
async def test_two_nodes_that_append_at_the_same_time_give_out_no_number_twice(
    sql_store: SqlStore, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cadogan.server.subjects.transparency.transparency_log.MAX_APPENDED", 4)
    other = Database(str(database.url.render_as_string(hide_password=False)))
    logs = [TransparencyLog(database), TransparencyLog(other)]
    await write(sql_store, closing(range(1, 29)))
    counts = await asyncio.gather(*(log.append_waiting(KEY) for _ in range(6) for log in logs))
    bundle = await logs[0].tile(ENTRIES, 0, 28)
    await other.close()
    assert sum(counts) == 28
    assert bundle is not None
    assert len({read_entry(entry) for entry in read_bundle(bundle)}) == 28


@pytest.mark.both_databases
async def test_neither_appending_nor_proving_reads_a_whole_table(database: Database, sql_store: SqlStore) -> None:
    """What a long log would make slow: the database says of each statement whether it searches a table, or scans it."""
    log = TransparencyLog(database)
    with asked(database) as statements:
        await write(sql_store, closing(range(1, 29)))
        assert await log.append_waiting(KEY) == 28
        assert await log.prove("daily/2026-11-05") is not None
        assert await log.prove_consistency(5, 28)
        assert await log.tile(ENTRIES, 0, 28) is not None
    about_log = [one for one in statements if re.search("log_(entries|tiles|queue)", one[0])]
    assert len(about_log) > 5
    whole = await scanned(database, about_log)
    assert {scan: texts for scan, texts in whole.items() if re.fullmatch(r"log_\w+", scan)} == {}


async def test_an_event_that_ends_nothing_does_not_come_into_the_log(database: Database, sql_store: SqlStore) -> None:
    acted = HouseActed("muted", None, "ann", "request")
    await sql_store.append(Append("house", None, (chain_event(START_HASH, "house", 1, acted, 1_000),)))
    assert not await TransparencyLog(database).is_waiting()


def test_the_digest_of_a_game_needs_the_secret_of_its_deal() -> None:
    ended = Ended.of("game/aaaabbbbccccdddd", 57, bytes(32), START_HASH)
    assert ended.digest != Ended.of("game/aaaabbbbccccdddd", 57, b"", START_HASH).digest
    assert read_entry(ended.as_bytes()) == ended
    assert read_entry(NextKey("a note").as_bytes()) == NextKey("a note")


async def test_each_event_of_a_day_is_in_the_log_before_the_day_closes_and_does_not_end_it(
    database: Database, sql_store: SqlStore
) -> None:
    log, stream, before = TransparencyLog(database), "daily/2026-11-20", START_HASH
    announced = DailyAnnounced("2026-11-20", "ab" * 32, ())
    entries = list[DayEvent | Ended]()
    steps: tuple[Event, ...] = (announced, DailyDrawn(None), DailyOpened())
    for version, event in enumerate(steps, 1):
        (written,) = await append_one(sql_store, stream, version, event, before)
        before = written.hash
        entries.append(DayEvent.of(stream, version, written.type, written.recorded_at, before, "ab" * 32))
        assert await log.append_waiting(KEY) == 1
        assert await sql_store.find_ended([stream]) == set()
    assert await log.prove(stream) is None
    (closed,) = await append_one(sql_store, stream, 4, CLOSED, before)
    assert await log.append_waiting(KEY) == 1
    entries.append(Ended.of(stream, 4, b"", closed.hash))
    bundle = await log.tile(ENTRIES, 0, 4)
    assert bundle is not None
    assert [read_entry(entry) for entry in read_bundle(bundle)] == entries
    proof = await log.prove(stream)
    assert proof is not None
    assert proof.index == 3


async def append_one(store: SqlStore, stream: str, version: int, event: Event, before: bytes) -> tuple[NewEvent, ...]:
    """Append one event, recorded a second after the one before it."""
    written = (chain_event(before, stream, version, event, 1000 * version),)
    await store.append(Append(stream, None, written))
    return written


FRIENDS = [SigningKey(f"{name}.example/witness", bytes([number]) * 32) for number, name in enumerate("abc", 1)]
BEGINS_SECONDS = dates.day_times("2026-11-20", 0).opens_at // 1000


async def test_an_announcement_is_dated_by_the_first_checkpoint_that_most_witnesses_signed_before_the_day(
    database: Database, sql_store: SqlStore
) -> None:
    log, stream = TransparencyLog(database), "daily/2026-11-20"
    await append_one(sql_store, stream, 1, DailyAnnounced("2026-11-20", "ab" * 32, ()), START_HASH)
    await log.append_waiting(KEY)
    assert await log.prove_announcement("daily_announced", "2026-11-20") is None  # nobody has seen it

    async def see(seconds_before: int, *friends: SigningKey) -> list[tuple[str, int]]:
        """Let friends sign the log of now; return who dates the announcement then, and how many seconds before it."""
        await write(sql_store, closing([1 + seconds_before % 19]))
        await log.append_waiting(KEY)
        head = await log.head()
        assert head is not None
        at = BEGINS_SECONDS - seconds_before
        await log.store_witnessed(head, [cosign(head.text, friend, at) for friend in friends])
        proof = await log.prove_announcement("daily_announced", "2026-11-20")
        assert proof is not None
        entry = await log.find("daily_announced/2026-11-20")
        assert entry is not None
        proof.require_entry(leaf_hash(entry.entry))
        signed = [(friend.name, proof.note.signatures_by(friend.verifier(WITNESS))) for friend in FRIENDS]
        return [(name, BEGINS_SECONDS - cosigned_at(one)) for name, found in signed for one in found]

    ann, bob, cat = FRIENDS
    assert await see(9000, ann) == [(ann.name, 9000)]
    assert await see(8000, bob) == [(ann.name, 9000)]
    assert await see(7000, ann, bob) == [(ann.name, 7000), (bob.name, 7000)]
    assert await see(6003, bob, cat) == [(ann.name, 7000), (bob.name, 7000)]
    assert await see(-5, ann, bob, cat) == [(ann.name, 7000), (bob.name, 7000)]
    assert await log.prove_announcement("daily_announced", "2026-11-21") is None


@pytest.mark.both_databases
async def test_announcements_of_competitions_are_dated_by_the_first_checkpoint_with_them_that_a_witness_signed(
    database: Database, sql_store: SqlStore
) -> None:
    log, (ann, bob, cat) = TransparencyLog(database), FRIENDS
    register_events(EVENINGS, EVENTS)

    async def announce(evening: str, at: int) -> None:
        stream, event = f"evening/{evening}", EntryOpened()
        written = (structs.replace(chain_event(START_HASH, stream, 1, event, at), type="evening_announced"),)
        await sql_store.append(Append(stream, None, written))
        await log.append_waiting(KEY)

    async def see(at_seconds: int, *friends: SigningKey) -> None:
        head = await log.head()
        assert head is not None
        await log.store_witnessed(head, [cosign(head.text, friend, at_seconds) for friend in friends])

    async def seen(evening: str) -> list[tuple[str, int]]:
        """Who dates the announcement of an evening, and when they saw it."""
        proof = await log.prove_announcement("evening_announced", evening)
        entry = await log.find(f"evening_announced/{evening}")
        if proof is None or entry is None:
            return []
        proof.require_entry(leaf_hash(entry.entry))
        signed = [(friend.name, proof.note.signatures_by(friend.verifier(WITNESS))) for friend in FRIENDS]
        return [(name, cosigned_at(one)) for name, found in signed for one in found]

    await announce("first", 1_000)
    assert await seen("first") == [], "nobody has seen it"
    await see(100, ann)
    await see(110, bob)
    assert await seen("first") == [(ann.name, 100), (bob.name, 110)], "of the same checkpoint"
    await write(sql_store, closing([1]))
    await log.append_waiting(KEY)
    await see(200, cat)
    await announce("second", 2_000)
    await see(300, cat)
    assert await seen("first") == [(ann.name, 100), (bob.name, 110)]
    assert await seen("second") == [(cat.name, 300)]
    assert await seen("third") == []
    chosen = select(func.count()).where(log_heads.c.kind.startswith("dating/"))
    assert await database.fetch_value(chosen) == 2, "only checkpoints with announcements that are new are stored"


def _announced(**changed: str | None) -> bytes:
    """An entry about an announced day, with other values in it."""
    entry = DayEvent(1000, "ab" * 32, "cd" * 32, "daily/2026-11-20", "daily_announced", 1)
    return canonical_json({**entry._asdict(), **changed}).encode()


def test_an_entry_about_a_day_is_read_as_it_was_written() -> None:
    assert read_entry(_announced()).as_bytes() == _announced()


@pytest.mark.parametrize(
    "entry",
    [
        b"",
        b"[]",
        b"{}",
        b'{"stream":"a"}',
        b'{"stream":"a","version":1,"digest":"ab"}',
        b'{"digest":"ab","stream":"a","version":1 }',
        b'{"key":"a","stream":"b"}',
        _announced(type="daily_closed"),
        _announced(stream="game/aaaabbbbccccdddd"),
        _announced(commitment=None),
    ],
)
def test_what_is_no_entry_is_refused(entry: bytes) -> None:
    with pytest.raises(NoEntry):
        read_entry(entry)
