"""The standing of teams: the best k shares of their members on each deal of the first stage."""

from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from cadogan.server.core.scoring.deals import id_order
from cadogan.server.core.scoring.fields import ScoredField, fraction, shown
from cadogan.server.core.scoring.forms import Evening


def rank_teams(evening: Evening, fields: Sequence[ScoredField]) -> list[dict[str, Any]]:
    """Return the teams, best first; none for `places`, or without a first field of people."""
    settings = evening.settings
    field = next((one for one in fields if one.name in ("people", "all")), None)
    if settings.teams is None or settings.scoring == "places" or field is None:
        return []
    best = settings.teams.best
    totals = {row.player: row.total for row in field.first_ranked}
    members: dict[str, list[str]] = defaultdict(list)
    for entrant in evening.entrants:
        if entrant.team is not None and entrant.player in totals:
            members[entrant.team].append(entrant.player)
    valid = [deal for deal in field.first if deal.is_valid]
    found = []
    for team, players in members.items():
        shares = [
            sum(sorted((deal.scores[player].value for player in players), reverse=True)[:best], Fraction(0)) / best
            for deal in valid
        ]
        total = sum(shares, Fraction(0)) / len(valid) if valid else Fraction(0)
        own = sorted((totals[player] for player in players), reverse=True)
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
