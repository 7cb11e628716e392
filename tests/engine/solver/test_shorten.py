"""A line that wins is made shorter, and stays a line that wins."""

import pytest

from cadogan import engine
from cadogan.engine import Game, Move, State
from cadogan.engine.solver import shorten, solve
from tests.games.walks import draw, scattered, seed

SMALL = 12
FEW_POSITIONS = 150


def shortest_win(game: Game, start: State, salt: bytes) -> int | None:
    """How many moves a shortest win has, by a plain breadth-first search; None if there is none or there are many."""
    lengths, waiting = {start: 0}, [start]
    for state in waiting:
        if game.won(state):
            return lengths[state]
        for move in game.legal_moves(state):
            after = game.play_legal(state, move, salt).state
            if after not in lengths:
                lengths[after] = lengths[state] + 1
                waiting.append(after)
        if len(lengths) > FEW_POSITIONS:
            return None
    return None


def won_deal(game: Game) -> tuple[State, tuple[Move, ...]]:
    """Deal 0, and a line that wins it."""
    start = game.deal(seed(0))
    found = solve(game, start, seed(0), 1000)
    assert found.verdict == "won"
    return start, found.line


def wins(game: Game, start: State, line: tuple[Move, ...]) -> bool:
    for move in line:
        start = game.play(start, move, seed(0)).state
    return game.won(start)


def there_and_back(game: Game, start: State) -> tuple[Move, Move]:
    """Two moves after which everything is as before."""
    for move in game.legal_moves(start):
        after = game.play_legal(start, move, seed(0)).state
        for back in game.legal_moves(after):
            if game.play_legal(after, back, seed(0)).state == start:
                return move, back
    raise AssertionError("no move of this deal can be undone by another")


@pytest.mark.heavy
@pytest.mark.parametrize("slug", engine.slugs())
def test_with_enough_nodes_a_line_is_as_short_as_a_plain_search_finds_one(slug: str) -> None:
    game = engine.game(slug)
    for number in range(SMALL):
        salt = seed(number)
        start = scattered(game, draw(10_000, slug, number))
        if (shortest := shortest_win(game, start, salt)) is not None:
            line = solve(game, start, salt, 4 * FEW_POSITIONS).line
            assert len(shorten(game, start, salt, line, 100 * FEW_POSITIONS)) == shortest


def test_a_line_of_a_whole_deal_becomes_shorter_and_wins() -> None:
    game = engine.game("caesar")
    start, line = won_deal(game)
    shorter = shorten(game, start, seed(0), line, 500)
    assert len(shorter) < len(line)
    assert shorter == shorten(game, start, seed(0), line, 500)
    assert wins(game, start, shorter)
    assert len(shorten(game, start, seed(0), line, 0)) <= len(line)


def test_moves_that_lead_nowhere_are_left_out_even_without_a_search() -> None:
    game = engine.game("fifteen")
    start, line = won_deal(game)
    there, back = there_and_back(game, start)
    assert shorten(game, start, seed(0), (there, back, *line), 0) == shorten(game, start, seed(0), line, 0)


def test_a_line_that_does_not_win_or_is_not_legal_is_refused() -> None:
    game = engine.game("fifteen")
    start, line = won_deal(game)
    with pytest.raises(ValueError, match=r"^the line does not win$"):
        shorten(game, start, seed(0), line[:-1], 100)
    with pytest.raises(engine.IllegalMove):
        shorten(game, start, seed(0), line[1:], 100)
