"""Findings of the copy detector about the runs of a closed day, with the logged views of the copied runs.

A day is analysed once, by one node, soon after its close, when its deals are public and its runs are final. The
findings are stored in the database, by ids.
"""

import asyncio
from collections.abc import Callable, Sequence
from typing import NamedTuple

import msgspec
import structlog
from sqlalchemy import insert, literal, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from cadogan.engine.state import pack_state
from cadogan.server.core import dates, ids
from cadogan.server.core.database.connections import Database
from cadogan.server.core.database.tables import entries, findings
from cadogan.server.core.ended_feed import EndedFeed
from cadogan.server.core.errors import Archived, Conflict, NotFound
from cadogan.server.core.eventlog.event_store import Store
from cadogan.server.core.eventlog.events import GameWatched, MovePlayed, decode_event
from cadogan.server.core.eventlog.streams import DAYS, VIEWS, day_stream, id_of
from cadogan.server.core.games.game_reader import GameReader
from cadogan.server.core.games.game_state import Step
from cadogan.server.core.outbox import Answer, Outbox, StoredQueue, next_attempt_at
from cadogan.server.subjects.admin.copying import (
    CopyFinding,
    Pace,
    PaceFinding,
    PlayedMove,
    Run,
    compare_runs,
    describe_act,
    measure_pace,
)

log = structlog.stdlib.get_logger("cadogan.admin")
MAX_REMEMBERED_PACES = 1000


class View(NamedTuple):
    """A player's first view of a game, at a time in milliseconds since 1970."""

    player: str
    game: str
    at: int


class PlayedRuns:
    """Reads runs from a database. The pace of a finished run is cached, because it does not change."""

    def __init__(self, database: Database, store: Store, reader: GameReader) -> None:
        self._database = database
        self._store = store
        self._reader = reader
        self._paces: dict[str, Pace | None] = {}

    async def of_day(self, day: str) -> dict[str, list[Run]]:
        """Return the finished ranked runs of people on a day, by deal."""
        chosen = select(entries.c.deal, entries.c.game_id, entries.c.player).where(entries.c.day == day)
        rows = await self._database.fetch(chosen.order_by(entries.c.deal, entries.c.game_id))
        found: dict[str, list[Run]] = {}
        for deal, game, player in rows:
            if not ids.is_bot(player):  # bots play alike, and have boards of their own
                found.setdefault(deal, []).append(await self._read(game, player))
        return found

    async def views(self, deal: str) -> list[View]:
        """Return the views of the runs of a deal."""
        found = []
        async for name in self._store.stream_names(f"{VIEWS}{deal}/"):
            for stored in await self._store.read(name):
                event = decode_event(stored.type, stored.schema, stored.data)
                if isinstance(event, GameWatched):
                    found.append(View(event.player, event.game, stored.recorded_at))
        return found

    async def pace(self, game: str) -> Pace | None:
        """Return the pace of a finished run; None if it has no waits, or is archived."""
        if game not in self._paces:
            if len(self._paces) >= MAX_REMEMBERED_PACES:
                self._paces.clear()
            try:
                self._paces[game] = measure_pace(await self._read(game, ""))
            except (NotFound, Archived):
                return None
        return self._paces[game]

    async def _read(self, game: str, player: str) -> Run:
        moves: list[PlayedMove] = []

        def keep(step: Step) -> None:
            if isinstance(step.event, MovePlayed) and step.before is not None:
                before = step.before.position
                key = pack_state(before.state)
                act = describe_act(before.state, step.after.position.state)
                moves.append(PlayedMove(key, step.event.move, len(before.legal), step.sealed.recorded_at, act))

        await self._reader.read_steps(game, keep)
        return Run(game, player, tuple(moves))


DAYS_BACK = 7
"""Days before today that the server analyses on its own; earlier days are analysed on request."""
CLAIM_MILLISECONDS = 30 * 60 * 1000
"""After so long another node looks at a day whose findings are not there yet."""
PAUSES = (10 * 60_000, 30 * 60_000, 120 * 60_000, 720 * 60_000)
"""Milliseconds until a day is looked at again, after each failure; up to a quarter more is added by chance."""
LATEST = 30
"""The maximum number of days in a list."""


class ReportedCopy(NamedTuple):
    """A copying run, and the views of the copied run from before the copying run was over."""

    found: CopyFinding
    views: tuple[View, ...]


class DayFindings(NamedTuple):
    """The findings about a day, and the number of compared runs of people."""

    runs: int
    copies: tuple[ReportedCopy, ...]
    paces: tuple[PaceFinding, ...]

    def about(self, game: str) -> "DayFindings":
        """Return only the findings about the run with this id."""
        copies = tuple(one for one in self.copies if game in (one.found.run, one.found.of))
        return DayFindings(self.runs, copies, tuple(one for one in self.paces if one.run == game))


class CheckedDay(NamedTuple):
    """An analysed day: when, in milliseconds since 1970, the number of findings, and whether they were read."""

    day: str
    at: int
    found: int
    seen: bool


class ClaimedDay(NamedTuple):
    """A closed day whose runs this node may compare until its claim ends."""

    day: str
    attempts: int


