"""The deals of an evening are certified and follow from a beacon, and every lie about that is named."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from msgspec import json

from cadogan.server.cli.records import export
from cadogan.server.core.fairness.commit_reveal import COMPETITION_DIGITS, round_digest
from cadogan.server.core.fairness.sealed_deals import StoredCertificates
from cadogan.server.subjects.audit import game_audit
from cadogan.server.subjects.audit.attestation import Trust
from cadogan.server.subjects.audit.recompute_evening import recompute_evening
from cadogan.server.subjects.daily import beacon_days
from cadogan.server.subjects.evenings.cards.evening_certification import EveningCertification
from cadogan.server.subjects.evenings.evening_record import EveningBroken, search_again
from tests.harness.command_line import run
from tests.harness.drand_server import DrandServer, drand_server
from tests.harness.evening_actions import MINUTE, PAUSE, ROUND, Room, open_room
from tests.harness.logging_ends import log_ends
from tests.harness.running_server import TEST_SETTINGS
from tests.server.competitions.evenings.test_recomputed_evenings import Exported, Record, event_of


async def certify(room: Room) -> list[bool]:
    """Do the worker's work; return for each deal that was searched whether it is certified."""
    server = room.first.server
    certificates = StoredCertificates(server.database)
    worker = EveningCertification(server.database, server.store, server.deals, certificates, room.clock)
    return [certified async for _, certified in worker.search_all()]


async def play_two_rounds(room: Room) -> None:
    """Play both rounds, each by two people, until the standing is final."""
    for _ in range(2):
        await room.play("ann", 1)
        await room.play("bob")
        await room.pass_time(ROUND + PAUSE)
    await room.pass_time(30 * MINUTE)
    assert (await room.standing())["state"] == "final"


@pytest.fixture
async def drand() -> AsyncIterator[DrandServer]:
    async with drand_server() as server:
        yield server


@pytest.fixture
async def exported(
    sqlite_url: str, tmp_path: Path, drand: DrandServer, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Exported]:
    """An evening with a beacon, of which both deals are certified, that was played, logged and exported."""
    monkeypatch.setattr(beacon_days, "RETRY_SECONDS", 0.0)
    async with open_room(sqlite_url, count=1, settings=replace(TEST_SETTINGS, beacon=drand.setting)) as room:
        starts_at = room.clock.at + 15 * MINUTE
        await room.announce(rounds=2, games=["caesar", "quatorze"], certified=True, starts_at=starts_at)
        for name in ("ann", "bob"):
            await room.guest(name)
        assert await certify(room) == [], "the cards are not drawn yet"
        await room.pass_time(6 * MINUTE)
        await room.draw()
        assert await certify(room) == [True, True]
        assert await certify(room) == []
        await room.pass_time(9 * MINUTE)
        shown = await room.show()
        assert shown["beacon"]["signature"] == drand.chain.signature(shown["beacon"]["round"])
        assert ["seal" in one for one in shown["rounds"]] == [True, False]
        await play_two_rounds(room)
        key = await log_ends(room.first.server)
        await export(room.first.server.settings, tmp_path / "records", room.clock)
        yield Exported(room.evening, tmp_path / "records", Trust((key,)))


async def test_the_deals_follow_from_the_beacon_and_have_certificates_that_everybody_can_check(
    exported: Exported,
) -> None:
    found = exported.recompute()
    assert found.agrees, found
    state = found.evening.state
    assert state.signed is not None
    assert sorted(state.certificates) == [1, 2]
    assert [is_wrong for _, _, is_wrong in search_again(state)] == [False, False]
    for game in exported.games:
        verdict = game_audit.verify(game.read_bytes())
        assert (verdict.consistent, verdict.beacon) == (True, state.signed), verdict.reason
        assert json.decode(game.read_bytes())["nonce"].endswith("@" + round_digest(state.signed)[:COMPETITION_DIGITS])
    files = ("--from", str(exported.folder), "--trust", str(exported.host))
    said = run("recompute", exported.evening, *files, "--resolve")
    assert said.exit_code == 0, said.output
    assert "can be won, its line has" in said.output
    assert "cards: from the secret and round" in said.output
    assert "the search finds the same candidate" in said.output
    said = run("verify", str(exported.file), "--trust", str(exported.host))
    assert (said.exit_code, "can be won, its line has" in said.output) == (0, True), said.output


def exchange_the_round(record: Record) -> None:
    event_of(record, "announced")["data"]["beacon"]["round"] += 1


def announce_late(record: Record) -> None:
    announced = event_of(record, "announced")
    for one in record["events"][: record["events"].index(event_of(record, "drawn"))]:
        one["recorded_at"] = announced["data"]["rounds"][0]["opens_at"]


def exchange_the_signature(record: Record) -> None:
    event_of(record, "drawn")["data"]["signature"] = "ab" * 48


