"""People who race over real sockets."""

import asyncio
from collections.abc import Callable
from typing import Any

from server.competitions.races.race_state import RaceState
from tests.harness.people import JsonMessage, Person, PlayerSocket
from tests.harness.running_server import RunningServer
from tests.harness.schema_checks import check_message

RULES = "quatorze"
PATIENCE = 30.0
"""Seconds after which what has not been told never will be."""


async def race_of(host: Person, *others: Person, start: bool = True, **wanted: Any) -> JsonMessage:
    """A race that the host has opened, the others have joined by its link and, unless told not to, is counting down."""
    race = await done(host, "", {"rules": RULES, "nonce": "the host's words", "countdown": 5, **wanted})
    for place, other in enumerate(others):
        race = await done(other, f"/{race['race']}/join", {"nonce": f"words {place}", "token": race["token"]})
    return await done(host, f"/{race['race']}/start") if start else race


async def done(person: Person, path: str, body: Any = None) -> JsonMessage:
    """What answers a request about races that is carried out."""
    status, race = await person.post(f"/races{path}", body)
    assert status == 200, race
    check_message(race)
    return dict(race)


async def refusal(person: Person, path: str, body: Any = None) -> str:
    """The code of the refusal that a request about races meets."""
    status, refused = await person.post(f"/races{path}", body)
    assert status >= 400, refused
    return str(refused["code"])


async def seen(person: Person, race: JsonMessage) -> JsonMessage:
    """The race as the person finds it now."""
    status, found = await person.get(f"/races/{race['race']}")
    assert status == 200, found
    check_message(found)
    return dict(found)


async def told_of(watching: PlayerSocket, holds: Callable[[JsonMessage], bool]) -> JsonMessage:
    """The first race told of that this holds for; others may be told before it, and one of them twice."""
    while True:
        race = await asyncio.wait_for(watching.receive("race"), PATIENCE)
        if holds(race):
            return race


def moves_in(race: JsonMessage) -> list[int | None]:
    """How many moves each has played, as far as that is told."""
    return [one["meter"]["moves"] if "meter" in one else None for one in race["racers"]]


async def under_way(running_server: RunningServer, person: Person, race: JsonMessage) -> JsonMessage:
    """The race as the person finds it at the moment of its start."""
    running_server.clock.at = race["starts_at"]
    return await seen(person, race)


def game_of(race: JsonMessage, person: Person) -> str:
    """The id of the person's game."""
    return str(next(one["meter"]["game"] for one in race["racers"] if one["player"]["id"] == person.id))


async def resign(socket: PlayerSocket, race: JsonMessage, person: Person) -> JsonMessage:
    """Give one's game up; the answer."""
    view = await socket.request("subscribe", game=game_of(race, person))
    return await socket.request("resign", game=view["game"]["id"], version=view["version"])


async def logged(running_server: RunningServer, race: JsonMessage) -> RaceState:
    """The race as the log has it."""
    return await running_server.server.races.get(race["race"])
