"""HTTP handler: how often each game can be won, by the published run of the solver."""

from functools import cache

from aiohttp import web

from cadogan.engine.difficulty.published import level_of, winnability
from cadogan.engine.solver.winnability_summary import GameSummary
from cadogan.server.http.handlers.rules import requested_language, rules_in
from cadogan.server.http.requests import json_response
from cadogan.wire.winnability import GameWinnability, Interval, Verdicts, WinnabilityTable


async def show_winnability(request: web.Request) -> web.Response:
    """Answer with the results of the published run for every game in it."""
    return json_response(_winnability_in(requested_language(request, "show_winnability")))


@cache
def _winnability_in(language: str) -> WinnabilityTable:
    names = {card.slug: card.name for card in rules_in(language).rules}
    searched = [summary for slug, summary in winnability().items() if slug in names]
    return WinnabilityTable(
        solver=max(summary.solver for summary in searched),
        games=[_game(summary, names[summary.game]) for summary in searched],
    )


def _game(summary: GameSummary, name: str) -> GameWinnability:
    low, high = summary.can_be_won
    return GameWinnability(
        slug=summary.game,
        name=name,
        level=level_of(summary.game),
        rules_version=summary.rules,
        deals=summary.deals,
        budget=summary.budget,
        won=_verdicts(summary, summary.won),
        lost=_verdicts(summary, summary.lost),
        unknown=_verdicts(summary, summary.unknown),
        can_be_won=Interval(low=round(low, 4), high=round(high, 4)),
        nodes=summary.nodes,
        nodes_per_second=summary.nodes_per_second or None,
        seconds=None if summary.seconds is None else round(summary.seconds, 4),
        moves=summary.moves,
    )


def _verdicts(summary: GameSummary, deals: int) -> Verdicts:
    low, high = summary.interval(deals)
    return Verdicts(deals=deals, low=round(low, 4), high=round(high, 4))
