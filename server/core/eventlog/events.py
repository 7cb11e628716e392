"""Events: one frozen struct for each kind, and their encoding in the log.

An event is stored under a short name and the number of its schema, never under an import path. When the fields of an
event change, its schema number is increased by one, and `UPCASTS` gets one function that converts the previous schema
to the new one. Events that are already stored are never changed.

Two names in storage are older than the names used in the code: what is stored as a `match` is a race.

>>> encode_event(MoveTakenBack())
('move_taken_back', 1, '{}')
>>> decode_event('move_played', 1, '{"effects":[],"move":"draw"}')
MovePlayed(move='draw', effects=())
"""

from collections.abc import Callable, Iterable
from typing import Any, ClassVar

from msgspec import UNSET, DecodeError, Struct, UnsetType, convert, field, json

from cadogan.server.core.eventlog.race_events import (
    PlayerJoined,
    PlayerLeft,
    RaceFinished,
    RaceOpened,
    RaceStarted,
    RematchOpened,
)
from cadogan.server.core.eventlog.rating_events import EveningRated, ShieldWon
from cadogan.server.core.eventlog.season_events import MemberJoined, MemberLeft, SeasonClosed, SeasonOpened
from cadogan.wire.beacon import BeaconRound, Signature
from cadogan.wire.values import Result


class UnreadableEvent(Exception):
    """A stored event that this version of the server cannot read: an unknown name, a newer schema or damaged data."""


class Origin(Struct, frozen=True):
    """The position from which a game continues: another game of the same deal, at this version.

    In a try at a puzzle `moves` led there, the first ones of the try, which cannot be taken back.
    """

    game: str
    version: int
    moves: int | UnsetType = UNSET


class Winnable(Struct, frozen=True):
    """How a winnable deal was found: it is the first candidate that the solver wins.

    `candidate` is its number, from 0. `solver` is the version of the solver, `budget` its node limit for each
    candidate.
    """

    candidate: int
    solver: int
    budget: int


class GameDealt(Struct, frozen=True, omit_defaults=True):
    """A game has begun.

    `piles` are all cards as dealt, pile by pile, with a minus sign before a card that lies face down (`-QH`).
    `counters` are the game's counters at the start, such as the redeals that are left. `nonce` and `commitment` bind
    the cards (see `cadogan.server.core.fairness.commit_reveal`). `day` and `slot` are set for a deal of a day's
    challenge, `race` holds the id of the race for a game that belongs to one. `origin` is set for a game that continues
    from another one: its first moves lead to that game's position. `competition` is the key of any other competition,
    and `about` says what the game is played for there, such as a match and a round. `number` is set if the cards are
    those of a numbered deal, and not of the secret and the nonce. `winnable` is set if the player asked for a deal that
    can be won.
    """

    game: str
    rules_version: int
    player: str
    deal: str
    nonce: str
    commitment: str
    day: str | None
    slot: int | None
    race: str | None = field(name="match")
    ranked: bool
    piles: dict[str, list[str]]
    counters: dict[str, int]
    origin: Origin | None = None
    competition: str | None = None
    about: str | None = None
    number: int | None = None
    winnable: Winnable | None = None


class MovePlayed(Struct, frozen=True):
    """A move was played. `effects` are the move's own effects and those that followed automatically, in order."""

    move: str
    effects: tuple[str, ...]


class MoveTakenBack(Struct, frozen=True):
    """The last move that had not been taken back was taken back."""


class GameFinished(Struct, frozen=True, omit_defaults=True):
    """A game has ended: `result` is won, lost, resigned or, at the end of a race or the close of a day, out_of_time.

    `moves` counts every move that was played, even those taken back later. `milliseconds` is the time since the deal;
    `active` is the time in milliseconds during which the player was playing. `points` are the points on a leaderboard;
    they are stored here so that a later change of the scoring does not change past results. `counts` is false for a
    ranked run that was given up before its first move, or that the close of its day ended: it is on no leaderboard.
    Older events have no `counts`, and are on the leaderboards whose digests were published with them.
    """

    result: Result
    score: int
    points: int
    moves: int
    milliseconds: int
    active: int
    counts: bool = True


class DealRevealed(Struct, frozen=True):
    """The secret of a finished casual game was revealed, in hex."""

    secret: str


class ChallengeSpoiled(Struct, frozen=True):
    """A player chose to see the cards of a daily deal, so no later game of the deal counts for this player.

    The event is in the stream of the player's one ranked attempt at the deal.
    """

    player: str
    deal: str


