"""What is known of one game: feed it the server's messages in order, and it holds cards, moves and figures.

Every function is pure. A gap in the versions sets `lost`, and whoever owns the socket then asks for a fresh view.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from msgspec import structs

from clients.sdk.moves import Joint, Move, Transfer, parse_move
from clients.wire import messages as wire
from clients.wire.messages import ServerMessage
from clients.wire.values import GameCard, PileView, Sight, Status

DOWN = "--"
"""The face of a card that lies face down."""
FINISHED: frozenset[Status] = frozenset({"won", "lost", "resigned", "out_of_time"})

Faces = tuple[str, ...]
"""One entry for each card of a pile, from the bottom: `TH`, or DOWN."""


def expand(cards: PileView) -> Faces:
    """A pile of a view as one face for each card.

    >>> expand([2, "7H"])
    ('--', '--', '7H')
    """
    return tuple(face for card in cards for face in ([DOWN] * card if isinstance(card, int) else [card]))


@dataclass(frozen=True)
class Session:
    """A game as far as one may see it; `piles` is None while the board may not be seen.

    `began` is when it was dealt, in milliseconds on this machine's clock; `milliseconds` how long it took, once over.
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
    watchers: int = 0
    began: int = 0
    milliseconds: int | None = None
    secret: str | None = None
    lost: bool = False

    @property
    def over(self) -> bool:
        """Whether nothing more can be played."""
        return self.milliseconds is not None or self.status in FINISHED

    @property
    def mine(self) -> bool:
        """Whether one sits here and may play."""
        return self.sight == "seat" and not self.over

    def clock(self, now: int) -> int:
        """Milliseconds on the game's clock, at this moment of this machine's clock."""
        return max(0, now - self.began) if self.milliseconds is None else self.milliseconds


UNKNOWN = Session()
"""Nothing known yet."""


def receive(session: Session, message: ServerMessage, now: int) -> Session:
    """The session after one message of its game, read at this moment of this machine's clock, in milliseconds."""
    match message:
        case wire.View():
            return _viewed(session, message, now)
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
            return _advanced(replace(session, version=message.version), message)
        case _:
            return session


def foresee(piles: Mapping[str, Faces], move: Move) -> dict[str, Faces]:
    """The piles as they will plainly look after a move, before the server has answered: cards carried or exchanged.

    What follows by the game's rules (turning, refilling, closing up) is the server's to tell.
    """
    match move:
        case Transfer(_, source, target, count):
            held = piles[source][-count:]
            return {**piles, source: piles[source][:-count], target: piles[target] + held}
        case Joint(_, (one, other), exchange=True):
            tops = piles[one][-1:], piles[other][-1:]
            return {**piles, one: piles[one][:-1] + tops[1], other: piles[other][:-1] + tops[0]}
    return dict(piles)


def _advanced(session: Session, message: ServerMessage) -> Session:
    match message:
        case wire.MovePlayed() | wire.MoveTakenBack():
            return _changed(session, message)
        case wire.GameFinished():
            return replace(
                session,
                status=message.result,
                score=message.score,
                played=message.moves,
                milliseconds=message.milliseconds,
                moves=(),
                can_take_back=False,
            )
        case wire.ChallengeSpoiled():
            unranked = session.game and structs.replace(session.game, ranked=False)
            return replace(session, game=unranked, can_take_back=bool(message.can_take_back))
        case wire.DealRevealed():
            return replace(session, secret=message.secret)
        case _:
            return session


def _viewed(session: Session, view: wire.View, now: int) -> Session:
    piles = None if view.piles is None else {name: expand(cards) for name, cards in view.piles.items()}
    return Session(
        game=view.game,
        sight=view.sight,
        version=view.version,
        piles=piles,
        counters=view.counters or {},
        moves=_parsed(view.legal, piles),
        score=view.score,
        home=view.home,
        played=view.moves,
        status=view.status,
        can_take_back=bool(view.can_take_back),
        watchers=view.watchers,
        began=now - view.clock,
        milliseconds=view.clock if view.status in FINISHED else None,
        secret=session.secret,
    )


def _changed(session: Session, message: wire.MovePlayed | wire.MoveTakenBack) -> Session:
    piles = session.piles and session.piles | {name: expand(cards) for name, cards in message.piles.items()}
    return replace(
        session,
        piles=piles,
        counters=session.counters | message.counters,
        moves=_parsed(message.legal, piles),
        score=message.score,
        home=message.home,
        played=message.moves,
        status=message.status,
        can_take_back=bool(message.can_take_back),
    )


def _parsed(legal: list[str] | None, piles: dict[str, Faces] | None) -> tuple[Move, ...]:
    return tuple(parse_move(text, piles or ()) for text in legal or ())
