"""The events of an evening, in its stream `evening/<id>`. Pure.

`docs/evenings.md` has a table of them. Times are milliseconds since 1970, UTC.
"""

from collections.abc import Mapping
from typing import ClassVar, Literal

from msgspec import Struct, field

from cadogan.server.core.eventlog.events import Certificate, CompetitionEvent, DealSearch
from cadogan.server.core.scoring.forms import EveningSettings, Kind
from cadogan.wire.beacon import BeaconRound, Signature
from cadogan.wire.evening_values import EveningLevel

KEY = "evening"
Entry = Literal["all", "group", "link"]
Answer = Literal["upheld", "dismissed"]


class PlannedRound(Struct, frozen=True, omit_defaults=True):
    """One round: its deal, the game, and the time in which it may be opened. `deal` is the id of the sealed deal.

    `search` is set if the deal is to be certified: the first candidate that this search wins is played then.
    The rounds of an arena are its deals, in their order. All of them have the time of the arena.
    """

    round: int
    stage: Literal["first", "final"]
    deal: str
    game: str
    level: str
    commitment: str
    opens_at: int
    closes_at: int
    search: DealSearch | None = None


class Match(Struct, frozen=True, omit_defaults=True):
    """An evening of two: the challenged player, or None if anybody with the link may join.

    `is_open` is whether waiting players see it in the list. A match that is `at_once` begins soon after it was
    accepted.
    """

    opponent: str | None = None
    is_open: bool = False
    at_once: bool = False


class Series(Struct, frozen=True, omit_defaults=True):
    """The weekly series of an evening: the id of its first evening, and the number of this one.

    The next evening begins at the same local time in `time_zone`. The games of the next evening are chosen from `level`
    and `games`, and its certified deals from `certified`, as they were asked for.
    """

    id: str
    number: int
    time_zone: str
    level: EveningLevel = "mixed"
    games: tuple[str, ...] | None = None
    certified: bool | None = None


class Announced(CompetitionEvent, frozen=True):
    """An evening is announced; its deals are sealed. `entry` says who may enter, `group` which group it is for.

    `beacon` is the beacon round that is combined with the secrets to derive the cards of all rounds.
    `teams` are the names of its teams. The id of a team is its number among them, from 1, as a text. `match` is there
    for a duplicate match, and `series` for an evening that repeats.
    """

    name: ClassVar[str] = "evening_announced"
    announces: ClassVar[bool] = True
    title: str
    leader: str
    entry: Entry
    settings: EveningSettings
    rounds: tuple[PlannedRound, ...]
    entry_opens_at: int
    objections_minutes: int
    group: str | None = None
    rated: bool = True
    beacon: BeaconRound | None = None
    teams: tuple[str, ...] = ()
    match: Match | None = None
    series: Series | None = None


class Changed(CompetitionEvent, frozen=True):
    """The leader has changed what is not None. `times` are those of all rounds: when each opens and closes.

    Those of an arena are one pair.
    """

    name: ClassVar[str] = "evening_changed"
    title: str | None = None
    entry: Entry | None = None
    times: tuple[tuple[int, int], ...] | None = None


class EntryOpened(CompetitionEvent, frozen=True):
    """Players may enter."""

    name: ClassVar[str] = "evening_entry_opened"


class Drawn(CompetitionEvent, frozen=True):
    """The announced beacon round was signed, which fixes the cards of all rounds.

    `signature` is None if the beacon was away until round 1 opened: then only the secrets determine the cards.
    """

    name: ClassVar[str] = "evening_drawn"
    signature: Signature | None = None


class RoundOpened(CompetitionEvent, frozen=True):
    """The deal of a round may be opened. `seal` is that of its certificate, if it is certified."""

    name: ClassVar[str] = "evening_round_opened"
    round: int
    seal: str | None = None


class RoundClosed(CompetitionEvent, frozen=True):
    """The time of a round is up: every run of it is over. `secret` is that of its deal, in hex.

    `certificate` is the one that fits the seal with which the round opened.
    """

    name: ClassVar[str] = "evening_round_closed"
    reveals: ClassVar[bool] = True
    round: int
    secret: str
    certificate: Certificate | None = None


class Ended(CompetitionEvent, frozen=True):
    """The last round has closed. The standing is provisional from now on."""

    name: ClassVar[str] = "evening_ended"


class ArenaOpened(CompetitionEvent, frozen=True):
    """The first deal of an arena may be opened, and each further one by who has ended the one before."""

    name: ClassVar[str] = "evening_arena_opened"


class ArenaClosed(CompetitionEvent, frozen=True):
    """The time of an arena is up: every run is over. `secrets` are those of all its deals, in hex, by number."""

    name: ClassVar[str] = "evening_arena_closed"
    reveals: ClassVar[bool] = True
    secrets: dict[str, str]