class Findings(StoredQueue[ClaimedDay]):
    """The findings in a database, and the days that wait for them. `now` returns milliseconds since 1970."""

    table, key, destination = findings, findings.c.day, literal("findings")
    source, order = findings, (findings.c.day,)
    is_waiting = findings.c.found.is_(None)
    claim_milliseconds = CLAIM_MILLISECONDS

    def __init__(self, database: Database, store: Store, runs: PlayedRuns, now: Callable[[], int]) -> None:
        super().__init__(database, now)
        self._ended = EndedFeed(database)
        self._store = store
        self._runs = runs
        self._lock = asyncio.Lock()
        self._outbox = Outbox(self)

    async def of_day(self, day: str) -> DayFindings:
        """Return the findings about a day, and analyse it first if necessary.

        Raises NotFound, and Conflict before its close.
        """
        if (found := await self.find_stored(day)) is not None:
            return found
        stored = await self._store.read(day_stream(day)) if dates.is_valid(day) else []
        if not stored:
            raise NotFound("There is no such day.")
        if stored[-1].type != "daily_closed":
            raise Conflict("The runs of a day are compared when it has closed.")
        async with self._lock:  # expensive, so one day at a time
            return await self.find_stored(day) or await self._look_at(day)

    async def find_stored(self, day: str) -> DayFindings | None:
        """Return the stored findings about a day; None if it was not analysed."""
        text = await self._database.fetch_value(select(findings.c.found).where(findings.c.day == day))
        try:
            return None if text is None else msgspec.json.decode(text, type=DayFindings)
        except msgspec.DecodeError:  # written by another version of the detector
            return None

    async def latest(self) -> list[CheckedDay]:
        """Return the latest days with findings, the latest first."""
        wanted = select(findings).where(findings.c.found.is_not(None), findings.c.count > 0)
        rows = await self._database.fetch(wanted.order_by(findings.c.day.desc()).limit(LATEST))
        return [CheckedDay(row.day, row.at, row._mapping["count"], row.seen_at is not None) for row in rows]

    async def mark_seen(self, day: str) -> None:
        """Store that a host or a moderator has read the findings about a day."""
        unseen = (findings.c.day == day) & findings.c.seen_at.is_(None)
        if await self._database.fetch_value(select(findings.c.day).where(unseen)) is None:
            return
        async with self._database.writing() as connection:
            await connection.execute(update(findings).where(unseen).values(seen_at=self._now()))

    async def run_due(self) -> None:
        """Analyse the days that have closed lately, each on one node only, as the outbox does."""
        first = dates.add_days(dates.day_of(self._now()), -DAYS_BACK)
        async for streams in self._ended.read("findings", DAYS, first_day=first):
            for day in map(id_of, streams):
                if day >= first:
                    await self._add(day)
        await self._outbox.send_due()

    async def close(self) -> None:
        """Wait until no day is being analysed."""
        await self._outbox.wait_until_idle()

    async def _add(self, day: str) -> None:
        try:
            async with self._database.writing() as connection:
                now = self._now()
                await connection.execute(insert(findings).values(day=day, at=now, next_at=now, count=0))
        except IntegrityError:
            pass  # another node was first

    async def load(self, connection: AsyncConnection, ids: Sequence[str]) -> list[ClaimedDay]:
        """Return the days that were just claimed."""
        wanted = select(findings.c.day, findings.c.attempts).where(findings.c.day.in_(ids))
        return [ClaimedDay(*row) for row in await connection.execute(wanted)]

    async def send(self, item: ClaimedDay, is_proven: bool, stopping: asyncio.Event | None) -> Answer:
        """Compare the runs of a day."""
        try:
            async with self._lock:
                return Answer(result=await self._compare(item.day))
        except Exception as error:
            log.warning("findings_failed", day=item.day, reason=type(error).__name__)
            return Answer(problem="failed")

    async def store_result(self, connection: AsyncConnection, item: ClaimedDay, answer: Answer) -> None:
        """Store the findings, or delay the day; after several failures, until somebody requests it."""
        values: dict[str, object] = {"next_at": next_attempt_at(self._now(), item.attempts, PAUSES)}
        if answer.problem is None:
            values = {"next_at": None, **(self._values(answer.result) if answer.result else {})}
        await connection.execute(update(findings).where(self.claimed_row(item)).values(values))

    async def _look_at(self, day: str) -> DayFindings:
        found = await self._compare(day)
        values = self._values(found)
        async with self._database.writing() as connection:
            known = await connection.execute(update(findings).where(findings.c.day == day).values(values))
            if not known.rowcount:
                await connection.execute(insert(findings).values(day=day, **values))
        return found

    async def _compare(self, day: str) -> DayFindings:
        by_deal = await self._runs.of_day(day)
        copies, paces = list[ReportedCopy](), list[PaceFinding]()
        for (deal, runs), compared in zip(by_deal.items(), await compare_runs([*by_deal.values()]), strict=True):
            ends = {run.game: run.moves[-1].at for run in runs if run.moves}
            views = await self._runs.views(deal) if compared.copies else []
            for copy in compared.copies:
                seen = [view for view in views if view.game == copy.of and view.at <= ends[copy.run]]
                copies.append(ReportedCopy(copy, tuple(seen)))
            paces += compared.paces
        return DayFindings(sum(map(len, by_deal.values())), tuple(copies), tuple(paces))

    def _values(self, found: DayFindings) -> dict[str, object]:
        count = len(found.copies) + len(found.paces)
        return {"at": self._now(), "count": count, "found": msgspec.json.encode(found).decode()}
