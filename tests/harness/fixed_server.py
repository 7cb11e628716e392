"""A running server with fixed ids, times, secrets and commitments, so that two servers differ only in cards."""

import shutil
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

import aiohttp
from aiohttp.test_utils import TestServer
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from msgspec import structs
from sqlalchemy import insert

from cadogan.server.app import Server
from cadogan.server.core import dates, ids, username_rules
from cadogan.server.core.database.connections import Database
from cadogan.server.core.database.tables import days as sealed_days
from cadogan.server.core.database.tables import deals, notification_keys, players, tokens
from cadogan.server.core.eventlog.events import GameDealt
from cadogan.server.core.fairness import commit_reveal
from cadogan.server.core.fairness.commit_reveal import race_deal_id
from cadogan.server.core.games.game_state import Command
from cadogan.server.web_app import make_web_app
from cadogan.wire.messages import Play, Resign
from cadogan.wire.races import NewRace
from tests.harness.game_steps import DAY, SECRET
from tests.harness.people import Person
from tests.harness.running_server import TEST_SETTINGS, Clock, RunningServer

BEFORE = dates.add_days(DAY, -1)
NOON = Clock().at
FRESH = dates.MILLISECONDS_PER_DAY
AGED = 20 * dates.MILLISECONDS_PER_DAY
"""The default age of accounts. After 30 days a server deletes guests who never played."""
RACE = ids.derive_id(SECRET, "the race")
PRACTICE = ids.derive_id(SECRET, "a run for practice")
CASUAL = ids.derive_id(SECRET, "a casual game")
COMMITMENT = commit_reveal.commitment(SECRET)
KEY = ec.derive_private_key(1, ec.SECP256R1()).private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()
"""The key for notifications."""
FOREVER = NOON + 365 * dates.MILLISECONDS_PER_DAY


@asynccontextmanager
async def open_fixed_server(template: Path, slug: str, other_secret: bytes = SECRET) -> AsyncIterator[RunningServer]:
    """Start a server at noon of the day before. The first deal of every day is of this game, the second of Quatorze.

    The coming days have the same commitments on every such server, and the secret `other_secret`.
    """
    clock = Clock(NOON - dates.MILLISECONDS_PER_DAY)
    with TemporaryDirectory() as folder:
        path, card = Path(folder) / "proof.db", Path(folder) / "calendar.toml"
        shutil.copyfile(template, path)
        write_calendar(card, (slug, "quatorze"))
        url = f"sqlite:///{path}"
        secrets = {dates.add_days(DAY, n): SECRET if n < 1 else other_secret for n in range(-1, 9)}
        await seal(url, secrets, {race_deal_id(RACE): slug, CASUAL: slug})
        settings = replace(TEST_SETTINGS, database_url=url, calendar=str(card), fresh=FRESH // 1000)
        server = Server(settings, clock)
        app = make_web_app(server)
        async with TestServer(app) as listening, aiohttp.ClientSession() as session:
            yield RunningServer(server, app, str(listening.make_url("")).rstrip("/"), session, clock)


def write_calendar(file: Path, games: Iterable[str]) -> None:
    """Write a host's calendar in which every day has deals of these games."""
    file.write_text("".join(f'[[deal]]\nlevel = "any"\ngames = ["{game}"]\n' for game in games))


async def seal(url: str, secrets: dict[str, bytes], others: dict[str, str]) -> None:
    """Set the secrets of days, a separate secret for the deals of these games, and the server's notification key.

    All deals have one commitment.
    """
    common = {"commitment": COMMITMENT, "created_at": NOON - AGED}
    sealed = [{"day": day, "secret": secret.hex(), **common} for day, secret in secrets.items()]
    database = Database(url)
    async with database.writing() as connection:
        await connection.execute(insert(sealed_days), sealed)
        await connection.execute(insert(notification_keys).values(id="vapid", private_key=KEY, created_at=NOON - AGED))
        for name, game in others.items():
            await connection.execute(insert(deals).values(id=name, game=game, secret=SECRET.hex(), **common))
    await database.close()


async def person(running_server: RunningServer, name: str, age: int = AGED) -> Person:
    """Create a person whose name was chosen this many milliseconds before the day's noon."""
    (one,) = await people(running_server, [name], age)
    return one


async def people(running_server: RunningServer, called: Iterable[str], age: int = AGED, kind: str = "") -> list[Person]:
    """Create several such people. A name has the same id on every server; `kind` is a prefix of the id, for bots."""
    found = []
    rows, sessions = [], []
    for name in called:
        one = Person(running_server.url, running_server.session)
        one.id, one.token = kind + ids.derive_id(SECRET, "player", name), f"cadogan_{name}"
        at = NOON - age
        rows.append({"id": one.id, "name": username_rules.guest_name(one.id), "created_at": at, "claimed_at": at})
        digest = sha256(one.token.encode()).hexdigest()
        sessions.append({"hash": digest, "player": one.id, "created_at": NOON - age, "expires_at": FOREVER})
        found.append(one)
    async with running_server.server.database.writing() as connection:
        await connection.execute(insert(players), rows)
        await connection.execute(insert(tokens), sessions)
    return found


async def attempt_of(running_server: RunningServer, player: str, day: str = DAY, slot: int = 1) -> str:
    """Return the id of the player's attempt at a deal."""
    daily = await running_server.server.challenges.get(day, running_server.clock.at)
    assert daily is not None
    return daily.attempt(f"{day}.{slot}", player)


async def deal_to(running_server: RunningServer, player: Person, dealt: GameDealt, game_id: str) -> str:
    """Deal these cards to the player; return the game's id."""
    await running_server.server.players.player(player.id)
    await running_server.server.commands.deal(
        game_id, structs.replace(dealt, player=player.id), SECRET, running_server.clock.at
    )
    return game_id


async def end(running_server: RunningServer, player: Person, game_id: str) -> None:
    """Play the last legal move until the game ends; resign if it does not end."""
    for number in range(60):
        game = await running_server.server.cache.get(game_id)
        if game.over:
            return
        moves = list(game.position.legal)
        command: Command
        if moves and number < 59:
            command = Play(id=str(number), game=game_id, version=game.version, move=moves[-1])
        else:
            command = Resign(id=str(number), game=game_id, version=game.version)
        await running_server.server.commands.carry_out(player.id, command)


async def resign(running_server: RunningServer, player: Person, game_id: str) -> None:
    """Resign the player's game."""
    game = await running_server.server.cache.get(game_id)
    await running_server.server.commands.carry_out(player.id, Resign(id="r", game=game_id, version=game.version))


async def race(running_server: RunningServer, racers: Iterable[Person], rules: str) -> None:
    """Start a race of these people: the countdown runs, and its cards can be dealt."""
    host, *others = racers
    races = running_server.server.race_commands
    wanted = NewRace(rules=rules, nonce="the first words", seconds=3600, countdown=60, open=True)
    opened = await races.open(host.id, wanted, race_id=RACE)
    for other in others:
        await races.join(opened.id, other.id, f"words of {other.id}", None)
    await races.start(opened.id, host.id)
    running_server.clock.at += 60_000


async def game_in_race(running_server: RunningServer, player: Person) -> str:
    """Return the id of the player's game in the race."""
    found = await running_server.server.races.game_of(RACE, player.id)
    assert found is not None
    return found
