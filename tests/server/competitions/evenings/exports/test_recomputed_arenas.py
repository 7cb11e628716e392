"""A final arena from its exported records alone, and in the ratings."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec import json

from cadogan.server.core.eventlog import hash_chain
from cadogan.server.core.eventlog.events import canonical_json
from cadogan.server.subjects.evenings.evening_record import EveningBroken
from tests.harness.command_line import run
from tests.harness.evening_actions import MINUTE, open_room
from tests.harness.exported_evenings import Exported, Record, event_of
from tests.harness.rated_evenings import rate
from tests.server.competitions.evenings.exports.played import play_an_arena


@pytest.mark.slow
def test_an_arena_is_derived_again_from_its_export_and_its_digest_is_in_the_log(arena: Exported) -> None:
    found = arena.recompute()
    assert found.agrees, found
    assert (len(found.runs), found.written) == (9, found.derived)
    assert found.attested is not None
    said = run("recompute", arena.evening, "--from", str(arena.folder), "--trust", str(arena.host))
    assert (said.exit_code, f"the digest agrees: {found.derived}, of 9 runs" in said.output) == (0, True), said.output
    gone = arena.games[0]
    gone.unlink()
    assert arena.recompute().faults == {gone.name: "the record of this run is missing"}


def leave_a_secret_out(record: Record) -> None:
    """Reveal all deals but one."""
    event_of(record, "arena_closed")["data"]["secrets"].popitem()


def exchange_secrets(record: Record) -> None:
    """Reveal two deals in each other's place."""
    secrets = event_of(record, "arena_closed")["data"]["secrets"]
    secrets["1"], secrets["2"] = secrets["2"], secrets["1"]


def close_early(record: Record) -> None:
    """Close a second before the time."""
    event_of(record, "arena_closed")["recorded_at"] -= 1000


def close_a_round(record: Record) -> None:
    """Close the first deal alone, as a round."""
    one = event_of(record, "arena_closed")
    one["type"], one["data"] = "evening_round_closed", {"round": 1, "secret": one["data"]["secrets"]["1"]}


WRONG_CLOSINGS: list[tuple[Callable[[Record], None], str]] = [
    (leave_a_secret_out, "it does not follow here"),
    (exchange_secrets, "the secret of round 1 does not fit its commitment"),
    (close_early, "the clock writes it when it is due"),
    (close_a_round, "it does not follow here"),
]


@pytest.mark.slow
def test_a_wrong_closing_of_an_arena_is_found_and_named(arena: Exported) -> None:
    whole = arena.file.read_bytes()
    for change, why in WRONG_CLOSINGS:
        arena.file.write_bytes(whole)
        arena.change(change, sealed=False)
        with pytest.raises(EveningBroken, match=why):
            arena.recompute()


def shift(file: Path, milliseconds: int) -> None:
    """Let a whole run have been earlier, with new hashes, and without the proof that it is in the log."""
    record = json.decode(file.read_bytes())
    del record["proof"]
    head = hash_chain.START_HASH
    for one in record["events"]:
        one["recorded_at"] -= milliseconds
        said = (one["version"], one["type"], one["schema"], canonical_json(one["data"]), one["recorded_at"])
        head = hash_chain.event_hash(head, f"game/{record['game']}", *said)
        one["hash"] = head.hex()
    file.write_bytes(json.encode(record))


@pytest.mark.slow
def test_a_run_opened_before_the_one_before_had_ended_or_after_one_that_was_left_out_is_named(arena: Exported) -> None:
    """The first three runs are those of ann."""
    _, second, third = sorted(
        arena.games, key=lambda file: int(json.decode(file.read_bytes())["events"][0]["recorded_at"])
    )[:3]
    whole = second.read_bytes()
    shift(second, MINUTE + 1)
    assert arena.recompute().faults == {second.name: "deal 2 was opened before deal 1 had ended"}
    second.write_bytes(whole)
    second.unlink()
    arena.change(lambda record: record["runs"].remove(second.stem))
    assert arena.recompute().faults == {third.name: "deal 3 was opened, and deal 2 was not"}


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
