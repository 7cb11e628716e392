"""The bodies of HTTP requests and responses under `/api/v1`, all JSON."""

from typing import Annotated, Any, Literal

from msgspec import Meta

from cadogan.wire.beacon import DailyBeacon, SignedRound
from cadogan.wire.messages import ChallengeSpoiled, DealRevealed, GameFinished, MovePlayed, MoveTakenBack, View
from cadogan.wire.values import (
    About,
    CompetitionKey,
    Count,
    Day,
    DayState,
    DealId,
    DealNumber,
    Digest,
    GameCard,
    GameId,
    Hex,
    Meter,
    Mode,
    Moment,
    Nonce,
    RaceId,
    RefusalCode,
    Said,
    SlotNumber,
    Slug,
    Status,
    Value,
    Version,
)


class Refusal(Value, frozen=True, kw_only=True):
    """Why a request was refused: a stable code and a sentence for people.

    `said` is the sentence with its values separate, for translation; it is set if the sentence has values.
    """

    code: RefusalCode
    message: str
    said: Said | None = None
    version: Version | None = None
    retry_after: Annotated[float, Meta(description="Seconds to wait before asking again.")] | None = None


class RulesCard(Value, frozen=True, kw_only=True):
    """One set of rules, as an entry of a list."""

    slug: Slug
    name: str
    summary: str
    packs: Annotated[int, Meta(ge=1, description="How many packs are shuffled together.")]
    rules_version: int
    maximum: Annotated[int, Meta(description="The highest possible score.")]


class RulesList(Value, frozen=True, kw_only=True):
    """Every set of rules, sorted by name."""

    rules: list[RulesCard]


class PilePlace(Value, frozen=True, kw_only=True):
    """The place of one pile: `x` in card widths, `y` in card heights.

    `step` is the distance between the cards of a spread pile, as a part of a card. `cards` has the x, y and turn of
    each card from the bottom, instead of a spread. A pile with `only_filled` is drawn only while it has cards.
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
    """The places of all piles: enough to draw any game.

    `width` and `height` are the size of the table before any pile spreads. `room` is its width and height with the room
    for spreads; null if the client chooses.
    """

    piles: list[PilePlace]
    width: float
    height: float
    room: list[float] | None = None


class Layouts(Value, frozen=True, kw_only=True):
    """Other layouts of the same piles: for a tall table (a phone upright), and for a short wide one (on its side)."""

    tall: Layout
    wide: Layout


class DealPlan(Value, frozen=True, kw_only=True):
    """The steps of a deal, to repeat it from a seed. `docs/record.md` explains each step.

    If the deal depends on its cards, the steps end at that point and `whole` is false.
    """

    pack: Annotated[list[str], Meta(description="Every card in the order before the shuffle, from the bottom.")]
    counters: Annotated[dict[str, int], Meta(description="The counters' values before the deal.")]
    steps: Annotated[list[str], Meta(examples=[["shuffled hand deal", "moved hand tableau.0 1"]])]
    whole: bool
    down: Annotated[list[str], Meta(description="The piles that get face-down cards.")]
    numbers: Annotated[int, Meta(description="The greatest number of a numbered deal; 0 if the game has none.")] = 0


class BriefLine(Value, frozen=True, kw_only=True):
    """A part of the brief rules, about the piles of some `groups`, or without groups about the whole table."""

    groups: list[str]
    sentences: list[Said]


class RulesPage(RulesCard, frozen=True, kw_only=True):
    """One set of rules in full: its page for people (HTML), its layout and its deal.

    `aim` is the aim of the game (HTML), a part of the page. `brief` are the rules in a few sentences for somebody new.
    `also_known_as` are other names of the game.
    """

    level: Annotated[str, Meta(examples=["gentle", "steady", "stern"])]
    also_known_as: list[str]
    layout: Layout
    layouts: Layouts | None = None
    deal: DealPlan
    colours: Annotated[
        Literal[2, 4],
        Meta(description="2 if the rules distinguish red and black, 4 if only suits count."),
    ]
    page: str
    aim: str
    brief: list[BriefLine]
    language: Annotated[str, Meta(description="The language of the name, the summary and the page: `en`.")] = "en"


class NewDeal(Value, frozen=True, kw_only=True):
    """Request a sealed deal."""

    rules: Slug


class SealedDeal(Value, frozen=True, kw_only=True):
    """A deal that is fixed except for the player's nonce, and its commitment: the SHA-256 of its secret."""

    deal: DealId
    commitment: Digest
    rules: Slug


class NewGame(Value, frozen=True, kw_only=True):
    """Begin a game with a sealed deal and the player's nonce, or with the cards of the numbered deal of this number.

    With `winnable` it has the cards of the first candidate of this deal that a search wins: it can be won.
    """

    deal: DealId
    nonce: Nonce
    number: DealNumber | None = None
    winnable: bool = False


class Game(Value, frozen=True, kw_only=True):
    """A game, new or existing."""

    game: GameCard


class LiveGame(Meter, frozen=True, kw_only=True):
    """A game that is being played now."""

    rules: Slug
    day: Day | None = None


class LiveGames(Value, frozen=True, kw_only=True):
    """The games that are being played now."""

    games: list[LiveGame]


class UnfinishedGame(LiveGame, frozen=True, kw_only=True):
    """An unfinished game of the player. `changed_at` is the time of its last event.

    `competition` and `about` are as in a game's card.
    """

    mode: Mode
    maximum: Annotated[int, Meta(description="The highest possible score.")]
    changed_at: Moment
    race: RaceId | None = None
    competition: CompetitionKey | None = None
    about: About | None = None


