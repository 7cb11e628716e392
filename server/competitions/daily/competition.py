"""The daily challenge as a competition: when a day's deals become public, and who has played them."""

from cadogan.engine.difficulty.published import level_of_deal
from cadogan.server.competitions.competition import Competition, OwnRun
from cadogan.server.competitions.daily.challenges import DailyChallenges
from cadogan.server.competitions.daily.daily_challenge import DailyChallenge
from cadogan.server.competitions.daily.left_runs import AbandonedRuns
from cadogan.server.competitions.daily.rules import DailyRules
from cadogan.server.core.clock import Clock
from cadogan.server.core.errors import DayNotOpen
from cadogan.server.eventlog.events import AnnouncedDeal
from cadogan.server.games import visibility
from cadogan.server.games.game_outline import GameOutline
from cadogan.server.games.game_state import GameState
from cadogan.server.games.run_results import RunResults
from cadogan.server.players.persons import Persons

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
            self._abandoned_runs.end_soon()
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
