"""The events of races. In storage a race is called a `match`."""

from msgspec import Struct, field


class RaceOpened(Struct, frozen=True):
    """A race was opened, for at most `size` players, with a time limit and a countdown, both in seconds.

    A player needs the race's link to join a race that is not `open`. A place is reserved for each player in `invited`,
    who took part in the race before this rematch.
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
    """A player has joined a race. The nonce of the race is derived from the nonces of all its players."""

    player: str
    nonce: str


class PlayerLeft(Struct, frozen=True):
    """A player has left a race before its start."""

    player: str


class RaceStarted(Struct, frozen=True):
    """A race was started. The nonce fixes the cards, which are dealt at `starts_at`, in milliseconds since 1970."""

    starts_at: int
    nonce: str


class RaceResult(Struct, frozen=True, omit_defaults=True):
    """One player's result in a race: `result` is as in `GameFinished`, `home` counts the cards that are home.

    `home_after` is the time from the deal until that many cards were home, in milliseconds. Older events have none.
    """

    player: str
    game: str
    result: str
    home: int
    score: int
    moves: int
    milliseconds: int
    home_after: int | None = None


class RaceFinished(Struct, frozen=True):
    """Every game of a race is over: the results, best first, and the race's secret, in hex."""

    results: tuple[RaceResult, ...]
    secret: str


class RematchOpened(Struct, frozen=True):
    """The next race of the same players was opened. `race` is its id."""

    race: str = field(name="match")
