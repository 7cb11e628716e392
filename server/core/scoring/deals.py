"""Scoring the deals of an evening: accepted runs, adjusted players, void deals, and the score of each run."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from typing import NamedTuple

from cadogan.server.core.scoring.forms import Entrant, Evening, Outage, Round, Run

Key = tuple[int, ...]
MIN_AVERAGE = Fraction(3, 5)
MAX_POINTS = 1250


def id_order(name: str) -> bytes:
    """Return the key by which ids are ordered: their UTF-8 bytes."""
    return name.encode()


def run_key(run: Run, *, time_counts: bool) -> Key:
    """Return the key of a run, the better one first: won, more score, fewer moves, and perhaps less time."""
    return (run.result != "won", -run.score, run.moves, *([run.milliseconds] if time_counts else []))


class Refused(NamedTuple):
    """A run that is not accepted, and the first reason that applies."""

    run: Run
    why: str


class Accepted:
    """The runs of an evening that are accepted, by deal and player; the others are refused, each with its reason.

    `struck` are the ids of struck runs. Runs of the final are accepted once `accept_final` was called with its players.
    `free` are players for whom the rule of late entry alone holds, as for others, and no outage.
    """

    def __init__(self, evening: Evening, struck: Collection[str]) -> None:
        self._evening = evening
        self._struck = struck
        self._kinds = {entrant.player: entrant.kind for entrant in evening.entrants}
        self._rounds = {one.deal: one for one in evening.rounds}
        self._first = [one.deal for one in rounds_of(evening, "first")]
        self._begun: set[str] = set()
        self.runs: dict[str, dict[str, Run]] = defaultdict(dict)
        self.struck: set[tuple[str, str]] = set()
        self.refused: list[Refused] = []
        self._ordered = sorted(evening.runs, key=lambda run: (run.opened_at, id_order(run.run)))
        self._accept([run for run in self._ordered if not self._is_of_final(run)], frozenset())

    def accept_final(self, qualified: Collection[str]) -> None:
        """Accept the runs of the final."""
        self._accept([run for run in self._ordered if self._is_of_final(run)], qualified)

    def _is_of_final(self, run: Run) -> bool:
        found = self._rounds.get(run.deal)
        return found is not None and found.stage == "final"

    def _accept(self, runs: Iterable[Run], qualified: Collection[str]) -> None:
        for run in runs:
            why = self._reason(run, qualified)
            if why is None:
                self.runs[run.deal][run.player] = run
                self._begun.add(run.player)
                continue
            self.refused.append(Refused(run, why))
            if why == "struck":
                self.struck.add((run.deal, run.player))
                self._begun.add(run.player)

    def _reason(self, run: Run, qualified: Collection[str]) -> str | None:
        kind, found = self._kinds.get(run.player), self._rounds.get(run.deal)
        if kind is None:
            return "not_entrant"
        if kind == "bot" and self._evening.settings.bots == "none":
            return "no_bots"
        if found is None:
            return "unknown_deal"
        if not found.opens_at <= run.opened_at < found.closes_at:
            return "outside_round"
        if run.player in self.runs[run.deal] or (run.deal, run.player) in self.struck:
            return "second_run"
        latest = max(1, len(self._first) // 2)
        if found.stage == "first" and run.player not in self._begun and self._first.index(run.deal) >= latest:
            return "late_entry"
        if run.run in self._struck:
            return "struck"
        return "not_qualified" if found.stage == "final" and run.player not in qualified else None


def rounds_of(evening: Evening, stage: str) -> list[Round]:
    """Return the rounds of a stage in order."""
    return sorted((one for one in evening.rounds if one.stage == stage), key=lambda one: one.round)


def lost_time(entrant: Entrant, one: Round, outages: Sequence[Outage]) -> int:
    """Return the milliseconds of a round during which outages affected an entrant; overlapping ones count once."""
    spans = sorted(
        (max(outage.since, one.opens_at), min(outage.until, one.closes_at))
        for outage in outages
        if (outage.players is None or entrant.player in outage.players)
        and entrant.entered_at <= outage.since
        and (entrant.left_at is None or entrant.left_at > outage.since)
    )
    lost, reached = 0, one.opens_at
    for begin, end in spans:
        lost += max(0, end - max(begin, reached))
        reached = max(reached, end)
    return lost


def adjusted_players(
    evening: Evening, accepted: Accepted, rounds: Sequence[Round], standing: Collection[str]
) -> list[set[str]]:
    """Return who is adjusted on each of these deals of a stage, in their order."""
    found: list[set[str]] = []
    entrants = [entrant for entrant in evening.entrants if entrant.player in standing]
    for number, one in enumerate(rounds):
        own, before = accepted.runs.get(one.deal, {}), rounds[number - 1].deal if number else ""
        adjusted = set()
        for entrant in entrants:
            name, run = entrant.player, own.get(entrant.player)
            if (one.deal, name) in accepted.struck or (run is not None and run.result != "out_of_time"):
                continue
            was_there = number == 0 or run is not None or name in accepted.runs.get(before, {}) or name in found[-1]
            if was_there and lost_time(entrant, one, evening.outages) * 4 >= one.closes_at - one.opens_at:
                adjusted.add(name)
        found.append(adjusted)
    return found


class Score(NamedTuple):
    """A player's score on a deal: its kind (`played`, `adjusted`, `not_opened`), the matchpoints, and the value."""

    how: str
    matchpoints: int | None
    value: Fraction
    run: Run | None