class Joined(CompetitionEvent, frozen=True):
    """Somebody has entered, or has come back. `team` is the id of the team they chose."""

    name: ClassVar[str] = "evening_entrant_joined"
    player: str
    kind: Kind = "person"
    team: str | None = None


class TeamAssigned(CompetitionEvent, frozen=True):
    """An entrant is in another team from now on, or in none. `by` is the entrant, or who leads the evening."""

    name: ClassVar[str] = "evening_team_assigned"
    player: str
    by: str
    team: str | None = None


class Left(CompetitionEvent, frozen=True):
    """Somebody has left."""

    name: ClassVar[str] = "evening_entrant_left"
    player: str


class Extended(CompetitionEvent, frozen=True):
    """A round closes `seconds` later, and all later rounds are delayed by the same time.

    An arena has its round 1 here.
    """

    name: ClassVar[str] = "evening_round_extended"
    round: int
    seconds: int
    by: str


class RoundShortened(CompetitionEvent, frozen=True):
    """A round of a match closes now, since both have ended their run; all later rounds move by as much."""

    name: ClassVar[str] = "evening_round_shortened"
    round: int


class RoundVoided(CompetitionEvent, frozen=True):
    """A round counts for nobody."""

    name: ClassVar[str] = "evening_round_voided"
    round: int
    reason: str
    by: str


class OutageNoted(CompetitionEvent, frozen=True, rename={"since": "from"}):
    """From one moment until another nobody, or none of these players, could play. `by` is None if the server saw it."""

    name: ClassVar[str] = "evening_outage_noted"
    since: int
    until: int
    players: tuple[str, ...] | None = None
    by: str | None = None


class FinalistsNamed(CompetitionEvent, frozen=True):
    """Who plays the final, by field."""

    name: ClassVar[str] = "evening_finalists_named"
    players: dict[str, tuple[str, ...]]


class ObjectionRaised(CompetitionEvent, frozen=True):
    """An entrant objects to a run, or to a round. There is no text of a person in it."""

    name: ClassVar[str] = "evening_objection_raised"
    objection: str
    player: str
    run: str | None = None
    round: int | None = None


class ObjectionAnswered(CompetitionEvent, frozen=True):
    """The leader has answered an objection."""

    name: ClassVar[str] = "evening_objection_answered"
    objection: str
    answer: Answer
    by: str


class Thawed(CompetitionEvent, frozen=True):
    """The standing, frozen since the last round opened, is shown."""

    name: ClassVar[str] = "evening_standing_thawed"
    by: str


class Finalised(CompetitionEvent, frozen=True):
    """The standing is final. `struck` are the ids of the runs that were struck by then, sorted."""

    name: ClassVar[str] = "evening_finalised"
    ends: ClassVar[bool] = True
    version: str
    digest: str
    struck: tuple[str, ...] = ()


class Corrected(CompetitionEvent, frozen=True):
    """Runs were struck or returned after the standing was final: the digest of the standing without those of `struck`.

    `digest` is None if nobody is left in it.
    """

    name: ClassVar[str] = "evening_corrected"
    ends: ClassVar[bool] = True
    version: str
    digest: str | None = None
    struck: tuple[str, ...] = ()


class SeriesEnded(CompetitionEvent, frozen=True):
    """The series ends with this evening. `by` is None if the leader has lost the right to make evenings."""

    name: ClassVar[str] = "evening_series_ended"
    by: str | None = None


class Voided(CompetitionEvent, frozen=True):
    """The evening counts for nobody. `by` is None if the rules void it."""

    name: ClassVar[str] = "evening_voided"
    reveals: ClassVar[bool] = True
    ends: ClassVar[bool] = True
    reason: str
    by: str | None = None
    secrets: dict[str, str] = field(default_factory=dict)
    """The secrets of the deals that were not revealed before, in hex, by round."""
    certificates: tuple[Certificate, ...] = ()
    """The certificates of the rounds that were open, if they had a seal."""


EVENTS: tuple[type[CompetitionEvent], ...] = (
    Announced, Changed, EntryOpened, Drawn, RoundOpened, RoundClosed, ArenaOpened, ArenaClosed, Ended, Joined,
    TeamAssigned, Left, Extended, RoundShortened, RoundVoided, OutageNoted, FinalistsNamed, ObjectionRaised,
    ObjectionAnswered, Thawed, SeriesEnded, Finalised, Corrected, Voided,
)  # fmt: skip


def secrets_by_round(secrets: Mapping[str, str]) -> dict[int, str]:
    """Return secrets by the numbers of their rounds. Raises ValueError for a number that is written in another way."""
    found = {int(number): secret for number, secret in secrets.items()}
    if [*map(str, found)] != [*secrets]:
        raise ValueError("the number of a round is not written in the usual way")
    return found
