"""The rules of all competitions in this version. They need no database, and serve the audit and the rebuild."""

from cadogan.server.competitions.casual.rules import CasualRules
from cadogan.server.competitions.daily.rules import DailyRules
from cadogan.server.competitions.races.rules import RaceRules
from cadogan.server.games.competition_rules import RulesRegistry


def known_rules() -> RulesRegistry:
    """Return the rules of casual games, daily challenges and races."""
    return RulesRegistry(CasualRules(), (DailyRules(), RaceRules()))