class ScoredDeal(NamedTuple):
    """One deal of a field: why it is void, or None; the number of counted runs; and the scores by player."""

    deal: str
    void: str | None
    n: int
    counted: dict[str, Run]
    adjusted: set[str]
    scores: dict[str, Score]

    @property
    def is_valid(self) -> bool:
        """Whether the deal counts."""
        return self.void is None


def matchpoints(runs: Mapping[str, Run], *, time_counts: bool) -> dict[str, int]:
    """Return the matchpoints of each run: 2 for each other that is worse, 1 for each that is equal."""
    keyed = sorted(((run_key(run, time_counts=time_counts), player) for player, run in runs.items()), reverse=True)
    found, worse = dict[str, int](), 0
    for _, group in groupby(keyed, key=lambda pair: pair[0]):
        players = [player for _, player in group]
        found.update(dict.fromkeys(players, 2 * worse + len(players) - 1))
        worse += len(players)
    return found


def neuberg(m: int, n: int, of: int) -> Fraction:
    """Return the share for `m` matchpoints on a deal with `n` runs, where the largest number on a deal is `of`."""
    return Fraction(1, 2) if of == 1 else Fraction(m * of + of - n, n * 2 * (of - 1))


def score_stage(
    evening: Evening,
    accepted: Accepted,
    rounds: Sequence[Round],
    standing: Collection[str],
    in_standing: int,
    voided: Mapping[str, str],
    participants: Collection[str] | None = None,
) -> tuple[int, list[ScoredDeal]]:
    """Score the deals of a stage for one field; return N, and the deals in order.

    `standing` are the players of the field who can be adjusted and get a score; `in_standing` is the number of players
    in the standing of the field. `voided` has the deals that are void whatever was played, with the reason.
    """
    settings = evening.settings
    players = standing if participants is None else participants
    adjusted = adjusted_players(evening, accepted, rounds, standing)
    deals = []
    for one, who in zip(rounds, adjusted, strict=True):
        runs = accepted.runs.get(one.deal, {})
        counted = {name: run for name, run in runs.items() if name in players and name not in who}
        n, absent = len(counted), len(who)
        void = voided.get(one.deal) or ("outage" if 2 * absent > absent + n else None if n else "nobody")
        deals.append(ScoredDeal(one.deal, void, n, counted, who, {}))
    largest = max((deal.n for deal in deals if deal.is_valid), default=0)
    for deal in deals:
        if deal.is_valid:
            _score_played(deal, largest, settings.scoring, settings.time_counts)
            for player in players:
                if player not in deal.counted and player not in deal.adjusted:
                    value = Fraction(in_standing + 1 if settings.scoring == "places" else 0)
                    deal.scores[player] = Score("not_opened", None, value, None)
    _score_adjusted(deals, settings.scoring)
    return largest, deals


def _score_played(deal: ScoredDeal, largest: int, scoring: str, time_counts: bool) -> None:
    points = matchpoints(deal.counted, time_counts=time_counts)
    for player, run in deal.counted.items():
        m = points[player]
        if scoring == "matchpoints":
            deal.scores[player] = Score("played", m, neuberg(m, deal.n, largest), run)
        elif scoring == "points":
            deal.scores[player] = Score("played", None, Fraction(run.points, MAX_POINTS), run)
        else:  # the mean of the places of equal runs: twice the place is 2 n less the matchpoints
            deal.scores[player] = Score("played", None, Fraction(2 * deal.n - m, 2), run)


def _score_adjusted(deals: Sequence[ScoredDeal], scoring: str) -> None:
    valid = [deal for deal in deals if deal.is_valid]
    for deal in valid:
        field_mean = mean([score.value for score in deal.scores.values() if score.how == "played"]) or Fraction(0)
        for player in deal.adjusted:
            own = mean([d.scores[player].value for d in valid if d is not deal and player not in d.adjusted])
            if scoring == "places":
                value = Fraction(deal.n + 1, 2) if own is None else own
            else:
                least = MIN_AVERAGE if scoring == "matchpoints" else field_mean
                value = least if own is None else max(least, own)
            deal.scores[player] = Score("adjusted", None, value, None)


def mean(values: Sequence[Fraction]) -> Fraction | None:
    """Return the mean of exact values; None of none."""
    return sum(values, Fraction(0)) / len(values) if values else None
