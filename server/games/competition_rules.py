"""The rules of a competition about its games: pure functions without a database, so that the audit can use them.

A game is played for something: casually, for the board of a day, against others in a race. Code that serves all games
asks the rules of the competition that a game belongs to, and never tests which competition it is. The part of a
competition that needs the database is `cadogan.server.competitions.competition.Competition`.
"""

from collections.abc import Collection, Iterable
from typing import Protocol

from cadogan.server.eventlog.events import GameDealt
from cadogan.wire.values import Mode


class CompetitionRules(Protocol):
    """The rules of one kind of competition. `dealt` is always the first event of a game that belongs to it."""

    @property
    def is_shared(self) -> bool:
        """Whether other players play the same deal, so its cards are hidden from players who have not finished it."""

    @property
    def reveals_secret_at_end(self) -> bool:
        """Whether the deal's secret is revealed by the end of the game itself, and not later by the competition."""

    def owns(self, dealt: GameDealt) -> bool:
        """Return whether this game belongs to the competition."""

    def mode(self, dealt: GameDealt) -> Mode:
        """Return the value of `mode` in messages: the kind of competition that the game belongs to."""

    def may_take_back_revealing_moves(self, ranked: bool) -> bool:
        """Return whether a move that turned up a card may be taken back; `ranked` is whether the run still counts."""

    def may_have_hints(self, ranked: bool) -> bool:
        """Return whether the player may ask for hints; `ranked` is whether the run still counts."""

    def earliest_timeout(self, dealt: GameDealt, ranked: bool) -> int | None:
        """Return the earliest time at which the competition may end the game on time; None if there is no limit.

        In milliseconds since 1970. `ranked` is whether the run still counts.
        """

    def lifts_embargo(self, dealt: GameDealt) -> bool:
        """Return whether the player may see other players' games of the deal once this game is over or spoiled."""

    def topics(self, dealt: GameDealt) -> Collection[str]:
        """Return the bus topics to which every step of this game is published, besides the topic of the game."""

    def board_day(self, dealt: GameDealt) -> str | None:
        """Return the day (``2026-11-20``) on whose leaderboards the finished game counts; None if on none."""

    def find_fault(self, dealt: GameDealt) -> str | None:
        """Return a description of an inconsistency between the fields of this event; None if they are consistent."""


class RulesRegistry:
    """The rules of every kind of competition on a server."""

    def __init__(self, casual: CompetitionRules, others: Iterable[CompetitionRules] = ()) -> None:
        """Register these rules; `casual` are the rules of games that none of the `others` owns."""
        self._casual = casual
        self._others = list(others)

    def add(self, rules: CompetitionRules) -> None:
        """Register these rules."""
        self._others.append(rules)

    def rules_of(self, dealt: GameDealt) -> CompetitionRules:
        """Return the rules of the competition that a game belongs to."""
        for rules in self._others:
            if rules.owns(dealt):
                return rules
        return self._casual

    def board_day(self, dealt: GameDealt) -> str | None:
        """Return the day on whose leaderboards the finished game counts; None if it counts on none."""
        return self.rules_of(dealt).board_day(dealt)
