"""The fair player: it decides by what it has seen alone, and its games are legal."""

import pytest

from cadogan import engine
from cadogan.engine import Game, Move, State
from cadogan.engine.cards import DOWN
from cadogan.engine.compiled import choice
from cadogan.engine.errors import WrongResult
from cadogan.engine.odds.fair_player import MOST_HINTS, NODES, SAMPLES, FairPlayer, play_fairly
from cadogan.engine.odds.knowledge import first_knowledge, know_after
from cadogan.engine.odds.results import (
    check_fair_result,
    odds_table,
    play_numbered_deal,
    read_fair_result,
    write_fair_result,
)
from cadogan.engine.solver import Solution, solve
from cadogan.engine.solver.winnability import deal_seed
from tests.games.every_game import in_every_game

SEED = bytes(32)
MOVES = 2


def search_briefly(game: Game, state: State, seed: bytes, nodes: int) -> Solution:
    """Search a few nodes by the library, if there is one, so that a test can go through all games."""
    return choice.solve(game, state, seed, nodes // 20)


def with_hidden_cards_reversed(state: State) -> State:
    """Return a position that looks the same, with its face-down cards in the opposite order."""
    hidden = [card for pile in state.piles for card in pile if card >= DOWN]
    piles = [tuple([hidden.pop() if card >= DOWN else card for card in pile]) for pile in state.piles]
    return State(tuple(piles), state.counters)


def play_in(game: Game, state: State, seed: bytes) -> list[tuple[State, Move | None]]:
    """Return what is known before each of some moves of the player, with the move."""
    known, steps = first_knowledge(state), list[tuple[State, Move | None]]()
    player = FairPlayer(game, known, SEED, search_briefly)
    for _ in range(MOVES):
        move = player.choose()
        steps.append((known, move))
        if move is None:
            break
        played = game.play(state, move, seed)
        state, known = played.state, know_after(game, known, played)
        player.learn(move, known)
    return steps


def holds_for_two_positions_that_look_alike(game: Game) -> None:
    seed = deal_seed(game.slug, 3_000)
    one = game.deal(seed)
    other = with_hidden_cards_reversed(one)
    assert game.view(one) == game.view(other)
    assert (one == other) == all(card < DOWN for pile in one.piles for card in pile)
    if one == other:
        return
    compared = 0
    for (known, move), (other_known, other_move) in zip(
        play_in(game, one, seed), play_in(game, other, SEED), strict=False
    ):
        if known != other_known:
            break
        assert move == other_move
        compared += 1
    assert compared


test_the_player_makes_the_same_moves_in_positions_that_look_the_same = pytest.mark.heavy(
    in_every_game(holds_for_two_positions_that_look_alike)
)


def test_a_position_without_unknown_cards_is_searched_once_with_all_nodes() -> None:
    game = engine.game("freecell")
    asked = list[int]()

    def search(game: Game, state: State, seed: bytes, nodes: int) -> Solution:
        asked.append(nodes)
        return solve(game, state, seed, 10)

    FairPlayer(game, first_knowledge(game.deal(SEED)), SEED, search).choose()
    assert asked == [NODES * SAMPLES]


def test_the_player_does_not_give_up_while_one_sampled_position_may_be_won() -> None:
    game = engine.game("klondike")
    known = first_knowledge(game.deal(SEED))
    for verdicts, gives_up in ((["lost"] * SAMPLES, True), (["lost"] * (SAMPLES - 1) + ["unknown"], False)):
        left = iter(verdicts)
        player = FairPlayer(game, known, SEED, lambda *_, left=left: Solution(next(left), (), 1, 1, 0))
        assert (player.choose() is None) == gives_up


@pytest.mark.slow
def test_the_player_gives_up_when_nothing_becomes_known_in_many_hints() -> None:
    game = engine.game("maze")
    run = play_fairly(game, SEED, SEED, lambda *_: Solution("unknown", (), 1, 1, 0))
    assert (run.is_won, len(run.moves), run.searched) == (False, MOST_HINTS, 1)


def test_the_player_makes_the_move_that_most_of_the_lines_begin_with() -> None:
    game = engine.game("klondike")
    state = game.deal(SEED)
    first, second = game.legal_moves(state)[:2]
    lines = iter([(first,), (second,), (second,), *[()] * (SAMPLES - 3)])

    def search(game: Game, state: State, seed: bytes, nodes: int) -> Solution:
        line = next(lines)
        return Solution("won" if line else "unknown", line, 1, 1, 0)

    assert FairPlayer(game, first_knowledge(state), SEED, search).choose() == second


@pytest.mark.slow
@pytest.mark.parametrize("slug", ["caesar", "nestor", "tripeaks"])
def test_library_and_python_play_the_same_game(slug: str) -> None:
    game = engine.game(slug)
    seed = deal_seed(slug, 0)
    assert play_fairly(game, seed, SEED, choice.solve) == play_fairly(game, seed, SEED, solve)


def test_a_result_is_checked_by_its_moves() -> None:
    game = engine.game("caesar")
    result = play_numbered_deal(game, 0, 1)
    assert result.won
    assert read_fair_result(write_fair_result(result)) == result
    check_fair_result(game, result)
    wrong = {
        "the game is not won": result._replace(moves=result.moves[:-1]),
        "the game is won": result._replace(won=False),
        "move 1": result._replace(moves=("deal", *result.moves)),
        "version 99 of the rules": result._replace(rules=99),
    }
    for sentence, changed in wrong.items():
        with pytest.raises(WrongResult, match=sentence):
            check_fair_result(game, changed)
    with pytest.raises(WrongResult, match="several seeds or versions"):
        odds_table([result, result._replace(deal=1, seed=2)], {"caesar": game}, {})
