"""Tests of what holds for every game: one test goes through all games, and its failure has the reason for each.

With a test for each game there would be more than a thousand tests, which every worker has to collect.
"""

from collections.abc import Callable

from cadogan import engine
from cadogan.engine import Game

Holds = Callable[[Game], None]
HoldsOnAWalk = Callable[[Game, int], None]


def in_every_game(holds: Holds) -> Callable[[], None]:
    """Return a test that all games pass if `holds` passes with each of them.

    It raises an ExceptionGroup with the error of each game that fails; the slug of the game is a note of the error.
    """

    def test() -> None:
        errors = []
        for slug, game in engine.all_games().items():
            try:
                holds(game)
            except Exception as error:
                error.add_note(slug)
                errors.append(error)
        if errors:
            raise ExceptionGroup(", ".join(slug for error in errors for slug in error.__notes__), errors)

    return test


class Walks:
    """What must hold on a walk through every game: the first walk is a test, and further ones can be taken later."""

    def __init__(self) -> None:
        self.all: dict[str, HoldsOnAWalk] = {}
        """By the name of the test."""

    def in_every_game(self, holds: HoldsOnAWalk) -> Callable[[], None]:
        """Return a test that all games pass if `holds` passes with each of them and the number of the first walk."""
        self.all[holds.__name__] = holds
        return in_every_game(lambda game: holds(game, 0))
