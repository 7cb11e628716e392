"""A final arena from its exported records alone, and in the ratings."""

from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

from cadogan.server.cli.records import export
from cadogan.server.core.storage.rebuild import find_differences
from cadogan.server.subjects.audit.attestation import Trust
from cadogan.server.subjects.evenings.evening_record import EveningBroken
from cadogan.server.subjects.known_rules import known_rules
from tests.harness.arena_actions import ARENA, DRAW, LOSS, WIN, announce_arena, play_runs
from tests.harness.command_line import run
from tests.harness.evening_actions import MINUTE, Room, open_room
from tests.harness.logging_ends import log_ends
from tests.harness.rated_evenings import rate
from tests.server.competitions.evenings.test_recomputed_evenings import Exported, Record


async def play_an_arena(room: Room) -> None:
    """Let four people play two deals each, until the standing is final; dan leaves one unfinished."""
    await announce_arena(room)
    for name in ("ann", "bob", "cat", "dan"):
        await room.guest(name)
    await room.pass_time(10 * MINUTE)
    await play_runs(room, "ann", WIN, WIN)
    await play_runs(room, "bob", WIN, DRAW)
    await play_runs(room, "cat", DRAW, LOSS)
    await play_runs(room, "dan", LOSS)
    assert (await room.people["dan"].post(f"/evenings/{room.evening}/games"))[0] == 200
    await room.pass_time(ARENA + 30 * MINUTE)
    assert (await room.standing())["state"] == "final"


@pytest.fixture
async def exported(sqlite_url: str, tmp_path: Path) -> AsyncIterator[Exported]:
    """An arena that was played, logged and exported."""
    async with open_room(sqlite_url, count=1) as room:
        await play_an_arena(room)
        assert await find_differences(room.first.server.database, known_rules()) == []
        key = await log_ends(room.first.server)
        await export(room.first.server.settings, tmp_path / "records", room.clock)
        yield Exported(room.evening, tmp_path / "records", Trust((key,)))


@pytest.mark.slow
async def test_an_arena_is_derived_again_from_its_export_and_its_digest_is_in_the_log(exported: Exported) -> None:
    found = exported.recompute()
    assert found.agrees, found
    assert (len(found.runs), found.written) == (8, found.derived)
    assert found.attested is not None
    said = run("recompute", exported.evening, "--from", str(exported.folder), "--trust", str(exported.host))
    assert (said.exit_code, f"the digest agrees: {found.derived}, of 8 runs" in said.output) == (0, True), said.output
    gone = exported.games[0]
    gone.unlink()
    assert exported.recompute().faults == {gone.name: "the record of this run is missing"}


def closing(record: Record) -> Record:
    """The event with which the arena closes."""
    found: Record = next(one for one in record["events"] if one["type"] == "evening_arena_closed")
    return found


def leave_a_secret_out(record: Record) -> None:
    """Reveal all deals but one."""
    closing(record)["data"]["secrets"].popitem()


def exchange_secrets(record: Record) -> None:
    """Reveal two deals in each other's place."""
    secrets = closing(record)["data"]["secrets"]
    secrets["1"], secrets["2"] = secrets["2"], secrets["1"]


def close_early(record: Record) -> None:
    """Close a second before the time."""
    closing(record)["recorded_at"] -= 1000


def close_a_round(record: Record) -> None:
    """Close the first deal alone, as a round."""
    one = closing(record)
    one["type"], one["data"] = "evening_round_closed", {"round": 1, "secret": one["data"]["secrets"]["1"]}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "why"),
    [
        (leave_a_secret_out, "it does not follow here"),
        (exchange_secrets, "the secret of round 1 does not fit its commitment"),
        (close_early, "the clock writes it when it is due"),
        (close_a_round, "it does not follow here"),
    ],
)
async def test_a_wrong_closing_of_an_arena_is_found_and_named(
    exported: Exported, change: Callable[[Record], None], why: str
) -> None:
    exported.change(change, sealed=False)
    with pytest.raises(EveningBroken, match=why):
        exported.recompute()


@pytest.mark.slow
async def test_an_arena_is_rated_by_its_places_and_has_no_share(sqlite_url: str) -> None:
    async with open_room(sqlite_url, count=1) as room:
        await play_an_arena(room)
        await rate(room)
        places: dict[str, Any] = {}
        for name in ("ann", "bob", "cat", "dan"):
            _, form = await room.first.stranger().get(f"/players/{room.people[name].id}/form")
            places[name] = [(one["place"], one.get("share")) for one in form["pools"][0]["history"]]
        assert places == {"ann": [(1, None)], "bob": [(2, None)], "cat": [(3, None)], "dan": [(4, None)]}
        assert "form" not in await room.standing()
