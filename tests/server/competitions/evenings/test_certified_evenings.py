"""The deals of an evening are certified, and follow from a beacon if it answers in time."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cadogan.server.cli.records import export
from cadogan.server.core.fairness.sealed_deals import StoredCertificates
from cadogan.server.subjects.audit.attestation import Trust
from cadogan.server.subjects.audit.recompute_evening import recompute_evening
from cadogan.server.subjects.daily import beacon_days
from cadogan.server.subjects.evenings.cards.evening_certification import EveningCertification
from tests.harness.drand_server import DrandServer, drand_server
from tests.harness.evening_actions import MINUTE, open_room
from tests.harness.running_server import TEST_SETTINGS
from tests.server.competitions.evenings.exports.played import certify, play_two_rounds


@pytest.fixture
async def drand() -> AsyncIterator[DrandServer]:
    async with drand_server() as server:
        yield server


async def test_an_evening_whose_beacon_was_away_begins_in_time_and_says_so(
    sqlite_url: str, tmp_path: Path, drand: DrandServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(beacon_days, "RETRY_SECONDS", 0.0)
    drand.latest = 1
    async with open_room(sqlite_url, count=1, settings=replace(TEST_SETTINGS, beacon=drand.setting)) as room:
        await room.announce(rounds=2, games=["quatorze"] * 2, certified=True)
        for name in ("ann", "bob"):
            await room.guest(name)
        await room.pass_time(9 * MINUTE)
        assert "drawn" not in [name for name, _ in await room.events()]
        await room.pass_time(MINUTE)
        shown = await room.show()
        assert (shown["state"], shown["beacon"]["away"]) == ("round", True)
        await play_two_rounds(room)
        await export(room.first.server.settings, tmp_path, room.clock)
        found = recompute_evening(room.evening, tmp_path, Trust())
    assert (found.agrees, found.evening.state.signed, found.evening.state.drawn is None) == (True, None, False)


async def test_an_evening_cannot_be_moved_before_the_draw_of_its_cards(sqlite_url: str, drand: DrandServer) -> None:
    async with open_room(sqlite_url, count=1, settings=replace(TEST_SETTINGS, beacon=drand.setting)) as room:
        made = await room.announce(starts_at=room.clock.at + 60 * MINUTE)
        host = room.people["host"]
        status, refused = await host.ask(
            "PUT", f"/evenings/{room.evening}", {"starts_at": made["rounds"][0]["opens_at"] - 20 * MINUTE}
        )
        assert (status, refused["message"]) == (409, "An evening cannot begin before its cards are drawn.")
        soon: dict[str, Any] = {"title": "Now", "starts_at": room.clock.at + 1000}
        status, refused = await host.post("/evenings", soon)
        assert (status, refused["message"]) == (409, "An evening cannot begin before its cards are drawn.")


async def test_a_leader_who_wants_no_certified_deals_gets_none(sqlite_url: str) -> None:
    async with open_room(sqlite_url, count=1) as room:
        await room.announce(certified=False)
        assert await certify(room) == []
        await room.announce(rounds=1, games=["queens"])
        assert await certify(room) == [], "of this game a win is seldom found soon"


async def test_an_evening_that_is_voided_in_a_certified_round_shows_its_certificate(
    sqlite_url: str, tmp_path: Path
) -> None:
    async with open_room(sqlite_url, count=1) as room:
        await room.announce(rounds=1, games=["quatorze"], certified=True)
        await room.guest("ann")
        await certify(room)
        await room.pass_time(10 * MINUTE)
        await room.play("ann")
        assert (await room.rule(kind="void", reason="No light."))[0] == 200
        await export(room.first.server.settings, tmp_path, room.clock)
        found = recompute_evening(room.evening, tmp_path, Trust())
    assert (found.agrees, found.derived, len(found.runs)) == (True, None, 1)
    assert sorted(found.evening.state.certificates) == [1]


async def test_a_node_that_was_stopped_over_the_draw_still_asks_the_beacon(
    sqlite_url: str, drand: DrandServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(beacon_days, "RETRY_SECONDS", 0.0)
    async with open_room(sqlite_url, count=1, settings=replace(TEST_SETTINGS, beacon=drand.setting)) as room:
        await room.announce()
        await room.pass_time(10 * MINUTE + 1000)
        assert (await room.show())["state"] == "entry", "nobody asked before"
        await room.draw()
        shown = await room.show()
        assert (shown["state"], shown["beacon"]["signature"]) == (
            "round",
            drand.chain.signature(shown["beacon"]["round"]),
        )


async def test_an_evening_that_begins_earlier_is_searched_first_although_it_was_announced_later(
    sqlite_url: str,
) -> None:
    async with open_room(sqlite_url, count=1) as room:
        await room.announce(rounds=2, games=["quatorze"] * 2, starts_at=room.clock.at + 60 * MINUTE)
        late = room.evening
        server = room.first.server
        certificates = StoredCertificates(server.database)
        worker = EveningCertification(server.database, server.store, server.deals, certificates, room.clock)
        searched = []
        async for deal, _ in worker.search_all():
            searched.append(deal.deal)
            if len(searched) == 1:
                await room.announce(rounds=1, games=["quatorze"])
        assert searched == [f"evening-{late}-1", f"evening-{room.evening}-1", f"evening-{late}-2"]


async def test_the_command_certifies_the_deals_of_evenings_in_a_process_of_its_own(sqlite_url: str) -> None:
    async with open_room(sqlite_url, count=1) as room:
        await room.announce(rounds=2, games=["quatorze", "queens"])
        environment = {**os.environ, "CADOGAN_DATABASE_URL": sqlite_url, "CADOGAN_COMPILED": "false"}
        command = (sys.executable, "-m", "cadogan", "certify", "--evenings")
        process = await asyncio.create_subprocess_exec(*command, env=environment, stdout=asyncio.subprocess.PIPE)
        said, _ = await process.communicate()
        assert (process.returncode, said.decode().splitlines()) == (
            0,
            [f"evening-{room.evening}-1 (quatorze): can be won", "1 deals searched"],
        )
        assert await certify(room) == []
