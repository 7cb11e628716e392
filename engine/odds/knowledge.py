"""The knowledge of a player about a position: the face-up cards, and the face-down cards that were seen before.

It is a position as well, in which `UNKNOWN` stands for each card that the player has not seen, or not since it was
shuffled. It contains nothing else about such a card, so a policy that uses it cannot depend on hidden cards.
"""

from collections import Counter
from collections.abc import Iterable

from cadogan.engine.cards import DOWN, FACE
from cadogan.engine.effects import Redealt
from cadogan.engine.game import Game, Played
from cadogan.engine.shuffle import draw_order
from cadogan.engine.state import State

UNKNOWN = DOWN
"""A face-down card that the player does not know; no card has the number 0."""


def first_knowledge(state: State) -> State:
    """Return the knowledge of a player who sees this position for the first time.

    >>> first_knowledge(State(((42 | DOWN, 17),), ()))
    State(piles=((64, 17),), counters=())
    """
    return _replace_piles(state, (map(_forget, pile) for pile in state.piles))


def know_after(game: Game, known: State, played: Played) -> State:
    """Return the knowledge of a player after a move; `known` is the knowledge before it.

    The player follows each card that moves, also face down, but no card that is shuffled and lies face down then.
    Raises BrokenEffect if the move was played in a position that does not have this knowledge.
    """
    for effect in played.effects:
        known = game.fold(known, (effect,))
        if isinstance(effect, Redealt) and not isinstance(effect.order, str):
            piles = enumerate(known.piles)
            known = _replace_piles(known, (map(_forget, pile) if at in effect.piles else pile for at, pile in piles))
    return _replace_piles(
        played.state,
        (
            [card if card < DOWN else before for before, card in zip(*piles, strict=True)]
            for piles in zip(known.piles, played.state.piles, strict=True)
        ),
    )


def count_unknown(known: State) -> int:
    """Return how many cards the player does not know."""
    return sum([pile.count(UNKNOWN) for pile in known.piles])


def sample_position(game: Game, known: State, seed: bytes, label: str) -> State:
    """Return a position that agrees with this knowledge; all of them are equally likely.

    It follows from `seed`, of 32 bytes, and from `label`.
    """
    seen = Counter([card & FACE for pile in known.piles for card in pile if card != UNKNOWN])
    unseen = sorted((Counter(game.declaration.pack) - seen).elements())
    drawn = iter([unseen[place] | DOWN for place in draw_order(len(unseen), seed, label)])
    return _replace_piles(known, ([next(drawn) if card == UNKNOWN else card for card in pile] for pile in known.piles))


def agrees(state: State, known: State) -> bool:
    """Whether a position agrees with this knowledge."""
    return state.counters == known.counters and all(
        len(pile) == len(seen) and all([one in (card, UNKNOWN) for one, card in zip(seen, pile, strict=True)])
        for pile, seen in zip(state.piles, known.piles, strict=True)
    )


def _forget(card: int) -> int:
    return min(card, UNKNOWN)


def _replace_piles(state: State, piles: Iterable[Iterable[int]]) -> State:
    return State(tuple(map(tuple, piles)), state.counters)
