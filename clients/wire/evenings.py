"""The HTTP bodies about evenings: competitions of several rounds, scored as duplicate bridge is."""

from typing import Annotated, Any, Literal

from msgspec import Meta, field

from cadogan.wire.beacon import DailyBeacon
from cadogan.wire.bodies import RecordedEvent
from cadogan.wire.values import Count, Digest, GameId, GroupId, Milliseconds, Moment, Player, PlayerId, Slug, Value
from cadogan.wire.values import Reason as StrikeReason

EveningId = Annotated[str, Meta(min_length=1, max_length=64, description="An evening's id.")]
EveningTitle = Annotated[str, Meta(min_length=1, max_length=60, description="What an evening is called.")]
EveningCode = Annotated[
    str,
    Meta(
        pattern=r"^[A-Z2-7]{6}\Z",
        description="The short code with which people enter an evening: six letters and digits.",
        examples=["K3V7Q2"],
    ),
]
EveningLevel = Literal["mixed", "gentle", "steady", "stern"]
EveningEntry = Annotated[
    Literal["all", "group", "link"],
    Meta(description="Who may enter: everybody of the house, the members of the group, or whoever has the link."),
]
EveningState = Annotated[
    Literal["announced", "entry", "round", "pause", "provisional", "final", "void"],
    Meta(description="A round is open, or the next one is awaited; after the last one the standing is provisional."),
]
ObjectionId = Annotated[str, Meta(min_length=1, max_length=64, description="The id of an objection.")]
TeamId = Annotated[str, Meta(pattern=r"^[1-9][0-9]?\Z", description="The id of a team within its evening: its number.")]
TeamName = Annotated[str, Meta(min_length=1, max_length=40, description="What a team is called.")]
ObjectionAnswer = Literal["upheld", "dismissed"]
EntrantsTag = Annotated[str, Meta(pattern=r"^[0-9a-f]{16}\Z", description="A digest of the list of entrants.")]
Fraction = Annotated[str, Meta(pattern=r"^-?[0-9]+/[0-9]+\Z", description="An exact fraction.", examples=["7/12"])]
Shown = Annotated[str, Meta(description="Hundredths of a per cent, or of a place, rounded half up.")]
RoundNumber = Annotated[int, Meta(ge=1, le=24)]
DealNumber = Annotated[int, Meta(ge=1, le=240, description="The number of a round, or of a deal of an arena.")]
RoundSeconds = Annotated[int, Meta(ge=60, le=7200, description="Seconds for which each deal may be played.")]
PauseSeconds = Annotated[int, Meta(ge=15, le=3600, description="Seconds between two rounds.")]
Reason = Annotated[str, Meta(min_length=1, max_length=200)]


class FinalWanted(Value, frozen=True, kw_only=True):
    """Who plays a final: the best so many, or the share [a, b] of the entrants; and how much they carry over."""

    rounds: Annotated[int, Meta(ge=1, le=12)]
    best: Annotated[int, Meta(ge=2, le=1000)] | None = None
    share: tuple[Annotated[int, Meta(ge=1)], Annotated[int, Meta(ge=1)]] | None = None
    carry: Literal["none", "half", "all"] = "none"


class TeamsWanted(Value, frozen=True, kw_only=True):
    """Teams: their names, and how many shares of their members count on each deal, the best ones."""

    best: Annotated[int, Meta(ge=1, le=20)]
    names: Annotated[list[TeamName], Meta(min_length=2, max_length=40)]


class NewEvening(Value, frozen=True, kw_only=True):
    """Make an evening. The games are those of the level, in turn, unless they are named, one for each round.

    With `arena_minutes` it is an arena of so many minutes instead of `rounds`; the games that are named take turns.
    """

    title: EveningTitle
    starts_at: Moment
    level: EveningLevel = "mixed"
    rounds: RoundNumber = 6
    games: Annotated[list[Slug], Meta(max_length=24)] | None = None
    seconds: RoundSeconds = 600
    pause: PauseSeconds = 60
    entry: EveningEntry = "all"
    group: GroupId | None = None
    scoring: Literal["matchpoints", "points", "places"] = "matchpoints"
    time_counts: bool = False
    bots: Literal["none", "apart", "mixed"] = "apart"
    trophy: bool = True
    freeze: bool = False
    teams: TeamsWanted | None = None
    final: FinalWanted | None = None
    objections_minutes: Annotated[int, Meta(ge=1, le=1440)] = 30
    rated: bool = True
    """Whether it counts in the ratings."""
    certified: bool | None = None
    """Whether its deals are searched for ones that can be won; by default, in games in which one is soon found."""
    arena_minutes: Annotated[int, Meta(ge=10, le=1440)] | None = None


