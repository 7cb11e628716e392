"""One game, folded from its log: what stands on the table, whose it is, and what each command would do to it.

A GameState never changes; `decide` and `follow` give the next one. So a command that could not be written is simply
forgotten, and the sitting from before is still the truth. Nothing here asks a clock, a store or a socket.

    stream ──fold──> GameState ──decide(command, now)──> Steps ──sealed events──> the log
"""

from collections.abc import Iterable
from typing import NamedTuple, Protocol

from msgspec import Struct
from msgspec.structs import replace

import engine
from clients.wire.messages import Play, Resign, TakeBack
from clients.wire.values import Result, Status
from engine.game import Game
from engine.game import Status as PositionStatus
from engine.moves import Move
from engine.state import State
from server.core.errors import (
    BadMove,
    GameOver,
    IllegalMove,
    NothingToTakeBack,
    RefusalError,
    StaleVersion,
    TakeBackRevealed,
    TooMany,
)
from server.eventlog import hash_chain
from server.eventlog.event_store import NewEvent
from server.eventlog.events import (
    ChallengeSpoiled,
    DealRevealed,
    Event,
    GameDealt,
    GameFinished,
    MovePlayed,
    MoveTakenBack,
    UnreadableEvent,
    decode_event,
)
from server.fairness import commit_reveal
from server.games import scoring

Command = Play | TakeBack | Resign
LONGEST_THOUGHT = 60_000
"""Milliseconds of a wait that count as active."""
LONGEST_GAME = 20_000
"""Versions that a game may come to; whoever shows a game folds them all, so that endless ones would cost everybody."""
STREAM = "game/"
"""What a game's stream is called, before its id."""


class Recorded(Protocol):
    """An event as the log holds it, whether about to be written or read back."""

    @property
    def version(self) -> int: ...
    @property
    def type(self) -> str: ...
    @property
    def schema(self) -> int: ...
    @property
    def data(self) -> str: ...
    @property
    def recorded_at(self) -> int: ...
    @property
    def hash(self) -> bytes: ...


class Position:
    """A state of a game, with what the rules say about it, asked once and kept."""

    __slots__ = ("_legal", "_score", "_status", "game", "state")

    def __init__(self, game: Game, state: State) -> None:
        self.game = game
        self.state = state
        self._legal: dict[str, Move] | None = None
        self._score: int | None = None
        self._status: PositionStatus | None = None

    @property
    def legal(self) -> dict[str, Move]:
        """The legal moves by their text."""
        if self._legal is None:
            self._legal = {move.text: move for move in self.game.legal_moves(self.state)}
        return self._legal

    @property
    def score(self) -> int:
        """The score by the rules' sheet."""
        if self._score is None:
            self._score = self.game.score(self.state)
        return self._score

    @property
    def status(self) -> PositionStatus:
        """``playing``, ``stuck`` or ``won``."""
        if self._status is None:
            self._status = self.game.status(self.state, list(self.legal.values()))
        return self._status


class Past(NamedTuple):
    """A state from before a move that may be taken back, whether that move revealed something, and the one before."""

    state: State
    revealed: bool
    before: "Past | None"


class GameState(Struct, frozen=True):
    """One game at one version of its log. Times are milliseconds since 1970, UTC."""

    id: str
    game: Game
    dealt: GameDealt
    secret: bytes
    seed: bytes
    version: int
    head: bytes
    """The hash of the last event; shown to nobody while the game is open."""
    position: Position
    past: Past | None
    moves: int
    dealt_at: int
    changed_at: int
    active: int = 0
    """Milliseconds in which the player was at it: of every wait between two events at most a minute counts."""
    finished: GameFinished | None = None
    spoiled: bool = False
    """Whether the player has asked to be shown the deal, so that the run counts no more."""

    def __repr__(self) -> str:
        return f"Sitting({self.id!r}, version={self.version})"

    @property
    def player(self) -> str:
        """Whose game it is."""
        return self.dealt.player

    @property
    def ranked(self) -> bool:
        """Whether it is the player's one attempt at a day's deal, and still counts."""
        return self.dealt.ranked and not self.spoiled

    @property
    def status(self) -> Status:
        """``playing``, ``stuck``, ``won``, ``lost`` (stuck with no way back), ``resigned`` or ``out_of_time``."""
        if self.finished is not None:
            return self.finished.result
        status = self.position.status
        return "lost" if status == "stuck" and not self.can_take_back else status

    @property
    def can_take_back(self) -> bool:
        """Whether the last move may be taken back: in a ranked game or a race only one that revealed nothing."""
        strict = self.ranked or self.dealt.race is not None
        return self.past is not None and self.finished is None and not (strict and self.past.revealed)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.finished is not None


