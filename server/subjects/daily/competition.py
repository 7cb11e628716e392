"""The daily challenge as a competition, and the ranked runs that were left when their day closed.

Ends the ranked runs that were unfinished when their day closed, as of the time of the close.

This runs in the background and changes no board, because such runs do not count. Every node would write the same end,
and the log's unique versions accept only one writer. A node searches the unfinished runs of all days when it starts and
after every close. So another node, or this one after a restart, completes the work of a node that stopped.
"""

import asyncio
from collections.abc import Sequence
from typing import Protocol

import structlog

from cadogan.engine.difficulty.published import level_of_deal
from cadogan.server.core import dates
from cadogan.server.core.clock import Clock
from cadogan.server.core.errors import DayNotOpen
from cadogan.server.core.eventlog.background_tasks import BackgroundPart, as_unavailable
from cadogan.server.core.eventlog.events import AnnouncedDeal
from cadogan.server.core.games import visibility
from cadogan.server.core.games.competition import Competition, OwnRun, RunResults
from cadogan.server.core.games.competition_rules import GameOutline
from cadogan.server.core.games.game_cache import GameCache
from cadogan.server.core.games.game_index import AbandonedAttempt, GameIndex
from cadogan.server.core.games.game_reader import GameReader
from cadogan.server.core.games.game_state import GameState
from cadogan.server.core.people import Persons
from cadogan.server.subjects.daily.challenges import DailyChallenges
from cadogan.server.subjects.daily.days import DailyChallenge, DayCommitted
from cadogan.server.subjects.daily.rules import DailyRules
from cadogan.wire.beacon import SignedRound

log = structlog.stdlib.get_logger("cadogan.daily")
RUNS_PER_BATCH = 50
"""Runs that one query reads."""
PAUSE_SECONDS = 0.05
"""Seconds between two batches, to leave the database to other work."""


class Commands(Protocol):
    """The game command that ends a run."""

    async def end_on_time(self, game_id: str, at: int) -> GameState:
        """Return the game, and end it at the time `at` if it is not over."""


class AbandonedRuns(BackgroundPart):
    """Ends the unfinished runs, on one node."""

    def __init__(
        self, challenges: DailyChallenges, index: GameIndex, cache: GameCache, commands: Commands, now: Clock
    ) -> None:
        super().__init__()
        self._challenges = challenges
        self._index = index
        self._cache = cache
        self._commands = commands
        self._now = now
        self._is_due = True
        self._is_closed = False

    def on_day_change(self, committed: DayCommitted) -> None:
        """Search for unfinished runs again, if the day has closed."""
        self._is_due = self._is_due or committed.state.closed

    def schedule_end(self) -> None:
        """End unfinished runs in the background, on the first call and after a day has closed."""
        if self._is_due and not self.background.busy:
            self.background.start(self._end_all)

    async def close(self) -> None:
        """Finish ending the current run, and end no others."""
        self._is_closed = True
        await super().close()

    async def _end_all(self) -> None:
        self._is_due, last = False, None
        while batch := await self._index.abandoned_attempts(dates.day_of(self._now()), last, RUNS_PER_BATCH):
            for run in batch:
                if self._is_closed:
                    return
                try:
                    await self._end(run)
                except Exception as error:
                    if as_unavailable(error) is None:
                        log.exception("run_not_ended", game=run.id)
                    elif self._index.store.is_partly_unavailable(error):
                        self._is_due = True  # continue with the others; this run is retried in the next round
                    else:
                        raise
            last = batch[-1]
            await asyncio.sleep(PAUSE_SECONDS)

    async def _end(self, run: AbandonedAttempt) -> None:
        """End a run as of the close of its day, if the close is in the log; no move can follow."""
        daily = await self._challenges.get(run.day, self._now())
        if daily is not None and daily.closed:
            await self._commands.end_on_time(run.id, daily.span.closes_at)
            self._cache.drop_unused(run.id)


MAX_PAUSE_SECONDS = 30.0
"""Seconds after which due events are checked again, because the clock may have been changed."""