class GameWatched(Struct, frozen=True):
    """A player has seen, for the first time, another player's game of a deal that is not public yet."""

    player: str
    game: str
    deal: str


class DealSearch(Struct, frozen=True):
    """The search for a winnable candidate: the version of the solver, and its node limit for each candidate."""

    solver: int
    budget: int


class AnnouncedDeal(Struct, frozen=True):
    """One deal of a day's challenge. The nonce of its cards is derived from `deal`, its id
    (`cadogan.server.core.fairness.commit_reveal`).

    `search` is set if the deal is to be certified: the first candidate that this search wins is played then.
    """

    slot: int
    level: str
    game: str
    deal: str
    search: DealSearch | None = None


class LineMove(Struct, frozen=True):
    """One move of a winning line, with its effects as in `MovePlayed`."""

    move: str
    effects: tuple[str, ...]


class Certificate(Struct, frozen=True):
    """Proves that a daily deal can be won: the number of the candidate that is played, and a winning line.

    The line was found by the rules of this version, when the announced search had searched so many `nodes`.
    """

    deal: str
    candidate: int
    rules_version: int
    nodes: int
    line: tuple[LineMove, ...]


class DailyAnnounced(Struct, frozen=True):
    """The deals of a day were announced before the day, with one commitment to all their cards.

    `beacon` is the beacon round that is combined with the secret to derive the cards; omitted if there is none.
    """

    day: str
    commitment: str
    deals: tuple[AnnouncedDeal, ...]
    beacon: BeaconRound | UnsetType = UNSET


class DailyDrawn(Struct, frozen=True):
    """The announced beacon round was signed, which fixes the cards of the day.

    `signature` is None if the beacon was unavailable for too long: then only the secret determines the cards.
    """

    signature: Signature | None


class DailyOpened(Struct, frozen=True):
    """The day has begun. `certificates` maps the id of each certified deal to the seal of its certificate.

    For other deals the first candidate is played (see `cadogan.server.core.fairness.certificates`).
    """

    certificates: dict[str, str] = {}


class DailyClosed(Struct, frozen=True):
    """The day and its grace period are over: `secret` is revealed, in hex, and the leaderboards are final.

    `boards` maps the id of each deal to the digest of its leaderboard, and `day` to the digest of the day's.
    `certificates` are those whose seals were published when the day began. `struck` maps the id of each run that was
    disqualified by then to the reason: no digest includes it. It is omitted if there was none.
    """

    secret: str
    boards: dict[str, str]
    certificates: tuple[Certificate, ...] = ()
    struck: dict[str, str] | UnsetType = UNSET


class HouseActed(Struct, frozen=True, omit_defaults=True):
    """A host or a moderator acted: `by` is the player's id, or omitted for the command line.

    `act` and `reason` are values of `cadogan.wire.admin`. The other fields depend on the act and are omitted otherwise:
    the id of a player, a one-time code or a game; the new role; the end of a suspension, in milliseconds since 1970;
    the new admission rule of the server; the changed settings; the SHA-256 of an archive, and its number of games, all
    unchanged since `until`. It holds no name and no text written by a person.
    """

    act: str
    by: str | None = None
    player: str | None = None
    code: str | None = None
    role: str | None = None
    until: int | None = None
    accounts: str | None = None
    guests: bool | None = None
    uses: int | None = None
    game: str | None = None
    reason: str | None = None
    changed: tuple[str, ...] | None = None
    archive: str | None = None
    games: int | None = None


class CompetitionEvent(Struct, frozen=True, omit_defaults=True):
    """An event of a competition that is an extension (`register_events`), stored under its `name` for ever.

    After one that `reveals`, cards may be shown that were hidden before. One that `announces` is the first of its
    stream and has the commitments to its deals: it gets an entry in the transparency log at once. One that `ends` is
    the last.
    """

    name: ClassVar[str]
    announces: ClassVar[bool] = False
    reveals: ClassVar[bool] = False
    ends: ClassVar[bool] = False


Event = (
    GameDealt
    | MovePlayed
    | MoveTakenBack
    | GameFinished
    | DealRevealed
    | ChallengeSpoiled
    | GameWatched
    | DailyAnnounced
    | DailyDrawn
    | DailyOpened
    | DailyClosed
    | RaceOpened
    | PlayerJoined
    | PlayerLeft
    | RaceStarted
    | RaceFinished
    | RematchOpened
    | HouseActed
    | EveningRated
    | ShieldWon
    | SeasonOpened
    | MemberJoined
    | MemberLeft
    | SeasonClosed
    | CompetitionEvent
)
Upcast = Callable[[dict[str, Any]], dict[str, Any]]
"""Turns the data of one schema into data of the next."""

