"""The subset of Python that game files may use: what is in it means the same in C++, what is not is refused by name."""

from pathlib import Path
from typing import Any

import pytest

from cadogan import engine
from cadogan.engine.compiled.building import translate_games
from cadogan.engine.compiled.library import Library
from cadogan.engine.state import Position
from tests.engine.compiled.comparison import assert_equal_positions
from tests.engine.compiled.small_games import INSIDE, Score, small_game, turn

LETTERS = {"1": 1}


@pytest.fixture
def small_library(small_library_file: Path) -> Library:
    return Library(small_library_file)


@pytest.mark.slow
@pytest.mark.parametrize("score", INSIDE, ids=lambda score: score.__name__)
def test_what_is_in_the_subset_means_the_same_in_both_languages(small_library: Library, score: Score) -> None:
    assert_equal_positions(small_library, INSIDE[score], 40)


@pytest.mark.slow
def test_a_library_does_not_have_a_game_that_it_was_not_built_with(small_library: Library) -> None:
    assert not small_library.has(engine.game("klondike"))


def catches(position: Position) -> int:
    try:
        return 1
    except ValueError:
        return 0


def repeats_itself(position: Position) -> int:
    return repeats_itself(position) + 1


def mixes_types(position: Position) -> int:
    mixed: Any = position.piles[0] if turn.of(position) else turn.of(position)
    return len(mixed)


def asks_by_text(position: Position) -> int:
    return LETTERS.get(f"{turn.of(position)}", 0)


def looks_at_the_pack(position: Position) -> int:
    return len(position.piles[-1])


def divides_exactly(position: Position) -> int:
    return int(turn.of(position) / 2)


@pytest.mark.parametrize(
    ("score", "line", "reason"),
    [
        (catches, 1, "Try is not in the subset"),
        (repeats_itself, 1, "calls itself"),
        (mixes_types, 1, "one of these is a Pile and the other a Int"),
        (asks_by_text, 1, "a Text stands where a Int is needed"),
        (looks_at_the_pack, 1, "during the deal only"),
        (divides_exactly, 1, "Div is not in the subset"),
    ],
    ids=lambda each: getattr(each, "__name__", None),
)
def test_what_is_outside_the_subset_is_refused_with_file_and_line(score: Score, line: int, reason: str) -> None:
    expected = f"{Path(__file__)}:{score.__code__.co_firstlineno + line}: "
    _, refused = translate_games([small_game("outside", score)])
    assert refused["outside"].startswith(expected)
    assert reason in refused["outside"]


@pytest.mark.slow
def test_every_game_file_stays_in_the_subset() -> None:
    _, refused = translate_games(engine.all_games().values())
    assert refused == {}


def test_a_translation_is_the_same_each_time() -> None:
    game = engine.game("la-nivernaise")
    assert translate_games([game]) == translate_games([game])
