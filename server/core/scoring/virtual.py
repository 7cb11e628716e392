"""Standings at a moment, and the place of somebody who plays a closed evening against its recorded field."""

from collections.abc import Collection, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from msgspec import structs

from cadogan.server.core.scoring.deals import (
    MAX_POINTS,
    MIN_AVERAGE,
    Accepted,
    adjusted_players,
    matchpoints,
    mean,
    neuberg,
    rounds_of,
)
from cadogan.server.core.scoring.fields import fraction, shown
from cadogan.server.core.scoring.forms import Entrant, Evening, EveningSettings, Run, Virtual
from cadogan.server.core.scoring.standing import players_of, score_evening, score_fields, struck_at

Totals = dict[str, Fraction]


def score_virtual(form: Virtual) -> dict[str, Any]:
    """Return the standing of a virtual participant: whether they may play, and where they would have been."""
    evening, entry = form.evening, form.virtual
    why = _why_not(form)
    answer: dict[str, Any] = {"format": "cadogan virtual standing 1", "evening": evening.evening}
    answer |= {"player": entry.player, "eligible": why is None, "why": why}
    if why is not None:
        return answer
    joined, forced = _join(form)
    start = rounds_of(evening, "first")[0].opens_at
    struck = struck_at(evening, evening.finalised_at)
    answer["at"] = [
        {"elapsed": elapsed} | _place(standing_at(joined, struck, forced, start + elapsed), evening, entry.player)
        for elapsed in form.at
    ]
    answer["final"] = _final(joined, struck, forced, evening, entry.player)
    return answer


def _why_not(form: Virtual) -> str | None:
    evening, entry = form.evening, form.virtual
    person = {entry.player, *entry.person}
    if evening.finalised_at is None or entry.starts_at < evening.finalised_at:
        return "not_final"
    if score_evening(evening)["state"] == "void":
        return "void"
    deals = {one.deal for one in evening.rounds}
    has_seen = any(one.player in person and one.deal in deals and one.at < entry.starts_at for one in form.seen)
    if has_seen or any(run.player in person and run.deal in deals for run in evening.runs):
        return "seen"
    return "second_time" if any(_named(one) in person for one in form.earlier) else None


def _named(earlier: Any) -> str:
    if isinstance(earlier, dict):
        return str(earlier.get("player", ""))
    return earlier if isinstance(earlier, str) else ""


def _join(form: Virtual) -> tuple[Evening, dict[str, str]]:
    """Return the evening with the virtual runs shifted into it, and the deals that were void as it was recorded."""
    evening, entry = form.evening, form.virtual
    shift = rounds_of(evening, "first")[0].opens_at - entry.starts_at
    runs = [
        Run(
            run.run, run.deal, entry.player, run.opened_at + shift, run.ended_at + shift, run.result, run.score,
            run.points, run.moves, run.milliseconds,
        )
        for run in form.runs
    ]  # fmt: skip
    void = void_deals(evening)
    others = [one for one in evening.entrants if one.player != entry.player]
    # Nobody was there then: an outage concerns who had entered before it.
    late = max((outage.since for outage in evening.outages), default=0) + 1
    joined = structs.replace(
        evening,
        entrants=[*others, Entrant(entry.player, late)],
        runs=[*evening.runs, *runs],
        rounds=rounds_of(evening, "first"),
        settings=structs.replace(evening.settings, final=None, freeze=False),
        ratings=None,
    )
    return joined, void


def void_deals(evening: Evening) -> dict[str, str]:
    """Return the deals of the first stage that are void in the final standing, each with the reason."""
    _, fields = score_fields(evening, struck_at(evening, evening.finalised_at))
    return {deal.deal: deal.void for deal in fields[0].first if deal.void is not None}


class Share(NamedTuple):
    """The score of a player on a deal at a given time: its kind (`played`, `adjusted`, `not_opened`), and the value.

    `matchpoints` and `n`, the number of runs on the deal, are None where nothing was played.
    """

    how: str
    value: Fraction
    matchpoints: int | None = None
    n: int | None = None


def standing_at(evening: Evening, struck: Collection[str], void: Mapping[str, str], at: int) -> Totals:
    """Return the totals of the first stage at a moment, of the field of people."""
    shares = shares_at(evening, struck, void, at, "all" if evening.settings.bots == "mixed" else "people")
    return {name: total_of(known) for name, known in shares.items()}


