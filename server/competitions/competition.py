"""A competition: what a game is played for, and everything that this decides while the server runs.

The pure part of each competition is its `CompetitionRules`. To write another one:

1. a class with the rules, as in `server.competitions.casual.rules`;
2. a class with what is below;
3. hand it to `make_server` in `server.app`, which asks it wherever competitions differ.

`tests/server/competitions/test_a_fourth_competition.py` does so.
"""

from typing import NamedTuple, Protocol

from server.eventlog.events import GameDealt
from server.games.commits import Committed
from server.games.competition_rules import CompetitionRules, RulesRegistry
from server.games.game_state import GameState


class OwnRun(NamedTuple):
    """How far a player is with a shared deal, in the one run that counts."""

    finished: bool = False
    spoiled: bool = False
    """Whether the player has asked to be shown the deal instead."""


class Competition(Protocol):
    """One kind of competition at work. `dealt` is the first event of a game that its rules own."""

    @property
    def rules(self) -> CompetitionRules:
        """What it decides without a database."""

    async def is_public(self, dealt: GameDealt) -> bool:
        """Return whether the deal is everybody's now, so that its cards and its secret may be told to anybody.

        Asked of shared deals only.
        """

    async def own_run(self, player: str, dealt: GameDealt) -> OwnRun:
        """Return how far the player is with the deal that this game shares. Asked of shared deals only."""

    async def require_open(self, game: GameState, now: int) -> None:
        """Raise a RefusalError if the game takes no commands any more, though it has not been ended yet.

        `now` is in milliseconds since 1970.
        """

    def on_commit(self, committed: Committed) -> None:
        """React to steps of one of its games: show progress, find out whether the end of a run has ended more."""


class Competitions:
    """The competitions of a server."""

    def __init__(self, casual: Competition) -> None:
        """Begin with the competition for every game that no other owns; `add` the others."""
        self._casual = casual
        self._others: list[Competition] = []
        self.rules = RulesRegistry(casual.rules)

    def add(self, competition: Competition) -> None:
        """Ask this competition about the games that its rules own, from now on."""
        self._others.append(competition)
        self.rules.add(competition.rules)

    def of(self, dealt: GameDealt) -> Competition:
        """Return the competition that a game belongs to."""
        for competition in self._others:
            if competition.rules.owns(dealt):
                return competition
        return self._casual

    async def is_public(self, dealt: GameDealt) -> bool:
        """Return whether a game's deal is shared and everybody's now."""
        competition = self.of(dealt)
        return competition.rules.is_shared and await competition.is_public(dealt)

    def on_commit(self, committed: Committed) -> None:
        """Hand the steps to the competition of their game."""
        self.of(committed.game.dealt).on_commit(committed)
