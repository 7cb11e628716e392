"""Rows derived from events: written in the transaction of the event they follow from, and rebuilt from the log alone.

>>> from server.eventlog.events import GameDealt, GameFinished
>>> dealt = GameDealt("olga", 1, "ann", "2026-11-20.1", "n", "ab", "2026-11-20", 1, None, True, {}, {})
>>> game, entry = project("game/g1", [(dealt, 1000), (GameFinished("won", 104, 1062, 98, 61000, 60000), 62000)])
>>> game.status, entry.score, entry.finished_at
('won', 104, 62000)
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from server.eventlog.events import (
    ChallengeSpoiled,
    Event,
    GameDealt,
    GameFinished,
    PlayerJoined,
    PlayerLeft,
    RaceFinished,
    RaceOpened,
    RaceStarted,
)


@dataclass(frozen=True, slots=True)
class GameRow:
    """A game in the index. `status` is "playing" until it has a result; what only the end tells is None until then."""

    id: str
    game: str
    player: str
    deal: str
    day: str | None
    slot: int | None
    match: str | None
    ranked: bool
    status: str
    score: int | None
    moves: int | None
    milliseconds: int | None
    started_at: int
    finished_at: int | None

    @property
    def key(self) -> str:
        """What makes two rows the same row."""
        return self.id


@dataclass(frozen=True, slots=True)
class EntryRow:
    """A finished ranked run of a deal of a day's card."""

    game_id: str
    deal: str
    day: str
    slot: int
    rules: str
    player: str
    result: str
    score: int
    points: int
    moves: int
    milliseconds: int
    active: int
    finished_at: int

    @property
    def key(self) -> str:
        """What makes two rows the same row."""
        return self.game_id


@dataclass(frozen=True, slots=True)
class RaceRow:
    """A race in the index. `status` is "open", "abandoned" when everybody has left, "started" or "over"."""

    id: str
    rules: str
    open: bool
    status: str
    opened_at: int

    @property
    def key(self) -> str:
        """What makes two rows the same row."""
        return self.id


Row = GameRow | EntryRow | RaceRow


def project(stream: str, events: Iterable[tuple[Event, int]]) -> tuple[Row, ...]:
    """Return the rows of a stream as they stand after its events, each given with its `recorded_at`.

    Of a game only `GameDealt`, `ChallengeSpoiled` and `GameFinished` matter: whoever has these need not give
    the others. A stream that is neither a game nor a race has no rows.
    """
    kind, _, identity = stream.partition("/")
    if kind == "match":
        return _race(identity, events)
    game: GameRow | None = None
    for event, at in events:
        match event:
            case GameDealt():
                game = _dealt(identity, event, at)
            case ChallengeSpoiled() if game is not None:
                game = replace(game, ranked=False)
            case GameFinished() if game is not None:
                game = replace(
                    game,
                    status=event.result,
                    score=event.score,
                    moves=event.moves,
                    milliseconds=event.milliseconds,
                    finished_at=at,
                )
                return _finished(game, event, at)
    return () if game is None else (game,)


def _race(identity: str, events: Iterable[tuple[Event, int]]) -> tuple[Row, ...]:
    race: RaceRow | None = None
    players: set[str] = set()
    status = ""
    for event, at in events:
        match event:
            case RaceOpened():
                race = RaceRow(identity, event.game, event.open, "open", at)
            case PlayerJoined(player):
                players.add(player)
            case PlayerLeft(player):
                players.discard(player)
            case RaceStarted():
                status = "started"
            case RaceFinished():
                status = "over"
    return () if race is None else (replace(race, status=status or ("open" if players else "abandoned")),)


def _dealt(identity: str, event: GameDealt, at: int) -> GameRow:
    return GameRow(
        id=identity,
        game=event.game,
        player=event.player,
        deal=event.deal,
        day=event.day,
        slot=event.slot,
        match=event.race,
        ranked=event.ranked,
        status="playing",
        score=None,
        moves=None,
        milliseconds=None,
        started_at=at,
        finished_at=None,
    )


def _finished(game: GameRow, event: GameFinished, at: int) -> tuple[Row, ...]:
    if game.day is None or game.slot is None or not game.ranked:
        return (game,)
    entry = EntryRow(
        game_id=game.id,
        deal=game.deal,
        day=game.day,
        slot=game.slot,
        rules=game.game,
        player=game.player,
        result=event.result,
        score=event.score,
        points=event.points,
        moves=event.moves,
        milliseconds=event.milliseconds,
        active=event.active,
        finished_at=at,
    )
    return (game, entry)
