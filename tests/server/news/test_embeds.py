"""The cards of evenings and boards on pages of others, and how programs find them."""

import json
import re
from collections.abc import AsyncIterator
from urllib.parse import quote

import pytest

from tests.harness.daily_actions import play_and_resign
from tests.harness.evening_actions import MINUTE, ROUND, Room, open_room
from tests.harness.hosts import player
from tests.harness.running_server import RunningServer
from tests.server.news.test_feeds import TODAY, read


@pytest.fixture
async def room(sqlite_url: str) -> AsyncIterator[Room]:
    """An evening of one round that begins in ten minutes."""
    async with open_room(sqlite_url, count=1) as one:
        await one.announce(rounds=1, games=["klondike"], title="Thursday & <more>")
        yield one


async def card_of(running_server: RunningServer, path: str) -> str:
    """A card that any site may frame, and that runs no script."""
    status, headers, body = await read(running_server, path)
    policy = headers["Content-Security-Policy"]
    assert (status, "frame-ancestors *" in policy, "script" in policy) == (200, True, False)
    assert b"<script" not in body
    assert len(body) < 5_000
    return body.decode()


async def test_the_card_of_an_evening_says_when_it_begins_and_who_is_first_and_leads_back(room: Room) -> None:
    path = f"/embed/evening/{room.evening}"
    before = await card_of(room.first, path)
    assert "<h1>Thursday &amp; &lt;more&gt;</h1>" in before
    assert re.search(r"\d{4}-\d\d-\d\d \d\d:\d\d UTC", before)
    assert f'href="/evenings/{room.evening}" target="_blank"' in before
    await room.guest("ann")
    await room.pass_time(10 * MINUTE)
    await room.play("ann")
    await room.pass_time(ROUND + 30 * MINUTE)
    after = await card_of(room.first, path)
    assert "<td>1</td><td>ann</td><td>50.00</td>" in after
    assert "The standing is final." in after
    assert (await read(room.first, "/embed/evening/aaaabbbbccccdddd"))[0] == 404


async def test_the_card_of_a_day_has_the_first_places_of_its_board(sqlite_server: RunningServer) -> None:
    assert "Nobody is on this board yet." in await card_of(sqlite_server, f"/embed/board/{TODAY}")
    bob = await player(sqlite_server, "Bob")
    await play_and_resign(bob, await bob.enter(), moves=1)
    card = await card_of(sqlite_server, f"/embed/board/{TODAY}")
    assert "<td>1</td><td>Bob</td>" in card
    assert f'href="/board/{TODAY}"' in card
    for path in ("/embed/board/2026-11-31", "/embed/board/2020-01-01", "/embed/board/today"):
        assert (await read(sqlite_server, path))[0] == 404


async def test_a_page_tells_programs_how_to_embed_it(room: Room) -> None:
    cards = {
        f"/evenings/{room.evening}": f"/embed/evening/{room.evening}",
        f"/board/{TODAY}": f"/embed/board/{TODAY}",
        "/replay/aaaabbbbccccdddd": None,
    }
    for page, card in cards.items():
        _, _, body = await read(room.first, page)
        (asked,) = re.findall(r'type="application/json\+oembed" [^>]*href="([^"]+)"', body.decode())
        status, _, answer = await read(room.first, asked.removeprefix(room.first.url))
        found = json.loads(answer)
        assert (status, found["version"], found["type"]) == (200, "1.0", "rich" if card else "link"), page
        assert re.findall(r'<iframe src="([^"]+)"', found.get("html", "")) == ([room.first.url + card] if card else [])
        assert found["title"]
    unknown = quote(f"{room.first.url}/evenings/aaaabbbbccccdddd", safe="")
    assert (await read(room.first, f"/oembed?url={unknown}"))[0] == 404