class ChangeEvening(Value, frozen=True, kw_only=True):
    """Change an evening before its first round opens; what is left out stays. Games and deals never change.

    An arena keeps its length, too.
    """

    title: EveningTitle | None = None
    starts_at: Moment | None = None
    seconds: RoundSeconds | None = None
    pause: PauseSeconds | None = None
    entry: EveningEntry | None = None


class EnterEvening(Value, frozen=True, kw_only=True):
    """Enter an evening. A guest may give the name under which they play it; others have theirs.

    `team` is the id of one's team, where the evening has teams. It may be changed until one opens a deal.
    """

    name: Annotated[str, Meta(min_length=1, max_length=24)] | None = None
    team: TeamId | None = None


class AssignTeam(Value, frozen=True, kw_only=True):
    """Put an entrant into a `team`, or into none."""

    team: TeamId | None = None


class Ruling(Value, frozen=True, kw_only=True):
    """A decision of the leader.

    `extend`: the open `round`, or the arena, closes `seconds` later. `void_round`: the `round` counts for nobody.
    `outage`: between two moments nobody, or none of these `players`, could play. `thaw`: show a frozen standing.
    `void`: the evening counts for nobody. `answer`: the `objection` is upheld or dismissed; this alone changes no
    score. An arena has no `void_round` and no `outage`.
    """

    kind: Literal["extend", "void_round", "outage", "thaw", "void", "answer"]
    round: RoundNumber | None = None
    seconds: Annotated[int, Meta(ge=1, le=1800)] | None = None
    reason: Reason | None = None
    since: Moment | None = field(default=None, name="from")
    until: Moment | None = None
    players: Annotated[list[PlayerId], Meta(max_length=2_000)] | None = None
    objection: ObjectionId | None = None
    answer: ObjectionAnswer | None = None


class NewObjection(Value, frozen=True, kw_only=True):
    """Object to a `run`, or to a `round` as a whole, while the standing is provisional. Say the rest to the leader.

    A `round` of an arena is one of its deals.
    """

    run: GameId | None = None
    round: DealNumber | None = None


class EveningCard(Value, frozen=True, kw_only=True):
    """An evening, as the list shows it."""

    id: EveningId
    code: EveningCode
    title: str
    leader: Player
    state: Literal["coming", "on", "over", "void"]
    entry: EveningEntry
    starts_at: Moment
    ends_at: Moment
    group: GroupId | None = None


class EveningCalendar(Value, frozen=True, kw_only=True):
    """Where evenings are as feeds: `path` with `.ics` after it is a calendar, with `.atom` an Atom feed.

    Those of the house, or of a `group` of the player; the address of a group's is a secret of its members.
    """

    path: str
    group: GroupId | None = None
    name: str | None = None


class EveningList(Value, frozen=True, kw_only=True):
    """The evenings that the player may enter or see: those that are on or to come by their start, then the latest."""

    at: Moment
    evenings: list[EveningCard]
    may_make: bool = False
    """Whether the player may make an evening."""
    calendars: list[EveningCalendar] = field(default_factory=list)