class Step(NamedTuple):
    """One event, the sitting before and after it (None before the deal), and the command that asked for it, if any."""

    event: Event
    sealed: Recorded
    before: GameState | None
    after: GameState
    command: str | None = None


def stream(game_id: str) -> str:
    """The stream of a game's events."""
    return STREAM + game_id


def deal(game_id: str, dealt: GameDealt, secret: bytes, now: int) -> list[Step]:
    """The first events of a game: dealt and, if it cannot be played at all, over."""
    sealed = hash_chain.chain_event(hash_chain.START_HASH, stream(game_id), 1, dealt, now)
    first = Step(dealt, sealed, None, _begun(game_id, dealt, secret, sealed))
    return [first, *_ending(first.after, now)]


def decide(sitting: GameState, command: Command, now: int) -> list[Step]:
    """What the command does, as events yet to be written.

    Raises GameOver, StaleVersion, TooMany, BadMove, IllegalMove, NothingToTakeBack or TakeBackRevealed, each with the
    version.
    """
    if sitting.finished is not None:
        raise GameOver("This game is over.", version=sitting.version)
    if command.version != sitting.version:
        raise StaleVersion("The game has moved on.", version=sitting.version)
    if isinstance(command, Resign):
        return _finish(sitting, "resigned", now, command.id)
    if sitting.version >= LONGEST_GAME:
        raise TooMany("This game is too long to go on: all that is left is to give it up.", version=sitting.version)
    step = _play(sitting, command, now) if isinstance(command, Play) else _take_back(sitting, command, now)
    return [step, *_ending(step.after, now)]


def run_out(sitting: GameState, at: int) -> list[Step]:
    """The end of a game whose race ended at that moment; nothing for one that was over."""
    return [] if sitting.over else _finish(sitting, "out_of_time", at)


def spoil(sitting: GameState, now: int) -> Step:
    """The player is shown the deal while playing it; for a run that is neither over nor spoiled."""
    event = ChallengeSpoiled(sitting.player, sitting.dealt.deal)
    sealed = _seal(sitting, event, now)
    return Step(event, sealed, sitting, replace(_next(sitting, sealed), spoiled=True))


def follow(sitting: GameState | None, game_id: str, secret: bytes, recorded: Recorded, command: str | None) -> Step:
    """The step that an event of the log is, without asking the rules whether it was allowed.

    `sitting` is the one before it; None for the first event. Raises UnreadableEvent, or engine.BrokenEffect and
    engine.UnknownGame when the event cannot have happened.
    """
    event = decode_event(recorded.type, recorded.schema, recorded.data)
    if sitting is None:
        if not isinstance(event, GameDealt):
            raise UnreadableEvent(f"a game begins with its deal, not with {recorded.type}")
        return Step(event, recorded, None, _begun(game_id, event, secret, recorded), command)
    match event:
        case MovePlayed(_, effects):
            parsed = [sitting.game.parse_effect(text) for text in effects]
            state = sitting.position.state
            revealed = sitting.game.reveals(state, parsed)
            after = _moved(sitting, recorded, sitting.game.fold(state, parsed), revealed)
        case MoveTakenBack():
            if sitting.past is None:
                raise UnreadableEvent("a move is taken back where none was played")
            after = _taken_back(sitting, recorded, sitting.past)
        case GameFinished():
            after = replace(_next(sitting, recorded), finished=event)
        case DealRevealed():
            after = _next(sitting, recorded)
        case ChallengeSpoiled():
            after = replace(_next(sitting, recorded), spoiled=True)
        case _:
            raise UnreadableEvent(f"{recorded.type} is no event of a game under way")
    return Step(event, recorded, sitting, after, command)


def fold(game_id: str, secret: bytes, events: Iterable[Recorded]) -> GameState:
    """The sitting after these events, from the first. Raises as `follow` does, UnreadableEvent when there is none."""
    sitting: GameState | None = None
    for recorded in events:
        sitting = follow(sitting, game_id, secret, recorded, None).after
    if sitting is None:
        raise UnreadableEvent(f"game {game_id} has no events")
    return sitting


def _play(sitting: GameState, command: Play, now: int) -> Step:
    game, position = sitting.game, sitting.position
    move = position.legal.get(command.move)
    if move is None:
        raise _not_legal(sitting, command.move)
    played = game.play_legal(position.state, move, sitting.seed)
    event = MovePlayed(move.text, tuple([game.effect_text(effect) for effect in played.effects]))
    sealed = _seal(sitting, event, now)
    return Step(event, sealed, sitting, _moved(sitting, sealed, played.state, played.revealed), command.id)


