"""The JSON input of scoring: its types, and the error for invalid input.

InvalidForm     a file that is none of the documented forms; the message says where and what is wrong
"""

from collections import Counter
from collections.abc import Iterable
from typing import Any, Literal

import msgspec
from msgspec import Struct, field

Milliseconds = int
"""Since 1970 UTC, on the server's clock."""
MAX_RATING = 1_000_000
"""In hundredths. No rating is further from 0: one by which the chance to win is computed must have one."""
MAX_EVENINGS = 100_000
"""The most evenings over which somebody is rated: the variance is computed step by step."""
Result = Literal["won", "lost", "resigned", "out_of_time"]
Kind = Literal["person", "bot"]


class InvalidForm(ValueError):
    """A file that cannot be scored. The message says where it is wrong, and why."""


class Best(Struct, frozen=True, forbid_unknown_fields=False):
    """The number of the best shares of a team that count on a deal."""

    best: int


class Final(Struct, frozen=True):
    """Who qualifies for the final: the best N players, or the share [a, b] of the standing; and the carried score."""

    best: int | None = None
    share: tuple[int, int] | None = None
    rounds: int | None = None
    carry: Literal["none", "half", "all"] = "none"


class EveningSettings(Struct, frozen=True):
    """How an evening is scored."""

    kind: Literal["duplicate", "arena"] = "duplicate"
    scoring: Literal["matchpoints", "points", "places"] = "matchpoints"
    time_counts: bool = False
    bots: Literal["none", "apart", "mixed"] = "apart"
    trophy: bool = True
    freeze: bool = False
    teams: Best | None = None
    final: Final | None = None


class Round(Struct, frozen=True):
    """One deal, and the time window in which it may be opened."""

    round: int
    stage: Literal["first", "final"]
    deal: str
    opens_at: Milliseconds
    closes_at: Milliseconds
    game: str = ""
    level: str = ""


class Entrant(Struct, frozen=True):
    """Who has joined; `left_at` is when they left for good."""

    player: str
    entered_at: Milliseconds
    kind: Kind = "person"
    team: str | None = None
    left_at: Milliseconds | None = None


class Run(Struct, frozen=True):
    """One run of a deal."""

    run: str
    deal: str
    player: str
    opened_at: Milliseconds
    ended_at: Milliseconds
    result: Result
    score: int
    points: int
    moves: int
    milliseconds: int


class Outage(Struct, frozen=True, rename={"since": "from"}):
    """A period in which nobody, or none of these players, could play."""

    since: Milliseconds
    until: Milliseconds
    players: list[str] | None = None


class Voided(Struct, frozen=True):
    """A deal that the leader has voided."""

    deal: str
    at: Milliseconds
    reason: str = ""


class Struck(Struct, frozen=True):
    """A run that hosts have struck, and perhaps returned later."""

    run: str
    at: Milliseconds
    reason: str = ""
    returned_at: Milliseconds | None = None

    def holds(self, at: Milliseconds | None) -> bool:
        """Return whether the run is struck at this moment; with None, whether it is still."""
        if at is None:
            return self.returned_at is None
        return self.at <= at and (self.returned_at is None or self.returned_at > at)


class Evening(Struct, frozen=True):
    """The JSON of an evening. An arena has `opens_at`, `closes_at` and `deals` in place of `rounds`."""

    format: Literal["cadogan evening 1"]
    evening: str
    settings: EveningSettings = EveningSettings()
    rounds: list[Round] = field(default_factory=list)
    entrants: list[Entrant] = field(default_factory=list)
    runs: list[Run] = field(default_factory=list)
    outages: list[Outage] = field(default_factory=list)
    voided: list[Voided] = field(default_factory=list)
    struck: list[Struck] = field(default_factory=list)
    qualified: list[str] | None = None
    finalised_at: Milliseconds | None = None
    ratings: dict[str, tuple[int, int]] | None = None
    opens_at: Milliseconds | None = None
    closes_at: Milliseconds | None = None
    deals: list[str] = field(default_factory=list)


class Placed(Struct, frozen=True):
    """A place of a contest. `share` is the total, in hundredths of a per cent, if it is one."""

    player: str
    place: int
    kind: Kind = "person"
    share: int | None = None


class Contest(Struct, frozen=True):
    """A final evening, as it is rated; `family` is a level, or null."""

    contest: str
    at: Milliseconds
    places: list[Placed]
    family: str | None = None


class Correction(Struct, frozen=True):
    """The places of a contest after a later strike or return."""

    contest: str
    at: Milliseconds
    places: list[Placed]


class Ratings(Struct, frozen=True):
    """The JSON of ratings."""

    format: Literal["cadogan ratings 1"]
    contests: list[Contest] = field(default_factory=list)
    corrections: list[Correction] = field(default_factory=list)


class Member(Struct, frozen=True):
    """A member of a division, or a newcomer; `rating` is that at the start of the season."""

    player: str
    rating: int = 1500
    absent_seasons: int = 0


class SeasonSettings(Struct, frozen=True):
    """How a season is scored."""

    size: int = 12
    best_of_week: int = 5
    best_weeks: int | None = None
    least_sessions: int = 10
    demotion: bool = True


class Session(Struct, frozen=True):
    """The shares of one session, as fractions `a/b`, by player."""

    session: str
    week: str
    shares: dict[str, str]


class Season(Struct, frozen=True):
    """The JSON of a season."""

    format: Literal["cadogan season 1"]
    season: str
    weeks: list[str]
    settings: SeasonSettings = SeasonSettings()
    divisions: list[list[Member]] = field(default_factory=list)
    sessions: list[Session] = field(default_factory=list)
    left: list[str] = field(default_factory=list)
    newcomers: list[Member] = field(default_factory=list)


