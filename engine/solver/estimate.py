"""The heuristic of the search: how promising a position is. It orders the search and never decides a verdict."""

from collections import deque
from itertools import chain

from cadogan.engine.cards import DOWN, EVERY, FACE, members
from cadogan.engine.declaration import Route
from cadogan.engine.game import Game
from cadogan.engine.move_generation import pile_indices
from cadogan.engine.solver.solution import SOLVER_VERSION
from cadogan.engine.state import Pile, State, pick

HIDDEN_COST = 0.5
"""The cost of a face-down card outside the stock, in blocked cards."""


class Estimate:
    """The heuristic for one deal.

    A card is *blocked* by each card above it that can go home only later. From `version` 9 of the solver on, a pile
    that covers others counts as lying above them (`Declaration.covering`).
    """

    def __init__(self, game: Game, start: State, version: int = SOLVER_VERSION) -> None:
        declaration = game.declaration
        self._score = declaration.score
        self.point = max(1.0, declaration.maximum / len(declaration.pack))
        """The value of a card, in points of the score."""
        self.complete = declaration.maximum / self.point
        """The progress of a game with the highest score."""
        lines = declaration.covering if version >= 9 else ()
        in_lines = set(chain.from_iterable(lines))
        self._open = pick(index for index in open_piles(game) if index not in in_lines)
        self._lines = [pick(line) for line in lines]
        self._cost_of = _Costs(turns_home(game, start, version)).__getitem__

    def progress(self, state: State) -> float:
        """Return the score, in cards."""
        return self._score(state) / self.point

    def blocked(self, state: State) -> float:
        """Return how many cards lie above a card that has to go home before them."""
        cost = sum(map(self._cost_of, self._open(state.piles)))
        for line in self._lines:
            cost += self._cost_of(tuple(chain.from_iterable(line(state.piles))))
        return cost


class _Costs(dict[Pile, float]):
    """The number of blocked cards of each pile, cached; `turns` is the order by card in which cards can go home."""

    def __init__(self, turns: list[int]) -> None:
        super().__init__()
        self._turns = turns

    def __missing__(self, pile: Pile) -> float:
        first, cost = FACE, 0.0
        for card in pile:
            turn = self._turns[card & FACE]
            if turn > first:
                cost += 1
            else:
                first = turn
            if card & DOWN:
                cost += HIDDEN_COST
        self[pile] = cost
        return cost


def open_piles(game: Game) -> list[int]:
    """Return the piles whose blocked cards count: those of the tableau, the reserve and the waste."""
    roles = ("tableau", "reserve", "waste")
    return [index for group in game.declaration.groups if group.role in roles for index in group]


def turns_home(game: Game, start: State, version: int = SOLVER_VERSION) -> list[int]:
    """Return by card how many cards must go home before it on its foundation; 0 for all if this is unknown.

    It is derived from the routes to the foundations: first come the cards that an empty foundation takes, then those
    that go on them, and so on. From version 9 of the solver on, what a foundation takes by a function is asked, too.
    """
    groups = game.declaration.groups
    numbers = {index: index - group.start for group in groups if group.role == "foundation" for index in group}
    routes = [
        (index, route) for route in game.declaration.routes for index in pile_indices(route.target) if index in numbers
    ]
    turns = _declared_turns(routes, numbers, start)
    if version >= 9 and not any(turns):
        turns = _asked_turns(routes, numbers, game, start)
    return turns


def _declared_turns(routes: list[tuple[int, Route]], numbers: dict[int, int], start: State) -> list[int]:
    follows, first = [0] * (FACE + 1), 0
    for index, route in routes:
        first |= route.empty(numbers[index]) if callable(route.empty) else route.empty
        if route.onto is not None:
            for card in members(EVERY):
                follows[card] |= route.onto.table[card]
    for index in numbers:
        for card in start.piles[index]:
            first |= 1 << (card & FACE)
    turns = [0] * (FACE + 1)
    if first & EVERY == EVERY:
        return turns
    waiting = deque((card, 0) for card in members(first))
    reached = set(members(first))
    while waiting:
        card, turn = waiting.popleft()
        turns[card] = turn
        for other in members(follows[card]):
            if other not in reached:
                reached.add(other)
                waiting.append((other, turn + 1))
    return turns


def _asked_turns(routes: list[tuple[int, Route]], numbers: dict[int, int], game: Game, start: State) -> list[int]:
    """Lay a card on each foundation in turn, of those that it takes, and return the turns.

    They are 0 for all cards if one of them can go home at two different turns, or at none.
    """
    asked = [(index, route.takes, route.room) for index, route in routes if route.takes is not None]
    piles, left, turns = list(start.piles), list(game.declaration.pack), dict[int, int]()
    for index in numbers:
        for card in piles[index]:
            left.remove(card & FACE)
    unknown, turn, is_new = [0] * (FACE + 1), 0, True
    while is_new:
        is_new = False
        for index, takes, room in asked:
            if room is not None and len(piles[index]) >= room:
                continue
            wanted = takes(State(tuple(piles), start.counters), index)
            found = [card for card in members(wanted & EVERY) if card in left]
            if any(turns.setdefault(card, turn) != turn for card in found):
                return unknown
            if found:
                left.remove(found[0])
                piles[index] = (*piles[index], found[0])
                is_new = True
        turn += 1
    return unknown if left else [turns.get(card, 0) for card in range(FACE + 1)]
