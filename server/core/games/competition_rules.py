"""A game without its positions, and the decisions of the rules of its competition. Pure.

A game is played for something: casually, for the board of a day, against others in a race. Code that serves all games
asks the rules of the competition that a game belongs to, and never tests which competition it is. The part of a
competition that needs the database is `cadogan.server.core.games.competition.Competition`.

    UnknownCompetition    a deal names a competition whose rules are not here: it is an UnreadableEvent
"""

import re
from collections.abc import Collection, Iterable
from typing import Protocol

from msgspec import Struct

from cadogan.server.core.eventlog.events import (
    CompetitionEvent,
    Event,
    GameDealt,
    GameFinished,
    UnreadableEvent,
    register_events,
)
from cadogan.server.core.eventlog.projections import ContestRow
from cadogan.server.core.fairness.commit_reveal import competition_deal_id
from cadogan.wire.values import Mode, Status

KEY_PATTERN = r"[a-z][a-z0-9_]{1,19}"
"""The form of a competition's key."""
_TAKEN_KEYS = {
    *("game", "match", "watched", "house", "player", "session", "sessions", "struck", "signs", "talk", "day", "ended"),
    *("board", "analysis", "practice", "ratings", "shields"),
}
"""Names of streams, wake-ups and topics that begin with these words are of something else."""


class UnknownCompetition(UnreadableEvent):
    """A deal names a competition that this program does not have: an extension is not installed."""


class CompetitionRules(Protocol):
    """The rules of one kind of competition. `dealt` is always the first event of a game that belongs to it.

    A class that inherits from this one gives its `key` and overrides what is different: one deal for several players,
    no help, and nothing of the others' cards before the competition says so.
    """

    key: str
    """Its name in deals, on the wire, and at the beginning of the names of its streams; of the form `KEY_PATTERN`."""
    events: tuple[type[CompetitionEvent], ...] = ()
    """The events in its own streams."""
    is_shared: bool = True
    """Whether other players play the same deal, so that its cards are a secret from those who have yet to play."""
    reveals_secret_at_end: bool = False
    """Whether the deal's secret is revealed by the end of the game itself, and not later by the competition."""

    def owns(self, dealt: GameDealt) -> bool:
        """Return whether this game belongs to the competition. Daily challenge and races are named in other keys."""
        return dealt.competition == self.key

    def mode(self, dealt: GameDealt) -> Mode:
        """Return the nearest of the words that all clients know; clients that know more get the `key` too."""
        return "race"

    def may_take_back_revealing_moves(self, ranked: bool) -> bool:
        """Return whether a move that turned up a card may be taken back; `ranked` is whether the run still counts."""
        return False

    def may_have_hints(self, ranked: bool) -> bool:
        """Return whether the player may ask for hints; `ranked` is whether the run still counts."""
        return False

    def tells_origin(self, over: bool) -> bool:
        """Return whether the game from which this one continues is shown, which leads to the analysis of that game.

        If not, a deal that is not shared is not named either: its page lists that game.
        """
        return True

    def earliest_timeout(self, dealt: GameDealt, ranked: bool) -> int | None:
        """Return the earliest time at which the competition may end the game on time; None if there is no limit.

        In milliseconds since 1970. `ranked` is whether the run still counts.
        """
        return None

    def ends_when_idle(self, ranked: bool) -> bool:
        """Return whether a game may be ended after a long time without a move; `ranked` as above."""
        return False

    def lifts_embargo(self, dealt: GameDealt) -> bool:
        """Return whether its player may see the other players' games of the deal once this game is over or spoiled."""
        return False

    def topics(self, dealt: GameDealt) -> Collection[str]:
        """Return the topics of the bus, besides the game itself, that every step of this game belongs to."""
        return ()

    def board_day(self, dealt: GameDealt) -> str | None:
        """Return the day, as ``2026-11-20``, on whose boards the finished game counts; None for on none."""
        return None

    def list_stream(self, stream: str, events: Iterable[tuple[Event, int]]) -> ContestRow | None:
        """Return the row under which lists show a stream of the competition after these events; None for no list.

        Each event is given with its `recorded_at`.
        """
        return None

    def draws_from_beacon(self, dealt: GameDealt) -> bool:
        """Return whether the cards of this deal follow from a round of a beacon, whose digits its nonce has."""
        return False

    def may_have_nonce(self, nonce: str, deal: str) -> bool:
        """Return whether the cards of the deal with this id may follow from this nonce; by default it is the id."""
        return nonce == deal

    def find_fault(self, dealt: GameDealt) -> str | None:
        """Return the error in the names and numbers of this deal, or None if they are consistent."""
        deal = competition_deal_id(self.key, dealt.about or "")
        has_nonce = self.may_have_nonce(dealt.nonce, deal)
        if (dealt.day, dealt.slot, dealt.race, dealt.ranked) != (None, None, None, False):
            return f"a deal of the competition {self.key!r} has no day, no slot and no race, and is not ranked"
        return None if dealt.deal == deal and has_nonce else f"the name and the nonce of this deal are {deal!r}"