def total_of(shares: Mapping[str, Share]) -> Fraction:
    """Return the total of a player: the mean of the shares of all deals that count for them."""
    return mean([share.value for share in shares.values()]) or Fraction(0)


def shares_at(
    evening: Evening, struck: Collection[str], void: Mapping[str, str], at: int, field: str
) -> dict[str, dict[str, Share]]:
    """Return the shares of the first stage at a moment, by player and deal.

    An open round is a deal only of those who have ended it: for the others it is neither a 0 nor a share.
    """
    settings = evening.settings
    rounds = [one for one in rounds_of(evening, "first") if one.opens_at <= at]
    accepted = Accepted(evening, struck)
    players = players_of(evening, field)
    ended = {
        one.deal: {
            name: run for name, run in accepted.runs.get(one.deal, {}).items() if name in players and run.ended_at <= at
        }
        for one in rounds
    }
    standing = {name for runs in ended.values() for name in runs}
    closed = [one for one in rounds if one.closes_at <= at]
    away_by_round = adjusted_players(evening, accepted, closed, standing)
    adjusted = {one.deal: away for one, away in zip(closed, away_by_round, strict=True)}
    counted: dict[str, dict[str, Run]] = {}
    for one in rounds:
        away = adjusted.get(one.deal, set())
        runs = {name: run for name, run in ended[one.deal].items() if name not in away}
        is_outage = 2 * len(away) > len(away) + len(runs)
        if one.deal not in void and runs and not is_outage:
            counted[one.deal] = runs
    largest = max(map(len, counted.values()), default=0)
    played = {deal: _played(runs, largest, settings) for deal, runs in counted.items()}
    values = {deal: {name: share.value for name, share in shares.items()} for deal, shares in played.items()}
    missing = Share("not_opened", Fraction(len(standing) + 1 if settings.scoring == "places" else 0))
    found: dict[str, dict[str, Share]] = {}
    for name in standing:
        known: dict[str, Share] = {}
        for deal, shares in played.items():
            if name in shares:
                known[deal] = shares[name]
            elif deal in adjusted and name not in adjusted[deal]:
                known[deal] = missing
        own = mean([share.value for share in known.values()])
        for deal in played:
            if name in adjusted.get(deal, ()):
                known[deal] = Share("adjusted", _adjusted(settings.scoring, own, values[deal], len(counted[deal])))
        found[name] = known
    return found


def _played(runs: Mapping[str, Run], largest: int, settings: EveningSettings) -> dict[str, Share]:
    points, n = matchpoints(runs, time_counts=settings.time_counts), len(runs)
    match settings.scoring:
        case "matchpoints":
            return {name: Share("played", neuberg(points[name], n, largest), points[name], n) for name in runs}
        case "points":
            return {name: Share("played", Fraction(run.points, MAX_POINTS), None, n) for name, run in runs.items()}
        case _:
            return {name: Share("played", Fraction(2 * n - points[name], 2), None, n) for name in runs}


def _adjusted(scoring: str, own: Fraction | None, played: Mapping[str, Fraction], n: int) -> Fraction:
    if scoring == "places":
        return Fraction(n + 1, 2) if own is None else own
    least = MIN_AVERAGE if scoring == "matchpoints" else mean([*played.values()]) or Fraction(0)
    return least if own is None else max(least, own)


def _place(totals: Totals, evening: Evening, player: str) -> dict[str, Any]:
    own = totals.get(player)
    if own is None:
        return {"of": len(totals), "place": None, "total": None}
    less_is_better = evening.settings.scoring == "places"
    better = sum((total < own) if less_is_better else (total > own) for total in totals.values())
    return {"of": len(totals), "place": better + 1, "total": fraction(own)}


def _final(
    joined: Evening, struck: Collection[str], void: Mapping[str, str], evening: Evening, player: str
) -> dict[str, Any] | None:
    last = max(one.closes_at for one in joined.rounds)
    runs = [structs.replace(run, ended_at=min(run.ended_at, last)) for run in joined.runs]
    totals = standing_at(structs.replace(joined, runs=runs), struck, void, last)
    if player not in totals:
        return None
    accepted = Accepted(joined, struck)
    counted = sum(player in accepted.runs.get(one.deal, {}) and one.deal not in void for one in joined.rounds)
    own = _place(totals, evening, player)
    return own | {"shown": shown(totals[player], evening.settings.scoring), "runs": counted}
