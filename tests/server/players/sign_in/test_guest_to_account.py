"""A guest who creates an account keeps everything: runs, places on boards, streak and games in progress."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from cadogan.server.core.dates import MILLISECONDS_PER_DAY
from tests.harness.authenticator import Authenticator
from tests.harness.daily_actions import play_and_resign
from tests.harness.hosts import PASSWORD, player
from tests.harness.people import Person
from tests.harness.running_server import RunningServer

BOARDS = ("all", "day:2026-11-20", "day:2026-11-21", "deal:2026-11-20.1", "week:2026-W47", "month:2026-11")


async def with_password(running_server: RunningServer, guest: Person) -> None:
    """The guest creates an account with a password."""
    status, _ = await guest.post("/account", {"name": "Ada", "password": PASSWORD})
    assert status == 200


async def with_passkey(running_server: RunningServer, guest: Person) -> None:
    """The guest creates an account with a passkey."""
    _, challenge = await guest.post("/account/passkey/challenge")
    made = {**Authenticator(running_server.url).make(challenge), "player": "Ada"}
    status, account = await guest.post("/account/passkey", made)
    assert status == 200, account
    guest.token = account["token"]


async def standing(person: Person) -> dict[str, Any]:
    """What somebody has reached here, without the name by which it is shown."""
    found: dict[str, Any] = {}
    for board in BOARDS:
        _, shown = await person.get(f"/boards/{board}")
        assert shown["entries"], board
        found[board] = [{**one, "player": one["player"]["id"]} for one in shown["entries"]]
    _, profile = await person.get(f"/players/{person.id}")
    found["profile"] = {key: profile[key] for key in ("streak", "best_streak", "played", "won", "by_game", "weeks")}
    found["recent"] = [(one["game"]["id"], one["score"], one["moves"]) for one in profile["recent"]]
    _, unfinished = await person.get("/games/unfinished")
    found["unfinished"] = [one["game"] for one in unfinished["games"]]
    return found


@pytest.mark.parametrize("claim", [with_password, with_passkey])
async def test_boards_ratings_streak_and_games_are_the_same_before_and_after(
    running_server: RunningServer, claim: Callable[[RunningServer, Person], Awaitable[None]]
) -> None:
    guest, rival = await running_server.guest(), await player(running_server, "Bob")
    for _ in range(2):
        for one, moves in ((guest, 14), (rival, 11)):
            await play_and_resign(one, await one.enter(), moves=moves)
        running_server.clock.at += MILLISECONDS_PER_DAY
    running_server.clock.at -= MILLISECONDS_PER_DAY
    going_on = await guest.deal()
    async with guest.connect() as socket:
        await socket.play(await socket.request("subscribe", game=going_on))
    before = await standing(guest)
    assert before["profile"]["streak"] == 2
    assert len(before["recent"]) == 2
    assert before["unfinished"] == [going_on]
    await claim(running_server, guest)
    assert (await guest.get("/session"))[1]["player"] == {"id": guest.id, "name": "Ada", "guest": False}
    assert await standing(guest) == before
    _, board = await rival.get("/boards/day:2026-11-20")
    assert "Ada" in [one["player"]["name"] for one in board["entries"]]
    async with guest.connect() as socket:
        assert (await socket.request("subscribe", game=going_on))["sight"] == "seat"
