"""Rows derived from events: written in the transaction of the event they follow from, and rebuilt from the log alone.

>>> from server.events import GameDealt, GameFinished
>>> dealt = GameDealt("olga", 1, "ann", "d1", "2026-11-20", "ab", "2026-11-20", True, {}, {})
>>> game, entry = project("game/g1", [(dealt, 1000), (GameFinished("won", 104, 98, 61000), 62000)])
>>> game.status, entry.score, entry.finished_at
('won', 104, 62000)
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from server.events import Event, GameDealt, GameFinished


@dataclass(frozen=True, slots=True)
class GameRow:
    """A game in the index. `status` is "playing" until it has a result; what only the end tells is None until then."""

    id: str
    game: str
    player: str
    deal: str
    day: str | None
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
    """A finished ranked game on the board of its day."""

    game_id: str
    day: str
    player: str
    result: str
    score: int
    moves: int
    milliseconds: int
    finished_at: int

    @property
    def key(self) -> str:
        """What makes two rows the same row."""
        return self.game_id


Row = GameRow | EntryRow


def project(stream: str, events: Iterable[tuple[Event, int]]) -> tuple[Row, ...]:
    """Return the rows of a stream as they stand after its events, each given with its `recorded_at`.

    Only `GameDealt` and `GameFinished` matter: whoever has just these need not give the events between them. A stream
    that is no game has no rows.
    """
    _, _, identity = stream.partition("/")
    game: GameRow | None = None
    for event, at in events:
        match event:
            case GameDealt():
                game = _dealt(identity, event, at)
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


def _dealt(identity: str, event: GameDealt, at: int) -> GameRow:
    return GameRow(
        id=identity,
        game=event.game,
        player=event.player,
        deal=event.deal,
        day=event.day,
        ranked=event.ranked,
        status="playing",
        score=None,
        moves=None,
        milliseconds=None,
        started_at=at,
        finished_at=None,
    )


def _finished(game: GameRow, event: GameFinished, at: int) -> tuple[Row, ...]:
    if game.day is None or not game.ranked:
        return (game,)
    entry = EntryRow(
        game_id=game.id,
        day=game.day,
        player=game.player,
        result=event.result,
        score=event.score,
        moves=event.moves,
        milliseconds=event.milliseconds,
        finished_at=at,
    )
    return (game, entry)
