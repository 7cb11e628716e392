"""The standing of teams: the best k shares of their members on each deal of the first stage."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from cadogan.server.core.scoring.deals import id_order
from cadogan.server.core.scoring.fields import ScoredField, fraction, shown
from cadogan.server.core.scoring.forms import Evening

Shares = Mapping[str, Fraction]
"""What something is worth for each player."""


class _Deal(NamedTuple):
    """The shares of a deal by player, and whether it can still be played."""

    shares: Shares
    is_open: bool = False


def rank_teams(evening: Evening, fields: Sequence[ScoredField]) -> list[dict[str, Any]]:
    """Return the teams, best first; none for `places`, or without a first field of people."""
    field = next((one for one in fields if one.name in ("people", "all")), None)
    if field is None:
        return []
    totals = {row.player: row.total for row in field.first_ranked}
    deals = [{player: one.scores[player].value for player in totals} for one in field.first if one.is_valid]
    return _rank(evening, totals, [*map(_Deal, deals)])


def rank_teams_at(
    evening: Evening, shares: Mapping[str, Mapping[str, Fraction]], totals: Shares, at: int
) -> list[dict[str, Any]]:
    """Return the teams at a moment, best first, from the shares by player and deal, and the totals of players.

    A deal that is still open counts for a team once k of its members have ended it.
    """
    closed = {one.deal for one in evening.rounds if one.closes_at <= at}
    by_deal: dict[str, dict[str, Fraction]] = defaultdict(dict)
    for player, known in shares.items():
        for deal, share in known.items():
            by_deal[deal][player] = share
    return _rank(evening, totals, [_Deal(known, deal not in closed) for deal, known in by_deal.items()])


def _rank(evening: Evening, totals: Shares, deals: Sequence[_Deal]) -> list[dict[str, Any]]:
    settings = evening.settings
    if settings.teams is None or settings.scoring == "places":
        return []
    best = settings.teams.best
    members: dict[str, list[str]] = defaultdict(list)
    for entrant in evening.entrants:
        if entrant.team is not None and entrant.player in totals:
            members[entrant.team].append(entrant.player)
    found = []
    for team, players in members.items():
        shares = [
            sum(sorted((deal.shares.get(player, Fraction(0)) for player in players), reverse=True)[:best], Fraction(0))
            for deal in deals
            if not deal.is_open or sum(player in deal.shares for player in players) >= best
        ]
        if shares:
            own = sorted((totals[player] for player in players), reverse=True)
            total = sum(shares, Fraction(0)) / best / len(shares)
            found.append((total, own[best - 1] if len(own) >= best else Fraction(0), team, len(players)))
    found.sort(key=lambda one: (-one[0], -one[1], id_order(one[2])))
    rows: list[dict[str, Any]] = []
    for number, (total, kth, team, count) in enumerate(found, 1):
        is_shared = number > 1 and found[number - 2][:2] == (total, kth)
        rows.append(
            {
                "place": rows[-1]["place"] if is_shared else number,
                "team": team,
                "members": count,
                "total": fraction(total),
                "shown": shown(total, settings.scoring),
                "kth": fraction(kth),
            }
        )
    return rows
