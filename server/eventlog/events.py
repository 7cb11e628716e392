"""Facts: everything that has happened, one frozen struct each, as it is written in the log and read back.

A fact is stored under a short name and the number of its schema, never under an import path. When a fact's shape
changes, its schema's number rises and `_UPCASTS` gains the one function that turns the old shape into the next; facts
already written are never touched.

>>> written(MoveTakenBack())
('move_taken_back', 1, '{}')
>>> read('move_played', 1, '{"effects":[],"move":"draw"}')
MovePlayed(move='draw', effects=())
"""

from collections.abc import Callable
from typing import Any

from msgspec import DecodeError, Struct, convert, json

from clients.wire.values import Result


class UnreadableEvent(Exception):
    """A stored fact that this version of the server cannot read: unknown name, newer schema or damaged data."""


class GameDealt(Struct, frozen=True):
    """A game began: who plays what, by which rules, and every card as it was dealt (``-QH`` lies face down).

    `day` and `slot` are there for a deal of a day's card, `match` for a race.
    """

    game: str
    rules_version: int
    player: str
    deal: str
    nonce: str
    commitment: str
    day: str | None
    slot: int | None
    match: str | None
    ranked: bool
    piles: dict[str, list[str]]
    counters: dict[str, int]


class MovePlayed(Struct, frozen=True):
    """A move and everything that followed from it by itself, as the effects it had."""

    move: str
    effects: tuple[str, ...]


class MoveTakenBack(Struct, frozen=True):
    """The last move not yet taken back was taken back."""


class GameFinished(Struct, frozen=True):
    """The end: `result` is won, lost, resigned or, in a race, out_of_time; `milliseconds` since the deal.

    Taking moves back gives none of `moves` back; `active` are the milliseconds in which the player was at it. `points`
    are what the run is worth on a board, fixed here so that no later rule changes a board.
    """

    result: Result
    score: int
    points: int
    moves: int
    milliseconds: int
    active: int


class DealRevealed(Struct, frozen=True):
    """The secret of a finished casual game, in hex."""

    secret: str


class ChallengeSpoiled(Struct, frozen=True):
    """A player asked to be shown a day's deal: no run of it counts from then on. In the stream of the one attempt."""

    player: str
    deal: str


class GameWatched(Struct, frozen=True):
    """A player was shown another's game of a deal that is not everybody's yet, for the first time."""

    player: str
    game: str
    deal: str


class AnnouncedDeal(Struct, frozen=True):
    """One deal of a day's card; its id is the nonce of its cards too."""

    slot: int
    level: str
    game: str
    deal: str


class DailyAnnounced(Struct, frozen=True):
    """A day's card of deals and the commitment to the cards of all, published before the day."""

    day: str
    commitment: str
    deals: tuple[AnnouncedDeal, ...]


class DailyOpened(Struct, frozen=True):
    """The day has come."""


class DailyClosed(Struct, frozen=True):
    """The day and its grace are over; the secret, in hex, is everybody's, and the boards are as their digests say.

    `boards` has the digest of each deal's board under the deal's name, and of the day's under ``day``.
    """

    secret: str
    boards: dict[str, str]


class RaceOpened(Struct, frozen=True):
    """A race was opened: its game, the commitment to its cards, how many may race and for how many seconds.

    To join a race that is not `open` one needs its link. For those `invited`, from the race before, a place is kept.
    """

    host: str
    game: str
    deal: str
    commitment: str
    size: int
    seconds: int
    countdown: int
    open: bool
    invited: tuple[str, ...]


class PlayerJoined(Struct, frozen=True):
    """A player took a place in a race; everybody's nonces together make the race's."""

    player: str
    nonce: str


class PlayerLeft(Struct, frozen=True):
    """A player gave the place up, before the race was started."""

    player: str


class RaceStarted(Struct, frozen=True):
    """The cards are fixed by the nonce of all players, and dealt to each of them at `starts_at`."""

    starts_at: int
    nonce: str


class RaceResult(Struct, frozen=True):
    """How far one player came; `result` as a finished game has it."""

    player: str
    game: str
    result: str
    home: int
    score: int
    moves: int
    milliseconds: int


class RaceFinished(Struct, frozen=True):
    """Every game of the race is over: the results, best first, and the secret in hex."""

    results: tuple[RaceResult, ...]
    secret: str


class RematchOpened(Struct, frozen=True):
    """The next race of the same people."""

    match: str


Event = (
    GameDealt
    | MovePlayed
    | MoveTakenBack
    | GameFinished
    | DealRevealed
    | ChallengeSpoiled
    | GameWatched
    | DailyAnnounced
    | DailyOpened
    | DailyClosed
    | RaceOpened
    | PlayerJoined
    | PlayerLeft
    | RaceStarted
    | RaceFinished
    | RematchOpened
)
Upcast = Callable[[dict[str, Any]], dict[str, Any]]

_KINDS: dict[str, type[Event]] = {
    "game_dealt": GameDealt,
    "move_played": MovePlayed,
    "move_taken_back": MoveTakenBack,
    "game_finished": GameFinished,
    "deal_revealed": DealRevealed,
    "challenge_spoiled": ChallengeSpoiled,
    "game_watched": GameWatched,
    "daily_announced": DailyAnnounced,
    "daily_opened": DailyOpened,
    "daily_closed": DailyClosed,
    "match_opened": RaceOpened,
    "player_joined": PlayerJoined,
    "player_left": PlayerLeft,
    "match_started": RaceStarted,
    "match_finished": RaceFinished,
    "rematch_opened": RematchOpened,
}
_NAMES: dict[type[Event], str] = {event: name for name, event in _KINDS.items()}
_UPCASTS: dict[str, tuple[Upcast, ...]] = {}
"""For each fact whose shape has changed: the functions from schema 1 to 2, from 2 to 3, and so on."""

_write = json.Encoder(order="sorted").encode
_read = {name: json.Decoder(event).decode for name, event in _KINDS.items()}


def written(event: Event) -> tuple[str, int, str]:
    """The fact's name, its schema's number and its data as canonical JSON: keys sorted, no spaces, no floats."""
    name = _NAMES[type(event)]
    return name, len(_UPCASTS.get(name, ())) + 1, _write(event).decode()


def canonical(data: dict[str, Any]) -> str:
    """Data that was read from somewhere, as canonical JSON."""
    return _write(data).decode()


def read(name: str, schema: int, data: str) -> Event:
    """The fact, brought up to today's shape. Raises UnreadableEvent."""
    upcasts = _UPCASTS.get(name, ())
    if name not in _KINDS or not 1 <= schema <= len(upcasts) + 1:
        raise UnreadableEvent(f"no fact is called {name!r} with schema {schema}")
    try:
        if schema == len(upcasts) + 1:
            return _read[name](data)
        raw = json.decode(data)
        for upcast in upcasts[schema - 1 :]:
            raw = upcast(raw)
        return convert(raw, _KINDS[name])
    except (DecodeError, KeyError, TypeError, UnicodeError) as error:
        raise UnreadableEvent(f"the data of this {name} cannot be read: {error}") from None
