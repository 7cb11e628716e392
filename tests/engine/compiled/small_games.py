"""Games with hardly any rules, whose scores use what the subset of Python has."""

from collections.abc import Callable
from itertools import combinations, pairwise

from cadogan.engine import Game
from cadogan.engine.cards import EVERY, pack, rank, suit
from cadogan.engine.declaration import Action, Declaration, Group, Guard, Route, counters, lay_out
from cadogan.engine.layout import row
from cadogan.engine.parts import rest, rows, shuffle
from cadogan.engine.state import Position
from cadogan.engine.table import Table

Score = Callable[[Position], int]
places, stock = lay_out(Group("places", 5, "tableau", row(0, 0)), Group("stock", 1, "stock", row(0, 1)))
(turn,) = counters(turn=-3)
NAMES = {2: 7, 5: 11}
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


INSIDE: dict[Score, Game] = {
    score: small_game(score.__name__.replace("_", "-"), score)
    for score in (
        divides_and_takes_remainders,
        slices,
        walks,
        names_as_it_goes,
        asks_what_may_be_missing,
        chooses,
        compares,
    )
}
"""The games whose scores are in the subset."""
