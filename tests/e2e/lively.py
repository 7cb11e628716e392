"""A club where something goes on at every address: two days, runs over and under way, races in every state, a group."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import aiohttp

from tests.e2e.club import FIRST_DAY, Club
from tests.harness.daily_actions import play_and_resign
from tests.harness.people import Person

CARD = {"gentle": "quatorze", "stern": "klondike"}
TODAY = "2026-11-21"
COMING = "2026-11-25"
NAME = "Ada"
PASSWORD = "a long password"


@dataclass(frozen=True)
class Lively:
    """Who is there, by their tokens, and the address of everything that can be looked at, by what it is."""

    named: str
    guest: str
    pages: dict[str, str]


async def enliven(club: Club, session: aiohttp.ClientSession) -> Lively:
    """Lets a named player and two guests play in the club, which has the card above."""
    url = club.url.rstrip("/")
    ada, ben, cleo = [await Person(url, session).arrive() for _ in range(3)]
    await _done(ada, "/account", {"name": NAME, "password": PASSWORD})
    await _done(ada, "/bots", {"name": "Adabot"})
    await _done(ada, "/tokens", {"name": "My statistics", "scopes": ["read"]})
    runs = [await person.enter(slot=1) for person in (ada, ben)]
    for person, run in zip((ada, ben), runs, strict=True):
        await play_and_resign(person, run, 4)
    await play_and_resign(ben, await ben.enter(slot=2), 2)
    club.close_day(FIRST_DAY)

    await play_and_resign(ada, await ada.enter(slot=1), 2)
    own, watched = await ada.deal("klondike"), await ben.deal("wheel")
    await ben.enter(slot=2)
    group = await _done(ada, "/groups", {"name": "The Club"})
    assert (await ada.ask("PUT", f"/groups/{group['id']}/talk", {"on": True}))[0] == 200
    await _done(ada, f"/groups/{group['id']}/messages", {"text": "Who is there on Thursday?"})
    waiting, running, over = await _races(club, ada, ben)
    return Lively(
        named=ada.token,
        guest=cleo.token,
        pages={
            "home": "",
            "calendar": f"calendar/{FIRST_DAY[:7]}",
            "day announced": f"daily/{COMING}",
            "day open": f"daily/{TODAY}",
            "day closed": f"daily/{FIRST_DAY}",
            "review": f"review/{FIRST_DAY}",
            "deal": f"deal/{FIRST_DAY}/1",
            "puzzle": "puzzle",
            "evenings": "evenings",
            "board of a closed deal": f"board/deal:{FIRST_DAY}/1",
            "board of an open deal": f"board/deal:{TODAY}/1",
            "board nobody is on": f"board/deal:{TODAY}/2",
            "board of a day": f"board/{FIRST_DAY}",
            "board of a week": "board/week:2026-W47",
            "board of a month": "board/month:2026-11",
            "board of all time": "board/all",
            "board of a game": "board/game:quatorze",
            "board of friends": "board/all?among=friends",
            "board of a group": f"board/all?among=group:{group['id']}",
            "board of bots": "board/all?bots=1",
            "points": "boards/how",
            "races": "races",
            "race waiting": f"race/{waiting}",
            "race running": f"race/{running}",
            "race over": f"race/{over}",
            "replays of a race": f"race/{over}/replays",
            "games": "games",
            "rules": "games/klondike",
            "winnability": "winnability?game=klondike",
            "play": f"play/{own}",
            "watch": f"watch/{watched}",
            "theatre": "theatre",
            "theatre of two": f"theatre/{watched},{runs[0]}",
            "replay": f"replay/{runs[0]}",
            "compare": f"compare/{runs[0]},{runs[1]}",
            "audit": "audit",
            "audit of a game": f"audit/{runs[0]}",
            "seal": "seal",
            "account": "account",
            "settings": "settings",
            "people": "people",
            "group": f"groups/{group['id']}",
            "join": f"join/{group['token']}",
            "profile": f"players/{ada.id}",
            "collection": f"players/{ada.id}/collection",
            "missing": "nothing/here",
            "an error": "daily/1999-01-01",
        },
    )


async def _races(club: Club, host: Person, other: Person) -> tuple[str, str, str]:
    """A race that waits for its start, one that is on, and one that is over."""
    over = await _started(club, host, other)
    for racer in over["racers"]:
        person = host if racer["player"]["id"] == host.id else other
        await play_and_resign(person, racer["meter"]["game"], 1)
    running = await _started(club, host, other)
    waiting = await _done(host, "/races", {"rules": "quatorze", "nonce": "words", "open": True})
    return waiting["race"], running["race"], over["race"]


async def _started(club: Club, host: Person, other: Person) -> dict[str, Any]:
    race = await _done(host, "/races", {"rules": "quatorze", "nonce": "words", "countdown": 3, "open": True})
    await _done(other, f"/races/{race['race']}/join", {"nonce": "others", "token": race["token"]})
    started = await _done(host, f"/races/{race['race']}/start")
    club.clock.turn_to(started["starts_at"] + 1)
    _, found = await host.get(f"/races/{race['race']}")
    return dict(found)


async def _done(person: Person, path: str, body: Any = None) -> dict[str, Any]:
    status, answer = await person.post(path, body)
    assert status == 200, answer
    return dict(answer)
