"""Games for tests: dealt from a known secret, played by numbered choices, at fixed times."""

import random
from collections.abc import Iterable
from typing import Any

from msgspec import json

from cadogan import engine
from cadogan.server.core.eventlog.events import GameDealt
from cadogan.server.core.fairness import commit_reveal
from cadogan.server.core.games import game_state
from cadogan.server.core.games.game_state import GameState, Step
from cadogan.server.subjects.known_rules import known_rules
from cadogan.wire.codec import encode
from cadogan.wire.message import Message
from cadogan.wire.messages import Play, Resign, TakeBack
from cadogan.wire.values import Player

SECRET = bytes(range(32))
GAME = "aaaabbbbccccdddd"
ANN = Player(id="ann", name="Ann", guest=False)
DAY = "2026-11-20"
START = 1_800_000_000_000


def dealt(slug: str, day: str | None = None, secret: bytes = SECRET, candidate: str = "") -> GameDealt:
    """Return the deal of a casual game, or of a day; `candidate` is the end of a day's nonce: candidate and beacon."""
    game = engine.game(slug)
    nonce = f"{day}.1{candidate}" if day else "ann's own words"
    state = game.deal(commit_reveal.seed(slug, nonce, secret))
    return GameDealt(
        game=slug,
        rules_version=game.rules_version,
        player=ANN.id,
        deal=f"{day}.1" if day else "deal",
        nonce=nonce,
        commitment=commit_reveal.commitment(secret),
        day=day,
        slot=1 if day else None,
        race=None,
        ranked=day is not None,
        piles=game.write_piles(state),
        counters=game.write_counters(state),
    )


def begin(slug: str, day: str | None = None, candidate: str = "") -> list[Step]:
    """Return the first steps of a game."""
    return game_state.deal(GAME, dealt(slug, day, candidate=candidate), SECRET, START, known_rules())


def play(game: GameState, move: str, command: str = "c") -> list[Step]:
    """Return the steps of one move, a second after the last step."""
    wanted = Play(id=command, game=game.id, version=game.version, move=move)
    return game_state.decide(game, wanted, game.changed_at + 1000)


def take_back(game: GameState) -> list[Step]:
    """Return the steps of taking a move back."""
    return game_state.decide(game, TakeBack(id="t", game=game.id, version=game.version), game.changed_at + 1000)


def resign(game: GameState) -> list[Step]:
    """Return the steps of resigning."""
    return game_state.decide(game, Resign(id="r", game=game.id, version=game.version), game.changed_at + 1000)


def choose(game: GameState, choice: int) -> list[Step]:
    """Play one of the currently possible actions; nothing in a finished game."""
    if game.over:
        return []
    moves = list(game.position.legal)
    if moves and choice % 8 != 7:
        return play(game, moves[choice % len(moves)])
    return take_back(game) if game.can_take_back else resign(game) if not moves else play(game, moves[0])


def played(slug: str, choices: Iterable[int], day: str | None = None) -> list[Step]:
    """Return a game played by these choices, from its deal."""
    steps = begin(slug, day)
    for choice in choices:
        steps += choose(steps[-1].after, choice)
    return steps


def at_random(slug: str, seed: int, moves: int, day: str | None = None) -> list[Step]:
    """Return a game of random moves, reproducible by seed."""
    chance = random.Random(seed)
    return played(slug, (chance.randrange(1000) for _ in range(moves)), day)


def stuck() -> list[Step]:
    """Return a casual Klondike without legal moves, in which the last move can be taken back."""
    for seed in range(100):
        steps = begin("klondike")
        for choice in range(seed, 400 + seed):
            moves = list(steps[-1].after.position.legal)
            if not moves or steps[-1].after.over:
                break
            steps += play(steps[-1].after, moves[choice * 7 % len(moves)])
        if steps[-1].after.status == "stuck":
            return steps
    raise AssertionError("no game got stuck")


def moves_to_try(game: GameState, number: int) -> list[str]:
    """Return at most this many moves as text: some legal now, and some between arbitrary piles."""
    piles = game.rules.piles
    known = [*game.position.legal, *(f"{source}/{target}" for source in piles for target in piles if source != target)]
    return known[:: -(-len(known) // number)]


def won(day: str | None = None) -> list[Step]:
    """Return a won game of Quatorze: random moves win it often enough."""
    for seed in range(200):
        steps = at_random("quatorze", seed, 60, day)
        if steps[-1].after.status == "won":
            return steps
    raise AssertionError("no game of Quatorze was won")


def as_read(message: Message) -> dict[str, Any]:
    """Return a message as its receiver decodes it."""
    read: dict[str, Any] = json.decode(encode(message))
    return read