class UnfinishedGames(Value, frozen=True, kw_only=True):
    """The player's unfinished games, the one played last first."""

    games: list[UnfinishedGame]


class Replay(Value, frozen=True, kw_only=True):
    """A game from its deal to its present state: the first view, and every message after it."""

    dealt: View
    messages: list[MovePlayed | MoveTakenBack | GameFinished | DealRevealed | ChallengeSpoiled]


class RecordedEvent(Value, frozen=True, kw_only=True):
    """One event of the log. `hash` covers this event and all before it."""

    version: Version
    type: str
    schema: int
    data: dict[str, Any]
    recorded_at: Moment
    hash: Digest


class Record(Value, frozen=True, kw_only=True):
    """All data needed to verify a game offline, with `cadogan verify`.

    `proof` is set once the game is in the transparency log, and proves its inclusion (C2SP `tlog-proof`). `beacon` is
    the round that was mixed into the shuffle of a day's deal, if any.
    """

    format: Literal["cadogan record 1"]
    game: GameId
    stream: str
    secret: Hex
    nonce: Nonce
    commitment: Digest
    beacon: SignedRound | None = None
    proof: str | None = None
    events: list[RecordedEvent]


class DayRecord(Value, frozen=True, kw_only=True):
    """All events of a closed day, from its announcement to its close, to verify it offline.

    `proof` shows that the day is in the transparency log, as in `Record`. `announcement` is the proof that its
    announcement is there, with a checkpoint that witnesses signed early: they date the commitment.
    """

    format: Literal["cadogan day 1"]
    day: Day
    proof: str | None = None
    announcement: str | None = None
    events: list[RecordedEvent]


class RaceRecord(Value, frozen=True, kw_only=True):
    """All events of a race that is over, from its opening to its results, to verify it offline.

    `proof` shows that the race is in the transparency log, as in `Record`.
    """

    format: Literal["cadogan race 1"]
    race: RaceId
    proof: str | None = None
    events: list[RecordedEvent]


class DealSearch(Value, frozen=True, kw_only=True):
    """The search for a deal that can be won: the version of the solver, and its node limit for each candidate."""

    solver: Count
    budget: Count


class DailyDeal(Value, frozen=True, kw_only=True):
    """One deal of a day. `runs` is the number of ranked attempts that have begun.

    `your_game` is the requesting player's own attempt. `spoiled` means that the player's runs are unranked, because the
    player has seen the deal, or the player's owner or bot has begun it.

    A deal with a `seal` is certified: it can be won. The seal of its certificate is published when the day begins;
    `search` is announced before that. After the close, `candidate` is the number of the played candidate, and
    `deal_level` the difficulty of this deal, measured by the nodes of its search (`level` is the intended one). `par`
    is the number of moves of the shortest known winning line, sent after the close or when the player's run is over.
    """

    slot: SlotNumber
    level: Annotated[str, Meta(examples=["gentle", "steady", "stern"])]
    rules: Slug
    deal: DealId
    runs: Count
    your_game: GameId | None = None
    your_status: Status | None = None
    spoiled: bool = False
    search: DealSearch | None = None
    seal: Digest | None = None
    candidate: Annotated[int, Meta(ge=0, le=49)] | None = None
    deal_level: Annotated[str, Meta(examples=["gentle", "steady", "stern"])] | None = None
    par: Count | None = None


class Daily(Value, frozen=True, kw_only=True):
    """One day with its deals. Runs can begin from `opens_at` to `ends_at` and go on until `closes_at`.

    Within seconds after `closes_at` the state becomes `closed`, and everything becomes public.

    The commitment is the SHA-256 of the secret that determines all deals of the day. `streak` is the number of
    consecutive days, up to today or yesterday, on which the player has finished a deal. `missed` means that nobody
    could play this day, because the server was off.

    With a `beacon`, nobody can know a card before the day begins. At its begin the deals are `shuffling` for some
    seconds, until the day is open.
    """

    day: Day
    commitment: Digest
    state: DayState
    opens_at: Moment
    ends_at: Moment
    closes_at: Moment
    deals: list[DailyDeal]
    secret: Digest | None = None
    streak: Count | None = None
    missed: bool = False
    beacon: DailyBeacon | None = None
    shuffling: bool = False


class EnterDaily(Value, frozen=True, kw_only=True):
    """Begin or continue the ranked attempt at a deal of a day; with `practice`, begin an unranked run."""

    practice: bool = False


class Spoiled(Value, frozen=True, kw_only=True):
    """A deal that the player may now see in the games of others. The player's own runs of it are no longer ranked."""

    deal: DailyDeal


class Share(Value, frozen=True, kw_only=True):
    """The player's results of a day as text to share. It reveals no card."""

    text: str


class Dailies(Value, frozen=True, kw_only=True):
    """Some days, the latest first.

    `missed` are the days in this range that nobody could play because the server was off, the latest first.
    """

    dailies: list[Daily]
    missed: list[Day] | None = None


class LogRoot(Value, frozen=True, kw_only=True):
    """The root hash of the log, over every stream whose secret was revealed before the day began."""

    day: Day
    at: Moment
    streams: Annotated[int, Meta(ge=0, description="The number of these streams.")]
    root: Digest
