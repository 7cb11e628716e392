"""What a player knows: no more than was shown, and all of it."""

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import pytest

from cadogan import engine
from cadogan.engine import Game, State
from cadogan.engine.cards import DOWN, FACE, parse_card
from cadogan.engine.effects import Redealt
from cadogan.engine.game import Played
from cadogan.engine.odds.knowledge import (
    UNKNOWN,
    agrees,
    count_unknown,
    first_knowledge,
    know_after,
    sample_position,
)
from cadogan.engine.solver.winnability import deal_seed
from tests.games.every_game import in_every_game

MOVES = 25
SEED = bytes(32)


def walk(game: Game) -> Iterator[tuple[State, State]]:
    """Yield the positions of some random moves, each with what is known in it."""
    dice, seed = random.Random(game.slug), deal_seed(game.slug, 2_000)
    state = game.deal(seed)
    known = first_knowledge(state)
    for _ in range(MOVES):
        yield state, known
        legal = game.legal_moves(state)
        if not legal:
            return
        played = game.play_legal(state, dice.choice(legal), seed)
        state, known = played.state, know_after(game, known, played)


def holds_for_knowledge(game: Game) -> None:
    for state, known in walk(game):
        shown = [[card for card in pile if card < DOWN] for pile in state.piles]
        assert [[card for card in pile if card < DOWN] for pile in known.piles] == shown
        assert agrees(state, known)
        assert count_unknown(known) <= count_unknown(first_knowledge(state))


def holds_for_samples(game: Game) -> None:
    for number, (state, known) in enumerate(walk(game)):
        sample = sample_position(game, known, SEED, str(number))
        assert agrees(sample, known)
        assert game.view(sample) == game.view(state)
        assert game.legal_moves(sample) == game.legal_moves(state)
        cards = [card & FACE for pile in sample.piles for card in pile]
        assert Counter(cards) == Counter(card & FACE for pile in state.piles for card in pile)


test_a_player_knows_what_lies_face_up_and_nothing_that_is_wrong = pytest.mark.slow(in_every_game(holds_for_knowledge))
test_a_sampled_position_looks_like_the_real_one_and_has_the_same_legal_moves = pytest.mark.slow(
    in_every_game(holds_for_samples)
)


def test_a_player_who_has_seen_the_whole_stock_knows_it_after_the_redeal() -> None:
    game, seed = engine.game("klondike-draw-one"), deal_seed("klondike-draw-one", 0)
    state = game.deal(seed)
    known = first_knowledge(state)
    (stock,) = [index for index, name in enumerate(game.piles) if name == "stock"]
    hidden = len(state.piles[stock])
    for move in ["deal"] * hidden + ["redeal"]:
        played = game.play(state, game.move(move), seed)
        state, known = played.state, know_after(game, known, played)
    assert known.piles[stock] == state.piles[stock]
    assert len(known.piles[stock]) == hidden
    assert count_unknown(known) == 21


def test_a_player_does_not_know_the_order_of_shuffled_cards_that_lie_face_down() -> None:
    game = engine.game("klondike")
    (stock,) = [index for index, name in enumerate(game.piles) if name == "stock"]
    state = game.read_state({"stock": ["-2S", "-3S", "-4S"], "tableau.0": ["-KS", "AH"]})
    shuffled = Redealt((stock,), (3,), (2, 0, 1))
    after = game.fold(state, (shuffled,))
    known = know_after(game, state, Played((shuffled,), after, True))
    assert known.piles[stock] == (UNKNOWN,) * 3
    assert known.piles[stock + 1 :] == after.piles[stock + 1 :]


def test_every_unknown_card_can_be_sampled_in_every_place() -> None:
    game = engine.game("klondike")
    piles = {"tableau.0": ["-KS", "-QS", "-JS"], "foundation.0": ["TS"]}
    known = first_knowledge(game.read_state(piles))
    (place,) = [index for index, name in enumerate(game.piles) if name == "tableau.0"]
    pack = tuple(map(parse_card, ["KS", "QS", "JS", "TS"]))
    small = Game("klondike", replace(game.declaration, pack=pack))
    samples = {sample_position(small, known, SEED, str(number)).piles[place] for number in range(100)}
    assert len(samples) == 6
