"""What all readers of an evening are shown alike is made once for each change, and never outdated."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from cadogan.server.core.cluster.bus import DISQUALIFICATION_PREFIX
from cadogan.server.core.eventlog.streams import GAMES
from cadogan.server.core.scoring.forms import Evening
from cadogan.server.core.scoring.standing import Answer, score_evening
from cadogan.server.subjects.evenings.evening_events import Voided
from cadogan.server.subjects.evenings.evening_state import EveningState
from cadogan.server.subjects.evenings.shared import RunChanges, Shared
from tests.harness.evening_actions import MINUTE, Room, open_room

READERS = 50


class Views:
    """Something shared that is made of evenings, and how often it was made of each version."""

    def __init__(self) -> None:
        self.latest = EveningState(stream="evening/a", version=1)
        self.changes = RunChanges()
        self.changes.note_games("a", ["run"])
        self.made: list[int] = []
        self.shared = Shared(self.changes, self._get, self._make)

    async def read(self) -> int:
        """Read it as one reader; return of which version it was made."""
        return await self.shared.get(self.latest)

    async def _get(self, id: str) -> EveningState:
        return self.latest

    async def _make(self, state: EveningState) -> int:
        self.made.append(state.version)
        await asyncio.sleep(0)
        return state.version


async def test_all_readers_share_what_is_made_until_the_evening_changes() -> None:
    views = Views()
    assert await asyncio.gather(*(views.read() for _ in range(READERS))) == [1] * READERS
    assert await views.read() == 1
    assert views.made == [1]
    views.latest = EveningState(stream="evening/a", version=2)
    assert await asyncio.gather(*(views.read() for _ in range(READERS))) == [2] * READERS
    assert views.made == [1, 2]


@pytest.mark.parametrize("prefix", [GAMES, DISQUALIFICATION_PREFIX])
async def test_a_run_that_another_node_has_ended_or_struck_makes_it_again(prefix: str) -> None:
    views = Views()
    await views.read()
    handler = views.changes.wake_up_handlers()[prefix]
    handler("a run of something else", 2)
    await views.read()
    assert views.made == [1]
    handler("run", 2)
    await views.read()
    assert views.made == [1, 1]


async def test_wake_ups_that_may_have_been_lost_make_it_again() -> None:
    views = Views()
    await views.read()
    await views.changes.resync(None)
    await views.read()
    assert views.made == [1, 1]


async def test_of_an_evening_that_is_over_nothing_older_than_the_request_is_shown() -> None:
    views = Views()
    views.latest = EveningState(stream="evening/a", version=9, voided=Voided("rules"))
    for _ in range(3):
        await views.read()
    assert views.made == [9, 9, 9]


@pytest.fixture
async def room(sqlite_url: str) -> AsyncIterator[Room]:
    """An evening of four rounds that begins in ten minutes."""
    async with open_room(sqlite_url, count=1) as one:
        await one.announce()
        yield one


async def test_who_has_the_standing_is_not_sent_it_again_until_it_changes(room: Room) -> None:
    address = f"{room.first.url}/api/v1/evenings/{room.evening}/standing"
    await room.guest("ann")
    await room.pass_time(10 * MINUTE)
    tag = (await room.first.session.get(address)).headers["ETag"]
    again = await room.first.session.get(address, headers={"If-None-Match": tag})
    assert (again.status, await again.read()) == (304, b"")
    await room.play("ann")
    changed = await room.first.session.get(address, headers={"If-None-Match": tag})
    assert changed.status == 200
    assert len((await changed.json())["fields"][0]["rows"]) == 1


async def test_the_entrants_are_left_out_for_who_has_them_until_one_more_comes_at_another_node(sqlite_url: str) -> None:
    async with open_room(sqlite_url) as room:
        await room.announce()
        ann = await room.guest("ann")
        _, shown = await ann.get(f"/evenings/{room.evening}")
        assert [one["player"]["name"] for one in shown["entrants"]] == ["ann"]
        known = f"/evenings/{room.evening}?entrants={shown['entrants_tag']}"
        _, again = await ann.get(known)
        assert (again["entrants"], again["entrants_tag"]) == ([], shown["entrants_tag"])
        await room.guest("bob", node=1)
        await room.pass_time(0)
        _, later = await ann.get(known)
        assert [one["player"]["name"] for one in later["entrants"]] == ["ann", "bob"]
        assert (await ann.get(f"/evenings/{room.evening}?entrants=everybody"))[0] == 400


async def test_each_reader_is_shown_their_own_run_and_rights_though_the_rest_is_shared(room: Room) -> None:
    for name in ("ann", "bob"):
        await room.guest(name)
    await room.pass_time(10 * MINUTE)
    game = await room.open_deal("ann")
    ann, bob, host = [await room.show(name) for name in ("ann", "bob", "host")]
    assert [one["rounds"][0].get("own") for one in (ann, bob, host)] == [game, None, None]
    assert [one.get("may_lead", False) for one in (ann, bob, host)] == [False, False, True]
    assert [one["rounds"][0]["playing"] for one in (ann, bob, host)] == [1, 1, 1]


async def test_a_round_says_how_the_run_of_the_reader_ended_once_it_has(room: Room) -> None:
    await room.guest("ann")
    await room.pass_time(10 * MINUTE)
    await room.play("ann", give_up=False)
    assert "own_result" not in (await room.show("ann"))["rounds"][0]
    await room.play("ann")
    assert (await room.show("ann"))["rounds"][0]["own_result"] == "resigned"
    assert "own_result" not in (await room.show("host"))["rounds"][0]


async def test_tables_and_records_that_many_ask_for_at_once_are_scored_together(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    await room.announce(rounds=1, games=["klondike"])
    await room.guest("ann")
    await room.pass_time(10 * MINUTE)
    await room.play("ann")
    await room.pass_time(60 * MINUTE)
    assert (await room.standing())["state"] == "final"
    scored: list[str] = []

    def count(form: Evening) -> Answer:
        scored.append(form.evening)
        return score_evening(form)

    monkeypatch.setattr("cadogan.server.subjects.evenings.evenings.score_evening", count)
    paths = (f"/api/v1/evenings/{room.evening}/record", f"/evenings/{room.evening}/standing.csv")
    session, url = room.first.session, room.first.url
    answers = await asyncio.gather(*(session.get(url + paths[number % 2]) for number in range(READERS)))
    assert {answer.status for answer in answers} == {200}
    assert 1 <= len(scored) < READERS / 4, "those who arrive while it is scored share the next one"
