"""The record of an evening that was called off: nothing counts, and a standing that was added to it is named."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec import json

from tests.harness.arena_actions import LOSS, WIN, announce_arena, play_runs
from tests.harness.evening_actions import MINUTE, Room, open_room
from tests.harness.exported_evenings import Record, export_room
from tests.harness.web_verifier import WebVerifier
from tests.server.competitions.evenings.exports.test_web_verifier import judge


async def play_a_round(room: Room) -> None:
    await room.announce(rounds=2, games=["klondike", "golf"])
    for name in ("ann", "bob"):
        await room.guest(name)
    await room.pass_time(10 * MINUTE)
    for name in ("ann", "bob"):
        await room.play(name)


async def play_in_an_arena(room: Room) -> None:
    await announce_arena(room)
    for name in ("ann", "bob"):
        await room.guest(name)
    await room.pass_time(10 * MINUTE)
    await play_runs(room, "ann", WIN)
    await play_runs(room, "bob", LOSS)


def add_a_winner(record: Record) -> None:
    rows: list[dict[str, Any]] = [{"player": record["events"][0]["data"]["leader"], "place": 1}]
    record["standing"]["standings"] = [{"field": "people", "rows": rows}]


def call_it_final(record: Record) -> None:
    record["standing"] |= {"state": "final", "digest": "ab" * 32}


@pytest.mark.parametrize("play", [play_a_round, play_in_an_arena])
async def test_nothing_counts_in_an_evening_that_was_called_off_though_runs_had_ended(
    sqlite_url: str, tmp_path: Path, web_verifier: WebVerifier, play: Callable[[Room], Awaitable[None]]
) -> None:
    async with open_room(sqlite_url, 1) as room:
        await play(room)
        assert (await room.rule(kind="void", reason="flood"))[0] == 200
        evening = await export_room(room, tmp_path / "records")
    whole = evening.file.read_bytes()
    standing = json.decode(whole)["standing"]
    assert (standing["state"], standing["standings"], standing["teams"], "digest" in standing) == (
        "void",
        [],
        [],
        False,
    )
    assert evening.recompute().agrees
    assert judge(web_verifier, evening).consistent
    for change in (add_a_winner, call_it_final):
        evening.file.write_bytes(whole)
        evening.change(change)
        assert not evening.recompute().agrees, change.__name__
        assert judge(web_verifier, evening).checks["end"] == "broken", change.__name__
