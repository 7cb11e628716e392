"""Games that bots play without a server: the engine plays, and shows each position as a server shows it."""

import random

from msgspec import convert

from cadogan.bots.runner import BOTS
from cadogan.engine import Game, State, game
from cadogan.engine.layout import layout_as_dict
from cadogan.engine.view import view_pile
from cadogan.sdk.moves import Move, parse_move
from cadogan.sdk.session import Session, expand
from cadogan.wire.bodies import Layout, PilePlace

MAX_MOVES = 1000


def places(rules: Game) -> list[PilePlace]:
    """Return the piles of a game with their places."""
    return convert(layout_as_dict(rules.layout), Layout).piles


def session_of(rules: Game, state: State, played: int) -> Session:
    """Return a position as its player sees it; `played` is how many moves have been played."""
    piles = {name: expand(view_pile(pile)) for name, pile in zip(rules.piles, state.piles, strict=True)}
    moves = tuple(parse_move(move.text, piles) for move in rules.legal_moves(state))
    return Session(sight="seat", piles=piles, moves=moves, played=played, home=rules.home(state))


def simulate(slug: str, bot_name: str, number: int) -> tuple[int, list[Move]]:
    """Let a bot play deal `number` of a game. Return how many cards it brought home, and its moves."""
    rules, seed = game(slug), number.to_bytes(32)
    state, moves = rules.deal(seed), list[Move]()
    bot = BOTS[bot_name](places(rules), random.Random(number))
    while not rules.won(state) and len(moves) < MAX_MOVES:
        move = bot.choose(session_of(rules, state, len(moves)))
        if move is None:
            break
        state = rules.play(state, rules.move(str(move)), seed).state
        moves.append(move)
    return rules.home(state), moves
