"""The web client's verifier of evenings on an arena, a match of two and an evening with teams, and on forged ones."""

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from cadogan.server.cli.records import export
from cadogan.server.subjects.audit.attestation import Trust
from tests.harness.evening_actions import MINUTE, Room, open_room
from tests.harness.hosts import player
from tests.harness.logging_ends import log_ends
from tests.harness.web_verifier import WebVerifier
from tests.server.competitions.evenings import test_matches, test_recomputed_arenas, test_teams
from tests.server.competitions.evenings.test_recomputed_evenings import Exported, Record, event_of
from tests.server.competitions.evenings.test_web_verifier import judge, web_verifier

__all__ = ["web_verifier"]


async def play_a_match(room: Room) -> None:
    """One round, which closes as soon as both have given up."""
    for name in ("Ada", "Bob"):
        room.people[name] = await player(room.first, name)
    assert (await test_matches.challenge(room, deals=1))[0] == 200
    assert (await test_matches.accept(room))[0] == 200
    await room.pass_time(test_matches.BEGINS)
    await room.play("Ada")
    await room.play("Bob")
    await test_matches.let_the_round_close(room)
    assert (await room.standing("Bob"))["state"] == "final"


async def play_with_teams(room: Room) -> None:
    """Five players in two teams, one of whom was in the other one before; the last evening of a series."""
    await room.announce(rounds=2, games=["klondike"] * 2, teams=test_teams.TEAMS, weekly="Europe/Budapest")
    assert (await room.rule(kind="end_series"))[0] == 200
    await test_teams.enter(room, "fay", test_teams.ELMS)
    assert (await test_teams.assign(room, "host", "fay", test_teams.OAKS))[0] == 200
    assert (await test_teams.assign(room, "host", "fay", None))[0] == 200
    await test_teams.play_an_evening(room)
    await room.pass_time(30 * MINUTE)
    assert (await room.standing())["state"] == "final"


async def export_evening(url: str, folder: Path, play: Callable[[Room], Awaitable[None]]) -> Exported:
    """Return an evening that was played like this, logged and exported."""
    async with open_room(url, count=1) as room:
        await play(room)
        key = await log_ends(room.first.server)
        await export(room.first.server.settings, folder, room.clock)
        return Exported(room.evening, folder, Trust((key,)))


@pytest.mark.slow
@pytest.mark.parametrize("play", [test_recomputed_arenas.play_an_arena, play_a_match, play_with_teams])
async def test_an_evening_of_every_kind_is_in_order_with_its_runs(
    sqlite_url: str, tmp_path: Path, web_verifier: WebVerifier, play: Callable[[Room], Awaitable[None]]
) -> None:
    exported = await export_evening(sqlite_url, tmp_path / "records", play)
    found = judge(web_verifier, exported)
    assert (found.consistent, found.attested) == (True, True), found
    assert {found.checks[name] for name in ("seal", "chain", "runs", "end", "log")} == {"holds"}


@pytest.mark.slow
async def test_a_wrong_closing_of_an_arena_is_named(sqlite_url: str, tmp_path: Path, web_verifier: WebVerifier) -> None:
    exported = await export_evening(sqlite_url, tmp_path / "records", test_recomputed_arenas.play_an_arena)
    whole = exported.file.read_bytes()
    for change, check in (
        (test_recomputed_arenas.leave_a_secret_out, "chain"),
        (test_recomputed_arenas.exchange_secrets, "seal"),
        (test_recomputed_arenas.close_early, "chain"),
        (test_recomputed_arenas.close_a_round, "chain"),
    ):
        exported.file.write_bytes(whole)
        exported.change(change, sealed=False)
        exported.change(lambda record: record.pop("proof"))
        assert judge(web_verifier, exported).checks[check] == "broken", change.__name__


def shorten_another_round(record: Record) -> None:
    """Let a round close early that is not open."""
    event_of(record, "round_shortened")["data"]["round"] = 2


def make_it_no_match(record: Record) -> None:
    """Leave out what lets its round close early."""
    del event_of(record, "announced")["data"]["match"]


@pytest.mark.slow
async def test_a_round_closes_early_only_in_a_match_and_while_it_is_open(
    sqlite_url: str, tmp_path: Path, web_verifier: WebVerifier
) -> None:
    exported = await export_evening(sqlite_url, tmp_path / "records", play_a_match)
    whole = exported.file.read_bytes()
    for change in (shorten_another_round, make_it_no_match):
        exported.file.write_bytes(whole)
        exported.change(change, sealed=False)
        exported.change(lambda record: record.pop("proof"))
        assert judge(web_verifier, exported).checks["chain"] == "broken", change.__name__
