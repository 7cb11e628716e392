"""Casual games as a competition: nothing is shared, so nothing is kept from anybody."""

from server.competitions.casual.rules import CasualRules
from server.competitions.competition import OwnRun
from server.eventlog.events import GameDealt
from server.games.commits import Committed
from server.games.game_state import GameState


class CasualCompetition:
    """Casual games at work: there is nothing to wait for and nothing to keep from anybody."""

    def __init__(self) -> None:
        self.rules = CasualRules()

    async def is_public(self, dealt: GameDealt) -> bool:
        return False

    async def own_run(self, player: str, dealt: GameDealt) -> OwnRun:
        return OwnRun()

    async def require_open(self, game: GameState, now: int) -> None:
        pass

    def on_commit(self, committed: Committed) -> None:
        pass
