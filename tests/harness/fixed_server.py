"""A stage: a house in which ids, times, secrets and commitments are given, so that two of them differ only in cards."""

import shutil
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

import aiohttp
from aiohttp.test_utils import TestServer
from msgspec import structs
from sqlalchemy import insert

from clients.wire.messages import Play, Resign
from clients.wire.races import NewRace
from server.app import make_app
from server.competitions.races import race_state
from server.core import dates, ids, username_rules
from server.database.connections import Database
from server.database.tables import days as sealed_days
from server.database.tables import deals, players, tokens
from server.eventlog.events import GameDealt
from server.fairness import commit_reveal
from server.games.game_state import Command
from server.http import app_keys
from tests.harness.game_steps import DAY, SECRET
from tests.harness.people import Person
from tests.harness.running_server import UNHURRIED, Clock, House

BEFORE = dates.later(DAY, -1)
NOON = Clock().at
FRESH = dates.MILLISECONDS
AGED = 30 * dates.MILLISECONDS
RACE = ids.derive(SECRET, "the race")
PRACTICE = ids.derive(SECRET, "a run for practice")
CASUAL = ids.derive(SECRET, "a casual game")
COMMITMENT = commit_reveal.commitment(SECRET)
FOREVER = NOON + 365 * dates.MILLISECONDS


@asynccontextmanager
async def stage(template: Path, slug: str, other_secret: bytes = SECRET) -> AsyncIterator[House]:
    """A house on the day before, at noon. The first deal of every day is of this game, the second of Quatorze.

    Of the days to come only the commitments are those of every stage: their secret is `other_secret`.
    """
    clock = Clock(NOON - dates.MILLISECONDS)
    with TemporaryDirectory() as folder:
        path, card = Path(folder) / "proof.db", Path(folder) / "calendar.toml"
        shutil.copyfile(template, path)
        write_calendar(card, (slug, "quatorze"))
        url = f"sqlite:///{path}"
        secrets = {dates.later(DAY, n): SECRET if n < 1 else other_secret for n in range(-1, 9)}
        await seal(url, secrets, {race_state.deal_of(RACE): slug, CASUAL: slug})
        settings = replace(UNHURRIED, database_url=url, calendar=str(card), fresh=FRESH // 1000)
        app = make_app(settings, clock)
        async with TestServer(app) as server, aiohttp.ClientSession() as session:
            yield House(app, str(server.make_url("")).rstrip("/"), session, clock)


def write_calendar(file: Path, games: Iterable[str]) -> None:
    """The host's own calendar, by which every day has deals of these games."""
    file.write_text("".join(f'[[deal]]\nlevel = "any"\ngames = ["{game}"]\n' for game in games))


async def seal(url: str, secrets: dict[str, bytes], others: dict[str, str]) -> None:
    """Give days their secrets, and other deals of these games one of their own; all have one commitment."""
    common = {"commitment": COMMITMENT, "created_at": NOON - AGED}
    sealed = [{"day": day, "secret": secret.hex(), **common} for day, secret in secrets.items()]
    database = Database(url)
    async with database.writing() as connection:
        await connection.execute(insert(sealed_days), sealed)
        for name, game in others.items():
            await connection.execute(insert(deals).values(id=name, game=game, secret=SECRET.hex(), **common))
    await database.close()


async def person(house: House, name: str, age: int = AGED) -> Person:
    """Somebody whose account was made so many milliseconds before the day's noon."""
    (one,) = await people(house, [name], age)
    return one


async def people(house: House, called: Iterable[str], age: int = AGED, kind: str = "") -> list[Person]:
    """Several of them; the same name has the same id in every house. `kind` comes before it, to make them bots."""
    found = []
    rows, sessions = [], []
    for name in called:
        one = Person(house.url, house.session)
        one.id, one.token = kind + ids.derive(SECRET, "player", name), f"cadogan_{name}"
        rows.append({"id": one.id, "name": username_rules.guest(one.id), "created_at": NOON - age})
        digest = sha256(one.token.encode()).hexdigest()
        sessions.append({"hash": digest, "player": one.id, "created_at": NOON - age, "expires_at": FOREVER})
        found.append(one)
    async with house.app[app_keys.DATABASE].writing() as connection:
        await connection.execute(insert(players), rows)
        await connection.execute(insert(tokens), sessions)
    return found


async def attempt_of(house: House, player: str, day: str = DAY, slot: int = 1) -> str:
    """The id of the player's one attempt at a deal."""
    daily = await house.service.dailies.get(day, house.clock.at)
    assert daily is not None
    return daily.attempt(f"{day}.{slot}", player)


async def deal_to(house: House, player: Person, dealt: GameDealt, game_id: str) -> str:
    """Deal these cards to the player; the game's id."""
    await house.app[app_keys.ROSTER].player(player.id)
    await house.service.deal(game_id, structs.replace(dealt, player=player.id), SECRET, house.clock.at)
    return game_id


async def end(house: House, player: Person, game_id: str) -> None:
    """Let the player play to the end, the last legal move each time, and give up where there is none in sight."""
    for number in range(60):
        game = await house.service.game(game_id)
        if game.over:
            return
        moves = list(game.position.legal)
        command: Command
        if moves and number < 59:
            command = Play(id=str(number), game=game_id, version=game.version, move=moves[-1])
        else:
            command = Resign(id=str(number), game=game_id, version=game.version)
        await house.service.command(player.id, command)


async def resign(house: House, player: Person, game_id: str) -> None:
    """Let the player give up."""
    game = await house.service.game(game_id)
    await house.service.command(player.id, Resign(id="r", game=game_id, version=game.version))


async def race(house: House, racers: Iterable[Person], rules: str) -> None:
    """Let these people race, from now on: the race is counted down, and its cards can be dealt."""
    host, *others = racers
    races = house.service.races
    wanted = NewRace(rules=rules, nonce="the first words", seconds=3600, countdown=60, open=True)
    match = await races.open(host.id, wanted, match_id=RACE)
    for other in others:
        await races.join(match.id, other.id, f"words of {other.id}", None)
    await races.start(match.id, host.id)
    house.clock.at += 60_000


async def game_in_race(house: House, player: Person) -> str:
    """The id of the player's game in the race."""
    found = await house.service.race_keeper.game_of(RACE, player.id)
    assert found is not None
    return found
