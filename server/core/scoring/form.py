"""Above form: the share less the share that the ratings predicted."""

from math import exp, floor, pi, sqrt
from typing import Any

from cadogan.server.core.scoring.deals import id_order
from cadogan.server.core.scoring.elo_mmr import BETA_SQUARED, NEWCOMER_RATING, C, sigma_squared
from cadogan.server.core.scoring.fields import ScoredField
from cadogan.server.core.scoring.forms import Evening

MIN_EVENINGS = 3

__all__ = ["find_form"]
assert pi / sqrt(3) == C


def find_form(evening: Evening, field: ScoredField) -> list[dict[str, Any]]:
    """Return the second podium of the people of an evening; empty where there is none."""
    settings, largest = evening.settings, field.n["first"]
    if settings.scoring != "matchpoints" or settings.bots == "mixed" or largest < 2:
        return []
    valid = [deal for deal in field.first if deal.is_valid]
    ratings = evening.ratings or {}
    rated = {row.player: ratings.get(row.player, (round(NEWCOMER_RATING * 100), 0)) for row in field.first_ranked}
    mu = {player: rating / 100 for player, (rating, _) in rated.items()}
    variance = {player: sigma_squared(evenings) for player, (_, evenings) in rated.items()}
    noise = 2 * len(valid) * BETA_SQUARED
    found: list[dict[str, Any]] = []
    for player in rated:
        predicted, form = 0.0, 0.0
        for deal in valid:
            score = deal.scores[player]
            if score.how == "adjusted":
                expected = float(score.value)
            else:
                others = [other for other in deal.counted if other != player]
                chances = [
                    1 / (1 + exp(-C * (mu[player] - mu[other]) / sqrt(noise + variance[player] + variance[other])))
                    for other in others
                ]
                n = len(others) + 1
                expected = (2 * sum(chances) * largest + largest - n) / n / 2 / (largest - 1)
            predicted += expected
            form += float(score.value) - expected
        runs = sum(player in deal.counted for deal in valid)
        is_listed = rated[player][1] >= MIN_EVENINGS and 2 * runs >= len(valid)
        found.append(
            {
                "player": player,
                "predicted": floor(predicted / len(valid) * 10_000 + 0.5),
                "form": floor(form / len(valid) * 10_000 + 0.5),
                "listed": is_listed,
                "place": None,
            }
        )
    found.sort(key=lambda row: (not row["listed"], -row["form"], id_order(row["player"])))
    for number, row in enumerate(found, 1):
        if row["listed"]:
            above = found[number - 2] if number > 1 else None
            row["place"] = above["place"] if above and above["form"] == row["form"] else number
    return found