_KINDS: dict[str, type[Event]] = {
    "game_dealt": GameDealt,
    "move_played": MovePlayed,
    "move_taken_back": MoveTakenBack,
    "game_finished": GameFinished,
    "deal_revealed": DealRevealed,
    "challenge_spoiled": ChallengeSpoiled,
    "game_watched": GameWatched,
    "daily_announced": DailyAnnounced,
    "daily_drawn": DailyDrawn,
    "daily_opened": DailyOpened,
    "daily_closed": DailyClosed,
    "match_opened": RaceOpened,
    "player_joined": PlayerJoined,
    "player_left": PlayerLeft,
    "match_started": RaceStarted,
    "match_finished": RaceFinished,
    "rematch_opened": RematchOpened,
    "house_acted": HouseActed,
    "evening_rated": EveningRated,
    "shield_won": ShieldWon,
    "season_opened": SeasonOpened,
    "member_joined": MemberJoined,
    "member_left": MemberLeft,
    "season_closed": SeasonClosed,
}
EVENT_NAMES: dict[type[Event], str] = {event: name for name, event in _KINDS.items()}
"""The name under which each kind of event is stored."""
ENDING_EVENTS = {"game_finished", "deal_revealed", "match_finished", "daily_closed"}
"""The stored names of the events that can end a stream. Events that follow from such an event are in the same append:
`deal_revealed` comes with the end of its game."""
DAY_EVENTS = frozenset({"daily_announced", "daily_drawn", "daily_opened"})
"""The stored names of the events of a day that are put into the transparency log before the day closes."""
ANNOUNCEMENTS: dict[str, str] = {}
"""The stored names of the events of competitions that are put into the transparency log at once, each with the key of
its competition."""
UPCASTS: dict[str, tuple[Upcast, ...]] = {
    "daily_announced": (lambda data: {**data, "deals": [{**deal, "search": None} for deal in data["deals"]]},),
    "daily_opened": (lambda data: {**data, "certificates": {}},),
    "daily_closed": (lambda data: {**data, "certificates": []},),
}
"""For each event (by stored name) whose fields have changed: the functions from schema 1 to 2, 2 to 3, and so on."""

_encode = json.Encoder(order="sorted").encode
_decoders = {name: json.Decoder(event).decode for name, event in _KINDS.items()}


def register_events(key: str, kinds: Iterable[type[CompetitionEvent]]) -> None:
    """Know these events of the competition with this key from now on. It may be called again with the same.
    Raises ValueError for a name that does not begin with the key and an underscore, or that another class has.
    """
    for kind in kinds:
        if not kind.name.startswith(f"{key}_") or _KINDS.setdefault(kind.name, kind) is not kind:
            raise ValueError(
                f"the event {kind.name!r} of the competition {key!r} needs a name that begins with '{key}_' "
                "and that no other event has"
            )
        EVENT_NAMES[kind], _decoders[kind.name] = kind.name, json.Decoder(kind).decode
        ENDING_EVENTS.update([kind.name] if kind.ends else [])
        ANNOUNCEMENTS.update({kind.name: key} if kind.announces else {})


def encode_event(event: Event) -> tuple[str, int, str]:
    """Return the event's stored name, the number of its schema, and its data as canonical JSON.

    Canonical JSON has sorted keys and no spaces, and events hold no floats: equal events have equal bytes.
    """
    name = EVENT_NAMES[type(event)]
    return name, len(UPCASTS.get(name, ())) + 1, _encode(event).decode()


def canonical_json(data: dict[str, Any] | Struct) -> str:
    """Return data that was parsed from JSON, or a part of an event, as canonical JSON."""
    return _encode(data).decode()


def decode_event(name: str, schema: int, data: str) -> Event:
    """Return a stored event, upcast to the current schema. Raises UnreadableEvent."""
    upcasts = UPCASTS.get(name, ())
    if name not in _KINDS or type(schema) is not int or not 1 <= schema <= len(upcasts) + 1:
        raise UnreadableEvent(f"no event is called {name!r} with schema {schema}")
    try:
        if schema == len(upcasts) + 1:
            return _decoders[name](data)
        raw = json.decode(data)
        for upcast in upcasts[schema - 1 :]:
            raw = upcast(raw)
        return convert(raw, _KINDS[name])
    except (DecodeError, KeyError, TypeError, UnicodeError, RecursionError) as error:
        raise UnreadableEvent(f"the data of this {name} cannot be read: {error}") from None
