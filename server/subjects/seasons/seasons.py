"""Seasons at work: they open, take in members and close by the clock, at whichever node comes first.

What is due follows from the log and from the settings of a host. It is written at the expected version of the stream,
with the time at which it was due, so that no timer has to fire and two nodes write nothing twice.
"""

import asyncio
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, NamedTuple

from cadogan.server.core import dates
from cadogan.server.core.clock import Clock
from cadogan.server.core.clock_check import ClockCheck
from cadogan.server.core.database.connections import Database
from cadogan.server.core.errors import Conflict
from cadogan.server.core.eventlog.events import Event
from cadogan.server.core.eventlog.season_events import (
    MemberJoined,
    MemberLeft,
    SeasonClosed,
    SeasonOpened,
    SeasonState,
    closes_at,
    fold_season,
)
from cadogan.server.core.eventlog.streams import season_stream
from cadogan.server.core.scoring.forms import Member, Season, Session
from cadogan.server.core.scoring.forms import SeasonSettings as ScoredSettings
from cadogan.server.core.scoring.seasons import score_season
from cadogan.server.core.shares import SharedLock
from cadogan.server.core.storage.sql_store import append_at
from cadogan.server.subjects.players.groups import Groups
from cadogan.server.subjects.ratings.form_queries import NEWCOMER, FormQueries
from cadogan.server.subjects.seasons.sessions import SeasonSessions, Sessions
from cadogan.server.subjects.seasons.stored_seasons import Chosen, StoredSeasons, group_and_week, season_id

MAX_AGE_MILLISECONDS = 60 * 1000
"""Milliseconds for which the table of a running season is cached."""
MAX_TABLES = 20
PAUSE_SECONDS = 60.0
Table = Mapping[str, Any]


class _Cached(NamedTuple):
    """A table, as it was at a version of the stream and a moment."""

    version: int
    at: int
    table: Table