def leave_out_the_draw(record: Record) -> None:
    record["events"].remove(event_of(record, "drawn"))


def say_that_the_beacon_was_away(record: Record) -> None:
    del event_of(record, "drawn")["data"]["signature"]


def exchange_a_seal(record: Record) -> None:
    event_of(record, "round_opened")["data"]["seal"] = "ab" * 32


def leave_out_a_seal(record: Record) -> None:
    del event_of(record, "round_opened")["data"]["seal"]


def leave_out_a_certificate(record: Record) -> None:
    del event_of(record, "round_closed")["data"]["certificate"]


def change_a_line(record: Record) -> None:
    event_of(record, "round_closed")["data"]["certificate"]["line"].pop()


def promise_no_certificate(record: Record) -> None:
    del event_of(record, "announced")["data"]["rounds"][0]["search"]


FORGED: list[tuple[Callable[[Record], None], str]] = [
    (exchange_the_round, "is not the one from which its cards should follow"),
    (announce_late, "it was announced when round .* of the beacon was known"),
    (exchange_the_signature, "this is not the signature of round"),
    (leave_out_the_draw, "evening_round_opened: it does not follow here"),
    (say_that_the_beacon_was_away, "the certificate of round 1: "),
    (exchange_a_seal, "the certificate of round 1 does not fit its seal"),
    (leave_out_a_seal, "round 1 has a seal without a certificate, or a certificate without a seal"),
    (leave_out_a_certificate, "round 1 has a seal without a certificate, or a certificate without a seal"),
    (change_a_line, "the certificate of round 1 does not fit its seal"),
    (promise_no_certificate, "no certificate of round 1 was announced"),
]


async def test_every_lie_about_beacon_and_certificates_is_named(exported: Exported) -> None:
    whole = exported.file.read_bytes()
    for change, why in FORGED:
        exported.file.write_bytes(whole)
        exported.change(change, sealed=False)
        with pytest.raises(EveningBroken, match=why):
            exported.recompute()


async def test_a_run_of_another_candidate_is_named(exported: Exported) -> None:
    exported.change(lambda record: record.pop("proof"))
    record = json.decode(exported.file.read_bytes())
    for one in record["events"]:  # as if neither deal had been certified, and the beacon away
        for key in ("seal", "certificate", "signature"):
            one["data"].pop(key, None)
    exported.file.write_bytes(json.encode(record))
    exported.change(lambda _: None, sealed=False)
    faults = exported.recompute().faults
    assert any("its cards are not those of the candidate and the beacon of round" in why for why in faults.values())


async def test_an_evening_whose_beacon_was_away_begins_in_time_and_says_so(
    sqlite_url: str, tmp_path: Path, drand: DrandServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(beacon_days, "RETRY_SECONDS", 0.0)
    drand.latest = 1
    async with open_room(sqlite_url, count=1, settings=replace(TEST_SETTINGS, beacon=drand.setting)) as room:
        await room.announce(rounds=2, games=["caesar"] * 2, certified=True)
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
        await room.announce(rounds=1, games=["caesar"], certified=True)
        await room.guest("ann")
        await certify(room)
        await room.pass_time(10 * MINUTE)
        await room.play("ann")
        assert (await room.rule(kind="void", reason="No light."))[0] == 200
        await export(room.first.server.settings, tmp_path, room.clock)
        found = recompute_evening(room.evening, tmp_path, Trust())
    assert (found.agrees, len(found.runs), sorted(found.evening.state.certificates)) == (True, 1, [1])


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
        await room.announce(rounds=2, games=["caesar"] * 2, starts_at=room.clock.at + 60 * MINUTE)
        late = room.evening
        server = room.first.server
        certificates = StoredCertificates(server.database)
        worker = EveningCertification(server.database, server.store, server.deals, certificates, room.clock)
        searched = []
        async for deal, _ in worker.search_all():
            searched.append(deal.deal)
            if len(searched) == 1:
                await room.announce(rounds=1, games=["caesar"])
        assert searched == [f"evening-{late}-1", f"evening-{room.evening}-1", f"evening-{late}-2"]


async def test_the_command_certifies_the_deals_of_evenings_in_a_process_of_its_own(sqlite_url: str) -> None:
    async with open_room(sqlite_url, count=1) as room:
        await room.announce(rounds=2, games=["caesar", "queens"])
        environment = {**os.environ, "CADOGAN_DATABASE_URL": sqlite_url, "CADOGAN_COMPILED": "false"}
        command = (sys.executable, "-m", "cadogan", "certify", "--evenings")
        process = await asyncio.create_subprocess_exec(*command, env=environment, stdout=asyncio.subprocess.PIPE)
        said, _ = await process.communicate()
        assert (process.returncode, said.decode().splitlines()) == (
            0,
            [f"evening-{room.evening}-1 (caesar): can be won", "1 deals searched"],
        )
        assert await certify(room) == []
