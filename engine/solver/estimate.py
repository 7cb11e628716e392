"""The heuristic of the search: how promising a position is. It orders the search and never decides a verdict."""

from collections import deque

from cadogan.engine.cards import DOWN, EVERY, FACE, members
from cadogan.engine.game import Game
from cadogan.engine.move_generation import pile_indices
from cadogan.engine.state import Pile, State, pick

HIDDEN_COST = 0.5
"""The cost of a face-down card outside the stock, in blocked cards."""


class Estimate:
    """The heuristic for one deal.

    A card is *blocked* by each card above it that can go home only later. The order in which cards go home is derived
    from the routes to the foundations: first the cards that an empty foundation takes, then those that go on them, and
    so on.
    """

    def __init__(self, game: Game, start: State) -> None:
        declaration = game.declaration
        self._score = declaration.score
        self.point = max(1.0, declaration.maximum / len(declaration.pack))
        """The value of a card, in points of the score."""
        self.complete = declaration.maximum / self.point
        """The progress of a game with the highest score."""
        self._open = pick(
            [index for group in declaration.groups if group.role in ("tableau", "reserve", "waste") for index in group]
        )
        self._cost_of = _Costs(turns_home(game, start)).__getitem__

    def progress(self, state: State) -> float:
        """Return the score, in cards."""
        return self._score(state) / self.point

    def blocked(self, state: State) -> float:
        """Return how many cards lie above a card that has to go home before them."""
        return sum(map(self._cost_of, self._open(state.piles)))


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


def turns_home(game: Game, start: State) -> list[int]:
    """Return by card how many cards must go home before it on its foundation; 0 for all if this is unknown."""
    groups = game.declaration.groups
    foundations = {index: index - group.start for group in groups if group.role == "foundation" for index in group}
    follows, first = [0] * (FACE + 1), 0
    for route in game.declaration.routes:
        for index in pile_indices(route.target):
            if index in foundations:
                number = foundations[index]
                first |= route.empty(number) if callable(route.empty) else route.empty
                if route.onto is not None:
                    for card in members(EVERY):
                        follows[card] |= route.onto.table[card]
    for index in foundations:
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