class Seasons:
    """The seasons of the server and of the groups, at one node. A `group` is the id of a group; None is the server."""

    def __init__(
        self,
        database: Database,
        stored: StoredSeasons,
        sessions: SeasonSessions,
        form: FormQueries,
        groups: Groups,
        clocks: ClockCheck,
        now: Clock,
    ) -> None:
        self.stored = stored
        self._database = database
        self._sessions = sessions
        self._form = form
        self._groups = groups
        self._clocks = clocks
        self._now = now
        self._lock = SharedLock()
        self._tables: dict[str, _Cached] = {}

    async def run_due(self) -> float | None:
        """Write everything that is due."""
        if await self._clocks.agree():
            for group in (None, *await self.stored.groups()):
                await self._run_due_of(group)
        return PAUSE_SECONDS

    async def run_due_of(self, group: str) -> None:
        """Write everything that is due in the seasons of a group."""
        if await self._clocks.agree():
            await self._run_due_of(group)

    async def _run_due_of(self, group: str | None) -> None:
        while await self._advance(group):
            pass

    async def table(self, state: SeasonState) -> Table:
        """Return the table of a season: the final one, or a live one that is at most a minute old."""
        async with self._lock:
            now, known = self._now(), self._tables.get(state.id)
            is_recent = known is not None and (state.closed is not None or 0 <= now - known.at < MAX_AGE_MILLISECONDS)
            if known is None or known.version != state.version or not is_recent:
                if len(self._tables) >= MAX_TABLES:
                    self._tables.clear()
                table = await self._score(state, (await self._read_sessions(state, now)).sessions)
                known = self._tables[state.id] = _Cached(state.version, now, table)
            return known.table

    async def leave(self, id: str, player: str) -> SeasonState:
        """Remove a member from a season. Raises NotFound, or Conflict if it is over or the player is not a member."""
        while True:
            state = await self.stored.get(id)
            if state.closed is not None:
                raise Conflict("This season is over.")
            if player not in state.members:
                raise Conflict("You are not in this season.")
            if player in state.left or await self._write(id, state.version, [MemberLeft(player)], self._now()):
                return await self.stored.get(id)

    async def _advance(self, group: str | None) -> bool:
        """Write what is due first; return whether something else may be due now."""
        ids = await self.stored.ids(group)
        last = await self.stored.get(ids[-1]) if ids else None
        if last is not None and last.closed is None:
            return await self._follow(last)
        chosen, now = await self.stored.chosen(group), self._now()
        if not chosen.settings.on:
            return False
        if group is not None and not await self._groups.members_of(group):
            await self.stored.forget(group)
            return False
        weeks = weeks_of(chosen, last)
        at = max(dates.week_begins(weeks[0]), chosen.since, last.closed_at or 0 if last else 0)
        if at > now:
            return False
        settings = ScoredSettings(
            size=chosen.settings.size,
            best_of_week=chosen.settings.best_of_week,
            least_sessions=chosen.settings.least_sessions,
            demotion=chosen.settings.demotion,
        )
        divisions = await (self._first(group, weeks, settings, at) if last is None else self._next(last))
        opened = SeasonOpened(tuple(weeks), settings, tuple(map(tuple, divisions)))
        return await self._write(season_id(group, weeks[0]), 0, [opened], at)

    async def _follow(self, state: SeasonState) -> bool:
        """Add new members, remove those who left the group, and close the season if it is due.

        Return whether it was closed.
        """
        (group, _), weeks, now = group_and_week(state.id), state.opened.weeks, self._now()
        found = await self._sessions.read(group, weeks, now)
        at = max(closes_at(weeks[-1]), found.final_at)
        is_due = now >= at and found.is_complete
        if is_due:
            found = await self._sessions.read(group, weeks, at)
        changes = await self._changes(state, found, None if group is None else await self._groups.joined_at(group))
        if not is_due:
            if changes:
                await self._write(state.id, state.version, changes, now)
            return False
        after = fold_season(state.id, [(event, at) for event in changes], state)
        assert after is not None
        table = await self._score(after, found.sessions)
        closed = SeasonClosed(table["version"], table["digest"], tuple(map(tuple, table["next"])), found.struck)
        return await self._write(state.id, state.version, [*changes, closed], at)

    async def _changes(
        self, state: SeasonState, found: Sessions, joined_at: Mapping[str, int] | None
    ) -> list[MemberJoined | MemberLeft]:
        """Return who joins the season, and who leaves it because they left the group.

        `joined_at` is when each member of the group joined it, in milliseconds since 1970, and None for the server.
        """
        week_of = {one: dates.week_name(dates.week_number(at)) for one, at in (joined_at or {}).items()}
        starts = {player: week for player, week in week_of.items() if week > state.opened.weeks[0]}
        new = {
            player
            for session in found.sessions
            for player in session.shares
            if session.week >= starts.get(player, "") and (joined_at is None or player in joined_at)
        } - state.members.keys()
        members = await self._as_members(sorted(new), {})
        joined = [MemberJoined(one.player, one.rating, starts.get(one.player)) for one in members]
        gone = [] if joined_at is None else sorted(state.members.keys() - joined_at.keys() - {*state.left})
        return [*joined, *map(MemberLeft, gone)]

    async def _first(
        self, group: str | None, weeks: list[str], settings: ScoredSettings, at: int
    ) -> list[list[Member]]:
        """Return the divisions of the first season: who had a session in as many weeks before it, by rating."""
        found = await self._sessions.read(group, weeks_after(weeks[0], -len(weeks), len(weeks)), at)
        players = {player for session in found.sessions for player in session.shares}
        if group is not None:
            players &= {*await self._groups.members_of(group)}
        members = {one.player: one for one in await self._as_members(sorted(players), {})}
        form = Season("cadogan season 1", season_id(group, weeks[0]), weeks, settings, newcomers=[*members.values()])
        cut = (await asyncio.to_thread(score_season, form))["next"]
        return [[members[player] for player in names] for names in cut]

    async def _next(self, last: SeasonState) -> list[list[Member]]:
        """Return the divisions of a new season, computed from the closed one before it."""
        assert last.closed is not None
        rows = [row for division in (await self.table(last))["divisions"] for row in division["rows"]]
        known = last.members
        absent = {row["player"]: known[row["player"]].absent_seasons + 1 for row in rows if not row["sessions"]}
        return [await self._as_members(names, absent) for names in last.closed.next]

    async def _as_members(self, players: Collection[str], absent: Mapping[str, int]) -> list[Member]:
        ratings = await self._form.of_players(players)
        return [Member(player, ratings.get(player, NEWCOMER), absent.get(player, 0)) for player in players]

    async def _read_sessions(self, state: SeasonState, now: int) -> Sessions:
        group, weeks = group_and_week(state.id)[0], state.opened.weeks
        if state.closed is None:
            return await self._sessions.read(group, weeks, now)
        return await self._sessions.read(group, weeks, state.closed_at or now, state.closed.struck)

    async def _score(self, state: SeasonState, sessions: Sequence[Session]) -> Table:
        score: Callable[[Season], Table] = score_season
        return await asyncio.to_thread(score, state.form(sessions))

    async def _write(self, id: str, version: int, events: list[Any], at: int) -> bool:
        """Append to the stream of a season if it has this version; return whether it had."""
        written: list[Event] = events
        is_logged = isinstance(events[-1], SeasonClosed)
        async with self._database.writing() as connection:
            return await append_at(connection, season_stream(id), version, written, at, is_logged=is_logged)


def weeks_of(chosen: Chosen, last: SeasonState | None) -> list[str]:
    """Return the weeks of the season to come: those after the last one, but none from before they were switched on."""
    first = dates.week_name(dates.week_number(chosen.since))
    after = weeks_after(last.opened.weeks[-1], 1, 1) if last else []
    return weeks_after(max([first, *after]), 0, chosen.settings.weeks)


def weeks_after(week: str, begin: int, count: int) -> list[str]:
    """Return `count` weeks; the first is `begin` weeks after this one.

    >>> weeks_after("2026-W52", 1, 3)
    ['2026-W53', '2027-W01', '2027-W02']
    """
    number = dates.week_number(dates.week_begins(week)) + begin
    return [dates.week_name(one) for one in range(number, number + count)]
