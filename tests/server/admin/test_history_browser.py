"""The history that hosts and moderators look through: it shows no more than the filter of visibility shows them."""

import json
from typing import Any

import pytest

from cadogan.server.core.eventlog.streams import game_stream
from tests.harness.daily_actions import DAY, close_day, play_and_resign
from tests.harness.hosts import player, with_role
from tests.harness.people import Person
from tests.harness.race_actions import get_race, let_race_start, make_race
from tests.harness.running_server import RunningServer


async def browse(person: Person, about: str, **query: object) -> dict[str, Any]:
    """A page of events about something."""
    asked = "&".join(f"{key}={value}" for key, value in {"about": about, **query}.items())
    status, answer = await person.get(f"/house/events?{asked}")
    assert status == 200, answer
    page: dict[str, Any] = answer
    return page


async def browse_all(person: Person, about: str, **query: object) -> list[dict[str, Any]]:
    """All events about something, over as many pages as there are."""
    page = await browse(person, about, **query)
    found: list[dict[str, Any]] = page["events"]
    while "next" in page:
        page = await browse(person, about, after=page["next"], **query)
        found += page["events"]
    return found


async def download(person: Person, about: str) -> list[dict[str, Any]]:
    """All events about something, from the file."""
    address = f"{person.url}/api/v1/house/events/download?about={about}"
    async with person.session.get(address, headers=person.headers) as response:
        assert response.status == 200
        assert response.headers["Content-Disposition"].endswith('.jsonl"')
        return [json.loads(line) for line in (await response.text()).splitlines()]


async def test_a_finished_casual_game_is_shown_whole_with_what_each_sight_got(running_server: RunningServer) -> None:
    ann = await running_server.guest()
    game = await ann.deal()
    await play_and_resign(ann, game, moves=3)
    staff = await with_role(running_server, "Ada", "moderator")
    page = await browse(staff, f"game/{game}")
    stored = await running_server.server.store.read(game_stream(game))
    assert [(one["version"], one["type"], one["hash"]) for one in page["events"]] == [
        (event.version, event.type, event.hash.hex()) for event in stored
    ]
    assert [one["data"] for one in page["events"]] == [json.loads(event.data) for event in stored]
    assert page["sights"] == {"player": "seat", "spectator": "board", "host": "board", "public": "board"}
    dealt, moved = page["events"][:2]
    assert ("piles" in dealt["board"], "piles" in dealt["meter"]) == (True, False)
    assert (moved["board"]["type"], moved["meter"]["type"]) == ("move_played", "advanced")
    assert "legal" not in json.dumps([one.get("board") for one in page["events"]])


@pytest.mark.parametrize("role", ["moderator", "host"])
async def test_of_a_run_of_an_open_day_only_that_something_happened_is_shown(
    running_server: RunningServer, role: str
) -> None:
    bob = await player(running_server, "Bob")
    game = await bob.enter()
    async with bob.connect() as socket:
        seen = await socket.request("subscribe", game=game)
        await socket.play(seen)
    staff = await with_role(running_server, "Ada", role)
    page = await browse(staff, f"game/{game}")
    assert page["sights"] == {"player": "seat", "spectator": "board", "host": "meter", "public": "meter"}
    assert [one["type"] for one in page["events"]] == ["game_dealt", "advanced"]
    assert {key for one in page["events"] for key in one} == {"stream", "version", "type", "at"}
    assert (await browse(staff, f"game/{game}", type="move_played"))["events"] == []
    assert await download(staff, f"game/{game}") == page["events"]
    assert [one["type"] for one in await browse_all(staff, f"player/{bob.id}")] == ["game_dealt"]
    await close_day(running_server)
    page = await browse(staff, f"game/{game}")
    assert (page["events"][1]["type"], page["sights"]["host"]) == ("move_played", "board")
    assert all("hash" in one and "data" in one for one in page["events"])


async def test_to_be_shown_cards_of_an_open_day_here_is_logged_as_a_view(running_server: RunningServer) -> None:
    bob = await player(running_server, "Bob")
    game = await bob.enter()
    staff = await with_role(running_server, "Ada", "moderator")
    await play_and_resign(staff, await staff.enter(), moves=1)
    page = await browse(staff, f"game/{game}")
    assert (page["sights"]["host"], "piles" in page["events"][0]["board"]) == ("board", True)
    assert all("hash" not in one and "data" not in one for one in page["events"])
    views = await running_server.server.store.read(f"watched/{DAY}.1/{staff.id}")
    assert [json.loads(view.data)["game"] for view in views] == [game]


