"""Hints: what holds for every game, and the rule by which they are chosen."""

from itertools import islice

import pytest

from cadogan import engine
from cadogan.engine import Game, State
from cadogan.engine.cards import DOWN
from cadogan.engine.hints import as_seen, find_hint
from tests.games.every_game import in_every_game
from tests.games.walks import draw, random_walk, seed

MAX_FOLLOWED = 10


def with_hidden_cards_changed(state: State, number: int) -> State:
    """The position with its face-down cards exchanged among each other."""
    hidden = [card for pile in state.piles for card in pile if card & DOWN]
    turn = draw(len(hidden), number) if hidden else 0
    others = iter(hidden[turn:] + hidden[:turn])
    piles = tuple(tuple(next(others) if card & DOWN else card for card in pile) for pile in state.piles)
    return State(piles, state.counters)


@in_every_game
def test_positions_that_look_alike_have_the_same_hint(game: Game) -> None:
    for number in range(2):
        for state, _, _ in islice(random_walk(game, number, 40), 0, None, 13):
            other = with_hidden_cards_changed(state, number + 1)
            if other == state:
                continue
            assert as_seen(game, other) == as_seen(game, state)
            assert find_hint(game, other) == find_hint(game, state)


@in_every_game
def test_what_is_seen_of_a_position_is_its_view(game: Game) -> None:
    for state, _, _ in random_walk(game, 5, 30):
        assert game.view(as_seen(game, state)) == game.view(state)


@pytest.mark.slow
@in_every_game
def test_every_hint_is_legal_and_none_comes_back_to_an_earlier_position(game: Game) -> None:
    state, earlier = game.deal(seed(4)), list[State]()
    for _ in range(MAX_FOLLOWED):
        hint = find_hint(game, state, earlier)
        if hint is None:
            return
        assert hint in game.legal_moves(state)
        earlier.append(state)
        played = game.play(state, hint, seed(4))
        state = played.state
        assert played.revealed or as_seen(game, state) not in [as_seen(game, one) for one in earlier]


def hint(slug: str, piles: dict[str, str], counters: dict[str, int] | None = None, before: str = "") -> str | None:
    """The hint for a position that is written down, after the move `before`."""
    rules = engine.game(slug)
    state = rules.read_state({name: cards.split() for name, cards in piles.items()}, counters)
    earlier = []
    if before:
        earlier.append(state)
        state = rules.play(state, rules.move(before)).state
    found = find_hint(rules, state, earlier)
    return found.text if found else None


def test_a_card_that_can_go_home_goes_home() -> None:
    assert hint("klondike", {"tableau.0": "7H", "tableau.1": "8S", "tableau.2": "AD"}) == "tableau.2/foundation.2"


def test_a_move_that_turns_a_card_up_is_better_than_dealing() -> None:
    assert hint("klondike", {"tableau.0": "-2C 7H", "tableau.1": "8S", "stock": "-3D"}) == "tableau.0/tableau.1"


def test_a_move_that_only_prepares_is_found_if_a_card_goes_home_after_it() -> None:
    piles = {"tableau.0": "AS 7H", "tableau.1": "8H", "tableau.2": "9C"}
    assert hint("house-in-the-wood", piles) == "tableau.0/tableau.1"


def test_the_stock_is_dealt_when_nothing_else_helps() -> None:
    assert hint("klondike", {"tableau.0": "7H", "tableau.1": "9S", "stock": "-3D"}) == "deal"


def test_a_card_does_not_go_to_and_fro() -> None:
    piles = {"tableau.0": "7H", "tableau.1": "8S", "tableau.2": "8C"}
    assert hint("klondike", piles, before="tableau.0/tableau.1") is None


def test_there_is_no_hint_where_no_move_leads_on() -> None:
    assert hint("klondike", {"tableau.0": "7H", "tableau.1": "9S"}) is None
