"""The state of one game, folded from its events, and the decision what each command does to it.

A GameState is immutable; `decide` and `apply` return the next one. If an append fails, the new state is discarded and
the previous one stays valid. Nothing here uses a clock, a store or a socket.

    stream ──fold──> GameState ──decide(command, now)──> Steps ──sealed events──> the log
"""

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple, Protocol

from msgspec.structs import replace

from cadogan import engine
from cadogan.engine.game import Game
from cadogan.engine.state import State
from cadogan.server.core.dates import MILLISECONDS_PER_DAY
from cadogan.server.core.errors import (
    BadMove,
    GameOver,
    IllegalMove,
    NothingToTakeBack,
    RefusalError,
    StaleVersion,
    TakeBackRevealed,
    TooMany,
    make_wire_text,
)
from cadogan.server.core.eventlog import hash_chain
from cadogan.server.core.eventlog.event_store import NewEvent, require_contiguous
from cadogan.server.core.eventlog.events import (
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
from cadogan.server.core.eventlog.streams import game_stream
from cadogan.server.core.fairness import commit_reveal
from cadogan.server.core.games import position
from cadogan.server.core.games.competition_rules import CompetitionRules, GameOutline, RulesRegistry
from cadogan.server.core.games.position import Past, Position
from cadogan.wire.messages import Play, Resign, TakeBack
from cadogan.wire.values import Result, Status

Command = Play | TakeBack | Resign
MAX_ACTIVE_WAIT_MILLISECONDS = 60_000
"""At most this many milliseconds between two events count as active time of the player."""
MAX_VERSION = 5_000
"""Highest version that moves and take-backs may reach. Showing a game folds all its events, so an endless game would
slow down the server. The longest won game in the tests has 536 moves (`docs/operations.md`)."""


IDLE_MILLISECONDS = 30 * MILLISECONDS_PER_DAY
"""Milliseconds without an event after which a game may be ended that has no other limit."""


class Recorded(Protocol):
    """An event in the format of the log, either to be appended or read back."""

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


class GameState(GameOutline, frozen=True, kw_only=True):
    """One game at one version of its log. Times are milliseconds since 1970, UTC."""

    stream: str
    """The name of its stream."""
    rules: Game
    """The rules of the game."""
    topics: Collection[str]
    """The bus topics to which its steps are published, besides the topic of the game."""
    keeps_revealing_moves: bool
    """Whether moves that revealed something cannot be taken back, as in ranked games."""
    secret: bytes
    seed: bytes
    head: bytes
    """The hash of the last event; not sent to anyone while the game is in progress."""
    position: Position
    past: Past | None
    moves: int
    """How many moves were played; take-backs are not counted."""
    changed_at: int
    home_at: int
    """Since when as many cards are home as now."""
    active: int = 0
    """Active time in milliseconds: the sum of the times between events, each at most `MAX_ACTIVE_WAIT_MILLISECONDS`."""

    def __repr__(self) -> str:
        return f"GameState({self.id!r}, version={self.version})"

    @property
    def status(self) -> Status:
        """``playing``, ``stuck``, ``won``, ``lost`` (stuck with no way back), ``resigned`` or ``out_of_time``."""
        if self.finished is not None:
            return self.finished.result
        status = self.position.status
        return "lost" if status == "stuck" and not self.can_take_back else status

    @property
    def can_take_back(self) -> bool:
        """Whether the last move may be taken back; in ranked games only a move that revealed nothing."""
        if self.past is None or self.finished is not None:
            return False
        return not (self.past.revealed and self.keeps_revealing_moves)


class Step(NamedTuple):
    """One event, the game before and after it (None before the deal), and the id of the command that caused it."""

    event: Event
    sealed: Recorded
    before: GameState | None
    after: GameState
    command: str | None = None


def deal(game_id: str, dealt: GameDealt, secret: bytes, now: int, competitions: RulesRegistry) -> list[Step]:
    """Return the first steps of a game: the deal and, if no move is possible, the end."""
    sealed = hash_chain.chain_event(hash_chain.START_HASH, game_stream(game_id), 1, dealt, now)
    first = Step(dealt, sealed, None, _begin(game_id, dealt, secret, sealed, competitions.rules_of(dealt)))
    return [first, *_end_if_decided(first.after, now)]


def decide(game: GameState, command: Command, now: int) -> list[Step]:
    """Return the steps of a command; their events are not written yet.

    Raises GameOver, StaleVersion, BadMove, IllegalMove, NothingToTakeBack or TakeBackRevealed, each with the version.
    The length of the game is not limited here, so that old records can be verified; see `require_room`.
    """
    if game.finished is not None:
        raise GameOver("This game is over.", version=game.version)
    if command.version != game.version:
        raise StaleVersion("The game has moved on.", version=game.version)
    if isinstance(command, Resign):
        return end_at_dead_end(game, command.id) or resign(game, now, command.id)
    step = _play(game, command, now) if isinstance(command, Play) else _take_back(game, command, now)
    return [step, *_end_if_decided(step.after, now)]


def require_room(game: GameState, steps: Sequence[Step]) -> None:
    """Raise TooMany if these steps would exceed `MAX_VERSION` without ending the game."""
    if game.version >= MAX_VERSION and not steps[-1].after.over:
        raise TooMany(
            "This game has reached {count} moves and take-backs, and takes only a move that ends it: or give it up.",
            count=MAX_VERSION,
            version=game.version,
        )


def resign(game: GameState, at: int, command: str | None = None) -> list[Step]:
    """Return the step that resigns a game at this time. The game must not be over."""
    return _finish(game, "resigned", at, command)


def end_at_dead_end(game: GameState, command: str | None = None) -> list[Step]:
    """Return the end of a game with no legal move left, although a move could be taken back; else no steps.

    It was played to the end, so the result is lost and not resigned. Its end time is that of the last event, so the
    time that the player spends before giving up the take-back is not counted.
    """
    return _finish(game, "lost", game.changed_at, command) if game.status == "stuck" else []


def end_on_time(game: GameState, at: int) -> list[Step]:
    """Return the end of a game whose time is up at this time; no steps if it is over or has no time limit."""
    first = game.competition.earliest_timeout(game.dealt, game.ranked)
    return [] if game.over or first is None or at < first else _finish(game, "out_of_time", at)


def end_idle(game: GameState, at: int) -> list[Step]:
    """Return the end of a game that nobody has touched for `IDLE_MILLISECONDS` at this time; else no steps.

    It is out of time and does not count, so it is in no statistics, as if it had not been played.
    """
    is_idle = game.competition.ends_when_idle(game.ranked) and at >= game.changed_at + IDLE_MILLISECONDS
    return _finish(game, "out_of_time", at) if is_idle and not game.over else []


def spoil(game: GameState, now: int) -> Step:
    """Return the step that reveals the deal to the player; the run must be neither over nor spoiled."""
    event = ChallengeSpoiled(game.player, game.dealt.deal)
    sealed = _seal(game, event, now)
    return Step(event, sealed, game, _after_spoiling(game, sealed))


def apply(
    game: GameState | None,
    game_id: str,
    secret: bytes,
    recorded: Recorded,
    command: str | None,
    competitions: RulesRegistry,
) -> Step:
    """Return the step of an event from the log, without checking that the rules allow it.

    `game` is the state before the event; None for the first one. `command` is the id stored with the event.

    Raises StreamIncomplete if events between the state and this event are missing; UnreadableEvent, or
    cadogan.engine.BrokenEffect and cadogan.engine.UnknownGame, if the event is impossible in this state.
    """
    event = decode_event(recorded.type, recorded.schema, recorded.data)
    if game is None:
        if not isinstance(event, GameDealt):
            raise UnreadableEvent(f"a game begins with its deal, not with {recorded.type}")
        require_contiguous(game_stream(game_id), 0, (recorded,))
        after = _begin(game_id, event, secret, recorded, competitions.rules_of(event))
        return Step(event, recorded, None, after, command)
    require_contiguous(game.stream, game.version, (recorded,))
    match event:
        case MovePlayed(effects=effects):
            parsed = map(game.rules.parse_effect, effects)
            state, revealed = game.rules.fold_and_reveal(game.position.state, parsed)
            after = _after_move(game, recorded, event, state, revealed)
        case MoveTakenBack():
            if game.past is None:
                raise UnreadableEvent("a move is taken back where none was played")
            after = _after_take_back(game, recorded, game.past)
        case GameFinished():
            after = replace(_advance(game, recorded), finished=event)
        case DealRevealed():
            after = _advance(game, recorded)
        case ChallengeSpoiled():
            after = _after_spoiling(game, recorded)
        case _:
            raise UnreadableEvent(f"{recorded.type} is no event of a game under way")
    return Step(event, recorded, game, after, command)


def fold(game_id: str, secret: bytes, events: Iterable[Recorded], competitions: RulesRegistry) -> GameState:
    """Return the game after all of these events. Raises the same as `apply`, and UnreadableEvent for no events."""
    game: GameState | None = None
    for recorded in events:
        game = apply(game, game_id, secret, recorded, None, competitions).after
    if game is None:
        raise UnreadableEvent(f"game {game_id} has no events")
    return game


def _play(game: GameState, command: Play, now: int) -> Step:
    rules, position = game.rules, game.position
    move = position.legal.get(command.move)
    if move is None:
        raise _refusal_of(game, command.move)
    played = rules.play_legal(position.state, move, game.seed)
    event = MovePlayed(move.text, tuple([rules.effect_text(effect) for effect in played.effects]))
    sealed = _seal(game, event, now)
    return Step(event, sealed, game, _after_move(game, sealed, event, played.state, played.revealed), command.id)


def _refusal_of(game: GameState, text: str) -> RefusalError:
    """Return the error that explains why a text is not a legal move."""
    rules = game.rules
    try:
        rules.play(game.position.state, rules.move(text))
    except engine.UnreadableMove as error:
        return BadMove(make_wire_text(error.translatable), version=game.version)
    except engine.IllegalMove as error:
        return IllegalMove(make_wire_text(error.translatable), version=game.version)
    raise AssertionError(f"{rules.slug} plays {text!r} but does not list it")


def _take_back(game: GameState, command: TakeBack, now: int) -> Step:
    past = game.past
    if past is None:
        raise NothingToTakeBack("There is no move to take back.", version=game.version)
    if not game.can_take_back:
        raise TakeBackRevealed(
            "In ranked games and races a move that showed something new cannot be taken back.", version=game.version
        )
    event = MoveTakenBack()
    sealed = _seal(game, event, now)
    return Step(event, sealed, game, _after_take_back(game, sealed, past), command.id)


def _end_if_decided(game: GameState, now: int) -> list[Step]:
    """Return the automatic end of a game: it is won, or neither a move nor a take-back is possible; else no steps."""
    status = game.status
    return _finish(game, status, now) if status == "won" or status == "lost" else []


def _finish(game: GameState, result: Result, now: int, command: str | None = None) -> list[Step]:
    at = max(now, game.changed_at)
    event = GameFinished(
        result=result,
        score=game.position.score,
        points=_points(game, result),
        moves=game.moves,
        milliseconds=at - game.dealt_at,
        active=_active(game, at),
        counts=_counts(game, result),
    )
    sealed = _seal(game, event, now)
    steps = [Step(event, sealed, game, replace(_advance(game, sealed), finished=event), command)]
    if game.competition.reveals_secret_at_end:
        before = steps[0].after
        revealed = DealRevealed(game.secret.hex())
        sealed = _seal(before, revealed, now)
        steps.append(Step(revealed, sealed, before, _advance(before, sealed)))
    return steps


def _counts(game: GameState, result: Result) -> bool:
    """Return whether a game counts: not one resigned without a move, ended by the day's close, or left idle."""
    if not game.ranked:
        return not (result == "out_of_time" and game.competition.ends_when_idle(ranked=False))
    is_of_day = game.competition.board_day(game.dealt) is not None
    return not (result == "resigned" and game.moves == 0) and not (result == "out_of_time" and is_of_day)


def _points(game: GameState, result: str) -> int:
    rules, dealt = game.rules, game.dealt
    first = rules.score(rules.read_state(dealt.piles, dealt.counters))
    return position.run_points(game.position.score, first, rules.maximum, won=result == "won")


def _active(game: GameState, at: int) -> int:
    return game.active + min(at - game.changed_at, MAX_ACTIVE_WAIT_MILLISECONDS)


def _seal(game: GameState, event: Event, now: int) -> NewEvent:
    # A clock that is set back must not make the times of a game decrease.
    return hash_chain.chain_event(game.head, game.stream, game.version + 1, event, max(now, game.changed_at))


def _begin(game_id: str, dealt: GameDealt, secret: bytes, sealed: Recorded, competition: CompetitionRules) -> GameState:
    rules = engine.game(dealt.game)
    return GameState(
        id=game_id,
        stream=game_stream(game_id),
        rules=rules,
        competition=competition,
        topics=competition.topics(dealt),
        keeps_revealing_moves=not competition.may_take_back_revealing_moves(dealt.ranked),
        dealt=dealt,
        secret=secret,
        seed=commit_reveal.game_seed(dealt.game, dealt.nonce, dealt.winnable, secret),
        version=sealed.version,
        head=sealed.hash,
        position=Position(rules, rules.read_state(dealt.piles, dealt.counters)),
        past=None,
        moves=0,
        dealt_at=sealed.recorded_at,
        changed_at=sealed.recorded_at,
        home_at=sealed.recorded_at,
    )


def _advance(game: GameState, sealed: Recorded) -> GameState:
    return replace(
        game,
        version=sealed.version,
        head=sealed.hash,
        changed_at=sealed.recorded_at,
        active=_active(game, sealed.recorded_at),
    )


def _after_spoiling(game: GameState, sealed: Recorded) -> GameState:
    keeps = not game.competition.may_take_back_revealing_moves(ranked=False)
    return replace(_advance(game, sealed), spoiled=True, keeps_revealing_moves=keeps)


def _after_move(game: GameState, sealed: Recorded, event: MovePlayed, state: State, revealed: bool) -> GameState:
    position = game.position.after(event.move, state)
    leads = game.dealt.origin is not None and game.moves < (game.dealt.origin.moves or 0)
    return replace(
        game,
        version=sealed.version,
        head=sealed.hash,
        changed_at=sealed.recorded_at,
        home_at=_home_at(game, position, sealed),
        active=_active(game, sealed.recorded_at),
        position=position,
        past=None if leads else Past.of(game.position.state, revealed, game.past),
        moves=game.moves + 1,
    )


def _after_take_back(game: GameState, sealed: Recorded, past: Past) -> GameState:
    position = Position(game.rules, past.state(game.rules))
    return replace(
        game,
        version=sealed.version,
        head=sealed.hash,
        changed_at=sealed.recorded_at,
        home_at=_home_at(game, position, sealed),
        active=_active(game, sealed.recorded_at),
        position=position,
        past=past.before,
    )


def _home_at(game: GameState, position: Position, sealed: Recorded) -> int:
    return game.home_at if position.home == game.position.home else sealed.recorded_at
