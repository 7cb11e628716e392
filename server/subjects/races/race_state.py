"""A race, folded from its log: who takes part, when it runs, how it ended; and the rules of its games. Pure.

A RaceState is immutable; `apply` returns the next one. A command returns an event, or None if it changes nothing, or
raises a refusal. Of two concurrent commands, the log's unique versions accept one. This module reads no clock and no
store.

    open ──start──> countdown ──starts_at──> running ──every game over──> over
      └──left by all, or not started within the hour──> abandoned

A race starts and ends at times in its events, which include the countdown and the time limit. The first request after
such a time writes the events that are due (`settlement`).
"""

from collections.abc import Iterable, Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from cadogan.server.core import ids
from cadogan.server.core.errors import Conflict
from cadogan.server.core.eventlog.event_store import require_contiguous
from cadogan.server.core.eventlog.events import (
    GameDealt,
    GameFinished,
    UnreadableEvent,
    decode_event,
)
from cadogan.server.core.eventlog.race_events import (
    PlayerJoined,
    PlayerLeft,
    RaceFinished,
    RaceOpened,
    RaceResult,
    RaceStarted,
    RematchOpened,
)
from cadogan.server.core.eventlog.streams import race_stream
from cadogan.server.core.fairness import commit_reveal
from cadogan.server.core.games.competition_rules import CompetitionRules
from cadogan.server.core.games.game_state import GameState, Recorded
from cadogan.server.core.ranking import race_rank_key

START_TIMEOUT_MILLISECONDS = 60 * 60 * 1000
"""Milliseconds after its opening in which a race must be started."""
MIN_RACERS = 2


class RaceState(Struct, frozen=True):
    """One race at one version of its log. Times are milliseconds since 1970, UTC."""

    id: str
    opened: RaceOpened
    opened_at: int
    version: int
    head: bytes
    """The hash of the last event."""
    changed_at: int
    racers: tuple[PlayerJoined, ...] = ()
    """Everybody who takes part, in the order of joining; the first is the host."""
    invited: tuple[str, ...] = ()
    """Players for whom a place is reserved."""
    started: RaceStarted | None = None
    finished: RaceFinished | None = None
    rematch: str | None = None
    """The id of the rematch of the same players, if there is one."""

    @property
    def host(self) -> str | None:
        """The player who may start it: the racer who joined first; None if nobody is in it."""
        return self.racers[0].player if self.racers else None

    @property
    def players(self) -> list[str]:
        """Everybody who takes part."""
        return [racer.player for racer in self.racers]

    @property
    def over(self) -> bool:
        """Whether every game of it is over, which makes its cards public."""
        return self.finished is not None

    @property
    def starts_at(self) -> int | None:
        """When the cards are dealt; None before the start."""
        return self.started.starts_at if self.started else None

    @property
    def ends_at(self) -> int | None:
        """When the time limit ends; None before the start."""
        return self.started.starts_at + self.opened.seconds * 1000 if self.started else None

    def state(self, now: int) -> Literal["open", "abandoned", "countdown", "running", "over"]:
        """``open``, ``abandoned``, ``countdown``, ``running`` or ``over``."""
        if self.finished is not None:
            return "over"
        if self.started is not None:
            return "countdown" if now < self.started.starts_at else "running"
        return "abandoned" if not self.racers or now >= self.opened_at + START_TIMEOUT_MILLISECONDS else "open"

    def game_of(self, player: str, secret: bytes) -> str:
        """Return the id of this player's game in the race. It cannot be computed without the secret."""
        return ids.derive_id(secret, "race", self.id, player)


def invitation_token(race_id: str, secret: bytes) -> str:
    """Return the token that joining a private race requires, beside its id. Only racers get it."""
    return ids.derive_id(secret, "link", race_id)


def rematch_id(race_id: str, secret: bytes) -> str:
    """Return the id of a race's rematch: the same for everyone who opens it, so that there is only one."""
    return ids.derive_id(secret, "rematch", race_id)


