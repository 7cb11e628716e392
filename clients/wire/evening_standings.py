"""The HTTP bodies about the standing of an evening, and about the runs and the record from which it follows."""

from typing import Annotated, Any, Literal

from msgspec import Meta, field

from cadogan.wire.arenas import ArenaField
from cadogan.wire.bodies import RecordedEvent
from cadogan.wire.evening_values import DealNumber, EveningId, Fraction, RoundNumber, Shown, TeamId
from cadogan.wire.values import Count, Digest, GameId, Milliseconds, Moment, Player, PlayerId, Reason, Slug, Value


class EveningShare(Value, frozen=True, kw_only=True):
    """The score of a player on a deal: `value`, as an exact fraction, and `shown`, the same rounded for display.

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


class EveningStruck(Value, frozen=True, kw_only=True):
    """A run that hosts removed from the standing, with the reason, or restored."""

    game: GameId
    player: Player
    round: DealNumber
    reason: Reason | None = None


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


class EveningRecord(Value, frozen=True, kw_only=True):
    """All events of an evening that is over, with its standing, to derive this again offline from its games' records.

    `runs` are the games that were played, each with a record of its own. `standing` is the answer of `cadogan score`;
    `proof` shows that the evening is in the transparency log, as in `Record`. `announcement` is the proof that its
    announcement is there, with the first checkpoint that witnesses signed: they date the commitments.
    """

    format: Literal["cadogan evening record 1"]
    evening: EveningId
    proof: str | None = None
    announcement: str | None = None
    events: list[RecordedEvent]
    runs: list[GameId]
    standing: dict[str, Any]
