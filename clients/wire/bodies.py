"""What goes over HTTP, under `/api/v1`: the bodies of requests and responses, all JSON."""

from typing import Annotated, Any, Literal

from msgspec import Meta

from clients.wire.messages import ChallengeSpoiled, DealRevealed, GameFinished, MovePlayed, MoveTakenBack, View
from clients.wire.values import (
    Count,
    Day,
    DealId,
    Digest,
    GameCard,
    GameId,
    Hex,
    Meter,
    Milliseconds,
    Moment,
    Nonce,
    Password,
    Player,
    PlayerName,
    RefusalCode,
    Said,
    Score,
    SlotNumber,
    Slug,
    Status,
    Value,
    Version,
)


class Refusal(Value, frozen=True, kw_only=True):
    """Why a request was refused: a stable code, and a sentence for people; `said` where that has values in it."""

    code: RefusalCode
    message: str
    said: Said | None = None
    version: Version | None = None
    retry_after: Annotated[float, Meta(description="Seconds to wait before asking again.")] | None = None


class Credentials(Value, frozen=True, kw_only=True):
    """A name and its password: to sign in, or to claim the name."""

    name: PlayerName
    password: Password


class NewPassword(Value, frozen=True, kw_only=True):
    """The password one has, and the one in its place."""

    old: Password
    new: Password


class SignedIn(Value, frozen=True, kw_only=True):
    """A new session. Browsers get the token as a cookie too; programs send it as `Authorization: Bearer`."""

    player: Player
    token: str


class Session(Value, frozen=True, kw_only=True):
    """Who one is; null for nobody."""

    player: Player | None


class Claimed(Value, frozen=True, kw_only=True):
    """The player, now with a name."""

    player: Player


class RulesCard(Value, frozen=True, kw_only=True):
    """One set of rules, in a list."""

    slug: Slug
    name: str
    summary: str
    packs: Annotated[int, Meta(ge=1, description="How many packs are shuffled together.")]
    rules_version: int


class RulesList(Value, frozen=True, kw_only=True):
    """Every set of rules, by its name."""

    rules: list[RulesCard]


class PilePlace(Value, frozen=True, kw_only=True):
    """Where one pile lies, in card widths and heights; `step`, how far apart its cards lie, is a part of a card.

    `cards` gives each card's own x, y and turn, from the bottom, in place of a spread; a pile `only_filled` is drawn
    only while it holds cards.
    """

    name: str
    group: str
    role: Literal["stock", "waste", "foundation", "tableau", "reserve", "discard"]
    x: float
    y: float
    turn: Annotated[float, Meta(description="Degrees, clockwise.")]
    spread: Literal["none", "down", "right", "left", "up"]
    step: float | None = None
    only_filled: bool = False
    cards: list[list[float]] | None = None


class Layout(Value, frozen=True, kw_only=True):
    """Where every pile lies: enough to draw any game."""

    piles: list[PilePlace]
    width: float
    height: float


class DealPlan(Value, frozen=True, kw_only=True):
    """How a game is dealt, for whoever deals it again from a seed: `docs/record.md` says what each step means.

    Where the deal turns on the cards it meets, the steps end there and `whole` is false.
    """

    pack: Annotated[list[str], Meta(description="Every card, in the order before the shuffle, bottom first.")]
    counters: Annotated[dict[str, int], Meta(description="The counters' values before the deal.")]
    steps: Annotated[list[str], Meta(examples=[["shuffled hand deal", "moved hand tableau.0 1"]])]
    whole: bool
    down: Annotated[list[str], Meta(description="The piles on which cards come to lie face down.")]


class RulesPage(RulesCard, frozen=True, kw_only=True):
    """One set of rules whole: its page for people (HTML), its layout and its deal."""

    layout: Layout
    deal: DealPlan
    colours: Annotated[
        Literal[2, 4],
        Meta(description="2 where the rules tell red from black, 4 where only suits count."),
    ]
    page: str
    language: Annotated[str, Meta(description="The language of the name, the summary and the page: `en`.")] = "en"
    maximum: Annotated[int, Meta(description="The highest score there is.")]


class NewDeal(Value, frozen=True, kw_only=True):
    """Ask for a sealed deal."""

    rules: Slug