class EveningRound(Value, frozen=True, kw_only=True):
    """A round. Its `secret` is known when it has closed; `commitment` is the SHA-256 of it, known from the beginning.

    `playing` and `finished` are how many runs go on, and are over. `void` is why the leader has voided it. A deal with
    a `seal` is certified: it can be won. The seal is shown when the round opens, the certificate is in the record.
    """

    round: RoundNumber
    stage: Literal["first", "final"]
    game: Slug
    level: str
    opens_at: Moment
    closes_at: Moment
    state: Literal["coming", "open", "closed"]
    deal: str
    commitment: Digest
    playing: Count = 0
    finished: Count = 0
    secret: Digest | None = None
    seal: Digest | None = None
    void: str | None = None
    own: GameId | None = None
    """The player's own run."""
    own_result: Literal["won", "lost", "resigned", "out_of_time"] | None = None
    """How the player's own run has ended; left out while it goes on."""


class EveningEntrant(Value, frozen=True, kw_only=True):
    """Who has entered; `left` is whether they have left since. A guest has the name chosen for this evening."""

    player: Player
    entered_at: Moment
    left: bool = False
    team: TeamId | None = None
    is_team_fixed: bool = False
    """Whether the team stays as it is: the player has opened a deal."""


class EveningTeam(Value, frozen=True, kw_only=True):
    """A team of an evening."""

    id: TeamId
    name: str


class EveningTeams(Value, frozen=True, kw_only=True):
    """The teams of an evening; the `best` so many shares of their members count on each deal."""

    best: Count
    teams: list[EveningTeam]


class EveningObjection(Value, frozen=True, kw_only=True):
    """An objection to a round, or to a run of it; it is open until it has an `answer`.

    One that is still open 72 hours after the last round counts as dismissed.
    """

    id: ObjectionId
    player: Player
    raised_at: Moment
    round: DealNumber
    run: GameId | None = None
    run_of: Player | None = None
    answer: ObjectionAnswer | None = None


class EveningMatch(Value, frozen=True, kw_only=True):
    """What makes an evening a duplicate match of its leader against the `opponent`, who may not be known yet.

    It `waits` until the opponent enters it; who was challenged declines by leaving it. One that is `at_once` begins
    some seconds after that.
    """

    waits: bool
    at_once: bool
    opponent: Player | None = None


class Arena(Value, frozen=True, kw_only=True):
    """The arena of an evening: so many `deals`, of these `games` in turn, all of which are open at the same time.

    `playing` and `finished` are how many runs go on, and are over. `next` is the number of the deal that the player
    plays now, or opens next; it is left out if they have played the last one. `own` is their run that goes on.
    """

    opens_at: Moment
    closes_at: Moment
    deals: DealNumber
    games: list[Slug]
    playing: Count = 0
    finished: Count = 0
    next: DealNumber | None = None
    own: GameId | None = None


class ArenaDeal(Value, frozen=True, kw_only=True):
    """A deal of an arena. `commitment` is the SHA-256 of its `secret`, which is told when the arena has closed.

    `own` is the player's run of it.
    """

    number: DealNumber
    game: Slug
    level: str
    deal: str
    commitment: Digest
    secret: Digest | None = None
    own: GameId | None = None


class ArenaDeals(Value, frozen=True, kw_only=True):
    """All deals of an arena, in their order."""

    evening: EveningId
    deals: list[ArenaDeal]


class Evening(Value, frozen=True, kw_only=True):
    """An evening as it is now. One with an `arena` has no `rounds`; its state is `round` while the arena is open.

    `at` is the server's time, by which rounds open and close. `entrants_tag` changes with the entrants: who sends it as
    `entrants` in the query gets an empty list of them while they are the same. `may_play` is whether the player may
    open the deal of the open round, or go on with it; `may_enter` and `may_lead` say what else they may do.
    """

    id: EveningId
    code: EveningCode
    title: str
    leader: Player
    state: EveningState
    entry: EveningEntry
    at: Moment
    version: Count
    entry_opens_at: Moment
    final_at: Moment
    scoring: Literal["matchpoints", "points", "places"]
    latest_entry: RoundNumber
    rounds: list[EveningRound]
    entrants: list[EveningEntrant]
    entrants_tag: EntrantsTag | None = None
    group: GroupId | None = None
    teams: EveningTeams | None = None
    match: EveningMatch | None = None
    round: RoundNumber | None = None
    freeze: bool = False
    is_entered: bool = False
    may_enter: bool = False
    may_play: bool = False
    may_lead: bool = False
    may_object: bool = False
    objections: list[EveningObjection] = field(default_factory=list)
    void: str | None = None
    digest: Digest | None = None
    beacon: DailyBeacon | None = None
    """The round of a beacon from which its cards follow, beside the secrets."""
    arena: Arena | None = None


