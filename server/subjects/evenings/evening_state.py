"""An evening at one version of its stream. Pure.

    announced ── open for entry ── round 1 open ── pause ── … ── provisional ── final
                                                                     └── void, at any time before

An arena is open once, as one round is. The deals of its sequence are its `rounds`, all of which open and close with it.
What is due follows from the times in the stream alone.
"""

from collections.abc import Mapping
from typing import Literal, Self

from msgspec import Struct, field
from msgspec.structs import replace

from cadogan.server.core.eventlog.events import Certificate, CompetitionEvent, UnreadableEvent
from cadogan.server.core.eventlog.projections import ContestRow
from cadogan.server.core.fairness.commit_reveal import (
    COMPETITION_DIGITS,
    round_digest,
    signed_at,
)
from cadogan.server.core.games.stream_state import StreamState
from cadogan.server.core.scoring.forms import Entrant as ScoredEntrant
from cadogan.server.core.scoring.forms import EveningSettings, Kind, Outage
from cadogan.server.subjects.evenings.evening_events import (
    KEY,
    Announced,
    ArenaClosed,
    ArenaOpened,
    Changed,
    Corrected,
    Drawn,
    Ended,
    EntryOpened,
    Extended,
    Finalised,
    FinalistsNamed,
    Joined,
    Left,
    Match,
    ObjectionAnswered,
    ObjectionRaised,
    OutageNoted,
    PlannedRound,
    RoundClosed,
    RoundOpened,
    RoundShortened,
    RoundVoided,
    SeriesEnded,
    TeamAssigned,
    Thawed,
    Voided,
    secrets_by_round,
)
from cadogan.wire.beacon import SignedRound

MAX_PROVISIONAL_MILLISECONDS = 72 * 3600 * 1000
"""So long is a standing provisional at most; objections that are still open then count as dismissed."""
PLAYERS_OF_A_MATCH = 2
Phase = Literal["announced", "entry", "round", "pause", "provisional", "final", "void"]


class Entrant(Struct, frozen=True):
    """A player who has entered; `left_at` is when they left, unless they entered again.

    `teams` are the ids of their teams, each with the moment from which on they were in it, the earliest first.
    """

    player: str
    entered_at: int
    kind: Kind = "person"
    left_at: int | None = None
    teams: tuple[tuple[int, str | None], ...] = ()

    def team_at(self, moment: int | None) -> str | None:
        """Return the id of their team at a moment, or now if it is None; None without a team."""
        known = [team for since, team in self.teams if moment is None or since <= moment]
        return known[-1] if known else None


class Objection(Struct, frozen=True):
    """An objection to a run or a round, and its answer, if it has one."""

    raised: ObjectionRaised
    raised_at: int
    answered: ObjectionAnswered | None = None
    answered_at: int | None = None


