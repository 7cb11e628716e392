"""The rules of all competitions that this program knows, without a database: for the audit, and for rebuilding.

A package brings another one by two entry points with the same name: its rules in the group `cadogan.competition_rules`,
and what makes it from the server (`cadogan.server.app.Server`) in the group `cadogan.competitions`.
"""

from functools import cache
from importlib.metadata import entry_points
from typing import Any

from cadogan.server.competitions.casual.rules import CasualRules
from cadogan.server.competitions.daily.rules import DailyRules
from cadogan.server.competitions.races.rules import RaceRules
from cadogan.server.games.competition_rules import CompetitionRules, RulesRegistry


def known_rules() -> RulesRegistry:
    """Return the rules of casual games, daily challenges, races, and the competitions that are installed.

    Raises as `installed`, and ValueError for one that does not fit beside the others.
    """
    others: list[CompetitionRules] = [make() for make in installed("cadogan.competition_rules")]
    return RulesRegistry(CasualRules(), (DailyRules(), RaceRules(), *others))


@cache
def installed(group: str) -> tuple[Any, ...]:
    """Return what the installed packages have in this group of entry points, sorted by name.

    Raises ImportError or AttributeError for an entry point that names nothing.
    """
    return tuple(entry.load() for entry in sorted(entry_points(group=group), key=lambda entry: entry.name))
