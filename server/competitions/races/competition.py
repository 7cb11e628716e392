"""A race as a competition: when its deal is everybody's, and which racers are done."""

from server.competitions.competition import OwnRun
from server.competitions.races.live import LiveRaces
from server.competitions.races.rules import RaceRules
from server.competitions.races.settlement import RaceSettlement
from server.core.errors import GameOver
from server.eventlog.events import GameDealt
from server.games.commits import Committed
from server.games.game_state import GameState
from server.games.run_results import RunResults


class RaceCompetition:
    """Races at work."""

    def __init__(self, settlement: RaceSettlement, live: LiveRaces, results: RunResults) -> None:
        self.rules = RaceRules()
        self._settlement = settlement
        self._live = live
        self._results = results

    async def is_public(self, dealt: GameDealt) -> bool:
        """Return whether every game of the race is over."""
        return dealt.race is not None and await self._settlement.is_over(dealt.race)

    async def own_run(self, player: str, dealt: GameDealt) -> OwnRun:
        """Return whether the player is in the race and has finished; nobody can be shown a race's deal before."""
        game_id = None if dealt.race is None else await self._settlement.game_of(dealt.race, player)
        return OwnRun(finished=game_id is not None and (await self._results.get(game_id)).result is not None)

    async def require_open(self, game: GameState, now: int) -> None:
        """Raise GameOver when the time of the race is up, and end the race in the background."""
        if game.dealt.race is not None and now >= await self._settlement.ends_at(game.dealt.race):
            self._settlement.settle_soon(game.dealt.race)
            raise GameOver("The time of this race is up.", version=game.version)

    def on_commit(self, committed: Committed) -> None:
        """Show how far the racer is, and end the race with its last game."""
        self._live.on_commit(committed)
        self._settlement.on_commit(committed)
