"""A game by its rules alone, shown to a bot as a server would show it."""

import random

from msgspec import convert

from clients.bots.runner import BOTS
from clients.sdk.moves import Move, parse_move
from clients.sdk.session import Session, expand
from clients.wire.bodies import Layout, PilePlace
from engine import Game, State, game
from engine.layout import layout_as_dict
from engine.view import view_pile

LONGEST = 1000


def places(rules: Game) -> list[PilePlace]:
    """Where the piles of a game lie."""
    return convert(layout_as_dict(rules.layout), Layout).piles


def seen(rules: Game, state: State, played: int) -> Session:
    """A position as its player sees it after so many moves."""
    piles = {name: expand(view_pile(pile)) for name, pile in zip(rules.piles, state.piles, strict=True)}
    moves = tuple(parse_move(move.text, piles) for move in rules.legal_moves(state))
    return Session(sight="seat", piles=piles, moves=moves, played=played, home=rules.home(state))


def played(slug: str, name: str, number: int) -> tuple[int, list[Move]]:
    """How many cards a bot brings home in a deal, and by which moves."""
    rules, seed = game(slug), number.to_bytes(32)
    state, moves = rules.deal(seed), list[Move]()
    bot = BOTS[name](places(rules), random.Random(number))
    while not rules.won(state) and len(moves) < LONGEST:
        move = bot.choose(seen(rules, state, len(moves)))
        if move is None:
            break
        state = rules.play(state, rules.move(str(move)), seed).state
        moves.append(move)
    return rules.home(state), moves
