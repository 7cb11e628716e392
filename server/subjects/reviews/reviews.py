"""The reviews of closed days: asking for the analyses that they need, and building them from what is known.

A review is computed from the log and from the analyses of runs, which have the same findings on every machine. It is
built on request, and cached once it is complete.
"""

from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import structlog
from sqlalchemy import select

from cadogan import engine
from cadogan.engine import UnknownGame
from cadogan.engine.solver import SOLVER_VERSION
from cadogan.server.core import dates
from cadogan.server.core.clock import Clock
from cadogan.server.core.database.connections import Database
from cadogan.server.core.database.tables import analyses, entries, strikes
from cadogan.server.core.errors import Archived, Conflict, NotFound, SpoilerEmbargo, TooMany
from cadogan.server.core.event_loop import TimeSlices
from cadogan.server.core.eventlog.events import AnnouncedDeal
from cadogan.server.core.games.game_reader import GameOutlines, GameReader
from cadogan.server.core.games.history_bodies import MIN_COST, Charge, no_charge
from cadogan.server.core.games.position import FULL_POINTS
from cadogan.server.core.shares import SharedLock
from cadogan.server.subjects.analysis.findings import AnalysedRun, Findings, Run, follow, read_run
from cadogan.server.subjects.analysis.jobs import WHOLE_GAME, AnalysisJobs
from cadogan.server.subjects.daily.challenges import DailyChallenges
from cadogan.server.subjects.daily.days import DailyChallenge
from cadogan.server.subjects.reviews.field import FieldRun, Line, Review, review_runs
from cadogan.wire import reviews as wire
from cadogan.wire.analysis import Way, WayStep

log = structlog.stdlib.get_logger("cadogan.reviews")
MAX_WINNERS = 8
"""Runs of a deal that were won and are looked at: those with the fewest moves."""
MAX_OTHERS = 12
"""Other runs of a deal that are analysed: those that came furthest."""
DAYS_BACK = 8
"""Days whose reviews the server makes by itself, so that those of a whole week are there for its mail."""
PERSON = "reviews"
"""Who asks for the analyses. In their queue it is one person, whose turn comes like everybody's."""
PARTIAL_MILLISECONDS = 60_000
"""For so long a review that is not complete is shown as it is."""
PAUSE_SECONDS = 30.0
"""Seconds after which it is looked again whether analyses are done."""
MAX_REMEMBERED = 64
TENTHS = 10


