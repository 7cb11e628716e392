"""The due steps of a race, and its competition: when its deal is public, and who has finished.

The due steps of a race: deal its games at the start, end them at the time limit, then end the race.

This works without a timer. The first request after the start deals every game as of the start. The first request after
the time limit ends each unfinished game as of that time, and then the race. Every node would write the same events, and
the log's unique versions accept only one writer. A node with a running race in memory also uses a timer for these two
times, so that viewers get updates without a request.
"""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Protocol

from cadogan.server.core.clock import Clock
from cadogan.server.core.clock_check import ClockCheck
from cadogan.server.core.errors import GameOver, NotFound, Unavailable
from cadogan.server.core.eventlog.aggregate import Change
from cadogan.server.core.eventlog.background_tasks import BackgroundPart
from cadogan.server.core.eventlog.event_store import VersionConflict
from cadogan.server.core.eventlog.events import Event, GameDealt
from cadogan.server.core.fairness.sealed_deals import SealedDeal
from cadogan.server.core.games.competition import Competition, OwnRun, RunResults, make_deal_event
from cadogan.server.core.games.competition_rules import GameOutline
from cadogan.server.core.games.game_cache import Committed, GameCache
from cadogan.server.core.games.game_index import GameIndex
from cadogan.server.core.games.game_state import GameState
from cadogan.server.core.people import Persons
from cadogan.server.subjects.races import race_state
from cadogan.server.subjects.races.race_state import RaceRules, RaceState
from cadogan.server.subjects.races.repository import RaceEntry, RaceRepository

CLOCK_RETRY_SECONDS = 1.0
"""Seconds between two checks whether disagreeing clocks agree again."""


class Commands(Protocol):
    """The game commands that a race uses."""

    async def deal(self, game_id: str, dealt: GameDealt, secret: bytes, at: int) -> GameState:
        """Deal a game at the time `at`, or return the existing game with this id."""

    async def end_on_time(self, game_id: str, at: int) -> GameState:
        """Return the game, and end it at the time `at` if it is not over."""


