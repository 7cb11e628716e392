"""The table of levels: the measurements of each game, its ease by the formula, and the resulting level."""

from collections.abc import Iterable

from cadogan.engine.difficulty.levels import divide_into_levels, ease
from cadogan.engine.difficulty.measure import SimplePlay
from cadogan.engine.solver.winnability_summary import GameSummary

_HEAD = ("game", "careless", "greedy", "score", "quick wins", "quickness", "first moves", "ease", "level")


def levels_table(played: Iterable[SimplePlay], searched: Iterable[GameSummary]) -> list[str]:
    """Return the table in Markdown, line by line, the easiest game first. All numbers but `first moves` are in percent.

    Games that are not in both inputs are left out.
    """
    searches = {one.game: one for one in searched}
    plays = {one.game: one for one in played if one.game in searches}
    eases = {slug: ease(play, searches[slug]) for slug, play in plays.items()}
    lines = [f"| {' | '.join(_HEAD)} |", "| --- |" + " ---: |" * (len(_HEAD) - 2) + " --- |"]
    for slug, level in divide_into_levels(eases).items():
        play, search = plays[slug], searches[slug]
        simple = (play.careless / play.deals, play.greedy / play.deals, play.score)
        found = (search.quick_wins / search.deals, search.quickness)
        cells = [
            slug,
            *(f"{100 * share:.0f}" for share in (*simple, *found)),
            f"{play.first_moves_won} of {play.first_moves}",
            f"{100 * eases[slug]:.1f}",
            level,
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return lines
