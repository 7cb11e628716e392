"""Whoever holds a receipt can prove that a run was withheld or cut: the promise of an honest server is kept.

The forger has the whole database and the host's key. The check reads nothing but the log that everybody is shown.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import aiohttp
import pytest
from msgspec import json

from cadogan.server.core.eventlog.streams import game_stream
from cadogan.server.operations.receipt_check import (
    STANDSTILL_MILLISECONDS,
    Finding,
    ReceiptCheck,
    read_signed_receipt,
)
from cadogan.server.subjects.audit.attestation import Trust
from cadogan.server.subjects.transparency.checkpoints import read_checkpoint
from cadogan.server.subjects.transparency.leaves import Ended
from cadogan.server.subjects.transparency.notes import WITNESS, SigningKey, cosign, read_note, sign_note
from cadogan.server.subjects.transparency.receipts import MAX_DELAY_MILLISECONDS, Receipt, sign_receipt
from cadogan.server.subjects.transparency.transparency_log import LATEST, write_head
from cadogan.server.subjects.transparency.tree import ENTRIES, tile_path, tiles_of, width_of
from tests.harness.command_line import run
from tests.harness.daily_actions import CLOSED, end_left_runs, play_and_resign
from tests.harness.logging_ends import log_ends
from tests.harness.people import Person
from tests.harness.race_actions import game_in_race, let_race_start, make_race, resign_in_race
from tests.harness.running_server import TEST_SETTINGS, open_server
from tests.server.monitor.lived import Entry, Lived
from tests.server.monitor.test_monitor import strike

RANKED, CASUAL, RACE = range(3)
DAYS = 24 * 60 * 60 * 1000
FRIEND = SigningKey("friends.example/witness", bytes(31) + b"\1")


class Promised(Lived):
    """A server on which a ranked run, a casual game and a game of a race have ended, and the day has closed."""

    receipts: list[str]
    ann: Person
    left: str
    """The id of her ranked run that has no end when the day closes."""

    def promise(self, number: int, trust: Trust | None = None) -> Receipt:
        """The receipt of a game."""
        return read_signed_receipt(self.receipts[number], trust or Trust((self.key.verifier(),)))

    async def check(self, number: int, at: int | None = None, receipt: Receipt | None = None) -> Finding:
        """What the holder of a receipt finds at this time, by default when it is due and one day later."""
        promise = receipt or self.promise(number)
        trust = Trust((self.key.verifier(),), (FRIEND.verifier(WITNESS),))
        moment = promise.due_at + DAYS if at is None else at
        return await ReceiptCheck(self.watched, promise, trust, lambda: moment).check()

    async def live_on(self) -> None:
        """Let two days pass in which nothing is played: the log gets the entries of these days."""
        for day in (1, 2):
            self.server.clock.at = CLOSED + day * DAYS
            await self.server.server.challenges.write_due(self.server.clock.at)
        await self.server.server.transparency.append_waiting(self.key)


@pytest.fixture
async def promised(database_url: str, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Promised]:
    """Three games of one player, with their receipts, and the end of their day. Nothing is logged but when asked."""
    monkeypatch.setattr("cadogan.server.subjects.transparency.sequencer.BATCH_SECONDS", 3600.0)
    async with (
        open_server(replace(TEST_SETTINGS, database_url=database_url)) as server,
        aiohttp.ClientSession() as session,
    ):
        ann, bob = await server.guest(), await server.guest()
        games, left = [await ann.enter(), await ann.deal()], await ann.enter(slot=2)
        for game in games:
            await play_and_resign(ann, game, moves=2)
        race = await let_race_start(server, ann, await make_race(ann, bob))
        async with ann.connect() as socket:
            await resign_in_race(socket, race, ann)
        games.append(game_in_race(race, ann))
        await log_ends(server.server)
        one = Promised(server, session, games)
        one.ann, one.left = ann, left
        one.receipts = [(await ann.get(f"/games/{game}/receipt"))[1]["receipt"] for game in games]
        server.clock.at = CLOSED
        await server.server.challenges.write_due(CLOSED)
        await log_ends(server.server)
        yield one


def without(*streams: str) -> Callable[[list[Entry]], list[Entry]]:
    """A change to a log: it has no entries of these streams."""
    return lambda entries: [entry for entry in entries if entry[0] not in streams]


def exchanged(stream: str, *others: Ended) -> Callable[[list[Entry]], list[Entry]]:
    """A change to a log: it has these entries about a stream instead."""
    new = [(one.stream, one.version, one.as_bytes()) for one in others]
    return lambda entries: [*without(stream)(entries)[:-1], *new, entries[-1]]


async def withhold(promised: Promised, number: int) -> None:
    """The game is left out of the log, which is signed anew."""
    await promised.log_again(without(game_stream(promised.games[number])))


async def cut(promised: Promised, number: int) -> None:
    """The log has the game only up to the event before the last one."""
    stream, promise = game_stream(promised.games[number]), promised.promise(number).entry
    await promised.log_again(exchanged(stream, Ended(stream, promise.version - 1, "ab" * 32)))


async def change(promised: Promised, number: int) -> None:
    """The log has another game of the same length."""
    stream, promise = game_stream(promised.games[number]), promised.promise(number).entry
    await promised.log_again(exchanged(stream, promise._replace(digest="ab" * 32)))


async def test_an_honest_server_keeps_its_promise_before_it_is_due_and_after(promised: Promised) -> None:
    for number in (RANKED, CASUAL, RACE):
        for at in (promised.promise(number).due_at - MAX_DELAY_MILLISECONDS, None):
            found = await promised.check(number, at)
            assert (found.kept, found.reason.partition(":")[0]) == (True, "kept"), found
    await strike(promised, RANKED)
    await promised.live_on()
    for number in (RANKED, CASUAL, RACE):
        assert (await promised.check(number)).kept is True


async def test_of_a_run_that_is_in_the_log_twice_the_entry_of_its_end_keeps_the_promise(promised: Promised) -> None:
    assert await promised.server.server.transparency.find(game_stream(promised.left)) is not None
    assert (await promised.ann.get(f"/games/{promised.left}/receipt"))[0] == 409
    await end_left_runs(promised.server)
    status, given = await promised.ann.get(f"/games/{promised.left}/receipt")
    assert status == 200
    receipt = read_signed_receipt(given["receipt"], Trust((promised.key.verifier(),)))
    early = await promised.check(RANKED, receipt.due_at, receipt)
    assert (early.kept, "has another one at version" in early.reason) == (None, True), early
    await log_ends(promised.server.server)
    assert (await promised.check(RANKED, receipt=receipt)).kept is True


@pytest.mark.parametrize("forge", [withhold, cut, change])
async def test_a_game_that_is_withheld_cut_or_changed_breaks_the_promise_once_it_is_due(
    promised: Promised, forge: Callable[[Promised, int], Awaitable[None]]
) -> None:
    for number in (RANKED, CASUAL, RACE):
        await forge(promised, number)
        early = await promised.check(number, promised.promise(number).due_at)
        assert (early.kept, early.reason.partition(":")[0]) == (None, "not decided"), early
    await promised.live_on()
    for number in (RANKED, CASUAL, RACE):
        found = await promised.check(number)
        assert (found.kept, found.reason.partition(":")[0]) == (False, "broken"), found
        assert "the log has an entry of 2026-11-2" in found.reason


async def test_a_witness_that_saw_the_log_after_the_due_time_dates_it(promised: Promised) -> None:
    await withhold(promised, CASUAL)
    due_seconds = promised.promise(CASUAL).due_at // 1000
    for seen_at, kept in ((due_seconds, None), (due_seconds + 1, False)):
        head = await promised.server.server.transparency.head()
        assert head is not None
        async with promised.database.writing() as connection:
            note = head.with_signatures([cosign(head.text, FRIEND, seen_at)])
            await write_head(connection, LATEST, note)
        found = await promised.check(CASUAL)
        assert found.kept is kept
    assert "the witness friends.example/witness saw this log at 2026-11-21" in found.reason


async def test_a_log_that_stands_still_until_long_after_the_due_time_has_broken_the_promise(promised: Promised) -> None:
    await withhold(promised, CASUAL)
    last = promised.promise(CASUAL).due_at + STANDSTILL_MILLISECONDS
    assert (await promised.check(CASUAL, last)).kept is None
    found = await promised.check(CASUAL, last + 1)
    assert found.kept is False
    assert "it stands still" in found.reason


async def test_a_log_whose_entries_do_not_lead_to_its_root_decides_nothing(promised: Promised) -> None:
    await withhold(promised, RANKED)
    await promised.live_on()
    head = await promised.server.server.transparency.head()
    assert head is not None
    forged = sign_note(read_checkpoint(head.text)._replace(root=bytes(32)).text, promised.key)
    async with promised.database.writing() as connection:
        await write_head(connection, LATEST, forged)
    found = await promised.check(RANKED)
    assert (found.kept, "do not lead to the root" in found.reason) == (None, True)
    found = await promised.check(CASUAL)
    assert (found.kept, "not proven to be in the log" in found.reason) == (None, True)
    thief = sign_note(head.text, SigningKey(promised.key.name, bytes(32)))
    async with promised.database.writing() as connection:
        await write_head(connection, LATEST, thief)
    found = await promised.check(CASUAL)
    assert (found.kept, "cannot be trusted" in found.reason) == (None, True)


async def test_a_later_end_of_the_same_game_keeps_the_promise_if_its_record_has_the_promised_one(
    promised: Promised,
) -> None:
    """No server of ours writes anything after the end; another version of it might."""
    promise = promised.promise(CASUAL)
    stream = promise.entry.stream
    events = await promised.server.server.store.read(stream)
    secret = await promised.server.server.deals.get_secret(await deal_of(promised, CASUAL))
    assert secret is not None
    before = events[-2]
    earlier = promise._replace(entry=Ended.of(stream, before.version, secret, before.hash))
    found = await promised.check(CASUAL, receipt=earlier)
    assert (found.kept, "a later end of the same game" in found.reason) == (True, True), found
    other = promise._replace(entry=earlier.entry._replace(digest="ab" * 32))
    await promised.live_on()
    found = await promised.check(CASUAL, receipt=other)
    assert (found.kept, found.reason.partition(":")[0]) == (False, "broken"), found


async def deal_of(promised: Promised, number: int) -> str:
    """The id of the deal of a game."""
    return (await promised.server.server.outlines.get(promised.games[number])).dealt.deal


async def test_a_later_end_whose_record_is_not_shown_decides_nothing(promised: Promised) -> None:
    promise = promised.promise(CASUAL)
    later = promise.entry._replace(version=promise.entry.version + 1, digest="ab" * 32)
    await promised.log_again(exchanged(promise.entry.stream, later))
    await promised.live_on()
    found = await promised.check(CASUAL)
    assert (found.kept, "a later end, and its record" in found.reason) == (None, True), found


async def verify(receipt: Path, against: str, *options: str) -> tuple[int, str]:
    """Exit code and last line of `cadogan verify`, which reads the clock of this machine."""
    done = await asyncio.to_thread(run, "verify", str(receipt), "--against", against, *options)
    return done.exit_code, done.output.splitlines()[-1]


async def test_the_command_says_in_a_sentence_what_it_found_and_exits_with_it(
    promised: Promised, tmp_path: Path
) -> None:
    file, key, url = tmp_path / "one.receipt", ("--key", promised.key.verifier().text), promised.server.url
    file.write_text(promised.receipts[RANKED])
    code, words = await verify(file, url, *key)
    assert (code, words.startswith("kept: it is entry ")) == (0, True), words
    code, words = await verify(file, url)
    assert (code, "by the keys that the server names itself" in words) == (0, True)
    code, words = await verify(file, url, "--json", *key)
    said = json.decode(words)
    assert (code, said["kept"], said["stream"]) == (0, True, f"game/{promised.games[RANKED]}")
    assert read_checkpoint(read_note(said["checkpoint"]).text).origin == promised.key.name
    await withhold(promised, RANKED)
    await promised.live_on()
    code, words = await verify(file, url, *key)
    assert (code, words.startswith("broken: ")) == (1, True), words
    assert json.decode((await verify(file, url, "--json", *key))[1])["kept"] is False


async def test_a_receipt_that_is_forged_or_none_or_of_a_server_that_is_away_decides_nothing(
    promised: Promised, tmp_path: Path
) -> None:
    file, key, url = tmp_path / "one.receipt", ("--key", promised.key.verifier().text), promised.server.url
    lines = promised.receipts[CASUAL].split("\n")
    for place, line in enumerate(lines[:5]):
        other = line[:-2] + ("1Z" if line.endswith("Z") else "aa")
        file.write_text("\n".join([*lines[:place], other, *lines[place + 1 :]]))
        code, words = await verify(file, url, *key)
        assert (code, words.startswith(("it is no receipt: ", "the receipt cannot be trusted: "))) == (2, True), words
    thief = SigningKey(promised.key.name, bytes(32))
    file.write_text(sign_receipt(promised.promise(CASUAL), thief).as_text())
    code, words = await verify(file, url, *key)
    assert (code, "is not signed by the key" in words) == (2, True), words
    file.write_text(promised.receipts[CASUAL])
    code, words = await verify(file, url, "--key", thief.verifier().text)
    assert (code, "cannot be trusted" in words) == (2, True), words
    code, words = await verify(file, "http://127.0.0.1:9", *key)
    assert code == 2
    assert run("verify", str(file)).exit_code == 2
    assert run("verify", str(file), "--against", str(file)).exit_code == 2


async def copy_log(promised: Promised, folder: Path) -> None:
    """Copy the log of a server into a folder, as anybody can."""
    text = await promised.watched.checkpoint()
    size = read_checkpoint(read_note(text).text).size
    bundles = [(ENTRIES, number, width_of(ENTRIES, number, size)) for number in range(-(-size // 256))]
    for place in [*bundles, *tiles_of(size)]:
        file = folder / "log" / tile_path(*place)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(await promised.watched.tile(*place))
    (folder / "log/checkpoint").write_text(text)


async def test_a_copy_of_the_log_proves_without_any_server_that_a_promise_was_broken(
    promised: Promised, tmp_path: Path
) -> None:
    file, key = tmp_path / "one.receipt", ("--key", promised.key.verifier().text)
    file.write_text(promised.receipts[RACE])
    await copy_log(promised, tmp_path / "kept")
    assert (await verify(file, str(tmp_path / "kept"), *key))[0] == 0
    await withhold(promised, RACE)
    await copy_log(promised, tmp_path / "early")
    code, words = await verify(file, str(tmp_path / "early"), *key)
    assert (code, words.startswith("not decided: ")) == (2, True), words
    await promised.live_on()
    await copy_log(promised, tmp_path / "late")
    code, words = await verify(file, str(tmp_path / "late"), *key)
    assert (code, words.startswith("broken: ")) == (1, True), words
    code, words = await verify(file, str(tmp_path / "late"))
    assert (code, "is not signed by the key" in words) == (2, True), words
