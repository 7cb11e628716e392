"""A race as a competition: when its deal becomes public, and which racers are done."""

from cadogan.server.competitions.competition import Competition, OwnRun
from cadogan.server.competitions.races.rules import RaceRules
from cadogan.server.competitions.races.settlement import RaceSettlement
from cadogan.server.core.errors import GameOver
from cadogan.server.games.game_outline import GameOutline
from cadogan.server.games.game_state import GameState
from cadogan.server.games.run_results import RunResults
from cadogan.server.players.persons import Persons


class RaceCompetition(Competition):
    """The competition that games of races belong to."""

    rules = RaceRules()

    def __init__(self, settlement: RaceSettlement, results: RunResults, persons: Persons) -> None:
        self._settlement = settlement
        self._results = results
        self._persons = persons

    async def is_public(self, game: GameOutline) -> bool:
        """Return whether every game of the race is over."""
        return game.dealt.race is not None and await self._settlement.is_over(game.dealt.race)

    async def own_run(self, player: str, game: GameOutline) -> OwnRun:
        """Return whether the person (owner and bots) is in the race and done; until then the deal is hidden."""
        race = game.dealt.race
        person = await self._persons.person_of(player)
        games = await self._settlement.games_by_player(race) if race else {}
        own = [game_id for racer, game_id in games.items() if await self._persons.person_of(racer) == person]
        results = [(await self._results.get(game_id)).result for game_id in own]
        return OwnRun(finished=bool(results) and None not in results)

    async def require_open(self, game: GameState, now: int) -> None:
        """Raise GameOver once the time limit of the race has passed, and end the race in the background."""
        if game.dealt.race is not None and now >= await self._settlement.ends_at(game.dealt.race):
            self._settlement.settle_soon(game.dealt.race)
            raise GameOver("The time of this race is up.", version=game.version)
