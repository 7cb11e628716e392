"""What a competition decides about its games, as far as that needs no database: pure, so that the audit can ask too.

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
        """Whether other players play the same deal, so that its cards are a secret from those who have yet to play."""

    @property
    def reveals_secret_at_end(self) -> bool:
        """Whether the deal's secret is revealed by the end of the game itself, and not later by the competition."""

    def owns(self, dealt: GameDealt) -> bool:
        """Return whether this game belongs to the competition."""

    def mode(self, dealt: GameDealt) -> Mode:
        """Return the word by which clients are told what the game is played for."""

    def may_take_back_revealing_moves(self, ranked: bool) -> bool:
        """Return whether a move that turned up a card may be taken back; `ranked` is whether the run still counts."""

    def may_have_hints(self, ranked: bool) -> bool:
        """Return whether the player may ask for hints; `ranked` is whether the run still counts."""

    def earliest_timeout(self, dealt: GameDealt, ranked: bool) -> int | None:
        """Return the first moment at which the competition may end the game because its time is up; None for never.

        In milliseconds since 1970. `ranked` is whether the run still counts.
        """

    def lifts_embargo(self, dealt: GameDealt) -> bool:
        """Return whether its player may see the other players' games of the deal once this game is over or spoiled."""

    def topics(self, dealt: GameDealt) -> Collection[str]:
        """Return the topics of the bus, besides the game itself, that every step of this game belongs to."""

    def board_day(self, dealt: GameDealt) -> str | None:
        """Return the day, as ``2026-11-20``, on whose boards the finished game counts; None for on none."""

    def find_fault(self, dealt: GameDealt) -> str | None:
        """Return what is wrong with the names and numbers in this deal; None if they fit together."""


class RulesRegistry:
    """The rules of every kind of competition that a server knows."""

    def __init__(self, casual: CompetitionRules, others: Iterable[CompetitionRules] = ()) -> None:
        """Know these rules; a game that none of the `others` owns is a `casual` one."""
        self._casual = casual
        self._others = list(others)

    def add(self, rules: CompetitionRules) -> None:
        """Know these rules too."""
        self._others.append(rules)

    def rules_of(self, dealt: GameDealt) -> CompetitionRules:
        """Return the rules of the competition that a game belongs to."""
        for rules in self._others:
            if rules.owns(dealt):
                return rules
        return self._casual

    def board_day(self, dealt: GameDealt) -> str | None:
        """Return the day on whose boards the game counts when it is finished; None if it counts on no board."""
        return self.rules_of(dealt).board_day(dealt)