class DailyCompetition(Competition):
    """The competition that daily games belong to."""

    rules = DailyRules()

    def __init__(
        self,
        challenges: DailyChallenges,
        left_runs: AbandonedRuns,
        results: RunResults,
        persons: Persons,
        now: Clock,
    ) -> None:
        self._challenges = challenges
        self._abandoned_runs = left_runs
        self._results = results
        self._persons = persons
        self._now = now

    async def is_public(self, game: GameOutline) -> bool:
        """Return whether the close of the deal's day is in the log."""
        return game.dealt.day is not None and await self._challenges.is_closed(game.dealt.day, self._now())

    async def signed_round(self, game: GameOutline) -> SignedRound | None:
        daily = None if game.dealt.day is None else await self._challenges.get(game.dealt.day, self._now())
        return None if daily is None else daily.signed

    async def own_run(self, player: str, game: GameOutline) -> OwnRun:
        """Return the state of the person's one attempt at the deal; an owner and their bots share it."""
        dealt = game.dealt
        daily = None if dealt.day is None else await self._challenges.get(dealt.day, self._now())
        if daily is None:
            return OwnRun()
        return await own_run(self._results, daily, dealt.deal, await self._persons.person_of(player))

    async def opened_at(self, game: GameOutline) -> int:
        """Return when the day began."""
        daily = None if game.dealt.day is None else await self._challenges.get(game.dealt.day, self._now())
        return game.dealt_at if daily is None else daily.span.opens_at

    async def require_open(self, game: GameState, now: int) -> None:
        """Raise DayNotOpen for a ranked run whose day has closed. Practice has no time limit."""
        if game.dealt.day is not None and game.ranked and not await self._challenges.is_playable(game.dealt.day, now):
            raise DayNotOpen("The day of this game has closed.", version=game.version)

    async def run_due(self) -> float:
        """Announce, open and close days, end unfinished runs of closed days; return the seconds until the next call."""
        try:
            await self._challenges.write_due(self._now())
        finally:
            self._abandoned_runs.schedule_end()
        return min(self._challenges.milliseconds_until_due(self._now()) / 1000, MAX_PAUSE_SECONDS)


async def own_run(results: RunResults, daily: DailyChallenge, deal: str, person: str) -> OwnRun:
    """Return the state of a person's one attempt at a deal of a day."""
    attempt = await results.get(daily.attempt(deal, person))
    return OwnRun(finished=attempt.result is not None, spoiled=attempt.spoiled)


def revealed_secret(daily: DailyChallenge) -> str | None:
    """Return a day's secret in hexadecimal digits; None until it is public."""
    may_have_it = visibility.may_have_secret(public=daily.closed)
    return daily.sealed.secret.hex() if may_have_it else None


def revealed_par(daily: DailyChallenge, deal: str, own_run_is_over: bool) -> int | None:
    """Return the par of a certified deal: the number of moves of the best known line. It reveals no card.

    It is sent to players whose own run is over, and to everybody after the close. None otherwise, and for other deals.
    """
    may_know_it = visibility.may_have_secret(public=daily.closed) or own_run_is_over
    return len(daily.certificates[deal].line) if may_know_it and deal in daily.certificates else None


def revealed_level(daily: DailyChallenge, deal: AnnouncedDeal) -> str | None:
    """Return the measured difficulty of a certified deal; None until it is public, and for other deals.

    Before that it would reveal something about the cards.
    """
    may_know_it = visibility.may_have_secret(public=daily.closed) and deal.deal in daily.certificates
    return level_of_deal(deal.game, daily.certificates[deal.deal].nodes) if may_know_it else None


def revealed_candidate(daily: DailyChallenge, deal: str) -> int | None:
    """Return the number of the candidate that became a certified deal; None until it is public, and for other deals."""
    may_know_it = visibility.may_have_secret(public=daily.closed) and deal in daily.certificates
    return daily.certificates[deal].candidate if may_know_it else None


class DeadEndCommands(Protocol):
    """The game command that ends a run."""

    async def end_at_dead_end(self, game_id: str) -> GameState:
        """Return a game, and end it if it has no legal move."""


class StuckRuns:
    """The attempts without a legal move, in which the last move could still be taken back."""

    def __init__(self, index: GameIndex, reader: GameReader, commands: DeadEndCommands) -> None:
        self._index = index
        self._reader = reader
        self._commands = commands

    async def end_all(self, deals: Sequence[str]) -> None:
        """End all attempts at these deals that have no legal move left, each at the time of its last move.

        Call this after the last possible move, and before the boards are final.
        """
        for game_id in await self._index.unfinished_attempts(deals):
            if (await self._reader.load(game_id)).status == "stuck":
                await self._commands.end_at_dead_end(game_id)