def apply(race: RaceState | None, race_id: str, recorded: Recorded) -> RaceState:
    """Return the race after an event of its log; `race` is the previous state, None for the first event.

    Raises StreamIncomplete if an event before this one is missing, and UnreadableEvent.
    """
    require_contiguous(race_stream(race_id), race.version if race else 0, (recorded,))
    event = decode_event(recorded.type, recorded.schema, recorded.data)
    if race is None:
        if not isinstance(event, RaceOpened):
            raise UnreadableEvent(f"a race begins with its opening, not with {recorded.type}")
        at = recorded.recorded_at
        return RaceState(race_id, event, at, recorded.version, recorded.hash, at, invited=event.invited)
    now = replace(race, version=recorded.version, head=recorded.hash, changed_at=recorded.recorded_at)
    match event:
        case PlayerJoined(player):
            invited = tuple(one for one in now.invited if one != player)
            return replace(now, racers=(*now.racers, event), invited=invited)
        case PlayerLeft(player):
            racers = tuple(one for one in now.racers if one.player != player)
            return replace(now, racers=racers, invited=tuple(one for one in now.invited if one != player))
        case RaceStarted():
            return replace(now, started=event)
        case RaceFinished():
            return replace(now, finished=event)
        case RematchOpened(rematch):
            return replace(now, rematch=rematch)
        case _:
            raise UnreadableEvent(f"{recorded.type} is no event of a race")


def fold(race_id: str, events: Iterable[Recorded]) -> RaceState | None:
    """Return the race after these events, from the first; None when there are none. Raises as `apply`."""
    race: RaceState | None = None
    for recorded in events:
        race = apply(race, race_id, recorded)
    return race


def join(race: RaceState, player: str, nonce: str, now: int) -> PlayerJoined | None:
    """Return the event of joining; None if the player is a racer. Raises Conflict if it is too late or full."""
    if player in race.players:
        return None
    _require_open(race, now)
    remaining = [one for one in race.invited if one != player]
    if len(race.racers) + len(remaining) >= race.opened.size:
        raise Conflict("Every place in this race is taken.")
    return PlayerJoined(player, nonce)


def leave(race: RaceState, player: str) -> PlayerLeft | None:
    """Return the event of leaving; None if the player is no racer. Raises Conflict once the race is started."""
    if player not in race.players and player not in race.invited:
        return None
    if race.started is not None:
        raise Conflict("The race has been started: give up your game in it instead.")
    return PlayerLeft(player)


def start(race: RaceState, player: str, now: int) -> RaceStarted | None:
    """Return the event of starting; None if it is started. Raises Conflict unless the host starts it with others."""
    if race.host != player:
        raise Conflict("Only the host of a race can start it.")
    if race.started is not None:
        return None
    _require_open(race, now)
    if len(race.racers) < MIN_RACERS:
        raise Conflict("It takes two to race.")
    nonce = commit_reveal.shared_nonce(racer.nonce for racer in race.racers)
    return RaceStarted(max(now, race.changed_at) + race.opened.countdown * 1000, nonce)


def finish(race: RaceState, games: Sequence[GameState], secret: bytes) -> RaceFinished | None:
    """Return the event of the end, given the games of all players; None while a game is not over."""
    results = [_result(game, game.finished) for game in games if game.finished]
    if len(results) < len(race.racers):
        return None
    return RaceFinished(tuple(sorted(results, key=race_rank_key)), secret.hex())


def rematch(race: RaceState, player: str, next_race: str) -> RematchOpened | None:
    """Return the event of the rematch; None if it exists. Raises Conflict for other players, or before the end."""
    if player not in race.players:
        raise Conflict("Only players of a race can open its rematch.")
    if race.finished is None:
        raise Conflict("A rematch is possible when the race is over.")
    return RematchOpened(next_race) if race.rematch is None else None


def _require_open(race: RaceState, now: int) -> None:
    if race.started is not None:
        raise Conflict("This race has been started.")
    if race.state(now) == "abandoned":
        raise Conflict("This race was not started in time, or everybody has left it.")


def _result(game: GameState, end: GameFinished) -> RaceResult:
    return RaceResult(
        player=game.player,
        game=game.id,
        result=end.result,
        home=game.position.home,
        score=end.score,
        moves=end.moves,
        milliseconds=end.milliseconds,
        home_after=game.home_at - game.dealt_at,
    )


class RaceRules(CompetitionRules):
    """The decisions of a race about its games."""

    key = "race"

    def owns(self, dealt: GameDealt) -> bool:
        """Return whether the game is part of a race."""
        return dealt.race is not None and dealt.competition is None

    def earliest_timeout(self, dealt: GameDealt, ranked: bool) -> int | None:
        """Return a time before every game, because the record of a game does not contain when its race ends."""
        return 0

    def lifts_embargo(self, dealt: GameDealt) -> bool:
        return True

    def find_fault(self, dealt: GameDealt) -> str | None:
        return None
