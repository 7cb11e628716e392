"""Walks through games that never change: their choices are drawn from a seed by SHA-256."""

from collections.abc import Iterator
from hashlib import sha256

from cadogan.engine import Game, Move, Played, State
from cadogan.engine.cards import card_text


def seed(number: int) -> bytes:
    """The seed of the deal with this number."""
    return sha256(b"walk %d" % number).digest()


def draw(count: int, *words: object) -> int:
    """Draw a number below `count`; the same words always give the same number."""
    return int.from_bytes(sha256(" ".join(map(str, words)).encode()).digest()[:8], "big") % count


def scattered(game: Game, number: int) -> State:
    """A position that no play leads to: twenty cards of the pack, or all if it has fewer, spread over some piles."""
    left = [card_text(card) for card in game.declaration.pack]
    places = 1 + draw(len(game.piles), game.slug, number)
    piles: dict[str, list[str]] = {}
    for turn in range(min(20, len(left))):
        place = draw(places, game.slug, number, "place", turn)
        pile = game.piles[draw(len(game.piles), game.slug, number, "pile", place)]
        piles.setdefault(pile, []).append(left.pop(draw(len(left), game.slug, number, "card", turn)))
    return game.read_state(piles)


def random_walk(game: Game, number: int, moves: int) -> Iterator[tuple[State, Move, Played]]:
    """Play up to `moves` moves of deal `number`, each chosen from all legal moves."""
    state = game.deal(seed(number))
    for step in range(moves):
        legal = game.legal_moves(state)
        if not legal or game.won(state):
            return
        move = legal[draw(len(legal), game.slug, number, step)]
        played = game.play(state, move, seed(number))
        yield state, move, played
        state = played.state


def eager_walk(game: Game, number: int, moves: int) -> Iterator[tuple[State, Move, Played]]:
    """Play like `random_walk`, but choose a new position first, and then the move that raises the score most."""
    state = game.deal(seed(number))
    seen = {state}
    for step in range(moves):
        if game.won(state):
            return
        choices = [(move, game.play_legal(state, move, seed(number))) for move in game.legal_moves(state)]
        if not choices:
            return
        worths = [_worth(game, state, played, seen) for _, played in choices]
        best = max(worths)
        choices = [choice for choice, worth in zip(choices, worths, strict=True) if worth == best]
        move, played = choices[draw(len(choices), game.slug, number, step)]
        yield state, move, played
        state = played.state
        seen.add(state)


def _worth(game: Game, state: State, played: Played, seen: set[State]) -> tuple[bool, int]:
    return played.state not in seen, game.score(played.state) - game.score(state)