def _not_legal(sitting: GameState, text: str) -> RefusalError:
    game = sitting.game
    try:
        game.play(sitting.position.state, game.move(text))
    except engine.UnreadableMove as error:
        return BadMove(error.translatable, version=sitting.version)
    except engine.IllegalMove as error:
        return IllegalMove(error.translatable, version=sitting.version)
    raise AssertionError(f"{game.slug} plays {text!r} but does not list it")


def _take_back(sitting: GameState, command: TakeBack, now: int) -> Step:
    past = sitting.past
    if past is None:
        raise NothingToTakeBack("There is no move to take back.", version=sitting.version)
    if not sitting.can_take_back:
        raise TakeBackRevealed(
            "In a ranked game or a race a move that showed something new stays played.", version=sitting.version
        )
    event = MoveTakenBack()
    sealed = _seal(sitting, event, now)
    return Step(event, sealed, sitting, _taken_back(sitting, sealed, past), command.id)


def _ending(sitting: GameState, now: int) -> list[Step]:
    """The end that comes by itself: won, or neither a move nor a take-back is left."""
    status = sitting.status
    return _finish(sitting, status, now) if status == "won" or status == "lost" else []


def _finish(sitting: GameState, result: Result, now: int, command: str | None = None) -> list[Step]:
    at = max(now, sitting.changed_at)
    event = GameFinished(
        result=result,
        score=sitting.position.score,
        points=_points(sitting, result),
        moves=sitting.moves,
        milliseconds=at - sitting.dealt_at,
        active=_active(sitting, at),
    )
    sealed = _seal(sitting, event, now)
    steps = [Step(event, sealed, sitting, replace(_next(sitting, sealed), finished=event), command)]
    if sitting.dealt.day is None and sitting.dealt.race is None:
        before = steps[0].after
        revealed = DealRevealed(sitting.secret.hex())
        sealed = _seal(before, revealed, now)
        steps.append(Step(revealed, sealed, before, _next(before, sealed)))
    return steps


def _points(sitting: GameState, result: str) -> int:
    game, dealt = sitting.game, sitting.dealt
    first = game.score(game.read_state(dealt.piles, dealt.counters))
    return scoring.run_points(sitting.position.score, first, game.maximum, won=result == "won")


def _active(sitting: GameState, at: int) -> int:
    return sitting.active + min(at - sitting.changed_at, LONGEST_THOUGHT)


def _seal(sitting: GameState, event: Event, now: int) -> NewEvent:
    # A clock set back must not let a game's time run backwards.
    return hash_chain.chain_event(
        sitting.head, stream(sitting.id), sitting.version + 1, event, max(now, sitting.changed_at)
    )


def _begun(game_id: str, dealt: GameDealt, secret: bytes, sealed: Recorded) -> GameState:
    game = engine.game(dealt.game)
    return GameState(
        id=game_id,
        game=game,
        dealt=dealt,
        secret=secret,
        seed=commit_reveal.seed(dealt.game, dealt.nonce, secret),
        version=sealed.version,
        head=sealed.hash,
        position=Position(game, game.read_state(dealt.piles, dealt.counters)),
        past=None,
        moves=0,
        dealt_at=sealed.recorded_at,
        changed_at=sealed.recorded_at,
    )


def _next(sitting: GameState, sealed: Recorded) -> GameState:
    return replace(
        sitting,
        version=sealed.version,
        head=sealed.hash,
        changed_at=sealed.recorded_at,
        active=_active(sitting, sealed.recorded_at),
    )


def _moved(sitting: GameState, sealed: Recorded, state: State, revealed: bool) -> GameState:
    return replace(
        sitting,
        version=sealed.version,
        head=sealed.hash,
        changed_at=sealed.recorded_at,
        active=_active(sitting, sealed.recorded_at),
        position=Position(sitting.game, state),
        past=Past(sitting.position.state, revealed, sitting.past),
        moves=sitting.moves + 1,
    )


def _taken_back(sitting: GameState, sealed: Recorded, past: Past) -> GameState:
    return replace(
        sitting,
        version=sealed.version,
        head=sealed.hash,
        changed_at=sealed.recorded_at,
        active=_active(sitting, sealed.recorded_at),
        position=Position(sitting.game, past.state),
        past=past.before,
    )