class VirtualEntry(Struct, frozen=True):
    """Who plays a closed evening, with all ids of the person, and when round 1 began for them."""

    player: str
    starts_at: Milliseconds
    person: list[str] = field(default_factory=list)


class VirtualRun(Struct, frozen=True):
    """A virtual run."""

    run: str
    deal: str
    opened_at: Milliseconds
    ended_at: Milliseconds
    result: Result
    score: int
    points: int
    moves: int
    milliseconds: int


class Seen(Struct, frozen=True):
    """A card of a deal was shown to somebody."""

    player: str
    at: Milliseconds
    deal: str
    by: str = ""


class Virtual(Struct, frozen=True):
    """The JSON of a virtual participation; `at` are milliseconds since the start."""

    format: Literal["cadogan virtual 1"]
    evening: Evening
    virtual: VirtualEntry
    runs: list[VirtualRun] = field(default_factory=list)
    seen: list[Seen] = field(default_factory=list)
    earlier: list[Any] = field(default_factory=list)
    at: list[int] = field(default_factory=list)


class ShieldRun(Struct, frozen=True):
    """The share of a person's run, as a fraction `a/b`, on a deal with `n` counted runs."""

    game: str
    player: str
    share: str
    n: int
    ended_at: Milliseconds


class Shields(Struct, frozen=True):
    """The JSON of the shields of a month, written as 2026-11; `holders` by game."""

    format: Literal["cadogan shields 1"]
    month: str
    holders: dict[str, str | None] = field(default_factory=dict)
    runs: list[ShieldRun] = field(default_factory=list)


FORMS: dict[str, type[Struct]] = {
    "cadogan evening 1": Evening,
    "cadogan ratings 1": Ratings,
    "cadogan season 1": Season,
    "cadogan virtual 1": Virtual,
    "cadogan shields 1": Shields,
}
MAX_BYTES = 64 * 1024 * 1024


def read_form(text: bytes) -> Struct:
    """Return the form in a file. Raises InvalidForm."""
    if len(text) > MAX_BYTES:
        raise InvalidForm(f"the file has more than {MAX_BYTES} bytes")
    try:
        named = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError, UnicodeError) as error:
        raise InvalidForm(f"it is no JSON: {error}") from None
    name = named.get("format") if isinstance(named, dict) else None
    form = FORMS.get(name) if isinstance(name, str) else None
    if form is None:
        raise InvalidForm(f"its format is {name!r}, and must be one of: {', '.join(FORMS)}")
    try:
        read = msgspec.convert(named, form)
    except (msgspec.ValidationError, RecursionError) as error:
        raise InvalidForm(str(error)) from None
    _check(read)
    return read


def _check(form: Struct) -> None:
    match form:
        case Evening():
            _check_evening(form)
        case Virtual(evening=evening):
            _check_evening(evening)
            if evening.settings.kind == "arena":
                raise InvalidForm("an arena cannot be played afterwards")
            _require_unique("a run of the player", [run.run for run in form.runs])
            if not evening.rounds:
                raise InvalidForm("the evening has no rounds")
        case Ratings():
            _require_unique("a contest", [contest.contest for contest in form.contests])
            pairs = [(one.contest, one.places) for one in form.contests]
            pairs += [(one.contest, one.places) for one in form.corrections]
            for named, places in pairs:
                _require_unique(f"a player of {named}", [placed.player for placed in places])
            if unknown := {one.contest for one in form.corrections} - {one.contest for one in form.contests}:
                raise InvalidForm(f"a correction of {min(unknown)}, which is no contest here")
        case Season():
            _require_unique("a week", form.weeks)
            _require_unique("a player", [member.player for division in form.divisions for member in division])
            check_season_settings(form.settings)
        case _:
            pass


def check_season_settings(settings: SeasonSettings) -> None:
    """Raise InvalidForm for settings by which no season can be scored."""
    best_weeks = 1 if settings.best_weeks is None else settings.best_weeks
    if min(settings.size, settings.best_of_week, best_weeks) < 1:
        raise InvalidForm("size, best_of_week and best_weeks are 1 or more")


def _check_evening(evening: Evening) -> None:
    settings = evening.settings
    _require_unique("a round", [str(one.round) for one in evening.rounds])
    _require_unique("a deal", [one.deal for one in evening.rounds] or evening.deals)
    _require_unique("an entrant", [one.player for one in evening.entrants])
    _require_unique("a run", [one.run for one in evening.runs])
    for one in evening.rounds:
        if one.closes_at <= one.opens_at:
            raise InvalidForm(f"round {one.round} closes before it opens")
    if settings.kind == "arena" and (evening.opens_at is None or evening.closes_at is None):
        raise InvalidForm("an arena needs opens_at and closes_at")
    if settings.kind == "duplicate" and not any(one.stage == "first" for one in evening.rounds):
        raise InvalidForm("an evening needs a round of the stage first")
    if settings.teams is not None and settings.teams.best < 1:
        raise InvalidForm("settings.teams.best is 1 or more")
    if (final := settings.final) is not None:
        if (final.best is None) == (final.share is None):
            raise InvalidForm("settings.final has either best or share")
        if final.share is not None and min(final.share) < 1:
            raise InvalidForm("settings.final.share is [a, b], both 1 or more")
    for player, (rating, evenings) in (evening.ratings or {}).items():
        if abs(rating) > MAX_RATING or not 0 <= evenings <= MAX_EVENINGS:
            raise InvalidForm(f"the rating of {player} is none: [hundredths, evenings]")
    for outage in evening.outages:
        if outage.until < outage.since:
            raise InvalidForm("an outage ends before it begins")


def _require_unique(what: str, names: Iterable[str]) -> None:
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        raise InvalidForm(f"{what} is there twice: {twice[0]}")
