"""Simulated players of a day: what each of them does, step by step, drawn from seeded random numbers.

A life is something that goes on by itself from one moment to the next, until it ends. In every moment each who is at
it does one thing, all at once, as at a real server.
"""

import asyncio
import random
from collections.abc import AsyncIterator, Callable, Iterable, Sequence

from cadogan.engine.moves import Move
from cadogan.server.core import dates, ids
from cadogan.server.core.errors import RefusalError
from cadogan.server.games.game_state import Command, GameState
from cadogan.wire.messages import Play, Resign, TakeBack
from cadogan.wire.races import NewRace
from tests.harness.game_steps import DAY, SECRET
from tests.harness.running_server import RunningServer

MIDNIGHT = dates.day_times(DAY, 0).ends_at
CARD = ("quatorze", "olga", "klondike")
"""What the day's deals are played by; the first is over soon, and sometimes won."""
MOMENT = 7_919
"""Milliseconds between two moments."""
RULES_OF_RACES = "quatorze"
Life = AsyncIterator[None]
Choice = Callable[[GameState, random.Random], Move]


def at_random(game: GameState, chance: random.Random) -> Move:
    """Any legal move."""
    return chance.choice(list(game.position.legal.values()))


def greedily(game: GameState, chance: random.Random) -> Move:
    """A move after which the score is highest."""
    moves = list(game.position.legal.values())
    chance.shuffle(moves)
    rules, state = game.rules, game.position.state
    return max(moves, key=lambda move: rules.score(rules.play_legal(state, move, game.seed).state))


async def live(running_server: RunningServer, lives: Iterable[Life]) -> None:
    """Let all of these go on, moment by moment, until the last has ended."""
    under_way = list(lives)
    while under_way:
        running_server.clock.at += MOMENT
        ended = await asyncio.gather(*(_is_over(life) for life in under_way))
        under_way = [life for life, is_over in zip(under_way, ended, strict=True) if not is_over]


async def _is_over(life: Life) -> bool:
    return await anext(life, life) is life


class Player:
    """One of the crowd, and how it plays."""

    def __init__(self, running_server: RunningServer, number: int, identity: str) -> None:
        self.running_server = running_server
        self.id = identity
        self.chance = random.Random(number)
        self.choose: Choice = greedily if number % 3 else at_random

    async def enter(self, slot: int) -> str:
        """The one attempt at a deal."""
        return (await self.running_server.server.attempts.enter(self.id, DAY, slot)).id

    async def play(self, game_id: str, most: int) -> Life:
        """Play so many moves, fewer if the game ends before; now and then take one back."""
        for _ in range(most):
            yield
            game = await self.running_server.server.cache.get(game_id)
            if game.over:
                return
            if game.can_take_back and (self.chance.random() < 0.1 or not game.position.legal):
                await self.do(TakeBack(id=f"t{game.version}", game=game_id, version=game.version))
            elif game.position.legal:
                move = self.choose(game, self.chance)
                await self.do(Play(id=f"p{game.version}", game=game_id, version=game.version, move=move.text))

    async def give_up(self, game_id: str) -> None:
        """Resign, unless the game is over."""
        game = await self.running_server.server.cache.get(game_id)
        if not game.over:
            await self.do(Resign(id="r", game=game_id, version=game.version))

    async def look_around(self, slot: int) -> None:
        """Look at the game of somebody else, as far as that may be."""
        runs = await self.running_server.server.index.attempts_at([f"{DAY}.{slot}"])
        await self.running_server.server.spectating.view(self.id, self.chance.choice(runs))

    async def do(self, command: Command) -> None:
        """Carry it out."""
        await self.running_server.server.commands.carry_out(self.id, command)


async def finishes(player: Player, slot: int) -> Life:
    """Plays, gives up in the end, and has a look at what others do."""
    game = await player.enter(slot)
    async for _ in player.play(game, player.chance.randrange(3, 60 if slot == 1 else 16)):
        yield
    await player.give_up(game)
    yield
    await player.look_around(slot)


async def gives_up_at_once(player: Player, slot: int) -> Life:
    """Sees the cards and has enough."""
    game = await player.enter(slot)
    yield
    await player.give_up(game)


async def drops_out(player: Player, slot: int) -> Life:
    """Plays a little, and is not seen again."""
    async for _ in player.play(await player.enter(slot), player.chance.randrange(1, 8)):
        yield
    await player.look_around(slot)


async def practises(player: Player, slot: int) -> Life:
    """Finishes, and plays once more for practice."""
    async for _ in finishes(player, slot):
        yield
    again = await player.running_server.server.attempts.practise(player.id, DAY, slot)
    async for _ in player.play(again.id, 8):
        yield
    await player.give_up(again.id)


async def is_shown_first(player: Player, slot: int) -> Life:
    """Asks to be shown the deal, looks, and plays for practice."""
    await player.running_server.server.attempts.spoil(player.id, DAY, slot)
    yield
    await player.look_around(slot)
    again = await player.running_server.server.attempts.practise(player.id, DAY, slot)
    async for _ in player.play(again.id, 5):
        yield
    await player.give_up(again.id)


async def is_shown_at_play(player: Player, slot: int) -> Life:
    """Asks to be shown the deal when stuck in it, looks, and plays on."""
    game = await player.enter(slot)
    async for _ in player.play(game, 4):
        yield
    await player.running_server.server.attempts.spoil(player.id, DAY, slot)
    await player.look_around(slot)
    async for _ in player.play(game, 6):
        yield
    await player.give_up(game)


MORNING = (finishes, finishes, finishes, practises, gives_up_at_once, drops_out, is_shown_first, is_shown_at_play)
"""What is done with a deal during the day."""
NIGHT = (finishes, drops_out, gives_up_at_once)
"""What is done with it when it was begun just before midnight."""


async def races(racers: Sequence[Player], name: str) -> Life:
    """A race of these players: the first gives up, the last is not seen again, and when time is up it ends."""
    running_server = racers[0].running_server
    server = running_server.server
    wanted = NewRace(rules=RULES_OF_RACES, nonce="our own words", seconds=600, countdown=3, open=True)
    race = await server.race_commands.open(racers[0].id, wanted, race_id=race_called(name))
    for racer in racers[1:]:
        await server.race_commands.join(race.id, racer.id, f"words of {racer.id}", None)
    race = await server.race_commands.start(race.id, racers[0].id)
    while race.state(running_server.clock.at) == "countdown":
        yield
    await server.races.get(race.id)
    games = [await server.races.game_of(race.id, racer.id) for racer in racers]
    runs = [racer.play(str(game), 6) for racer, game in zip(racers, games, strict=True)]
    for run in runs:
        async for _ in run:
            yield
    for racer, game in list(zip(racers, games, strict=True))[:-1]:
        await racer.give_up(str(game))
    while not (await server.races.get(race.id)).over:
        yield


def race_called(name: str) -> str:
    """The id of a race."""
    return ids.derive_id(SECRET, "race", name)


async def comes_late(player: Player, slot: int) -> str:
    """Begin an attempt and give it up, when the day has closed: the code of the refusal, or `over`."""
    try:
        game = await player.running_server.server.cache.get(await player.enter(slot))
        if game.over:
            return "over"
        await player.give_up(game.id)
    except RefusalError as refusal:
        return refusal.code
    return "played"
