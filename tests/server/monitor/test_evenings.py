"""A monitor follows evenings: what is announced stays, and each final standing and correction follows from the runs."""

from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from typing import Any

import aiohttp
import pytest

from cadogan.server.subjects.transparency.leaves import Announcement, Ended, read_entry
from tests.harness.evening_actions import MINUTE, PAUSE, ROUND, Room
from tests.harness.hosts import WHY
from tests.harness.logging_ends import log_ends
from tests.harness.running_server import TEST_SETTINGS, open_server
from tests.server.monitor.lived import Entry, Lived, new_state

Events = list[dict[str, Any]]


class WatchedEvening(Lived):
    """A server with an evening of two rounds that is final, watched from its announcement on."""

    room: Room

    @property
    def stream(self) -> str:
        """The stream of the evening."""
        return f"evening/{self.room.evening}"


@pytest.fixture
async def watched(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[WatchedEvening]:
    """An evening of which one run was struck after the end."""
    monkeypatch.setattr("cadogan.server.subjects.transparency.sequencer.BATCH_SECONDS", 3600.0)
    async with (
        open_server(replace(TEST_SETTINGS, database_url=sqlite_url)) as server,
        aiohttp.ClientSession() as session,
    ):
        one = WatchedEvening(server, session, [])
        one.room = room = Room([server], [])
        await room.announce(rounds=2, games=["klondike"] * 2)
        await log_ends(server.server)
        assert await one.look() == []
        for name in ("ann", "bob"):
            await room.guest(name)
        await room.pass_time(10 * MINUTE)
        for pause in (PAUSE, 0):
            one.games += [await room.play("ann", 1), await room.play("bob", 2)]
            await room.pass_time(ROUND + pause)
            assert await one.look() == []
        await room.pass_time(30 * MINUTE)
        assert (await room.show())["state"] == "final"
        await log_ends(server.server)
        yield one


async def strike(watched: WatchedEvening) -> None:
    """Strike the first run, and log what follows."""
    host = watched.room.people["host"]
    struck = WHY | {"struck": True}
    assert (await host.ask("PUT", f"/house/runs/{watched.games[0]}/strike", struck))[0] == 200
    await watched.server.server.wait_until_idle()
    await log_ends(watched.server.server)


async def test_a_final_evening_and_its_correction_are_derived_again(watched: WatchedEvening) -> None:
    assert await watched.look() == []
    assert (watched.state.waiting, watched.state.evenings.rounds) == ([], {})
    verified = watched.state.verified
    await strike(watched)
    assert await watched.look() == []
    assert watched.state.verified == verified + 1
    assert await watched.look(new_state()) == []


async def relog(watched: WatchedEvening) -> None:
    """Build the log again with the entries of the evening as its stream is now, as a host could."""
    stored = await watched.server.server.store.read(watched.stream)

    def change(entries: list[Entry]) -> list[Entry]:
        changed = []
        for stream, version, entry in entries:
            if stream == watched.stream:
                entry = Ended.of(stream, version, b"", stored[version - 1].hash).as_bytes()
            changed.append((stream, version, entry))
        return changed

    await watched.log_again(change)


def of_kind(events: Events, kind: str) -> dict[str, Any]:
    """The last event of this kind."""
    found: dict[str, Any] = [one for one in events if one["type"] == f"evening_{kind}"][-1]
    return found["data"]  # type: ignore[no-any-return]


def change_the_digest(events: Events) -> None:
    of_kind(events, "finalised")["digest"] = "ab" * 32


def change_the_correction(events: Events) -> None:
    of_kind(events, "corrected")["digest"] = "ab" * 32


def exchange_a_commitment(events: Events) -> None:
    of_kind(events, "announced")["rounds"][0]["commitment"] = "ab" * 32


def exchange_a_secret(events: Events) -> None:
    of_kind(events, "round_closed")["secret"] = "ab" * 32


def strike_unseen(events: Events) -> None:
    of_kind(events, "finalised")["struck"] = ["aaaabbbbccccdddd"]


FORGED: list[tuple[Callable[[Events], None], str]] = [
    (change_the_digest, "its digest is abab"),
    (change_the_correction, "the digest of the corrected standing: written abab"),
    (exchange_a_commitment, "the secret of round 1 does not fit its commitment"),
    (exchange_a_secret, "the secret of round 2 does not fit its commitment"),
    (strike_unseen, "its standing is without the run aaaabbbbccccdddd, and the log has no entry of that"),
]


async def test_a_lie_about_an_evening_is_named(watched: WatchedEvening) -> None:
    await strike(watched)
    for change, why in FORGED:
        async with watched.put_back():
            await watched.change_events(watched.stream, change)
            await relog(watched)
            found = await watched.look(new_state())
        assert any(why in wrong for wrong in found), (change.__name__, found)
    assert await watched.look(new_state()) == []


async def test_what_the_log_says_of_an_announcement_is_compared_with_the_record(watched: WatchedEvening) -> None:
    genuine = list[Entry]()

    def remember(entries: list[Entry]) -> list[Entry]:
        genuine.extend(entries)
        return entries

    await watched.log_again(remember)
    name = watched.stream.replace("/", "_announced/")
    announced = read_entry(next(entry for stream, _, entry in genuine if stream == name))
    assert isinstance(announced, Announcement)
    other = announced._replace(digest="ab" * 32)
    for forged, why in (
        ([other], "its record has another announcement than entry"),
        (
            [announced._replace(stream="evening/another", at=announced.at - 1)],
            "the log has no entry of its announcement",
        ),
        ([announced, other], "it is announced a second time; the first time was entry"),
        ([announced._replace(at=announced.at + 86_400_000)], "it has a time in the future"),
    ):
        entries = [(f"{name}{number}", 1, one.as_bytes()) for number, one in enumerate(forged)]
        await watched.log_again(lambda _, of=entries: [*of, *(one for one in genuine if one[0] != name)])  # type: ignore[misc]
        found = await watched.look(new_state())
        assert any(why in wrong for wrong in found), found


async def test_a_record_that_is_not_the_one_in_the_log_is_named_at_every_look(
    watched: WatchedEvening, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cadogan.server.operations.old_entries.SAMPLE", 1000)
    await watched.look()
    await watched.change_events(watched.stream, change_the_digest)
    assert any("not the one that is in the log" in wrong for wrong in await watched.look(new_state()))
    assert any("looked at again: evening/" in wrong for wrong in await watched.look())


async def test_rounds_that_are_exchanged_before_the_evening_begins_are_named(watched: WatchedEvening) -> None:
    await watched.look()
    await watched.room.announce(rounds=2, games=["klondike"] * 2, title="The next one")
    assert await watched.look() == []
    await watched.change_events(watched.stream, exchange_a_commitment)
    async with open_server(watched.server.server.settings) as again:
        again.clock.at = watched.server.clock.at
        one = WatchedEvening(again, watched.session, [])
        found = await one.look(watched.state)
    assert any("its rounds are others than were announced" in wrong for wrong in found), found
