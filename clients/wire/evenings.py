"""The HTTP bodies about evenings: competitions of several rounds, scored as duplicate bridge is."""

from typing import Annotated, Literal

from msgspec import Meta, field

from cadogan.wire.arenas import Arena
from cadogan.wire.beacon import DailyBeacon
from cadogan.wire.evening_values import (
    DealNumber,
    EntrantsTag,
    EveningCode,
    EveningEntry,
    EveningId,
    EveningLevel,
    EveningState,
    EveningTitle,
    ObjectionAnswer,
    ObjectionId,
    PauseSeconds,
    RoundNumber,
    RoundSeconds,
    ShareOfEntrants,
    TeamId,
    TeamName,
)
from cadogan.wire.values import Count, Digest, GameId, GroupId, Moment, Player, PlayerId, Slug, TimeZone, Value

Reason = Annotated[str, Meta(min_length=1, max_length=200)]


class FinalWanted(Value, frozen=True, kw_only=True):
    """Who plays a final: the best N, or the share [a, b] of the entrants; and how much they carry over."""

    rounds: Annotated[int, Meta(ge=1, le=12)]
    best: Annotated[int, Meta(ge=2, le=1000)] | None = None
    share: tuple[ShareOfEntrants, ShareOfEntrants] | None = None
    carry: Literal["none", "half", "all"] = "none"


class TeamsWanted(Value, frozen=True, kw_only=True):
    """Teams: their names, and how many shares of their members count on each deal, the best ones."""

    best: Annotated[int, Meta(ge=1, le=20)]
    names: Annotated[list[TeamName], Meta(min_length=2, max_length=40)]


class NewEvening(Value, frozen=True, kw_only=True):
    """Make an evening. The games are those of the level, in turn, unless they are named, one for each round.

    With `arena_minutes` it is an arena of so many minutes instead of `rounds`; the games that are named take turns.
    With `weekly`, a time zone, it begins a series: one each week at the same local time, the games of a level anew.
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
    weekly: TimeZone | None = None


class ChangeEvening(Value, frozen=True, kw_only=True):
    """Change an evening before its first round opens; what is left out stays. Games and deals never change.

    An arena keeps its length, too. The next evenings of a series are made like the one before them, with its changes.
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
    score. `end_series`: no evening follows the last one that is announced. An arena has no `void_round` and no
    `outage`.
    """

    kind: Literal["extend", "void_round", "outage", "thaw", "void", "answer", "end_series"]
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
    """An evening, as the list shows it. `is_weekly` is whether it belongs to a weekly series."""

    id: EveningId
    code: EveningCode
    title: str
    leader: Player
    state: Literal["coming", "on", "over", "void"]
    entry: EveningEntry
    starts_at: Moment
    ends_at: Moment
    group: GroupId | None = None
    is_weekly: bool = False


class EveningCalendar(Value, frozen=True, kw_only=True):
    """Where evenings are as feeds: `path` with `.ics` after it is a calendar, with `.atom` an Atom feed.

    Those of the server, or of a `group` of the player; the address of a group's is a secret of its members.
    """

    path: str
    group: GroupId | None = None
    name: str | None = None


class EveningList(Value, frozen=True, kw_only=True):
    """The evenings that the player may enter or see: those that are on or to come by their start, then the latest."""

    at: Moment
    evenings: list[EveningCard]
    may_make: bool = False
    """Whether the player may make an evening: for everybody, or at least for the groups that they own."""
    may_make_for_all: bool = False
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
    """The settings of a duplicate match of the leader of an evening against the `opponent`, who may not be known yet.

    It `waits` until the opponent enters; a challenged player declines by leaving. A match that is `at_once` begins some
    seconds after the opponent has entered.
    """

    waits: bool
    at_once: bool
    opponent: Player | None = None


class EveningSeries(Value, frozen=True, kw_only=True):
    """The weekly series of an evening, which is the one with this `number`; `next` is the one after it, once announced.

    The series has `ended` if no other evening follows: by its leader, or because the leader may make none any more. It
    `is_delayed` if the next evening should have been announced, and could not be yet: the server tries it every minute.
    """

    number: Count
    time_zone: TimeZone
    next: EveningId | None = None
    ended: Literal["by_leader", "no_leader"] | None = None
    is_delayed: bool = False


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
    series: EveningSeries | None = None
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
