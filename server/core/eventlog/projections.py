"""Rows derived from events: written in the transaction of their event, and rebuilt from the log alone.

>>> from cadogan.server.core.eventlog.events import GameDealt, GameFinished
>>> from types import SimpleNamespace
>>> boards = SimpleNamespace(board_day=lambda dealt: dealt.day)
>>> dealt = GameDealt("olga", 1, "ann", "2026-11-20.1", "n", "ab", "2026-11-20", 1, None, True, {}, {})
>>> finished = GameFinished("won", 104, 1062, 98, 61000, 60000)
>>> game, entry = project("game/g1", [(dealt, 1000), (finished, 62000)], boards)
>>> game.status, entry.score, entry.finished_at
('won', 104, 62000)
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Protocol

from cadogan.server.core.eventlog.events import (
    ChallengeSpoiled,
    Event,
    GameDealt,
    GameFinished,
    HouseActed,
)
from cadogan.server.core.eventlog.race_events import (
    PlayerJoined,
    PlayerLeft,
    RaceFinished,
    RaceOpened,
    RaceStarted,
)
from cadogan.server.core.eventlog.streams import GAMES, RACES, id_of


@dataclass(frozen=True, slots=True)
class GameRow:
    """A game in the index. `status` is "playing" until it has a result; columns about the end are None until then.

    They stay None for a run that the close of its day ended: it was not played to the end, so it is in no statistics.
    `origin` is the id of the game from which it continues, if any, and `origin_version` that game's version there.
    `number` is that of its numbered deal, if its cards are of one.
    """

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
    origin: str | None = None
    origin_version: int | None = None
    number: int | None = None

    @property
    def key(self) -> str:
        """The primary key of the row."""
        return self.id


@dataclass(frozen=True, slots=True)
class EntryRow:
    """A finished ranked run of a daily deal that counts on leaderboards."""

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
        """The primary key of the row."""
        return self.game_id


@dataclass(frozen=True, slots=True)
class RaceRow:
    """A race in the index. `status` is "open", "abandoned" when all players have left, "started" or "over".

    `host` is the player who opened it.
    """

    id: str
    rules: str
    open: bool
    status: str
    opened_at: int
    host: str | None

    @property
    def key(self) -> str:
        """The primary key of the row."""
        return self.id


@dataclass(frozen=True, slots=True)
class StrikeRow:
    """A run that hosts have disqualified from leaderboards and statistics, and not restored.

    `reason` is a value of `cadogan.wire.admin`.
    """

    game_id: str
    player: str
    reason: str
    struck_at: int


@dataclass(frozen=True, slots=True)
class ContestRow:
    """A stream of a competition, as lists show it: a match, an evening, a tournament.

    `state` is "coming", "on", "over" or "void", and "waiting" as long as an `opponent` has to accept; `entry` says who
    may enter, in the competition's own word. `series` is the id of the first one of those that repeat.
    """

    id: str
    competition: str
    title: str
    leader: str
    group: str | None
    entry: str
    state: str
    starts_at: int
    ends_at: int
    opponent: str | None = None
    series: str | None = None

    @property
    def key(self) -> str:
        """The primary key of the row."""
        return self.id


Row = GameRow | EntryRow | RaceRow | ContestRow


class BoardRules(Protocol):
    """Decides what rows follow from events (`cadogan.server.core.games.competition_rules.RulesRegistry`)."""

    def board_day(self, dealt: GameDealt) -> str | None:
        """Return the day on whose leaderboards the finished game counts; None if it counts on none."""

    def listed_events(self) -> Mapping[str, Collection[str]]:
        """Return the names of the events of all competitions with streams of their own, by prefix of these streams."""

    def list_stream(self, stream: str, events: Iterable[tuple[Event, int]]) -> ContestRow | None:
        """Return the row of a stream of a competition after its events; None if it is in no list."""


def project(stream: str, events: Iterable[tuple[Event, int]], boards: BoardRules) -> tuple[Row, ...]:
    """Return the rows of a stream after its events, each event given with its `recorded_at`.

    For a game only `GameDealt`, `ChallengeSpoiled` and `GameFinished` are needed; other events may be omitted. A stream
    that is no game, no race and of no competition has no rows.
    """
    if stream.startswith(RACES):
        return project_race(id_of(stream), events)
    if stream.startswith(GAMES):
        return project_game(id_of(stream), events, boards)
    row = boards.list_stream(stream, events)
    return () if row is None else (row,)


def project_game(game_id: str, events: Iterable[tuple[Event, int]], boards: BoardRules) -> tuple[Row, ...]:
    """Return the rows of a game: its index row and, if it is finished and counts, its leaderboard entry."""
    game: GameRow | None = None
    board_day: str | None = None
    for event, at in events:
        match event:
            case GameDealt():
                game, board_day = _dealt(game_id, event, at), boards.board_day(event)
            case ChallengeSpoiled() if game is not None:
                game, board_day = replace(game, ranked=False), None
            case GameFinished("out_of_time", counts=False) if game is not None:
                return (replace(game, status=event.result),)
            case GameFinished() if game is not None:
                game = replace(
                    game,
                    status=event.result,
                    score=event.score,
                    moves=event.moves,
                    milliseconds=event.milliseconds,
                    finished_at=at,
                )
                return (game,) if board_day is None or not event.counts else (game, _entry(game, board_day, event, at))
    return () if game is None else (game,)


def project_race(race_id: str, events: Iterable[tuple[Event, int]]) -> tuple[Row, ...]:
    """Return the row of a race."""
    race: RaceRow | None = None
    players: set[str] = set()
    status = ""
    for event, at in events:
        match event:
            case RaceOpened():
                race = RaceRow(race_id, event.game, event.open, "open", at, event.host)
            case PlayerJoined(player):
                players.add(player)
            case PlayerLeft(player):
                players.discard(player)
            case RaceStarted():
                status = "started"
            case RaceFinished():
                status = "over"
    return () if race is None else (replace(race, status=status or ("open" if players else "abandoned")),)


def project_strikes(events: Iterable[tuple[Event, int]]) -> tuple[StrikeRow, ...]:
    """Return the runs that are disqualified after these events of the stream `house`, sorted by id."""
    disqualified: dict[str, StrikeRow] = {}
    for event, at in events:
        match event:
            case HouseActed(act="run_struck", game=str(game), player=str(player), reason=str(reason)):
                disqualified[game] = StrikeRow(game, player, reason, at)
            case HouseActed(act="run_returned", game=str(game)):
                disqualified.pop(game, None)
    return tuple(disqualified[game] for game in sorted(disqualified))


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
        origin=event.origin.game if event.origin else None,
        origin_version=event.origin.version if event.origin else None,
        number=event.number,
    )


def _entry(game: GameRow, day: str, event: GameFinished, at: int) -> EntryRow:
    return EntryRow(
        game_id=game.id,
        deal=game.deal,
        day=day,
        slot=game.slot or 0,
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
