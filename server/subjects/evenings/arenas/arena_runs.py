"""Reading the runs of an arena, and which deal is a player's next one.

A player opens the deals of an arena in their order, each when the run before has ended. So the runs of a player are
those of the first deals, and only the deals that may follow the known runs are looked for.
"""

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence

from cadogan.server.core.errors import Conflict
from cadogan.server.core.fairness.sealed_deals import SealedDeal
from cadogan.server.subjects.evenings.evening_events import PlannedRound
from cadogan.server.subjects.evenings.evening_runs import RoundRun, RunReader, game_of
from cadogan.server.subjects.evenings.evening_state import EveningState

ReadDeals = Callable[[str, Sequence[PlannedRound]], Awaitable[list[SealedDeal]]]
"""Returns the sealed deals of these rounds of an evening, by its id."""
FIRST_AHEAD = 2
"""Deals of a player that are looked for after the known ones; four times as many each time that all were played."""
MAX_REMEMBERED = 20_000
"""Players whose finished runs are kept in memory, each once for each arena."""


class ArenaRuns:
    """The runs of arenas on one node. Those that are over never change, and are kept in memory."""

    def __init__(
        self, runs: RunReader, read_deals: ReadDeals, note_games: Callable[[str, Iterable[str]], object]
    ) -> None:
        """`note_games` is called with the id of an arena and the games that are looked for, begun or not."""
        self._runs = runs
        self._read_deals = read_deals
        self._note_games = note_games
        self._over: dict[tuple[str, str], tuple[RoundRun, ...]] = {}

    async def read(self, state: EveningState, players: Iterable[str]) -> dict[tuple[str, int], RoundRun]:
        """Return the runs of these players that have begun, by player and number of the deal."""
        found = {player: [*self._over.get((state.id, player), ())] for player in players}
        waiting, ahead = [*found] if state.opened else [], FIRST_AHEAD
        while waiting:
            waiting = await self._read_next(state, {player: found[player] for player in waiting}, ahead)
            ahead *= 4
        if len(self._over) + len(found) > MAX_REMEMBERED:
            self._over.clear()
        for player, runs in found.items():
            self._over[state.id, player] = tuple([run for run in runs if run.found.finished is not None])
        return {(run.player, run.round.round): run for runs in found.values() for run in runs}

    async def _read_next(self, state: EveningState, found: Mapping[str, list[RoundRun]], ahead: int) -> list[str]:
        """Add the next runs of each player, up to a limit; return the players who may have more."""
        until = max(map(len, found.values())) + ahead
        deals = await self._read_deals(state.id, state.rounds[:until])
        pairs = [*zip(deals, state.rounds, strict=False)]
        wanted = {
            player: [(game_of(deal, player), one) for deal, one in pairs[len(runs) : len(runs) + ahead]]
            for player, runs in found.items()
        }
        names = [game for games in wanted.values() for game, _ in games]
        self._note_games(state.id, names)
        known = await self._runs.get_many(names)
        for player, games in wanted.items():
            for game, one in games:
                if game not in known:
                    break
                found[player].append(RoundRun(game, player, one, known[game]))
        return [player for player, games in wanted.items() if games and games[-1][0] in known]


def next_deal(state: EveningState, runs: Mapping[tuple[str, int], RoundRun]) -> PlannedRound:
    """Return the current deal of the player of these runs: the unfinished one, or the next one.

    Raises Conflict after the last deal.
    """
    going_on = [run.round for run in runs.values() if run.found.finished is None]
    if going_on:
        return going_on[0]
    if len(runs) >= len(state.rounds):
        raise Conflict("You have played every deal of this arena.")
    return state.rounds[len(runs)]
