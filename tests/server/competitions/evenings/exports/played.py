"""The evenings whose exports the tests of this folder change: each is played once, and its files are copied."""

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from cadogan.server.core.fairness.sealed_deals import StoredCertificates
from cadogan.server.core.storage.rebuild import find_differences
from cadogan.server.subjects.daily import beacon_days
from cadogan.server.subjects.evenings.cards.evening_certification import EveningCertification
from cadogan.server.subjects.known_rules import known_rules
from tests.harness.arena_actions import ARENA, DRAW, LOSS, WIN, announce_arena, play_runs
from tests.harness.drand_server import DrandServer, drand_server
from tests.harness.evening_actions import MINUTE, PAUSE, ROUND, Room
from tests.harness.exported_evenings import Exported, export_once, play_and_export
from tests.harness.hosts import WHY, player
from tests.harness.running_server import TEST_SETTINGS

ELMS, OAKS = "1", "2"
TEAMS: dict[str, Any] = {"best": 2, "names": ["Elms", "Oaks"]}


async def play_an_evening(room: Room) -> None:
    """Three rounds: one run of the first is struck, the second is extended, the third is void; then it is final."""
    await room.announce(rounds=3, games=["klondike"] * 3)
    for name in ("ann", "bob", "cat"):
        await room.guest(name)
    await room.pass_time(10 * MINUTE)
    for moves, name in enumerate(("ann", "bob", "cat")):
        await room.play(name, moves)
    await room.pass_time(ROUND + PAUSE)
    await room.play("ann")
    await room.play("bob", 1, give_up=False)
    assert (await room.rule(kind="extend", seconds=60))[0] == 200
    await room.pass_time(ROUND + MINUTE + PAUSE)
    await room.play("cat", 2)
    assert (await room.rule(kind="void_round", round=3, reason="The light went out."))[0] == 200
    await room.pass_time(ROUND)
    runs = (await room.people["ann"].get(f"/evenings/{room.evening}/rounds/1"))[1]["runs"]
    worst = next(one["game"] for one in runs if one["player"]["name"] == "cat")
    assert (await room.people["host"].ask("PUT", f"/house/runs/{worst}/strike", WHY | {"struck": True}))[0] == 200
    await room.pass_time(30 * MINUTE)
    assert (await room.standing())["state"] == "final"


async def play_an_arena(room: Room) -> None:
    """Let four people play two or three deals each, until the standing is final; dan leaves one unfinished."""
    await announce_arena(room)
    for name in ("ann", "bob", "cat", "dan"):
        await room.guest(name)
    await room.pass_time(10 * MINUTE)
    await play_runs(room, "ann", WIN, WIN, LOSS)
    await play_runs(room, "bob", WIN, DRAW)
    await play_runs(room, "cat", DRAW, LOSS)
    await play_runs(room, "dan", LOSS)
    assert (await room.people["dan"].post(f"/evenings/{room.evening}/games"))[0] == 200
    await room.pass_time(ARENA + 30 * MINUTE)
    assert (await room.standing())["state"] == "final"
    assert await find_differences(room.first.server.database, known_rules()) == []


async def play_a_match(room: Room) -> None:
    """One deal, which Ada ends a minute after it opened, and Bob a minute later: then the round closes."""
    for name in ("Ada", "Bob"):
        room.people[name] = await player(room.first, name)
    _, made = await room.people["Ada"].post("/matches", {"against": "player", "opponent": "Bob", "deals": 1})
    room.evening = made["id"]
    await room.people["Bob"].ask("PUT", f"/evenings/{room.evening}/entrants/me", {})
    await room.pass_time(20_000)
    for name in ("Ada", "Bob"):
        await room.pass_time(MINUTE)
        await room.play(name)
    await room.pass_time(0)
    await room.pass_time(1)
    assert (await room.show("Ada"))["state"] == "final"


async def play_with_teams(room: Room) -> None:
    """Five players in two teams and one in none; the first of three rounds is extended, and the third is void.

    It is the last evening of a series.
    """
    await room.announce(rounds=3, games=["klondike"] * 3, teams=TEAMS, weekly="Europe/Budapest")
    assert (await room.rule(kind="end_series"))[0] == 200
    path = f"/evenings/{room.evening}/entrants"
    for name, team in (("ann", ELMS), ("bob", ELMS), ("cat", ELMS), ("dan", OAKS), ("eve", OAKS), ("fay", ELMS)):
        status, entered = await (await room.guest(name)).ask("PUT", f"{path}/me", {"team": team})
        assert status == 200, entered
    for team_of_fay in (OAKS, None):
        new = {"team": team_of_fay}
        assert (await room.people["host"].ask("PUT", f"{path}/{room.people['fay'].id}/team", new))[0] == 200
    await room.pass_time(10 * MINUTE)
    for moves, name in enumerate(("ann", "dan", "bob", "cat", "eve")):
        await room.play(name, moves)
    assert (await room.rule(kind="extend", seconds=60))[0] == 200
    await room.pass_time(ROUND + MINUTE + PAUSE)
    for moves, name in enumerate(("ann", "dan", "bob", "eve")):
        await room.play(name, moves)
    await room.pass_time(ROUND + PAUSE)
    assert (await room.rule(kind="void_round", round=3, reason="No light."))[0] == 200
    await room.pass_time(ROUND + 30 * MINUTE)
    assert (await room.standing())["state"] == "final"


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


async def play_certified(drand: DrandServer, room: Room) -> None:
    """Two rounds whose cards follow from a beacon, and whose deals are certified."""
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


async def export_certified(url: str, folder: Path) -> Exported:
    """Play and export such an evening."""
    async with drand_server() as drand:
        settings = replace(TEST_SETTINGS, beacon=drand.setting)
        return await play_and_export(partial(play_certified, drand), url, folder, settings)


@pytest.fixture(scope="session")
def whole_evening(tmp_path_factory: pytest.TempPathFactory, sqlite_template: Path) -> Exported:
    """The evening of three rounds, as it was exported."""
    return export_once(tmp_path_factory, sqlite_template, partial(play_and_export, play_an_evening))


@pytest.fixture(scope="session")
def whole_arena(tmp_path_factory: pytest.TempPathFactory, sqlite_template: Path) -> Exported:
    """The arena of four people, as it was exported."""
    return export_once(tmp_path_factory, sqlite_template, partial(play_and_export, play_an_arena))


@pytest.fixture(scope="session")
def whole_match(tmp_path_factory: pytest.TempPathFactory, sqlite_template: Path) -> Exported:
    """The match of Ada and Bob, as it was exported."""
    return export_once(tmp_path_factory, sqlite_template, partial(play_and_export, play_a_match))


@pytest.fixture(scope="session")
def whole_teams(tmp_path_factory: pytest.TempPathFactory, sqlite_template: Path) -> Exported:
    """The evening with two teams, as it was exported."""
    return export_once(tmp_path_factory, sqlite_template, partial(play_and_export, play_with_teams))


@pytest.fixture(scope="session")
def whole_certified(tmp_path_factory: pytest.TempPathFactory, sqlite_template: Path) -> Exported:
    """The certified evening with a beacon, as it was exported."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(beacon_days, "RETRY_SECONDS", 0.0)
        return export_once(tmp_path_factory, sqlite_template, export_certified)
