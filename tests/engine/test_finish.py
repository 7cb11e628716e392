"""Finishing by itself: an offer always leads to a win, tells no hidden card, and comes near the end of every game."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cadogan import engine
from cadogan.engine import Game, Move, State
from cadogan.engine.cards import DOWN
from cadogan.engine.finish import ENDS_WITH, MAX_MOVES, find_finish
from tests.games import wins
from tests.games.every_game import in_every_game
from tests.games.walks import draw, eager_walk, seed

GAMES = engine.slugs()
DECIDED_TO_THE_END = {"caesar"}
"""Games whose recorded win has a choice in each position: there, another move that gains does not win."""
MAX_FOLLOWED = 5
"""How many offers of one recorded win are played to the end."""


def recorded_win(game: Game) -> tuple[list[State], bytes]:
    """The positions of the recorded win, without the last one, and the seed of its deal."""
    win = json.loads((wins.WINS / f"{game.slug}.json").read_text())
    salt = seed(win.get("deal", 0))
    state = game.read_state(win["piles"], win["vars"]) if "piles" in win else game.deal(salt)
    states = []
    for move in win["moves"]:
        states.append(state)
        state = game.play(state, game.move(move), salt).state
    return states, salt


def follow_offer(game: Game, state: State, salt: bytes) -> State:
    """The position after the moves of the offer; each must be legal, gain or be the only one, and reveal nothing."""
    for move in find_finish(game, state):
        played = game.play(state, move, salt)
        assert not played.revealed
        assert game.score(played.state) > game.score(state) or game.legal_moves(state) == [move]
        assert not game.won(state)
        state = played.state
    return state


@pytest.mark.slow
@in_every_game
def test_near_the_end_of_every_recorded_win_an_offer_comes_leads_to_a_win_and_stays_the_same(game: Game) -> None:
    states, salt = recorded_win(game)
    offers = [state for state in states if find_finish(game, state)]
    assert bool(offers) != (game.slug in DECIDED_TO_THE_END)
    for state in offers[:: max(1, len(offers) // MAX_FOLLOWED)]:
        assert game.won(follow_offer(game, state, salt)), game.write_piles(state)
    state = next(iter(offers), states[-1])
    offer = find_finish(game, state)
    for number, move in enumerate(offer):
        assert find_finish(game, state) == offer[number:]
        state = game.play(state, move, salt).state


@pytest.mark.slow
@settings(max_examples=30)
@given(slug=st.sampled_from(GAMES), deal=st.integers(0, 10_000), hidden=st.data())
def test_an_offer_on_any_walk_wins_and_does_not_depend_on_hidden_cards(
    slug: str, deal: int, hidden: st.DataObject
) -> None:
    game = engine.game(slug)
    for state, _, _ in eager_walk(game, deal, 60):
        offer = find_finish(game, state)
        if offer:
            assert game.won(follow_offer(game, state, seed(deal)))
    down = [card for pile in state.piles for card in pile if card & DOWN]
    others = iter(hidden.draw(st.permutations(down)))
    piles = tuple(tuple(next(others) if card & DOWN else card for card in pile) for pile in state.piles)
    assert find_finish(game, State(piles, state.counters)) == offer


@pytest.mark.slow
@in_every_game
def test_hidden_cards_near_the_end_change_no_offer(game: Game) -> None:
    states, _ = recorded_win(game)
    for number, state in enumerate(states[-12:]):
        down = [card for pile in state.piles for card in pile if card & DOWN]
        turn = draw(len(down), game.slug, number) if down else 0
        others = iter(down[turn:] + down[:turn])
        piles = tuple(tuple(next(others) if card & DOWN else card for card in pile) for pile in state.piles)
        assert find_finish(game, State(piles, state.counters)) == find_finish(game, state)


def offer(slug: str, piles: dict[str, str], counters: dict[str, int] | None = None) -> list[str]:
    """The offer in a position that is written down."""
    game = engine.game(slug)
    state = game.read_state({name: cards.split() for name, cards in piles.items()}, counters)
    return [move.text for move in find_finish(game, state)]


HOME = {f"foundation.{n}": " ".join(f"{rank}{suit}" for rank in "A23456789TJQK") for n, suit in enumerate("SHDC")}
TO_THE_JACK = {name: cards.removesuffix(cards[-6:]) for name, cards in HOME.items()}


def test_a_card_that_lies_face_down_is_never_counted_on() -> None:
    laid = {"tableau.0": "KS QS", "tableau.1": "KH QH", "tableau.2": "KD QD", "tableau.3": "KC QC"}
    assert len(offer("klondike", {**TO_THE_JACK, **laid})) == 8
    assert not offer("klondike", {**TO_THE_JACK, **laid, "tableau.0": "-KS QS"})
    assert not offer("klondike", {**TO_THE_JACK, **laid, "tableau.0": "QS", "stock": "KS"})


def test_in_a_maze_an_offer_is_looked_for_at_the_last_points_only(monkeypatch: pytest.MonkeyPatch) -> None:
    game = engine.game("maze")
    states, _ = recorded_win(game)
    successor, tried = game.successor, list[State]()

    def play(state: State, move: Move) -> State:
        tried.append(state)
        return successor(state, move)

    monkeypatch.setattr(game, "successor", play)
    for missing, is_searched in ((ENDS_WITH + 1, False), (ENDS_WITH, True)):
        find_finish(game, next(state for state in states if game.score(state) == game.maximum - missing))
        assert bool(tried) is is_searched


def test_where_pairs_compete_for_a_card_nothing_is_offered_unless_every_choice_wins() -> None:
    assert not offer("nestor", {"column.0": "4C 4S", "column.1": "4H", "column.2": "4D"})  # 4H with 4D loses
    all_win = {"column.0": "4C", "column.1": "4S", "column.2": "4H", "column.3": "4D"}
    assert len(offer("nestor", all_win)) == 2


def test_a_won_game_and_one_that_cannot_be_won_offer_nothing() -> None:
    assert not offer("klondike", HOME)
    assert not offer("klondike", {**HOME, "foundation.0": "AS", "tableau.0": "2S 3S"})


def test_a_search_looks_at_few_positions(monkeypatch: pytest.MonkeyPatch) -> None:
    for slug in ("great-thirteen", "quatorze", "labyrinth", "empress-of-india"):
        game, tried = engine.game(slug), list[Move]()
        states, _ = recorded_win(game)
        successor = game.successor

        def play(state: State, move: Move) -> State:
            tried.append(move)  # noqa: B023
            return successor(state, move)  # noqa: B023

        monkeypatch.setattr(game, "successor", play)
        most = 0
        for state in states[::3]:
            tried.clear()
            find_finish(game, state)
            most = max(most, len(tried))
        assert 0 < most <= MAX_MOVES
