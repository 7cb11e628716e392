"""Totals, places, and how ties are split: head to head, tops, moves a run."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from typing import NamedTuple

from cadogan.server.core.scoring.deals import ScoredDeal, id_order, run_key
from cadogan.server.core.scoring.forms import EveningSettings


class Ranked(NamedTuple):
    """A player in a standing of one stage. The last three fields are None if no other player has the same total."""

    player: str
    total: Fraction
    place: int
    order: int
    reason: str
    runs: int
    head_to_head: int | None
    tops: int | None
    moves: Fraction | None


def rank_stage(totals: Mapping[str, Fraction], deals: Sequence[ScoredDeal], settings: EveningSettings) -> list[Ranked]:
    """Return the players by total, best first; equal totals are split by the valid deals of the stage."""
    valid = [deal for deal in deals if deal.is_valid]
    sign = 1 if settings.scoring == "places" else -1
    in_order = sorted(totals, key=lambda player: (sign * totals[player], id_order(player)))
    ranked: list[Ranked] = []
    for total, group in groupby(in_order, key=totals.__getitem__):
        ranked += _split(total, list(group), valid, len(ranked) + 1, settings)
    return ranked


def _split(
    total: Fraction, players: list[str], deals: Sequence[ScoredDeal], place: int, settings: EveningSettings
) -> list[Ranked]:
    runs = {player: [deal.counted[player] for deal in deals if player in deal.counted] for player in players}
    if len(players) == 1:
        (player,) = players
        return [Ranked(player, total, place, place, "total", len(runs[player]), None, None, None)]
    heads = _heads(players, deals, time_counts=settings.time_counts)
    tops = _tops(players, deals, time_counts=settings.time_counts)
    moves = {player: Fraction(sum(run.moves for run in own), len(own)) if own else None for player, own in runs.items()}

    def key(player: str) -> tuple[int, int, bool, Fraction]:
        own = moves[player]
        return -heads[player], -tops[player], own is None, own or Fraction(0)

    found: list[Ranked] = []
    for player in sorted(players, key=lambda player: (key(player), id_order(player))):
        reason, order = "total", place
        if found:
            above, own = key(found[-1].player), key(player)
            names = ("head_to_head", "tops", "moves", "moves")
            reason = next((name for name, one, two in zip(names, above, own, strict=True) if one != two), "shared")
            order = found[-1].order if reason == "shared" else place + len(found)
        head, top = heads[player], tops[player]
        found.append(Ranked(player, total, place, order, reason, len(runs[player]), head, top, moves[player]))
    return found


def _heads(players: Collection[str], deals: Sequence[ScoredDeal], *, time_counts: bool) -> dict[str, int]:
    """Return the score of each player in direct comparison with the others of a group.

    That is on each deal 2 for a better run and 1 for an equal one. No run loses to a run and equals no run; 1 if either
    of two is adjusted.
    """
    found: dict[str, int] = dict.fromkeys(players, 0)
    for deal in deals:
        adjusted = [player for player in players if player in deal.adjusted]
        absent = [player for player in players if player not in deal.adjusted and player not in deal.counted]
        by_key: dict[tuple[int, ...], list[str]] = defaultdict(list)
        for player in players:
            if player in deal.counted:
                by_key[run_key(deal.counted[player], time_counts=time_counts)].append(player)
        for player in adjusted:
            found[player] += len(players) - 1
        for player in absent:
            found[player] += len(absent) - 1 + len(adjusted)
        worse = len(absent)
        for key in sorted(by_key, reverse=True):
            for player in by_key[key]:
                found[player] += 2 * worse + len(by_key[key]) - 1 + len(adjusted)
            worse += len(by_key[key])
    return found


def _tops(players: Collection[str], deals: Sequence[ScoredDeal], *, time_counts: bool) -> dict[str, int]:
    """Return the number of deals on which the player's run is the best of the field, or equal to it."""
    found = dict.fromkeys(players, 0)
    for deal in deals:
        keys = {player: run_key(run, time_counts=time_counts) for player, run in deal.counted.items()}
        best = min(keys.values(), default=None)
        for player in players:
            found[player] += keys.get(player) == best if player in keys else 0
    return found
