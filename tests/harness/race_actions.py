"""People who race over real sockets."""

import asyncio
from collections.abc import Callable
from typing import Any

from cadogan.server.subjects.races.race_state import RaceState
from tests.harness.patience import soon
from tests.harness.people import JsonMessage, Person, PlayerSocket
from tests.harness.running_server import RunningServer
from tests.harness.schema_checks import check_message

RULES = "quatorze"


async def make_race(host: Person, *others: Person, start: bool = True, **wanted: Any) -> JsonMessage:
    """Open a race, let the others join by link, and start the countdown unless `start` is False; return the race."""
    race = await post_race(host, "", {"rules": RULES, "nonce": "the host's words", "countdown": 5, **wanted})
    for place, other in enumerate(others):
        race = await post_race(other, f"/{race['race']}/join", {"nonce": f"words {place}", "token": race["token"]})
    return await post_race(host, f"/{race['race']}/start") if start else race


async def post_race(person: Person, path: str, body: Any = None) -> JsonMessage:
    """Send a request about races, which must succeed; the race in the answer."""
    status, race = await person.post(f"/races{path}", body)
    assert status == 200, race
    check_message(race)
    return dict(race)


async def race_refusal(person: Person, path: str, body: Any = None) -> str:
    """Send a request about races, which must be refused; return the error code."""
    status, refused = await person.post(f"/races{path}", body)
    assert status >= 400, refused
    return str(refused["code"])


async def get_race(person: Person, race: JsonMessage) -> JsonMessage:
    """Return the race as sent to the person now."""
    status, found = await person.get(f"/races/{race['race']}")
    assert status == 200, found
    check_message(found)
    return dict(found)


async def wait_for_race(watching: PlayerSocket, holds: Callable[[JsonMessage], bool]) -> JsonMessage:
    """Return the first message about a race for which `holds` is true; earlier ones are skipped."""
    while True:
        race = await asyncio.wait_for(watching.receive("race"), soon())
        if holds(race):
            return race


def moves_of_racers(race: JsonMessage) -> list[int | None]:
    """How many moves each racer has played; None where the message does not say."""
    return [one["meter"]["moves"] if "meter" in one else None for one in race["racers"]]


async def let_race_start(running_server: RunningServer, person: Person, race: JsonMessage) -> JsonMessage:
    """Set the clock to the start of the race; return the race as sent to the person then."""
    running_server.clock.at = race["starts_at"]
    return await get_race(person, race)


def game_in_race(race: JsonMessage, person: Person) -> str:
    """Return the id of the person's game in the race."""
    return str(next(one["meter"]["game"] for one in race["racers"] if one["player"]["id"] == person.id))


async def resign_in_race(socket: PlayerSocket, race: JsonMessage, person: Person) -> JsonMessage:
    """Resign the person's game in the race; return the response."""
    view = await socket.request("subscribe", game=game_in_race(race, person))
    return await socket.request("resign", game=view["game"]["id"], version=view["version"])


async def race_in_log(running_server: RunningServer, race: JsonMessage) -> RaceState:
    """Return the state of the race, folded from the event log."""
    return await running_server.server.races.get(race["race"])
