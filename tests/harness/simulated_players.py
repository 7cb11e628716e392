"""Simulated players of a day: their actions, step by step, drawn from seeded random numbers.

A life is a generator that performs one action per time step, until it ends. In every time step all players act
concurrently, as on a real server.
"""

import asyncio
import random
from collections.abc import AsyncIterator, Callable, Iterable, Sequence

from cadogan.engine.moves import Move
from cadogan.server.core import dates, ids
from cadogan.server.core.errors import RefusalError
from cadogan.server.core.games.game_state import Command, GameState
from cadogan.wire.messages import Play, Resign, TakeBack
from cadogan.wire.races import NewRace
from tests.harness.game_steps import DAY, SECRET
from tests.harness.running_server import RunningServer

MIDNIGHT = dates.day_times(DAY, 0).ends_at
CARD = ("quatorze", "olga", "klondike")
"""The games of the day's deals; the first one ends soon, and is sometimes won."""
MOMENT = 7_919
"""Milliseconds between two time steps."""
RULES_OF_RACES = "quatorze"
Life = AsyncIterator[None]
Choice = Callable[[GameState, random.Random], Move]


def at_random(game: GameState, chance: random.Random) -> Move:
    """Return a random legal move."""
    return chance.choice(list(game.position.legal.values()))


def greedily(game: GameState, chance: random.Random) -> Move:
    """Return a move after which the score is highest."""
    moves = list(game.position.legal.values())
    chance.shuffle(moves)
    rules, state = game.rules, game.position.state
    return max(moves, key=lambda move: rules.score(rules.play_legal(state, move, game.seed).state))


async def live(running_server: RunningServer, lives: Iterable[Life]) -> None:
    """Run all lives, step by step, until the last one has ended."""
    under_way = list(lives)
    while under_way:
        running_server.clock.at += MOMENT
        ended = await asyncio.gather(*(_is_over(life) for life in under_way))
        under_way = [life for life, is_over in zip(under_way, ended, strict=True) if not is_over]


async def _is_over(life: Life) -> bool:
    return await anext(life, life) is life


class Player:
    """One simulated player, and how it plays."""

    def __init__(self, running_server: RunningServer, number: int, identity: str) -> None:
        self.running_server = running_server
        self.id = identity
        self.chance = random.Random(number)
        self.choose: Choice = greedily if number % 3 else at_random

    async def enter(self, slot: int) -> str:
        """Start the only attempt at a deal; return its id."""
        return (await self.running_server.server.attempts.enter(self.id, DAY, slot)).id

    async def play(self, game_id: str, most: int) -> Life:
        """Play this many moves, fewer if the game ends before; sometimes take one back."""
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
        """Look at another player's game, as far as that is allowed."""
        runs = await self.running_server.server.index.attempts_at([f"{DAY}.{slot}"])
        await self.running_server.server.spectating.view(self.id, self.chance.choice(runs))

    async def do(self, command: Command) -> None:
        """Execute a command."""
        await self.running_server.server.commands.carry_out(self.id, command)


async def finishes(player: Player, slot: int) -> Life:
    """Play, resign at the end, and look at others' games."""
    game = await player.enter(slot)
    async for _ in player.play(game, player.chance.randrange(3, 60 if slot == 1 else 16)):
        yield
    await player.give_up(game)
    yield
    await player.look_around(slot)


async def gives_up_at_once(player: Player, slot: int) -> Life:
    """See the cards, and resign."""
    game = await player.enter(slot)
    yield
    await player.give_up(game)


async def drops_out(player: Player, slot: int) -> Life:
    """Play a little, and never return."""
    async for _ in player.play(await player.enter(slot), player.chance.randrange(1, 8)):
        yield
    await player.look_around(slot)


async def practises(player: Player, slot: int) -> Life:
    """Finish, and play once more for practice."""
    async for _ in finishes(player, slot):
        yield
    again = await player.running_server.server.attempts.practise(player.id, DAY, slot)
    async for _ in player.play(again.id, 8):
        yield
    await player.give_up(again.id)


async def is_shown_first(player: Player, slot: int) -> Life:
    """Ask to see the deal, look, and play for practice."""
    await player.running_server.server.attempts.spoil(player.id, DAY, slot)
    yield
    await player.look_around(slot)
    again = await player.running_server.server.attempts.practise(player.id, DAY, slot)
    async for _ in player.play(again.id, 5):
        yield
    await player.give_up(again.id)


async def is_shown_at_play(player: Player, slot: int) -> Life:
    """Ask to see the deal while stuck in it, look, and play on."""
    game = await player.enter(slot)
    async for _ in player.play(game, 4):
        yield
    await player.running_server.server.attempts.spoil(player.id, DAY, slot)
    await player.look_around(slot)
    async for _ in player.play(game, 6):
        yield
    await player.give_up(game)


MORNING = (finishes, finishes, finishes, practises, gives_up_at_once, drops_out, is_shown_first, is_shown_at_play)
"""What players do with a deal during the day."""
NIGHT = (finishes, drops_out, gives_up_at_once)
"""What players do with a deal that they begin just before midnight."""


async def races(racers: Sequence[Player], name: str) -> Life:
    """Run a race of these players: the first one resigns, the last one leaves, and it ends when time is up."""
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
    """Return the id of a race."""
    return ids.derive_id(SECRET, "race", name)


async def comes_late(player: Player, slot: int) -> str:
    """Begin an attempt and resign it after the day has closed; return the error code, or `over`."""
    try:
        game = await player.running_server.server.cache.get(await player.enter(slot))
        if game.over:
            return "over"
        await player.give_up(game.id)
    except RefusalError as refusal:
        return refusal.code
    return "played"