class RaceSettlement(BackgroundPart):
    """Applies the due steps to the races of one node."""

    def __init__(
        self,
        repository: RaceRepository,
        commands: Commands,
        cache: GameCache,
        index: GameIndex,
        now: Clock,
        clocks: ClockCheck,
    ) -> None:
        super().__init__()
        self._repository = repository
        self._commands = commands
        self._cache = cache
        self._index = index
        self._now = now
        self._clocks = clocks
        self._is_closed = False
        repository.bring_up_to_date = self._settled

    async def get(self, race_id: str) -> RaceState:
        """Return a race with every due step applied. Raises NotFound."""
        entry = self._repository.entry(race_id)
        async with entry.lock:
            return await self._settled(entry)

    async def begin(self, race_id: str, decide: Callable[[SealedDeal], Sequence[Event]], rules: str) -> RaceState:
        """Seal the deal of a race and append the events that `decide` returns, unless the race exists."""
        entry = self._repository.entry(race_id)
        async with entry.lock:
            deal = await self._repository.seal_deal(entry, rules)
            if entry.state is None:
                with suppress(VersionConflict):
                    await self._repository.append(entry, self._repository.seal_now(entry, decide(deal)))
            return await self._settled(entry)

    async def change(self, race_id: str, decide: Callable[[RaceState], Event | None]) -> RaceState:
        """Append the event that `decide` returns, if any. After a version conflict `decide` is called again.

        Raises NotFound, and the errors of `decide`.
        """

        def changes(race: RaceState) -> list[Change[RaceState]]:
            event = decide(race)
            return [] if event is None else self._repository.seal_now(self._repository.entry(race_id), [event])

        await self._repository.change(race_id, changes)
        return await self.get(race_id)

    async def require_agreeing_clocks(self) -> None:
        """Raise Unavailable while clocks disagree, because the time of a start cannot be corrected later."""
        if not await self._clocks.agree():
            raise Unavailable("The clock of this server was set: no race starts until it is known to be right.")

    async def game_of(self, race_id: str, player: str) -> str | None:
        """Return the id of the player's game in a race; None if the player is no racer. Raises NotFound."""
        return (await self.games_by_player(race_id)).get(player)

    async def games_by_player(self, race_id: str) -> dict[str, str]:
        """Return the ids of the games of a race by their players. Raises NotFound."""
        race = self._repository.cached(race_id) or await self.get(race_id)
        secret = (await self._repository.deal(race_id)).secret
        return {player: race.game_of(player, secret) for player in race.players}

    async def games(self, race: RaceState) -> list[GameState]:
        """Return the games of a race, in the order of its racers; none before they are dealt."""
        if race.started is None or self._now() < race.started.starts_at:
            return []
        if self._clocks.difference() and not self._repository.entry(race.id).games_dealt:
            return []
        deal = await self._repository.deal(race.id)
        read = self._cache.get_latest if race.over else self._cache.get
        return [await read(game_id) for game_id in _game_ids(race, deal)]

    async def ends_at(self, race_id: str) -> int:
        """Return when the time limit of a started race ends, in milliseconds since 1970.

        It takes no lock, so that a move does not wait for the settlement of the race. Raises NotFound.
        """
        race = self._repository.cached(race_id)
        if race is None or race.ends_at is None:
            race = await self._repository.read(race_id)
        if race is None or race.ends_at is None:
            raise NotFound("There is no such race.")
        return race.ends_at

    async def is_over(self, race_id: str) -> bool:
        """Return whether every game of a race is over. Raises NotFound."""
        race = self._repository.cached(race_id)
        if race is not None and race.over:
            return True
        entry = self._repository.entry(race_id)
        async with entry.lock:
            race = await self._repository.catch_up(entry)
            is_late = race.ends_at is not None and self._now() >= race.ends_at
            return (await self._settled(entry)).over if is_late else race.over

    def schedule_settlement(self, race_id: str) -> None:
        """Apply the due steps of a race in the background."""
        self.background.start(self._settle_if_there, race_id)

    def on_end(self, committed: Committed) -> None:
        """When a game of a race ends, check whether the race is over."""
        race_id = committed.state.dealt.race
        if race_id is not None and committed.state.over:
            self.schedule_settlement(race_id)

    def next_timer(self, race_id: str) -> float | None:
        """Return when the timer of a race fires, in seconds of the event loop's clock; None without a timer."""
        timer = self._repository.entry(race_id).timer
        return None if timer is None else timer.when()

    async def close(self) -> None:
        """Cancel all timers, and wait for the tasks that are running."""
        self._is_closed = True
        await super().close()
        for entry in self._repository.entries():
            if entry.timer is not None:
                entry.timer.cancel()

    async def _settled(self, entry: RaceEntry) -> RaceState:
        """Return the race of a locked entry with every due step applied. Raises NotFound."""
        race = await self._repository.catch_up(entry)
        while (start := race.starts_at) is not None and not race.over and self._now() >= start:
            if not await self._clocks.agree():  # a clock that is wrong must neither deal nor end games
                break
            finished = await self._deal_and_end_games(entry, race)
            if finished is None:
                break
            with suppress(VersionConflict):
                await self._repository.append(entry, self._repository.seal_now(entry, [finished]))
            race = await self._repository.catch_up(entry)
        self._set_timer(entry, race)
        return race

    async def _deal_and_end_games(self, entry: RaceEntry, race: RaceState) -> Event | None:
        """Deal every game, end the games at the time limit, and return the event of the race's end once all are over.

        The event has the time of writing, which may be long after the games ended. It reveals the secret.
        """
        deal = await self._repository.deal(race.id)
        if not entry.games_dealt:
            await asyncio.gather(*(self._deal_game(race, deal, player) for player in race.players))
            entry.games_dealt = True
            self._repository.publish(race)
        games = _game_ids(race, deal)
        if race.ends_at is not None and self._now() >= race.ends_at:
            ends_at = race.ends_at
            await asyncio.gather(*(self._commands.end_on_time(game_id, ends_at) for game_id in games))
        elif await self._index.is_any_playing(games):
            return None
        return race_state.finish(race, [await self._cache.get_latest(game_id) for game_id in games], deal.secret)

    async def _deal_game(self, race: RaceState, deal: SealedDeal, player: str) -> None:
        assert race.started is not None
        first = make_deal_event(deal, player, nonce=race.started.nonce, race=race.id)
        await self._commands.deal(race.game_of(player, deal.secret), first, deal.secret, race.started.starts_at)

    def _set_timer(self, entry: RaceEntry, race: RaceState) -> None:
        """Set the timer of a race for its start or its time limit."""
        if entry.timer is not None:
            entry.timer.cancel()
            entry.timer = None
        if race.starts_at is None or race.ends_at is None or race.over or self._is_closed:
            return
        now = self._now()
        due = race.starts_at if now < race.starts_at else race.ends_at
        delay_seconds = max(due - now, 1) / 1000
        if self._clocks.difference():
            delay_seconds = CLOCK_RETRY_SECONDS
        entry.timer = asyncio.get_running_loop().call_later(delay_seconds, self.schedule_settlement, entry.id)

    async def _settle_if_there(self, race_id: str) -> None:
        with suppress(NotFound):
            await self.get(race_id)


def _game_ids(race: RaceState, deal: SealedDeal) -> list[str]:
    return [race.game_of(player, deal.secret) for player in race.players]


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
            self._settlement.schedule_settlement(game.dealt.race)
            raise GameOver("The time of this race is up.", version=game.version)