class EveningGame(Value, frozen=True, kw_only=True):
    """The player's run of a round, or of a deal of an arena: its game, to be played on the socket as any other."""

    evening: EveningId
    round: DealNumber
    game: GameId
    closes_at: Moment


class VirtualRound(Value, frozen=True, kw_only=True):
    """A round of an evening on the clock of who plays it later; `own` is their run, if they have opened it."""

    round: RoundNumber
    game: Slug
    level: str
    opens_at: Moment
    closes_at: Moment
    own: GameId | None = None


class VirtualEvening(Value, frozen=True, kw_only=True):
    """What the player has done with a final evening that they play, or could play, as if they had been there.

    It is `none` before it has begun; `why` says then why the player may not begin it, and is left out if they may.
    `place`, of so many, and `total` are those at this minute of the evening, or in the end; they are left out for who
    has ended no run.
    """

    evening: EveningId
    at: Moment
    state: Literal["none", "on", "finished"]
    why: Literal["arena", "not_final", "void", "seen", "second_time"] | None = None
    starts_at: Moment | None = None
    rounds: list[VirtualRound] = field(default_factory=list)
    place: Count | None = None
    of: Count | None = None
    total: Fraction | None = None
    shown: Shown | None = None


class EveningShare(Value, frozen=True, kw_only=True):
    """What a deal is worth for a player: `value`, as an exact fraction, and `shown`.

    It was `played` against `n` - 1 others with so many `matchpoints`, 2 for each that is worse, 1 for each that is
    equal; or it was not opened; or it is adjusted because of an outage.
    """

    round: RoundNumber
    how: Literal["played", "adjusted", "not_opened"]
    value: Fraction
    shown: Shown
    matchpoints: Count | None = None
    n: Count | None = None
    run: GameId | None = None


class EveningRow(Value, frozen=True, kw_only=True):
    """A row of a standing: the mean of its `shares`. `reason` is what separates it from the row above."""

    place: Annotated[int, Meta(ge=1)]
    order: Annotated[int, Meta(ge=1)]
    player: Player
    total: Fraction
    shown: Shown
    shares: list[EveningShare]
    stage: Literal["first", "final"] = "first"
    runs: Count = 0
    reason: Literal["total", "head_to_head", "tops", "moves", "shared"] = "total"
    head_to_head: int | None = None
    tops: Count | None = None
    moves: Fraction | None = None
    winner: bool = False


class TeamRow(Value, frozen=True, kw_only=True):
    """A row in the standing of the teams. `kth` is the total of the last member that counts, which splits ties.

    `members` are those of the team who are in the standing.
    """

    place: Annotated[int, Meta(ge=1)]
    team: TeamId
    name: str
    members: Count
    total: Fraction
    shown: Shown
    kth: Fraction


class EveningField(Value, frozen=True, kw_only=True):
    """Those who are compared with each other: people, bots, or all."""

    field: Literal["people", "bots", "all"]
    rows: list[EveningRow]


class ArenaRow(Value, frozen=True, kw_only=True):
    """A row of an arena. `sheet` has the points of each run: 2 for a win, 1 for 500 points or more, twice in a streak.

    `streak` is how many runs the player has won in a row now: from 2 on the next one counts double.
    """

    place: Annotated[int, Meta(ge=1)]
    player: Player
    points: Count
    wins: Count
    runs: Count
    sheet: list[Count]
    streak: Count = 0


class ArenaField(Value, frozen=True, kw_only=True):
    """Those who are compared with each other in an arena: people, bots, or all."""

    field: Literal["people", "bots", "all"]
    rows: list[ArenaRow]


class EveningStruck(Value, frozen=True, kw_only=True):
    """A run that hosts took off the standing, with the reason, or put back."""

    game: GameId
    player: Player
    round: DealNumber
    reason: StrikeReason | None = None


