"""A day with a beacon, over HTTP: shuffled before everybody's eyes, played, exported, verified by both verifiers."""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from msgspec import json

from cadogan.server.cli.records import export
from cadogan.server.core.fairness.commit_reveal import round_at
from cadogan.server.core.fairness.sealed_deals import StoredCertificates
from cadogan.server.subjects.audit import game_audit
from cadogan.server.subjects.audit.recompute_leaderboards import recompute
from cadogan.server.subjects.daily import beacon_days, day_record
from cadogan.server.subjects.daily.beacon_days import BEACON_TIMEOUT_MILLISECONDS
from cadogan.server.subjects.daily.certification import Certification
from tests.harness.daily_actions import play_and_resign
from tests.harness.drand_server import DrandServer, drand_server
from tests.harness.running_server import TEST_SETTINGS, RunningServer, open_server
from tests.harness.sample_records import rules_of
from tests.harness.web_verifier import WebVerifier
from tests.server.competitions.daily.test_beacon_days import CLOSED, MIDNIGHT, TOMORROW

pytestmark = pytest.mark.usefixtures("beacon_library")

CALENDAR = 'nodes = 60\n[[deal]]\nlevel = "easy"\ngames = ["caesar"]\n[[deal]]\nlevel = "hard"\ngames = ["quatorze"]\n'


@pytest.fixture
async def drand() -> AsyncIterator[DrandServer]:
    async with drand_server() as server:
        server.latest = round_at(server.chain.chain, MIDNIGHT).round - 1
        yield server


@pytest.fixture
async def server_with_beacon(
    sqlite_url: str, tmp_path: Path, drand: DrandServer, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[RunningServer]:
    """A server at noon of the day before, which has announced tomorrow with its round."""
    monkeypatch.setattr(beacon_days, "RETRY_SECONDS", 0.0)
    (tmp_path / "calendar.toml").write_text(CALENDAR)
    calendar = str(tmp_path / "calendar.toml")
    settings = replace(TEST_SETTINGS, database_url=sqlite_url, calendar=calendar, beacon=drand.setting)
    async with open_server(settings) as running_server:
        await at(running_server, running_server.clock.at + 1000)
        yield running_server


async def at(running_server: RunningServer, moment: int) -> dict[str, Any]:
    """Tomorrow, as it is shown at a moment, after two looks with the beacon's answer between them."""
    stranger = running_server.stranger()
    assert running_server.server.beacon is not None
    for running_server.clock.at in (moment, moment + 1000):
        await stranger.get(f"/dailies/{TOMORROW}")
        await running_server.server.beacon.wait_until_idle()
    _, shown = await stranger.get(f"/dailies/{TOMORROW}")
    found: dict[str, Any] = shown
    return found


async def certify(running_server: RunningServer) -> None:
    """Do the worker's work."""
    server = running_server.server
    worker = Certification(server.store, server.deals, StoredCertificates(server.database), running_server.clock)
    assert [searched.certified async for searched in worker.search_all()] == [True, True]


async def test_the_cards_follow_from_the_round_and_everybody_can_check_it(
    server_with_beacon: RunningServer, drand: DrandServer, tmp_path: Path, web_verifier: WebVerifier
) -> None:
    running_server, ann = server_with_beacon, await server_with_beacon.guest()
    announced = await at(running_server, running_server.clock.at)
    assert announced["beacon"]["round"] == round_at(drand.chain.chain, MIDNIGHT).round
    assert "signature" not in announced["beacon"]
    shuffling = await at(running_server, MIDNIGHT)
    assert (shuffling["state"], shuffling["shuffling"]) == ("announced", True)
    _, home = await ann.get("/home")
    assert home["today"]["shuffling"]
    assert TOMORROW not in [daily["day"] for daily in home["coming"]]
    status, refused = await ann.post(f"/dailies/{TOMORROW}/deals/1/games", {})
    assert (status, refused["code"], "shuffled" in refused["message"]) == (409, "day_not_open", True)
    drand.latest = None
    drawn = await at(running_server, MIDNIGHT + 3000)
    assert drawn["beacon"]["signature"] == drand.chain.signature(announced["beacon"]["round"])
    assert drawn["shuffling"], "the deals are still searched"
    await certify(running_server)
    opened = await at(running_server, MIDNIGHT + 6000)
    assert (opened["state"], "shuffling" in opened, "seal" in opened["deals"][0]) == ("open", False, True)
    games = [await ann.enter(TOMORROW, slot) for slot in (1, 2)]
    for game in games:
        await play_and_resign(ann, game, 2)
    await at(running_server, CLOSED)
    folder = tmp_path / "records"
    await export(running_server.server.settings, folder, running_server.clock)
    for game, slug in zip(games, ("caesar", "quatorze"), strict=True):
        text = (folder / f"{game}.json").read_bytes()
        verdict = game_audit.verify(text)
        assert verdict.consistent, verdict.reason
        assert verdict.beacon is not None
        assert verdict.beacon.signature == drawn["beacon"]["signature"]
        said = web_verifier.verdict(text, rules_of(slug))
        assert (said.consistent, said.checks["beacon"]) == (True, "holds")
        forged = json.decode(text)
        forged["beacon"]["round"] += 1
        assert not game_audit.verify(json.encode(forged)).consistent
    day = (folder / day_record.file_name(TOMORROW)).read_bytes()
    assert web_verifier.verdict(day, rules_of("caesar")).checks["beacon"] == "holds"
    recomputed = recompute(TOMORROW, folder)
    assert (recomputed.agrees, len(recomputed.counted), recomputed.faults) == (True, 2, {})


async def test_a_day_whose_beacon_was_away_says_so_for_ever(
    server_with_beacon: RunningServer, tmp_path: Path, web_verifier: WebVerifier
) -> None:
    running_server, ann = server_with_beacon, await server_with_beacon.guest()
    due = MIDNIGHT + 3000 + BEACON_TIMEOUT_MILLISECONDS
    assert (await at(running_server, due - 10_000))["shuffling"]
    await at(running_server, due)
    await certify(running_server)
    opened = await at(running_server, due + 10_000)
    assert (opened["state"], opened["beacon"]["away"]) == ("open", True)
    await play_and_resign(ann, game := await ann.enter(TOMORROW, 2), 2)
    await at(running_server, CLOSED)
    folder = tmp_path / "records"
    await export(running_server.server.settings, folder, running_server.clock)
    day = day_record.verify_day((folder / day_record.file_name(TOMORROW)).read_bytes())
    assert (day.beacon, bool(day.announced.beacon)) == (None, True)
    verdict = game_audit.verify((folder / f"{game}.json").read_bytes())
    assert (verdict.consistent, verdict.beacon) == (True, None)
    assert recompute(TOMORROW, folder).agrees
