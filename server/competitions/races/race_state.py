"""A race, folded from its log: who takes part, when it runs, how it ended, and what each may do about it now.

A RaceState never changes; `follow` gives the next one. What somebody asks for becomes an event, None where it is so
already, or a refusal; two who ask at once are told apart by the log's unique versions. Nothing here asks a clock or a
store.

    open ──start──> countdown ──starts_at──> running ──every game over──> over
      └──left by all, or not started within the hour──> abandoned

What starts and ends a race is the time of its events: the countdown and the limit are in them, and whoever asks first
after they have run out writes what they brought.
"""

from collections.abc import Iterable, Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from server.core import ids
from server.core.errors import Conflict
from server.eventlog.events import (
    GameFinished,
    PlayerJoined,
    PlayerLeft,
    RaceFinished,
    RaceOpened,
    RaceResult,
    RaceStarted,
    RematchOpened,
    UnreadableEvent,
    decode_event,
)
from server.fairness import commit_reveal
from server.games.game_state import GameState, Recorded
from server.leaderboards.ranking import race_rank_key

STREAM = "match/"
"""What a race's stream is called, before its id."""
PATIENCE = 60 * 60 * 1000
"""Milliseconds in which a race that was opened must be started."""
FEWEST = 2


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
    """Players for whom a place is kept."""
    started: RaceStarted | None = None
    finished: RaceFinished | None = None
    rematch: str | None = None
    """The race that the same people went on to."""

    @property
    def host(self) -> str | None:
        """Who may start it: whoever has been in it for longest; None for nobody."""
        return self.racers[0].player if self.racers else None

    @property
    def players(self) -> list[str]:
        """Everybody who takes part."""
        return [racer.player for racer in self.racers]

    @property
    def over(self) -> bool:
        """Whether every game of it is over; its cards are no secret then."""
        return self.finished is not None

    @property
    def starts_at(self) -> int | None:
        """When the cards are dealt; None before the start."""
        return self.started.starts_at if self.started else None

    @property
    def ends_at(self) -> int | None:
        """When the time is up; None before the start."""
        return self.started.starts_at + self.opened.seconds * 1000 if self.started else None

    def state(self, now: int) -> Literal["open", "abandoned", "countdown", "running", "over"]:
        """``open``, ``abandoned``, ``countdown``, ``running`` or ``over``."""
        if self.finished is not None:
            return "over"
        if self.started is not None:
            return "countdown" if now < self.started.starts_at else "running"
        return "abandoned" if not self.racers or now >= self.opened_at + PATIENCE else "open"

    def game_of(self, player: str, secret: bytes) -> str:
        """The id of this player's game in the race; nobody can tell it who does not know the secret."""
        return ids.derive_id(secret, "race", self.id, player)


def stream(match_id: str) -> str:
    """The stream of a race's events."""
    return STREAM + match_id


def deal_of(match_id: str) -> str:
    """The name of a race's sealed deal. It is no id, so nobody can begin a game of their own with it."""
    return f"race-{match_id}"


def link(match_id: str, secret: bytes) -> str:
    """What one must know, beside the id, to join a race that is not open; told to those who are in it."""
    return ids.derive_id(secret, "link", match_id)


def next_of(match_id: str, secret: bytes) -> str:
    """The id of a race's rematch; the same for everyone who opens it, so that there is one."""
    return ids.derive_id(secret, "rematch", match_id)


def follow(match: RaceState | None, match_id: str, recorded: Recorded) -> RaceState:
    """The race after an event of its log; `match` is the one before, None before the first. Raises UnreadableEvent."""
    event = decode_event(recorded.type, recorded.schema, recorded.data)
    if match is None:
        if not isinstance(event, RaceOpened):
            raise UnreadableEvent(f"a race begins with its opening, not with {recorded.type}")
        at = recorded.recorded_at
        return RaceState(match_id, event, at, recorded.version, recorded.hash, at, invited=event.invited)
    now = replace(match, version=recorded.version, head=recorded.hash, changed_at=recorded.recorded_at)
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


def fold(match_id: str, events: Iterable[Recorded]) -> RaceState | None:
    """The race after these events, from the first; None when there are none. Raises UnreadableEvent."""
    match: RaceState | None = None
    for recorded in events:
        match = follow(match, match_id, recorded)
    return match


def join(match: RaceState, player: str, nonce: str, now: int) -> PlayerJoined | None:
    """A place for the player; None for who has one. Raises Conflict when it is too late or every place is taken."""
    if player in match.players:
        return None
    _still_open(match, now)
    kept = [one for one in match.invited if one != player]
    if len(match.racers) + len(kept) >= match.opened.size:
        raise Conflict("Every place in this race is taken.")
    return PlayerJoined(player, nonce)


def leave(match: RaceState, player: str) -> PlayerLeft | None:
    """The place given up; None for who has none. Raises Conflict once the race is started."""
    if player not in match.players and player not in match.invited:
        return None
    if match.started is not None:
        raise Conflict("The race has been started: give up your game in it instead.")
    return PlayerLeft(player)


def start(match: RaceState, player: str, now: int) -> RaceStarted | None:
    """The start, after the countdown; None if it is started. Raises Conflict for anyone but the host, or alone."""
    if match.host != player:
        raise Conflict("Only the host of a race starts it.")
    if match.started is not None:
        return None
    _still_open(match, now)
    if len(match.racers) < FEWEST:
        raise Conflict("It takes two to race.")
    nonce = commit_reveal.shared_nonce(racer.nonce for racer in match.racers)
    return RaceStarted(max(now, match.changed_at) + match.opened.countdown * 1000, nonce)


def finish(match: RaceState, games: Sequence[GameState], secret: bytes) -> RaceFinished | None:
    """The end, from the games of all players; None while one goes on."""
    results = [_result(game, game.finished) for game in games if game.finished]
    if len(results) < len(match.racers):
        return None
    return RaceFinished(tuple(sorted(results, key=race_rank_key)), secret.hex())


def rematch(match: RaceState, player: str, next_race: str) -> RematchOpened | None:
    """The next race of the same people; None if there is one. Raises Conflict for others, or before the end."""
    if player not in match.players:
        raise Conflict("Only those who were in a race open its rematch.")
    if match.finished is None:
        raise Conflict("A rematch can be had when the race is over.")
    return RematchOpened(next_race) if match.rematch is None else None


def _still_open(match: RaceState, now: int) -> None:
    if match.started is not None:
        raise Conflict("This race has been started.")
    if match.state(now) == "abandoned":
        raise Conflict("This race was not started in time, or everybody has left it.")


def _result(game: GameState, end: GameFinished) -> RaceResult:
    return RaceResult(
        player=game.player,
        game=game.id,
        result=end.result,
        home=game.game.home(game.position.state),
        score=end.score,
        moves=end.moves,
        milliseconds=end.milliseconds,
    )