class RulesRegistry:
    """The rules of every kind of competition on a server."""

    def __init__(self, casual: CompetitionRules, others: Iterable[CompetitionRules] = ()) -> None:
        """Know these rules; a game that none of the `others` owns is a `casual` one. Raises as `add`."""
        self._casual = casual
        self._others: list[CompetitionRules] = []
        for rules in others:
            self.add(rules)

    def add(self, rules: CompetitionRules) -> None:
        """Know these rules too, and their events. Raises ValueError for a key or an event that something else has."""
        if re.fullmatch(KEY_PATTERN, rules.key) is None or rules.key in _TAKEN_KEYS:
            raise ValueError(f"a competition cannot have the key {rules.key!r}")
        if rules.key in [known.key for known in (self._casual, *self._others)]:
            raise ValueError(f"there are two competitions with the key {rules.key!r}")
        register_events(rules.key, rules.events)
        self._others.append(rules)

    def rules_of(self, dealt: GameDealt) -> CompetitionRules:
        """Return the rules of the competition that a game belongs to. Raises UnknownCompetition."""
        for rules in self._others:
            if rules.owns(dealt):
                return rules
        if dealt.competition is not None:
            raise UnknownCompetition(f"no competition here has the key {dealt.competition!r}: is it installed?")
        return self._casual

    def board_day(self, dealt: GameDealt) -> str | None:
        """Return the day on whose leaderboards the finished game counts; None if it counts on none."""
        return self.rules_of(dealt).board_day(dealt)

    def listed_events(self) -> dict[str, tuple[str, ...]]:
        """Return the names of the events of all competitions with streams of their own, by prefix of these streams."""
        return {f"{rules.key}/": tuple([kind.name for kind in rules.events]) for rules in self._others if rules.events}

    def list_stream(self, stream: str, events: Iterable[tuple[Event, int]]) -> ContestRow | None:
        """Return the row of a stream of a competition after its events; None if it is in no list."""
        key = stream.partition("/")[0]
        rules = next((rules for rules in self._others if rules.key == key), None)
        return None if rules is None else rules.list_stream(stream, events)


class GameOutline(Struct, frozen=True, kw_only=True):
    """A game at one version of its log, without its positions. Times are milliseconds since 1970, UTC."""

    id: str
    competition: CompetitionRules
    """The rules of the competition that the game belongs to."""
    dealt: GameDealt
    version: int
    dealt_at: int
    finished: GameFinished | None = None
    spoiled: bool = False
    """Whether the player asked to see the deal, so that the run no longer counts."""

    @property
    def player(self) -> str:
        """The id of the player whose game it is."""
        return self.dealt.player

    @property
    def ranked(self) -> bool:
        """Whether it is the player's one ranked attempt at a daily deal, and still counts."""
        return self.dealt.ranked and not self.spoiled

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.finished is not None

    @property
    def status(self) -> Status:
        """The result, or ``playing``; ``stuck`` is not detected without positions."""
        return self.finished.result if self.finished is not None else "playing"
