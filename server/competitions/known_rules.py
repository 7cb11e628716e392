"""The rules of all competitions that this version knows, without a database: for the audit, and for rebuilding."""

from server.competitions.casual.rules import CasualRules
from server.competitions.daily.rules import DailyRules
from server.competitions.races.rules import RaceRules
from server.games.competition_rules import RulesRegistry


def known_rules() -> RulesRegistry:
    """Return the rules of casual games, daily challenges and races."""
    return RulesRegistry(CasualRules(), (DailyRules(), RaceRules()))
