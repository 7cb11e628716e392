"""Evenings that are played to their final standing in a few seconds, to be rated."""

import asyncio
from collections.abc import Sequence
from typing import Any

from tests.harness.evening_actions import MINUTE, PAUSE, ROUND, Room

PEOPLE = ("ann", "bob", "cat", "dan")


async def hold_evening(room: Room, order: Sequence[str] = PEOPLE, **wanted: Any) -> dict[str, str]:
    """Hold an evening of two rounds in which these people have this order; return the run of each in round 1.

    It is final afterwards, and not rated yet.
    """
    await room.announce(rounds=2, games=["klondike"] * 2, **wanted)
    for name in order:
        if name in room.people:
            path = f"/evenings/{room.evening}/entrants/me"
            status, entered = await room.people[name].ask("PUT", path, {"name": name})
            assert status == 200, entered
        else:
            await room.guest(name)
    await room.pass_time(10 * MINUTE)
    runs = await _play_round(room, order)
    await room.pass_time(ROUND + PAUSE)
    await _play_round(room, order)
    await room.pass_time(ROUND + 30 * MINUTE)
    assert (await room.show())["state"] == "final"
    return runs


async def _play_round(room: Room, order: Sequence[str]) -> dict[str, str]:
    played = await asyncio.gather(*(room.play(name, moves) for moves, name in enumerate(order)))
    return dict(zip(order, played, strict=True))


async def rate(room: Room) -> None:
    """Let every node rate what is to be rated."""
    for node in room.nodes:
        await node.server.rater.run_due()
