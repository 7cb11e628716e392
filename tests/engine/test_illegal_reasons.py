"""Why a wrong drop is refused: in every game the reason names the cards or the piles."""

import random

import pytest

from cadogan import engine
from cadogan.engine import Game, IllegalMove, State
from cadogan.engine.cards import DOWN
from tests.games.every_game import in_every_game

MOVES, DROPS = 12, 6
"""How many random moves are played, and how many drops are tried from each of some piles after each move."""


def refusal(game: Game, state: State, text: str) -> str:
    """The reason why a move is illegal."""
    with pytest.raises(IllegalMove) as refused:
        game.play(state, game.move(text))
    return str(refused.value)


@in_every_game
def test_a_wrong_drop_is_refused_with_a_reason_that_names_cards_or_piles(game: Game) -> None:
    chance = random.Random(game.slug)
    state = game.deal(bytes(32))
    tried = 0
    for _ in range(MOVES):
        legal = game.legal_moves(state)
        open_piles = [index for index, pile in enumerate(state.piles) if pile and not pile[-1] & DOWN]
        for source in chance.sample(open_piles, min(DROPS, len(open_piles))):
            for target in chance.sample(range(len(game.piles)), min(DROPS, len(game.piles))):
                text = f"{game.piles[source]}/{game.piles[target]}"
                if source == target or game.move(text) in legal:
                    continue
                tried += 1
                assert "by the rules here" not in refusal(game, state, text), text
        if not legal:
            break
        state = game.play_legal(state, chance.choice(legal), bytes(32)).state
    assert tried > 10


def test_two_cards_that_are_not_played_together_are_refused_with_what_is() -> None:
    for slug, rule, piles in (
        ("nestor", "Take two cards of the same rank.", {"column.0": ["7H"], "column.1": ["8S"]}),
        ("pyramid", "Take two cards that make thirteen", {"pyramid.26": ["7H"], "pyramid.27": ["8S"]}),
        ("quatorze", "that make fourteen", {"grid.0": ["7H"], "grid.1": ["8S"]}),
    ):
        game = engine.game(slug)
        state, (one, other) = game.read_state(piles), piles
        for sign in "/+":
            reason = refusal(game, state, f"{one}{sign}{other}")
            assert reason.startswith("7H does not go with 8S: "), slug
            assert rule in reason, slug


def test_a_card_that_is_dropped_on_a_foundation_of_a_joining_game_is_not_called_a_pair() -> None:
    game = engine.game("empress-of-india")
    state = game.read_state({"army.5": ["2S"], "foundation.0": ["AS"]})
    assert "no card goes from army.5 to foundation.0" in refusal(game, state, "army.5/foundation.0")