class SealedDeal(Value, frozen=True, kw_only=True):
    """A deal that is fixed but for the player's nonce, and its commitment: SHA-256 over its secret."""

    deal: DealId
    commitment: Digest
    rules: Slug


class NewGame(Value, frozen=True, kw_only=True):
    """Begin a game with a sealed deal and one's own nonce."""

    deal: DealId
    nonce: Nonce


class Game(Value, frozen=True, kw_only=True):
    """A game that was begun or found."""

    game: GameCard


class LiveGame(Meter, frozen=True, kw_only=True):
    """A game that is being played now."""

    rules: Slug
    day: Day | None = None


class LiveGames(Value, frozen=True, kw_only=True):
    """The games that are being played now."""

    games: list[LiveGame]


class Replay(Value, frozen=True, kw_only=True):
    """A game from its deal to where it is: the first view, and every message since."""

    dealt: View
    messages: list[MovePlayed | MoveTakenBack | GameFinished | DealRevealed | ChallengeSpoiled]


class RecordedEvent(Value, frozen=True, kw_only=True):
    """One event as it stands in the log; `hash` covers it and all before it."""

    version: Version
    type: str
    schema: int
    data: dict[str, Any]
    recorded_at: Moment
    hash: Digest


class Record(Value, frozen=True, kw_only=True):
    """All it takes to prove a game offline: `cadogan verify`."""

    format: Literal["cadogan record 1"]
    game: GameId
    stream: str
    secret: Hex
    nonce: Nonce
    commitment: Digest
    events: list[RecordedEvent]


class DailyDeal(Value, frozen=True, kw_only=True):
    """One deal of a day's card; `runs` is how many have begun their one attempt at it.

    `your_game` is the asker's own attempt; `spoiled`, that the asker has asked to be shown the deal.
    """

    slot: SlotNumber
    level: Annotated[str, Meta(examples=["gentle", "steady", "stern"])]
    rules: Slug
    deal: DealId
    runs: Count
    your_game: GameId | None = None
    your_status: Status | None = None
    spoiled: bool = False


class Daily(Value, frozen=True, kw_only=True):
    """One day's card. Runs begin from `opens_at` to `ends_at`; at `closes_at` secret and runs become public.

    The commitment binds the secret from which all its deals follow. `streak` is how many days in a row the asker has
    finished a deal of, up to today or yesterday.
    """

    day: Day
    commitment: Digest
    state: Literal["announced", "open", "closed"]
    opens_at: Moment
    ends_at: Moment
    closes_at: Moment
    deals: list[DailyDeal]
    secret: Digest | None = None
    streak: Count | None = None


class EnterDaily(Value, frozen=True, kw_only=True):
    """Begin one's attempt at a day's deal, or find it; with `practice`, a run that does not count."""

    practice: bool = False


class Spoiled(Value, frozen=True, kw_only=True):
    """A deal that the asker may see in the games of others, and of which no run of the asker's counts any more."""

    deal: DailyDeal


class Share(Value, frozen=True, kw_only=True):
    """One's results of a day, as text to send to others: how far and how fast, and nothing of any card."""

    text: str


class Dailies(Value, frozen=True, kw_only=True):
    """Some days, latest first."""

    dailies: list[Daily]


class RulesTally(Value, frozen=True, kw_only=True):
    """How somebody has fared with one set of rules, in games that are over."""

    rules: Slug
    played: Count
    won: Count
    best_score: Score


class RecentGame(Value, frozen=True, kw_only=True):
    """A game that is over, and how it ended."""

    game: GameCard
    score: Score
    moves: Count
    milliseconds: Milliseconds


class Profile(Value, frozen=True, kw_only=True):
    """Who somebody is here, since when, and how they have fared in games that are over; the latest of these.

    A streak counts days in a row with a finished ranked run, up to today or yesterday.
    """

    player: Player
    since: Moment
    streak: Count
    best_streak: Count
    played: Count
    won: Count
    by_game: list[RulesTally]
    recent: list[RecentGame]


class LogRoot(Value, frozen=True, kw_only=True):
    """One hash over the log: over every stream whose secret had been revealed when the day began, at that moment."""

    day: Day
    at: Moment
    streams: Annotated[int, Meta(ge=0, description="How many streams.")]
    root: Digest
