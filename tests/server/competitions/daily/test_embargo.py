"""For each standing: everything that the server says of somebody's run, by every way it is asked."""

from collections.abc import Awaitable, Callable, Iterator
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


def named(standing: Standing) -> str:
    return standing.__name__.replace("_", " ")


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


@pytest.mark.parametrize("standing", PROGRESS_VIEWS, ids=named)
async def test_a_viewer_who_has_not_played_the_deal_receives_no_card_and_no_pile(
    sqlite_server: RunningServer, standing: Standing
) -> None:
    owner = await sqlite_server.guest()
    game = await owner.enter()
    received = await said(sqlite_server, await standing(sqlite_server), owner, game)
    assert not {way for way, body in received.items() if TELLING & set(keys(body))}
    assert (
        received[f"/games/{game}"]["sight"] == received["subscribe"]["sight"] == received["since"]["sight"] == "meter"
    )
    assert received["pushed"] == {"type": "advanced", "game": game, "version": 2}
    for way in ("replay", "pace", "record"):
        assert received[f"/games/{game}/{way}"]["code"] == "spoiler_embargo"


@pytest.mark.parametrize("standing", BOARDS, ids=named)
async def test_a_viewer_who_cannot_rank_any_more_sees_the_cards_but_no_hand_and_no_secret(
    sqlite_server: RunningServer, standing: Standing
) -> None:
    owner = await sqlite_server.guest()
    game = await owner.enter()
    received = await said(sqlite_server, await standing(sqlite_server), owner, game)
    assert received["subscribe"]["sight"] == received[f"/games/{game}"]["sight"] == "board"
    assert "piles" in received["subscribe"]
    assert "effects" in received["pushed"]
    hidden = {"legal", "can_take_back", "secret", "hash"}
    assert not {way for way, body in received.items() if hidden & set(keys(body))}
    assert received[f"/games/{game}/record"]["code"] == "spoiler_embargo"


@pytest.mark.parametrize("standing", PROGRESS_VIEWS, ids=named)
async def test_when_the_day_has_closed_everybody_sees_everything(
    sqlite_server: RunningServer, standing: Standing
) -> None:
    owner = await sqlite_server.guest()
    game = await owner.enter()
    viewer = await standing(sqlite_server)
    await play_and_resign(owner, game, moves=1)
    await close_day(sqlite_server)
    for way in ("", "/replay", "/record", "/pace"):
        assert (await viewer.get(f"/games/{game}{way}"))[0] == 200


@pytest.mark.parametrize("pair", [(stranger, not_begun), (not_begun, at_play)], ids=lambda pair: named(pair[1]))
async def test_viewers_with_the_same_sight_receive_the_same_messages(
    sqlite_server: RunningServer, pair: tuple[Standing, Standing]
) -> None:
    owner = await sqlite_server.guest()
    game = await owner.enter()
    one, other = [await standing(sqlite_server) for standing in pair]
    async with one.connect() as first, other.connect() as second, owner.connect() as playing:
        views = [await socket.request("subscribe", id="s", game=game) for socket in (first, second)]
        assert {**views[0], "watchers": 0} == {**views[1], "watchers": 0}
        await playing.play(await playing.request("subscribe", game=game))
        assert await first.receive() == await second.receive()
