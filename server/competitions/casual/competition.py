"""Casual games as a competition: the deal is not shared, spectators see what the player sees, and no board counts
them."""

from cadogan.server.competitions.casual.rules import CasualRules
from cadogan.server.competitions.competition import Competition, OwnRun
from cadogan.server.games.game_outline import GameOutline
from cadogan.server.games.game_state import GameState


class CasualCompetition(Competition):
    """The competition that casual games belong to."""

    rules = CasualRules()

    async def is_public(self, game: GameOutline) -> bool:
        return False

    async def own_run(self, player: str, game: GameOutline) -> OwnRun:
        return OwnRun()

    async def require_open(self, game: GameState, now: int) -> None:
        """Accept every command: a casual game has no time limit."""