class _Entry(NamedTuple):
    """A run on the board of a deal."""

    game: str
    result: str
    points: int
    moves: int

    @property
    def tenth(self) -> int:
        """The progress of the run towards a win, in tenths from 0 to 9; 10 for a won run."""
        return TENTHS if self.result == "won" else max(0, min(TENTHS - 1, self.points * TENTHS // FULL_POINTS))


class _Built(NamedTuple):
    """The review of a day as it was built at a moment, and for each deal its best line and a run that began there.

    `struck` are the runs of the day that were disqualified by then, `done` the analyses that were complete, each with
    the time at which it was.
    """

    at: int
    struck: frozenset[str]
    done: frozenset[tuple[str, int]]
    review: wire.DayReview
    best: dict[int, tuple[Run, Line]]


class Reviews:
    """The reviews of one node."""

    def __init__(
        self,
        database: Database,
        challenges: DailyChallenges,
        outlines: GameOutlines,
        reader: GameReader,
        jobs: AnalysisJobs,
        now: Clock,
    ) -> None:
        self._database = database
        self._challenges = challenges
        self._outlines = outlines
        self._reader = reader
        self._jobs = jobs
        self._now = now
        self._built = OrderedDict[str, _Built]()
        self._building = SharedLock()
        self._slices = TimeSlices()

    async def get(self, day: str, charge: Charge = no_charge) -> wire.DayReview:
        """Return the review of a day, complete or not. `charge` is called with the events that are read for it.

        Raises NotFound, or SpoilerEmbargo for a day that is not closed.
        """
        return (await self._get(day, charge)).review

    async def best_line(self, day: str, slot: int, charge: Charge) -> Way:
        """Return the best line of a deal, move by move. Raises NotFound if none is known; otherwise like `get`."""
        built = await self._get(day, charge)
        if slot not in built.best:
            raise NotFound("No way to win this deal is known.")
        run, line = built.best[slot]
        steps = list[WayStep]()
        await self._slices.run(follow(run.rules, run.seed, run.deal, [*map(run.rules.move, line.moves)], steps))
        return Way(game=line.game, version=1, steps=steps)

    def known(self, day: str) -> wire.DayReview | None:
        """Return the review of a day if it is complete and cached; those of recent days are."""
        built = self._built.get(day)
        return built.review if built is not None and built.review.state == "done" else None

    async def run_due(self) -> float | None:
        """Ask for the analyses of the last days, as long as the queue takes them, and build what is complete."""
        is_due = False
        for number in range(DAYS_BACK):
            day = dates.add_days(self._first_day(), number)
            known = await self._fresh(day, await self._struck(day))
            is_complete = known is not None and known.review.state == "done"
            daily = None if is_complete else await self._challenges.get(day, self._now())
            if daily is not None and daily.closed:
                is_due = True
                if await self._ask(daily):
                    self._built.pop(day, None)
                    await self._build(daily, no_charge)
        return PAUSE_SECONDS if is_due else None

    def _first_day(self) -> str:
        """Return the first day for which the server still requests analyses."""
        return dates.add_days(dates.day_of(self._now()), -DAYS_BACK)

    async def _ask(self, daily: DailyChallenge) -> bool:
        """Request the missing analyses of a review; return whether all of them are done."""
        wanted = [run.game for deal in daily.announced for run in _losers(await self._entries(deal.deal))]
        states = await self._jobs.get_all([(game, WHOLE_GAME) for game in wanted]) if wanted else {}
        try:
            for game in wanted:
                if (game, WHOLE_GAME) not in states:
                    await self._jobs.ask(game, WHOLE_GAME, PERSON)
                    log.info("analysis_asked_for", game=game, day=daily.day)
        except TooMany:
            return False  # the rest when some of these are done
        return all([(state := states.get((game, WHOLE_GAME))) and state.state == "done" for game in wanted])

    async def _get(self, day: str, charge: Charge) -> _Built:
        charge(MIN_COST)
        daily = await self._challenges.get(day, self._now()) if dates.is_valid(day) else None
        if daily is None or not (daily.opened or daily.closed):
            raise NotFound("There is no challenge on that day.")
        if not daily.closed:
            raise SpoilerEmbargo("How a day was won and lost is told when it has closed.")
        return await self._fresh(day, await self._struck(day)) or await self._build(daily, charge)

    async def _fresh(self, day: str, struck: frozenset[str]) -> _Built | None:
        """Return the cached review of a day, unless it is out of date, which forgets it."""
        built = self._built.get(day)
        if built is None:
            return None
        if built.review.state == "done":
            is_fresh = built.done == await self._done(game for game, _ in built.done)
        else:
            is_fresh = self._now() - built.at < PARTIAL_MILLISECONDS
        if self._built.get(day) is not built:
            return None  # another request has forgotten it, or made a new one
        if not is_fresh or built.struck != struck:
            del self._built[day]
            return None
        self._built.move_to_end(day)
        return built

    async def _done(self, wanted: Iterable[str]) -> frozenset[tuple[str, int]]:
        """Return those of these games whose analysis is complete, each with the time at which it was.

        One that was withdrawn because its analyst had lied is not, until it is made again.
        """
        complete = select(analyses.c.game, analyses.c.done_at).where(
            analyses.c.game.in_([*wanted]),
            analyses.c.version == WHOLE_GAME,
            analyses.c.solver == SOLVER_VERSION,
            analyses.c.done_at.is_not(None),
        )
        return frozenset([(row.game, row.done_at) for row in await self._database.fetch(complete)])

    async def _struck(self, day: str) -> frozenset[str]:
        """Return the runs of a day that are disqualified now."""
        is_struck = entries.c.game_id.in_(select(strikes.c.game_id))
        found = await self._database.fetch(select(entries.c.game_id).where(entries.c.day == day, is_struck))
        return frozenset([row.game_id for row in found])

    async def _build(self, daily: DailyChallenge, charge: Charge) -> _Built:
        async with self._building:
            struck = await self._struck(daily.day)
            if built := await self._fresh(daily.day, struck):
                return built
            wanted = [run.game for deal in daily.announced for run in _losers(await self._entries(deal.deal))]
            done = await self._done(wanted)  # before they are read: what is withdrawn meanwhile is seen the next time
            deals, best = list[wire.DealReview](), dict[int, tuple[Run, Line]]()
            for deal in daily.announced:
                reviewed, line = await self._review(daily, deal, charge)
                deals.append(reviewed)
                if line is not None:
                    best[deal.slot] = line
            is_done = all([deal.analysed == deal.looked_at for deal in deals]) or daily.day < self._first_day()
            review = wire.DayReview(day=daily.day, state="done" if is_done else "working", deals=deals)
            built = self._built[daily.day] = _Built(self._now(), struck, done, review, best)
            if len(self._built) > MAX_REMEMBERED:
                self._built.popitem(last=False)
            return built

    async def _review(
        self, daily: DailyChallenge, deal: AnnouncedDeal, charge: Charge
    ) -> tuple[wire.DealReview, tuple[Run, Line] | None]:
        field = await self._entries(deal.deal)
        losers = [run.game for run in _losers(field)]
        wanted = [*(run.game for run in _winners(field)), *losers]
        states = await self._jobs.get_all([(game, WHOLE_GAME) for game in wanted]) if wanted else {}
        runs, done = list[FieldRun](), 0
        for game in wanted:
            state = states.get((game, WHOLE_GAME))
            done += game in losers and state is not None and state.state == "done"
            if (run := await self._read(game, charge)) is not None:
                analysed = AnalysedRun(run, state.findings if state else Findings())
                runs.append(FieldRun(game, game not in losers, analysed))
        found = list[Review]()
        await self._slices.run(_watch(runs, daily, deal, found))
        line = found[0].best
        shown = _show(deal, field, found[0], done, len(losers))
        return shown, (runs[0].analysed.run, line) if line else None

    async def _read(self, game_id: str, charge: Charge) -> Run | None:
        """Return a run; None if it is archived, too long, or was played by other rules than the present ones."""
        try:
            outline = await self._outlines.get(game_id)
            if outline.dealt.rules_version != engine.game(outline.dealt.game).rules_version:
                return None
            charge(outline.version)
            return await read_run(self._reader, game_id)
        except (Archived, Conflict, NotFound, UnknownGame):
            return None

    async def _entries(self, deal: str) -> list[_Entry]:
        """Return the runs on the board of a deal, without those that were disqualified."""
        chosen = select(entries.c.game_id, entries.c.result, entries.c.points, entries.c.moves).where(
            entries.c.deal == deal, entries.c.game_id.not_in(select(strikes.c.game_id))
        )
        return [_Entry(*row) for row in await self._database.fetch(chosen)]


def _winners(field: Sequence[_Entry]) -> list[_Entry]:
    return sorted([run for run in field if run.result == "won"], key=lambda run: (run.moves, run.game))[:MAX_WINNERS]


def _losers(field: Sequence[_Entry]) -> list[_Entry]:
    others = [run for run in field if run.result != "won"]
    return sorted(others, key=lambda run: (-run.points, run.moves, run.game))[:MAX_OTHERS]


def _watch(runs: Sequence[FieldRun], daily: DailyChallenge, deal: AnnouncedDeal, found: list[Review]) -> Iterator[None]:
    certificate = daily.certificates.get(deal.deal)
    return review_runs(runs, [move.move for move in certificate.line] if certificate else (), found)


def _show(deal: AnnouncedDeal, field: Sequence[_Entry], review: Review, done: int, looked_at: int) -> wire.DealReview:
    tenths = [0] * (TENTHS + 1)
    for run in field:
        tenths[run.tenth] += 1
    stretch, parting, to_try, best = review.stretch, review.parting, review.to_try, review.best
    return wire.DealReview(
        slot=deal.slot,
        deal=deal.deal,
        rules=deal.game,
        level=deal.level,
        runs=len(field),
        won=tenths[TENTHS],
        field=tenths,
        looked_at=looked_at,
        analysed=done,
        positions=review.positions,
        decided=review.decided,
        losses=None if stretch is None else wire.Losses(**stretch._asdict()),
        parting=None
        if parting is None
        else wire.Parting(
            **parting.place._asdict(),
            losing_move=parting.losing_move,
            winning_move=parting.winning_move,
            won=parting.won,
        ),
        to_try=None if to_try is None else wire.Trial(**to_try._asdict()),
        best=None if best is None else wire.BestLine(moves=len(best.moves), source=best.source, game=best.game),
    )
