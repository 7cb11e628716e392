"""Casual games as a competition: nothing is shared, so nothing is kept from anybody and nothing follows."""

from cadogan.server.competitions.casual.rules import CasualRules
from cadogan.server.competitions.competition import Competition, OwnRun
from cadogan.server.games.game_outline import GameOutline
from cadogan.server.games.game_state import GameState


class CasualCompetition(Competition):
    """Casual games at work."""

    rules = CasualRules()

    async def is_public(self, game: GameOutline) -> bool:
        return False

    async def own_run(self, player: str, game: GameOutline) -> OwnRun:
        return OwnRun()

    async def require_open(self, game: GameState, now: int) -> None:
        """A casual game may go on for ever."""