class EveningCorrection(Value, frozen=True, kw_only=True):
    """Why a final standing is corrected: the runs that were `struck` since, and those that were `returned`.

    `digest` is that of the corrected standing, as the log has it; it is left out if nobody is left in it.
    """

    at: Moment
    struck: list[EveningStruck] = field(default_factory=list)
    returned: list[EveningStruck] = field(default_factory=list)
    digest: Digest | None = None


class FormRow(Value, frozen=True, kw_only=True):
    """How much better than predicted somebody was: the share less the share that the ratings predicted.

    `predicted` and `form` are hundredths of a per cent. Who has too few rated evenings or runs has no `place`.
    """

    player: Player
    predicted: int
    form: int
    place: Annotated[int, Meta(ge=1)] | None = None


class EveningStanding(Value, frozen=True, kw_only=True):
    """The standing of an evening: `live` until its last round has closed, then provisional, then final, or void.

    `frozen` is whether it leaves the last round out. `void_rounds` count for nobody. `digest` is that of the final
    standing, as the log has it; `corrected` is the standing after runs were struck or returned later, and `correction`
    says which. `reveal` is the order in which the rows of a frozen standing are revealed, from the bottom. `form` says
    who was better than their rating predicted, the best first; it is there once the evening is rated. An arena has
    `arena` and `corrected_arena` instead of `fields` and `corrected`.
    """

    evening: EveningId
    state: Literal["live", "provisional", "final", "void"]
    at: Moment
    version: Count
    fields: list[EveningField]
    rounds: list[RoundNumber]
    """The rounds that have shares."""
    void_rounds: list[RoundNumber] = field(default_factory=list)
    frozen: bool = False
    digest: Digest | None = None
    corrected: list[EveningField] | None = None
    correction: EveningCorrection | None = None
    teams: list[TeamRow] = field(default_factory=list)
    """The standing of the teams; an open round counts for a team once enough of its members have ended it."""
    corrected_teams: list[TeamRow] | None = None
    reveal: list[PlayerId] | None = None
    form: list[FormRow] | None = None
    arena: list[ArenaField] | None = None
    corrected_arena: list[ArenaField] | None = None


class EveningRun(Value, frozen=True, kw_only=True):
    """A run of a round that has closed. `beaten` and `equal`: how many runs of the same field are worse, or equal."""

    game: GameId
    player: Player
    result: Literal["won", "lost", "resigned", "out_of_time"]
    score: int
    moves: Count
    milliseconds: Milliseconds
    beaten: Count
    equal: Count
    counts: bool = True
    """Whether it counts: it is neither struck nor refused."""


class EveningRuns(Value, frozen=True, kw_only=True):
    """All runs of a round that has closed, or of a deal of an arena that has, the best first."""

    evening: EveningId
    round: DealNumber
    game: Slug
    runs: list[EveningRun]


class ArenaRun(Value, frozen=True, kw_only=True):
    """A run of an arena that is over: its points, or None if it is `out_of_time` and counts nothing.

    `counts` is false for a run that hosts have struck, or that is refused.
    """

    number: DealNumber
    rules: Slug
    game: GameId
    result: Literal["won", "lost", "resigned", "out_of_time"]
    score: int
    moves: Count
    milliseconds: Milliseconds
    points: Count | None = None
    counts: bool = True


class ArenaSheet(Value, frozen=True, kw_only=True):
    """The runs of one player in an arena that are over, in the order of the deals."""

    evening: EveningId
    player: Player
    runs: list[ArenaRun]


class EveningRecord(Value, frozen=True, kw_only=True):
    """All events of an evening that is over, with its standing, to derive this again offline from its games' records.

    `runs` are the games that were played, each with a record of its own. `standing` is the answer of `cadogan score`;
    `proof` shows that the evening is in the transparency log, as in
    `Record`.
    """

    format: Literal["cadogan evening record 1"]
    evening: EveningId
    proof: str | None = None
    events: list[RecordedEvent]
    runs: list[GameId]
    standing: dict[str, Any]
