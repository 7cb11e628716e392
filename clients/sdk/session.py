"""A client's state of one game, built from the server's messages in order: cards, legal moves, score.

Every function is pure. If a version is missing, `lost` becomes true, and the protocol asks for a fresh view.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from msgspec import structs

from cadogan.sdk.moves import Joint, Move, Transfer, parse_move
from cadogan.wire import messages as wire
from cadogan.wire.analysis import WayStep
from cadogan.wire.messages import ServerMessage
from cadogan.wire.values import GameCard, PileView, Sight, Status

DOWN = "--"
"""Stands for a card that lies face down."""
MAX_FACE_DOWN = 1000
"""More cards than any game has, to limit memory if a server sends a larger number of face-down cards."""
FINISHED: frozenset[Status] = frozenset({"won", "lost", "resigned", "out_of_time"})
"""The statuses of a game that is over."""

Faces = tuple[str, ...]
"""The cards of a pile from the bottom, one entry for each: `TH` for the ten of hearts, or `DOWN`."""


def expand(cards: PileView) -> Faces:
    """Return a pile of a `View` with one entry for each card. In a `View`, a number is a count of face-down cards.

    >>> expand([2, "7H"])
    ('--', '--', '7H')
    """
    shown = ([DOWN] * min(card, MAX_FACE_DOWN) if isinstance(card, int) else [card] for card in cards)
    return tuple(face for faces in shown for face in faces)


@dataclass(frozen=True)
class Session:
    """The state of one game as this client may see it. It is a value that never changes.

    `finish` is the next of the moves that finish the game by itself; None while something is left to decide.

    `piles` is None while the player may not see the cards. `played` counts moves, `home` counts cards on the
    foundations. `began` is the time of the deal, in milliseconds on this machine's clock. `milliseconds` is how long
    the game took, once it is over. `secret` is the deal's secret, once it is revealed. `may_ask_if_winnable` is whether
    the server accepts `ask_if_winnable` in this game. `lost` means that a message is missing.
    """

    game: GameCard | None = None
    sight: Sight | None = None
    version: int = 0
    piles: dict[str, Faces] | None = None
    counters: dict[str, int] = field(default_factory=dict)
    moves: tuple[Move, ...] = ()
    score: int = 0
    home: int = 0
    played: int = 0
    status: Status = "playing"
    can_take_back: bool = False
    finish: str | None = None
    may_ask_if_winnable: bool = False
    watchers: int = 0
    began: int = 0
    milliseconds: int | None = None
    secret: str | None = None
    lost: bool = False

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.milliseconds is not None or self.status in FINISHED

    @property
    def mine(self) -> bool:
        """Whether this client's player may play: the game is theirs and has not ended."""
        return self.sight == "seat" and not self.over

    def clock(self, now: int) -> int:
        """Return the milliseconds on the game's clock when this machine's clock shows `now`, in milliseconds."""
        return max(0, now - self.began) if self.milliseconds is None else self.milliseconds


UNKNOWN = Session()
"""The session before the first view of a game."""


def apply_message(session: Session, message: ServerMessage, now: int) -> Session:
    """Return the session after a message about its game. `now` is this machine's clock, in milliseconds.

    A message with a known version changes nothing; a gap in the versions sets `lost`.
    """
    match message:
        case wire.View():
            return _from_view(session, message, now)
        case wire.Presence():
            return replace(session, watchers=message.watchers)
        case (
            wire.MovePlayed()
            | wire.MoveTakenBack()
            | wire.GameFinished()
            | wire.ChallengeSpoiled()
            | wire.DealRevealed()
            | wire.Advanced()
        ):
            if session.game is None or message.version <= session.version:
                return session
            if message.version > session.version + 1:
                return replace(session, lost=True)
            return _after_event(replace(session, version=message.version), message)
        case _:
            return session


def apply_winning_step(session: Session, step: WayStep) -> Session:
    """Return the session after one move of a winning line. Its legal moves are not known."""
    piles = (session.piles or {}) | {name: expand(cards) for name, cards in step.piles.items()}
    return replace(
        session,
        piles=piles,
        counters=session.counters | step.counters,
        moves=(),
        score=step.score,
        home=step.home,
        played=session.played + 1,
    )


def predict_piles(piles: Mapping[str, Faces], move: Move) -> dict[str, Faces]:
    """Return the piles after a transfer or an exchange, to show them before the server has answered.

    Only the moved cards are predicted. Other effects (a turned card, a refilled pile) are known when the server
    answers. Other kinds of moves do not change the piles.
    """
    match move:
        case Transfer(_, source, target, count):
            moved = piles[source][-count:]
            return {**piles, source: piles[source][:-count], target: piles[target] + moved}
        case Joint(_, (one, other), exchange=True):
            tops = piles[one][-1:], piles[other][-1:]
            return {**piles, one: piles[one][:-1] + tops[1], other: piles[other][:-1] + tops[0]}
    return dict(piles)


def _after_event(session: Session, message: ServerMessage) -> Session:
    match message:
        case wire.MovePlayed() | wire.MoveTakenBack():
            return _after_piles_changed(session, message)
        case wire.GameFinished():
            return replace(
                session,
                status=message.result,
                score=message.score,
                played=message.moves,
                milliseconds=message.milliseconds,
                moves=(),
                can_take_back=False,
                finish=None,
            )
        case wire.ChallengeSpoiled():
            unranked = session.game and structs.replace(session.game, ranked=False)
            return replace(session, game=unranked, can_take_back=bool(message.can_take_back))
        case wire.DealRevealed():
            return replace(session, secret=message.secret)
        case _:
            return session


def _from_view(session: Session, view: wire.View, now: int) -> Session:
    piles = None if view.piles is None else {name: expand(cards) for name, cards in view.piles.items()}
    return Session(
        game=view.game,
        sight=view.sight,
        version=view.version,
        piles=piles,
        counters=view.counters or {},
        moves=_parse_moves(view.legal, piles),
        score=view.score,
        home=view.home,
        played=view.moves,
        status=view.status,
        can_take_back=bool(view.can_take_back),
        finish=view.finish,
        may_ask_if_winnable=bool(view.may_ask_if_winnable),
        watchers=view.watchers,
        began=now - view.clock,
        milliseconds=view.clock if view.status in FINISHED else None,
        secret=session.secret,
    )


def _after_piles_changed(session: Session, message: wire.MovePlayed | wire.MoveTakenBack) -> Session:
    piles = session.piles and session.piles | {name: expand(cards) for name, cards in message.piles.items()}
    return replace(
        session,
        piles=piles,
        counters=session.counters | message.counters,
        moves=_parse_moves(message.legal, piles),
        score=message.score,
        home=message.home,
        played=message.moves,
        status=message.status,
        can_take_back=bool(message.can_take_back),
        finish=message.finish,
    )


def _parse_moves(legal: list[str] | None, piles: dict[str, Faces] | None) -> tuple[Move, ...]:
    return tuple(parse_move(text, piles or ()) for text in legal or ())