class EveningState(StreamState, frozen=True, kw_only=True):
    """One evening. `opened` and `closed` are how many rounds have opened and closed."""

    announced: Announced | None = None
    title: str = ""
    entry: str = ""
    rounds: tuple[PlannedRound, ...] = ()
    entrants: dict[str, Entrant] = field(default_factory=dict)
    is_entry_open: bool = False
    opened: int = 0
    closed: int = 0
    secrets: dict[int, str] = field(default_factory=dict)
    """The secrets of the deals that are revealed, in hex, by round."""
    drawn: Drawn | None = None
    seals: dict[int, str] = field(default_factory=dict)
    """The seals of the certificates of the rounds that have opened, by round."""
    certificates: dict[int, Certificate] = field(default_factory=dict)
    """The certificates that are revealed, by round."""
    void_rounds: dict[int, tuple[int, str]] = field(default_factory=dict)
    """When the leader voided a round, and why."""
    outages: tuple[Outage, ...] = ()
    finalists: tuple[str, ...] | None = None
    ended_at: int | None = None
    objections: dict[str, Objection] = field(default_factory=dict)
    """By their ids, the earliest first."""
    is_thawed: bool = False
    series_ended: SeriesEnded | None = None
    finalised: Finalised | None = None
    finalised_at: int | None = None
    corrected: Corrected | None = None
    """The latest correction after the standing was final."""
    corrected_at: int | None = None
    voided: Voided | None = None

    @property
    def plan(self) -> Announced:
        """The first event. Raises UnreadableEvent if the stream begins with something else."""
        if self.announced is None:
            raise UnreadableEvent(f"{self.stream} does not begin with evening_announced")
        return self.announced

    @property
    def settings(self) -> EveningSettings:
        """How it is scored."""
        return self.plan.settings

    @property
    def signed(self) -> SignedRound | None:
        """The beacon round from which the cards follow, beside the secrets; None if they follow from these alone."""
        beacon, signature = self.plan.beacon, self.drawn.signature if self.drawn else None
        if beacon is None or signature is None:
            return None
        return SignedRound(chain=beacon.chain, round=beacon.round, signature=signature)

    @property
    def round_digest(self) -> str | None:
        """The digits of the signed beacon round that are part of the nonces of the deals."""
        return None if self.signed is None else round_digest(self.signed)[:COMPETITION_DIGITS]

    @property
    def is_arena(self) -> bool:
        """Whether everybody plays as many deals of one sequence as they can, instead of rounds."""
        return self.settings.kind == "arena"

    @property
    def is_by_matchpoints(self) -> bool:
        """Whether its runs have shares by matchpoints."""
        return self.settings.scoring == "matchpoints" and not self.is_arena

    @property
    def match(self) -> Match | None:
        """The settings of the duplicate match; None if the evening is not a match."""
        return self.plan.match

    @property
    def code_id(self) -> str:
        """The id whose beginning is the short code: that of the first evening of a series, which all of them share."""
        return self.plan.series.id if self.plan.series else self.id

    @property
    def repeats(self) -> bool:
        """Whether another evening of its series follows it."""
        return self.plan.series is not None and self.series_ended is None

    @property
    def opponent(self) -> str | None:
        """Who plays a match against its leader: who has accepted it, or else who was challenged."""
        if self.match is None:
            return None
        joined = next((player for player in self.entrants if player != self.plan.leader), None)
        return joined or self.match.opponent

    def is_player_of_match(self, player: str) -> bool:
        """Whether this is a match and the player one of its two players."""
        return self.match is not None and player in (self.plan.leader, self.opponent)

    @property
    def waits_for_opponent(self) -> bool:
        """Whether this is a match that can still be accepted, and nobody has accepted it yet."""
        return self.match is not None and len(self.entrants) < PLAYERS_OF_A_MATCH and not self.is_over

    @property
    def phase(self) -> Phase:
        """The phase of the evening, according to its events."""
        if self.voided is not None:
            return "void"
        if self.finalised is not None:
            return "final"
        if self.ended_at is not None:
            return "provisional"
        if self.opened > self.closed:
            return "round"
        if self.closed:
            return "pause"
        return "entry" if self.is_entry_open else "announced"

    @property
    def is_over(self) -> bool:
        """Whether it is final or void: nothing more happens."""
        return self.finalised is not None or self.voided is not None

    @property
    def struck(self) -> tuple[str, ...]:
        """The runs that its stream says are struck, sorted; none before the standing is final."""
        latest = self.corrected or self.finalised
        return latest.struck if latest else ()

    @property
    def open_round(self) -> PlannedRound | None:
        """The round whose deal may be opened now; None between rounds. For an open arena it is the first one."""
        if self.phase != "round":
            return None
        return self.rounds[0 if self.is_arena else self.opened - 1]

    @property
    def first_stage(self) -> list[PlannedRound]:
        """The rounds of the first stage."""
        return [one for one in self.rounds if one.stage == "first"]

    @property
    def latest_entry(self) -> int:
        """The number of the last round with which one may begin the evening. An arena counts as one round."""
        return 1 if self.is_arena else max(1, len(self.first_stage) // 2)

    @property
    def deciding_round(self) -> PlannedRound:
        """The last round of the stage that decides, before which a standing is frozen."""
        return self.rounds[-1]

    @property
    def is_frozen(self) -> bool:
        """Whether the public standing leaves the last round out."""
        has_begun = self.opened >= self.deciding_round.round
        return self.settings.freeze and has_begun and not (self.is_thawed or self.is_over)

    def shows_runs(self, number: int) -> bool:
        """Return whether everybody may see the runs of a round: it has closed, and no frozen standing leaves it out."""
        is_left_out = self.is_frozen and number == self.deciding_round.round
        return (self.closed >= number and not is_left_out) or self.voided is not None

    @property
    def team_names(self) -> dict[str, str]:
        """The names of the teams, by id."""
        return {str(number): name for number, name in enumerate(self.plan.teams, 1)}

    @property
    def due_at(self) -> int | None:
        if self.is_over or self.announced is None:
            return None
        if not self.is_entry_open:
            return self.announced.entry_opens_at
        if self.ended_at is not None:
            return self._final_at(self.ended_at, self.announced.objections_minutes * 60_000)
        if self.announced.beacon is not None and self.drawn is None:
            return signed_at(self.announced.beacon)
        coming = self.rounds[self.closed]
        return coming.closes_at if self.opened > self.closed else coming.opens_at

    def _final_at(self, ended_at: int, objections_milliseconds: int) -> int:
        """Return when the standing is final: after the objection time, and once every objection has its answer."""
        answers = [one.answered_at for one in self.objections.values()]
        if None in answers:
            return ended_at + MAX_PROVISIONAL_MILLISECONDS
        return max(ended_at + objections_milliseconds, *(at for at in answers if at is not None), 0)

    def round(self, number: int) -> PlannedRound | None:
        """Return the round with this number; None if there is none."""
        return self.rounds[number - 1] if 1 <= number <= len(self.rounds) else None

    def is_in(self, player: str) -> bool:
        """Return whether somebody has entered, and not left."""
        entrant = self.entrants.get(player)
        return entrant is not None and entrant.left_at is None

    def scored_entrants(self, opened_at: Mapping[str, int]) -> list[ScoredEntrant]:
        """Return the entrants for scoring, each in the team that they had when they opened their first deal.

        `opened_at` is the time of that, by player.
        """
        return [
            ScoredEntrant(one.player, one.entered_at, one.kind, one.team_at(opened_at.get(one.player)), one.left_at)
            for one in self.entrants.values()
        ]

    def list_row(self) -> ContestRow | None:
        if self.announced is None:
            return None
        state = "void" if self.voided else "over" if self.ended_at is not None else "on" if self.opened else "coming"
        if self.waits_for_opponent:
            state = "waiting"
        entry = self.entry if self.match is None else "anyone" if self.match.is_open else "match"
        first, last = self.rounds[0].opens_at, self.rounds[-1].closes_at
        leader, group = self.announced.leader, self.announced.group
        series = self.announced.series.id if self.announced.series else None
        return ContestRow(self.id, KEY, self.title, leader, group, entry, state, first, last, self.opponent, series)

    def apply(self, event: CompetitionEvent, at: int) -> Self:
        match event:
            case Announced(title=title, entry=entry, rounds=rounds):
                return replace(self, announced=event, title=title, entry=entry, rounds=rounds)
            case Changed():
                return self._after_change(event)
            case EntryOpened():
                return replace(self, is_entry_open=True)
            case Joined(player, kind, team):
                known = self.entrants.get(player) or Entrant(player, at, kind)
                teams = known.teams if team is None else (*known.teams, (at, team))
                return self._with_entrant(replace(known, kind=kind, left_at=None, teams=teams))
            case TeamAssigned(player=player, team=team):
                known = self.entrants[player]
                return self._with_entrant(replace(known, teams=(*known.teams, (at, team))))
            case Left(player):
                return self._with_entrant(replace(self.entrants[player], left_at=at))
            case Drawn():
                return replace(self, drawn=event)
            case RoundOpened(round=number, seal=seal):
                return replace(self, opened=number, seals={**self.seals, number: seal} if seal else self.seals)
            case RoundClosed(round=number, secret=secret, certificate=found):
                certificates = {**self.certificates, number: found} if found else self.certificates
                return replace(self, closed=number, secrets={**self.secrets, number: secret}, certificates=certificates)
            case ArenaOpened():
                return replace(self, opened=len(self.rounds))
            case ArenaClosed(secrets=secrets):
                return replace(self, closed=len(self.rounds), secrets=secrets_by_round(secrets))
            case Ended():
                return replace(self, ended_at=at)
            case Extended(round=number, seconds=seconds):
                if not self.is_arena:
                    return replace(self, rounds=_move(self.rounds, number, seconds * 1000))
                longer = [replace(one, closes_at=one.closes_at + seconds * 1000) for one in self.rounds]
                return replace(self, rounds=tuple(longer))
            case RoundShortened(round=number):
                closes_at = at + 1  # a run that was opened and ended at this very moment is within the round
                return replace(self, rounds=_move(self.rounds, number, closes_at - self.rounds[number - 1].closes_at))
            case _:
                return self._after_decision(event, at)

    def _with_entrant(self, entrant: Entrant) -> Self:
        return replace(self, entrants={**self.entrants, entrant.player: entrant})

    def _after_decision(self, event: CompetitionEvent, at: int) -> Self:
        match event:
            case RoundVoided(round=number, reason=reason):
                return replace(self, void_rounds={**self.void_rounds, number: (at, reason)})
            case OutageNoted(since, until, players):
                outage = Outage(since, until, None if players is None else [*players])
                return replace(self, outages=(*self.outages, outage))
            case FinalistsNamed(players):
                return replace(self, finalists=tuple([one for names in players.values() for one in names]))
            case ObjectionRaised(objection=id):
                return replace(self, objections={**self.objections, id: Objection(event, at)})
            case ObjectionAnswered(objection=id):
                answered = replace(self.objections[id], answered=event, answered_at=at)
                return replace(self, objections={**self.objections, id: answered})
            case Thawed():
                return replace(self, is_thawed=True)
            case SeriesEnded():
                return replace(self, series_ended=event)
            case Finalised():
                return replace(self, finalised=event, finalised_at=at)
            case Corrected():
                return replace(self, corrected=event, corrected_at=at)
            case Voided(secrets=secrets, certificates=certificates):
                numbers = {one.deal: one.round for one in self.rounds}
                return replace(
                    self,
                    voided=event,
                    secrets={**self.secrets, **secrets_by_round(secrets)},
                    certificates={**self.certificates, **{numbers[one.deal]: one for one in certificates}},
                )
        raise UnreadableEvent(f"{event.name} is no event of an evening")

    def _after_change(self, event: Changed) -> Self:
        times = event.times
        if times is None:
            times = tuple([(one.opens_at, one.closes_at) for one in self.rounds])
        elif self.is_arena:
            times *= len(self.rounds)
        pairs = zip(self.rounds, times, strict=True)
        rounds = tuple([replace(one, opens_at=opens, closes_at=closes) for one, (opens, closes) in pairs])
        return replace(self, title=event.title or self.title, entry=event.entry or self.entry, rounds=rounds)


def _move(rounds: tuple[PlannedRound, ...], number: int, by: int) -> tuple[PlannedRound, ...]:
    """Return all rounds after round `number` was lengthened, or shortened, by this many milliseconds."""
    earlier, changed, later = rounds[: number - 1], rounds[number - 1], rounds[number:]
    moved = [replace(one, opens_at=one.opens_at + by, closes_at=one.closes_at + by) for one in later]
    return (*earlier, replace(changed, closes_at=changed.closes_at + by), *moved)
