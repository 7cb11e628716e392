"""The subset of Python that game files may use: what is in it means the same in C++, what is not is refused by name."""

from collections.abc import Callable
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import pytest

from cadogan import engine
from cadogan.engine import Game
from cadogan.engine.cards import EVERY, pack, rank, suit
from cadogan.engine.compiled.building import build, translate_games
from cadogan.engine.compiled.library import Library
from cadogan.engine.declaration import Action, Declaration, Group, Guard, Route, counters, lay_out
from cadogan.engine.layout import row
from cadogan.engine.parts import rest, rows, shuffle
from cadogan.engine.state import Position
from cadogan.engine.table import Table
from tests.engine.compiled.comparison import assert_equal_positions

Score = Callable[[Position], int]
places, stock = lay_out(Group("places", 5, "tableau", row(0, 0)), Group("stock", 1, "stock", row(0, 1)))
(turn,) = counters(turn=-3)
NAMES = {2: 7, 5: 11}
LETTERS = {"1": 1}
ROWS = [[1, 2, 3], [4, 5]]
LISTS = (places, places[1:3], places[::-1])


def small_game(slug: str, score: Score) -> Game:
    """A game with hardly any rules, whose score is what the test is about."""

    def count_on(table: Table) -> None:
        turn.add(table, 1)

    declaration = Declaration(
        name=slug,
        summary="A small game.",
        groups=(places, stock),
        counters=(turn,),
        pack=pack(1, "A23456"),
        deal=(shuffle(), rows(places, 3), rest(stock)),
        routes=(Route(places, places, empty=EVERY, onto=None, takes=lambda position, index: EVERY),),
        actions=(Action("count", Guard(lambda position: turn.of(position) < 9, "enough"), count_on),),
        score=score,
        maximum=1000,
        won=lambda position: False,
    )
    return Game(slug, declaration)


def divides_and_takes_remainders(position: Position) -> int:
    number = turn.of(position)
    return (number // 2) * 100 + number % 5 + (-number) % 3 + (number << 2) + (-number >> 1) + (~number & 7)


def slices(position: Position) -> int:
    cards = position.piles[places.start]
    some = [card for card in cards[1:] if card] + list(cards[-2:])
    return sum(some[:3]) + 7 * sum(some[:-1]) + sum(cards[1:2])


def walks(position: Position) -> int:
    total = 0
    for number, (one, other) in enumerate(zip(places, places[::-1], strict=True)):
        if number == 3:
            break
        if not position.piles[one]:
            continue
        total += number * position.piles[one][-1] + other
    for group in LISTS:
        for index in group:
            if len(position.piles[index]) > 3:
                total += 1000
                break
            if position.piles[index]:
                continue
            total += 1
    return total


def names_as_it_goes(position: Position) -> int:
    total = 0
    left = len(position.piles[places.start])
    while (half := left // 2) and total < 50:
        left -= half
        total += half
    return total + left


def asks_what_may_be_missing(position: Position) -> int:
    number = turn.of(position) + 4
    found = NAMES.get(number)
    first = next((index for index in places if not position.piles[index]), None)
    return (0 if found is None else found) + (100 if first is None else first) + NAMES.get(number, -1)


def chooses(position: Position) -> int:
    chosen = LISTS[turn.of(position) % 3]
    lengths = [len(position.piles[index]) for index in chosen]
    return len(chosen) * 10 + ROWS[turn.of(position) % 2][1] + max(lengths, default=0) + min(lengths)


def compares(position: Position) -> int:
    tops = [(index, rank(position.piles[index][-1])) for index in places.filled(position)]
    pairs = [(one, other) for (one, first), (other, second) in combinations(tops, 2) if first == second]
    rising = sum([first < second for (_, first), (_, second) in pairwise(tops)])
    suits = {suit(position.piles[index][0]) for index, _ in tops}
    lowest = min(places, key=lambda index: len(position.piles[index]))
    return 100 * len(pairs) + 10 * rising + len(suits) + lowest + (2 if 1 in suits else 0) + (0 < len(tops) <= 4)


INSIDE: tuple[Score, ...] = (
    divides_and_takes_remainders,
    slices,
    walks,
    names_as_it_goes,
    asks_what_may_be_missing,
    chooses,
    compares,
)


@pytest.fixture(scope="module")
def small_library(needs_compiler: None, tmp_path_factory: pytest.TempPathFactory) -> tuple[Library, dict[str, Game]]:
    games = {score.__name__: small_game(score.__name__.replace("_", "-"), score) for score in INSIDE}
    texts, refused = translate_games(games.values())
    assert not refused
    made = tmp_path_factory.mktemp("small") / "rules.so"
    build(made, texts)
    return Library(made), games


@pytest.mark.slow
@pytest.mark.parametrize("score", INSIDE, ids=lambda score: score.__name__)
def test_what_is_in_the_subset_means_the_same_in_both_languages(
    small_library: tuple[Library, dict[str, Game]], score: Score
) -> None:
    library, games = small_library
    assert_equal_positions(library, games[score.__name__], 40)


@pytest.mark.slow
def test_a_library_does_not_have_a_game_that_it_was_not_built_with(
    small_library: tuple[Library, dict[str, Game]],
) -> None:
    assert not small_library[0].has(engine.game("klondike"))


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
@pytest.mark.parametrize("slug", engine.slugs())
def test_every_game_file_stays_in_the_subset(slug: str) -> None:
    _, refused = translate_games([engine.game(slug)])
    assert not refused


def test_a_translation_is_the_same_each_time() -> None:
    game = engine.game("la-nivernaise")
    assert translate_games([game]) == translate_games([game])