async def test_a_hash_leads_to_its_event_only_once_everybody_may_have_the_record(
    running_server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    bob = await player(running_server, "Bob")
    game = await bob.enter()
    staff = await with_role(running_server, "Ada", "moderator")
    (dealt,) = await running_server.server.store.read(game_stream(game))
    assert (await browse(staff, f"hash/{dealt.hash.hex()}")) == {"events": []}
    acts = [event async for event in running_server.server.store.stream_names("house")]
    (act,) = await running_server.server.store.read(acts[0])
    await close_day(running_server)
    monkeypatch.setattr("cadogan.server.subjects.admin.history_browser.SCANNED_EVENTS", 2)
    (found,) = await browse_all(staff, f"hash/{dealt.hash.hex()}")
    assert (found["stream"], found["version"], found["hash"]) == (game_stream(game), 1, dealt.hash.hex())
    (closed,) = [one for one in await browse_all(staff, f"day/{DAY}") if one["type"] == "daily_closed"]
    assert [one["type"] for one in await browse_all(staff, f"hash/{closed['hash']}")] == ["daily_closed"]
    assert await browse_all(staff, f"hash/{act.hash.hex()}") == []  # acts are for hosts, in their log
    assert await browse_all(staff, f"hash/{'0' * 64}") == []


async def test_the_cursors_of_a_search_for_a_hash_tell_no_name_of_a_stream(
    running_server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, staff = await running_server.guest(), await with_role(running_server, "Ada", "moderator")
    for _ in range(9):
        await ann.deal()
    await make_race(ann, start=False, open=False)
    names = [name async for name in running_server.server.store.stream_names()]
    monkeypatch.setattr(
        "cadogan.server.subjects.admin.history_browser.SCANNED_EVENTS", 3
    )  # more than a stream has here
    cursors, page = list[str](), await browse(staff, f"hash/{'0' * 64}")
    while "next" in page:
        cursors.append(page["next"])
        page = await browse(staff, f"hash/{'0' * 64}", after=page["next"])
    assert len(cursors) > 3
    secret = [name for name in names if name.startswith(("match/", "game/"))]
    assert [name for name in secret if any(name[:12] in cursor for cursor in cursors)] == []


async def test_pages_and_the_file_have_every_event_once_in_order(running_server: RunningServer) -> None:
    ann = await running_server.guest()
    games = []
    for _ in range(5):
        games.append(await ann.deal())
        await play_and_resign(ann, games[-1], moves=2)
        running_server.clock.at += 1000
    staff = await with_role(running_server, "Ada", "moderator")
    whole = (await browse(staff, f"game/{games[0]}", limit=200))["events"]
    assert await browse_all(staff, f"game/{games[0]}", limit=2) == whole == await download(staff, f"game/{games[0]}")
    assert len(whole) == 5
    received = await browse_all(staff, f"player/{ann.id}", limit=4)
    assert [one["stream"] for one in received if one["type"] == "game_dealt"] == [
        f"game/{game}" for game in games[::-1]
    ]
    assert {one["type"] for one in received} == {"game_dealt", "game_finished", "deal_revealed"}
    moves = await browse_all(staff, f"player/{ann.id}", type="move_played")
    assert len(moves) == 10


async def test_events_are_filtered_by_type_and_time(running_server: RunningServer) -> None:
    ann = await running_server.guest()
    game = await ann.deal()
    running_server.clock.at += 60_000
    between = running_server.clock.at
    await play_and_resign(ann, game, moves=2)
    staff = await with_role(running_server, "Ada", "moderator")
    assert [one["version"] for one in await browse_all(staff, f"game/{game}", type="move_played")] == [2, 3]
    assert [one["version"] for one in await browse_all(staff, f"game/{game}", until=between)] == [1]
    assert [one["version"] for one in await browse_all(staff, f"game/{game}", since=between)] == [2, 3, 4, 5]


async def test_a_race_shows_its_data_when_it_is_over(running_server: RunningServer) -> None:
    ann, bob = await running_server.guest(), await running_server.guest()
    race = await make_race(ann, bob, seconds=60)
    staff = await with_role(running_server, "Ada", "moderator")
    received = await browse_all(staff, f"race/{race['race']}")
    assert received[0]["type"] == "match_opened"
    assert {key for one in received for key in one} == {"stream", "version", "type", "at"}
    await let_race_start(running_server, ann, race)
    running_server.clock.at += 120_000
    assert (await get_race(ann, race))["state"] == "over"
    received = await browse_all(staff, f"race/{race['race']}")
    assert received[-1]["type"] == "match_finished"
    assert all("data" in one and "hash" in one for one in received)


async def test_what_cannot_be_looked_for_is_refused(sqlite_server: RunningServer) -> None:
    staff = await with_role(sqlite_server, "Ada", "moderator")
    refusals = {
        "": (400, "bad_message"),
        "about=cards/aaaabbbbccccdddd": (400, "bad_message"),
        "about=game/aaaabbbbccccdddd": (404, "not_found"),
        "about=race/aaaabbbbccccdddd": (404, "not_found"),
        "about=race/x": (404, "not_found"),
        "about=day/1999-01-01": (404, "not_found"),
        "about=hash/12": (400, "bad_message"),
        f"about=day/{DAY}&after=x": (400, "bad_message"),
    }
    for about, refusal in refusals.items():
        for address in ("/house/events", "/house/events/download"):
            if "after" not in about or address.endswith("events"):
                found, answer = await staff.get(f"{address}?{about}")
                assert (found, answer["code"]) == refusal, (address, about)
