"""The rules of casual games, and those of all competitions that this version knows. Pure.

The rules of all competitions that this program knows, without a database: for the audit, and for rebuilding.

A package brings another one by two entry points with the same name: its rules in the group `cadogan.competition_rules`,
and what makes it from the server (`cadogan.server.app.Server`) in the group `cadogan.competitions`.
"""

from functools import cache
from importlib.metadata import entry_points
from typing import Any

from cadogan.server.core.eventlog.events import GameDealt
from cadogan.server.core.games.competition_rules import CompetitionRules, RulesRegistry
from cadogan.server.subjects.daily.rules import DailyRules
from cadogan.server.subjects.evenings.evening_rules import EveningRules
from cadogan.server.subjects.evenings.virtual.virtual_state import VirtualRules
from cadogan.server.subjects.puzzle_rules import PuzzleRules
from cadogan.server.subjects.races.race_state import RaceRules
from cadogan.wire.values import Mode


class CasualRules(CompetitionRules):
    """The rules of a casual game: everybody may watch, every move may be taken back, the end reveals the secret."""

    key = "casual"
    is_shared = False
    reveals_secret_at_end = True

    def owns(self, dealt: GameDealt) -> bool:
        """Return whether no competition is named in the deal."""
        return dealt.day is None and dealt.race is None and dealt.competition is None

    def mode(self, dealt: GameDealt) -> Mode:
        return "casual"

    def may_take_back_revealing_moves(self, ranked: bool) -> bool:
        return True

    def may_have_hints(self, ranked: bool) -> bool:
        return True

    def ends_when_idle(self, ranked: bool) -> bool:
        return True

    def find_fault(self, dealt: GameDealt) -> str | None:
        return None


def known_rules() -> RulesRegistry:
    """Return the rules of all games that this version knows, and of the competitions that are installed.

    Raises as `installed`, and ValueError for one that does not fit beside the others.
    """
    others: list[CompetitionRules] = [make() for make in installed("cadogan.competition_rules")]
    own = (DailyRules(), RaceRules(), EveningRules(), VirtualRules(), PuzzleRules())
    return RulesRegistry(CasualRules(), (*own, *others))


@cache
def installed(group: str) -> tuple[Any, ...]:
    """Return what the installed packages have in this group of entry points, sorted by name.

    Raises ImportError or AttributeError for an entry point that names nothing.
    """
    return tuple(entry.load() for entry in sorted(entry_points(group=group), key=lambda entry: entry.name))
