"""For each standing: everything that the server says of somebody's run, by every way it is asked."""

from collections.abc import Awaitable, Callable, Iterator
from contextlib import AsyncExitStack
from typing import Any

import pytest

from tests.harness.daily_actions import DAY, ask_to_be_shown, close_day, play_and_resign
from tests.harness.people import Person
from tests.harness.running_server import RunningServer

pytestmark = pytest.mark.slow

TELLING = {"piles", "counters", "legal", "can_take_back", "effects", "move", "secret", "hash"}
"""Keys under which cards, piles or what gives them away would be said."""
Standing = Callable[[RunningServer], Awaitable[Person]]


async def stranger(running_server: RunningServer) -> Person:
    return running_server.stranger()


async def not_begun(running_server: RunningServer) -> Person:
    return await running_server.guest()


async def at_play(running_server: RunningServer) -> Person:
    person = await running_server.guest()
    await person.enter()
    return person


async def finished_another_deal(running_server: RunningServer) -> Person:
    person = await running_server.guest()
    await play_and_resign(person, await person.enter(slot=2))
    return person


async def shown_another_deal(running_server: RunningServer) -> Person:
    person = await running_server.guest()
    await ask_to_be_shown(person, 2)
    return person


async def finished(running_server: RunningServer) -> Person:
    person = await running_server.guest()
    await play_and_resign(person, await person.enter())
    return person


async def shown(running_server: RunningServer) -> Person:
    person = await running_server.guest()
    await ask_to_be_shown(person)
    return person


async def shown_at_play(running_server: RunningServer) -> Person:
    person = await at_play(running_server)
    await ask_to_be_shown(person)
    return person


PROGRESS_VIEWS: tuple[Standing, ...] = (stranger, not_begun, at_play, finished_another_deal, shown_another_deal)
BOARDS: tuple[Standing, ...] = (finished, shown, shown_at_play)


def keys(body: Any) -> Iterator[str]:
    """Every key in a body, however deep."""
    if isinstance(body, dict):
        yield from body
        for value in body.values():
            yield from keys(value)
    elif isinstance(body, list):
        for value in body:
            yield from keys(value)


async def said(running_server: RunningServer, viewer: Person, owner: Person, game: str) -> dict[str, Any]:
    """What the viewer is told of the owner's game, by every way that there is; a move is played meanwhile."""
    paths = [f"/games/{game}", f"/games/{game}/replay", f"/games/{game}/record", f"/games/{game}/pace"]
    paths += ["/games/live", "/dailies", "/dailies/today", f"/players/{owner.id}", f"/boards/deal:{DAY}.1"]
    received = {path: (await viewer.get(path))[1] for path in paths}
    async with viewer.connect() as watching, owner.connect() as playing:
        received["subscribe"] = await watching.request("subscribe", game=game)
        received["since"] = await watching.request("subscribe", game=game, since=1)
        received["day"] = await watching.watch_day(DAY)
        await playing.play(await playing.request("subscribe", game=game))
        received["pushed"] = await watching.receive("advanced", "move_played")
        running_server.server.flush()
        received["progress"] = await watching.receive("day_progress")
        received["play"] = await watching.request("play", game=game, version=2, move="deal")
        received["take_back"] = await watching.request("take_back", game=game, version=2)
    return received


async def test_a_viewer_who_has_not_played_the_deal_receives_no_card_and_no_pile_until_the_day_has_closed(
    sqlite_server: RunningServer,
) -> None:
    runs = []
    for standing in PROGRESS_VIEWS:
        owner = await sqlite_server.guest()
        game = await owner.enter()
        viewer = await standing(sqlite_server)
        runs.append((owner, game, viewer))
        received = await said(sqlite_server, viewer, owner, game)
        telling = {way for way, body in received.items() if TELLING & set(keys(body))}
        sights = {received[way]["sight"] for way in (f"/games/{game}", "subscribe", "since")}
        assert (telling, sights) == (set(), {"meter"}), standing.__name__
        assert received["pushed"] == {"type": "advanced", "game": game, "version": 2}
        for way in ("replay", "pace", "record"):
            assert received[f"/games/{game}/{way}"]["code"] == "spoiler_embargo", standing.__name__
    for owner, game, _ in runs:
        await play_and_resign(owner, game)
    await close_day(sqlite_server)
    for (_, game, viewer), standing in zip(runs, PROGRESS_VIEWS, strict=True):
        for way in ("", "/replay", "/record", "/pace"):
            assert (await viewer.get(f"/games/{game}{way}"))[0] == 200, standing.__name__


async def test_a_viewer_who_cannot_rank_any_more_sees_the_cards_but_no_hand_and_no_secret(
    sqlite_server: RunningServer,
) -> None:
    for standing in BOARDS:
        owner = await sqlite_server.guest()
        game = await owner.enter()
        received = await said(sqlite_server, await standing(sqlite_server), owner, game)
        assert received["subscribe"]["sight"] == received[f"/games/{game}"]["sight"] == "board", standing.__name__
        assert "piles" in received["subscribe"]
        assert "effects" in received["pushed"]
        hidden = {"legal", "can_take_back", "secret", "hash"}
        assert not {way for way, body in received.items() if hidden & set(keys(body))}, standing.__name__
        assert received[f"/games/{game}/record"]["code"] == "spoiler_embargo"


async def test_viewers_with_the_same_sight_receive_the_same_messages(sqlite_server: RunningServer) -> None:
    owner = await sqlite_server.guest()
    game = await owner.enter()
    viewers = [await standing(sqlite_server) for standing in (stranger, not_begun, at_play)]
    async with AsyncExitStack() as stack:
        sockets = [await stack.enter_async_context(viewer.connect()) for viewer in viewers]
        views = [await socket.request("subscribe", id="s", game=game) for socket in sockets]
        assert [{**view, "watchers": 0} for view in views] == [{**views[0], "watchers": 0}] * 3
        playing = await stack.enter_async_context(owner.connect())
        await playing.play(await playing.request("subscribe", game=game))
        received = [await socket.receive() for socket in sockets]
        assert received == [received[0]] * 3
