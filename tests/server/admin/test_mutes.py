"""Mutes: who is muted plays on, and may say nothing until the mute ends."""

import pytest

from cadogan.server.core.errors import Muted
from cadogan.server.subjects.chat.group_chat import Mutes
from tests.harness.hosts import WHY, log_of, player, with_role
from tests.harness.people import Person
from tests.harness.running_server import RunningServer

HOUR = 3600 * 1000


def mutes(running_server: RunningServer) -> Mutes:
    """The mutes in the database of a running server."""
    return Mutes(running_server.server.database, running_server.clock)


async def mute(person: Person, target: Person, until: int | None) -> dict[str, object]:
    """What the server answers to somebody who mutes a player until a moment, or with None ends that."""
    _, answer = await person.ask("PUT", f"/house/players/{target.id}/mute", {"until": until, **WHY})
    assert isinstance(answer, dict)
    return answer


async def test_a_muted_player_plays_on_and_may_say_nothing_until_the_mute_ends(running_server: RunningServer) -> None:
    mod, bob = await with_role(running_server, "Mo", "moderator"), await player(running_server, "Bob")
    asked = mutes(running_server)
    await asked.require_not_muted(bob.id)
    until = running_server.clock.at + HOUR
    assert (await mute(mod, bob, until))["muted_until"] == until
    with pytest.raises(Muted) as refused:
        await asked.require_not_muted(bob.id)
    assert refused.value.message == "You cannot write to others until 2026-11-20 13:00 UTC."
    assert (await bob.post("/deals", {"rules": "klondike"}))[0] == 200
    running_server.clock.at = until
    await asked.require_not_muted(bob.id)
    assert "muted_until" not in (await mod.get("/house/players?name=Bob"))[1]["players"][0]


async def test_a_mute_holds_for_the_bots_of_a_player_and_for_nobody_else(running_server: RunningServer) -> None:
    mod, bob = await with_role(running_server, "Mo", "moderator"), await player(running_server, "Bob")
    bot = (await bob.post("/bots", {"name": "Marvin"}))[1]["player"]["id"]
    await mute(mod, bob, running_server.clock.at + HOUR)
    asked = mutes(running_server)
    with pytest.raises(Muted):
        await asked.require_not_muted(bot)
    for other in (mod.id, "aaaaaaaaaaaaaaaa"):
        await asked.require_not_muted(other)


async def test_a_mute_is_ended_and_both_are_in_the_log(sqlite_server: RunningServer) -> None:
    mod, bob = await with_role(sqlite_server, "Mo", "moderator"), await player(sqlite_server, "Bob")
    host = await with_role(sqlite_server, "Ada", "host")
    until = sqlite_server.clock.at + HOUR
    for moment in (until, until, None, None):
        await mute(mod, bob, moment)
    ended, begun, *_ = await log_of(host)
    assert (ended["act"], ended["player"]["name"], "until" in ended) == ("unmuted", "Bob", False)
    assert (begun["act"], begun["by"]["name"], begun["until"]) == ("muted", "Mo", until)
    assert [one["act"] for one in await log_of(host)].count("muted") == 1
    await mutes(sqlite_server).require_not_muted(bob.id)


@pytest.mark.parametrize("hours", [0, -1, 10_000_000_000])
async def test_a_mute_ends_in_the_future_and_before_the_end_of_time(sqlite_server: RunningServer, hours: int) -> None:
    mod, bob = await with_role(sqlite_server, "Mo", "moderator"), await player(sqlite_server, "Bob")
    assert (await mute(mod, bob, max(0, sqlite_server.clock.at + hours * HOUR)))["code"] == "bad_message"
    await mutes(sqlite_server).require_not_muted(bob.id)
