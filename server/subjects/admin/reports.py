"""Reports of players, and taking runs off the leaderboards.

Strikes: remove a run from the boards and all statistics, or restore it. The run and its record stay.

A strike is an act in the log of hosts. Nothing is written to the game's stream, so its record stays valid.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import asdict
from typing import NamedTuple

from sqlalchemy import ColumnElement, delete, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from cadogan.server.core import ids
from cadogan.server.core.database.connections import Database
from cadogan.server.core.database.statements import accounts_of
from cadogan.server.core.database.tables import entries, games, members, messages, players, reports, strikes
from cadogan.server.core.dates import MILLISECONDS_PER_DAY
from cadogan.server.core.errors import Conflict, Forbidden, NotFound, TooMany
from cadogan.server.core.eventlog.events import HouseActed
from cadogan.server.core.eventlog.projections import EntryRow, StrikeRow
from cadogan.server.subjects.admin.admin_log import find_target, lock_admin_log, record_act
from cadogan.server.subjects.leaderboards.disqualified_runs import move_run
from cadogan.wire.admin import Why
from cadogan.wire.reports import NewReport, Settle

MAX_PER_DAY = 10
"""The maximum number of reports of one person within 24 hours, a player and their bots together."""
MAX_RECENT_REPORTS = 1000
MAX_OWN = 100
"""The maximum number of reports in a player's own list."""


class Report(NamedTuple):
    """A stored report. Times are milliseconds since 1970.

    `game` is empty unless it is about a run, `message` unless it is about a message, whose text is `quoted`.
    """

    id: str
    reporter: str
    player: str
    game: str
    reason: str
    text: str
    reported_at: int
    settled_at: int | None
    outcome: str | None
    message: str
    quoted: str


class Reports:
    """The reports in a database. `now` returns milliseconds since 1970."""

    def __init__(self, database: Database, now: Callable[[], int]) -> None:
        self._database = database
        self._now = now

    async def report_run(self, reporter: str, game: str, wanted: NewReport) -> None:
        """Report a run. Does nothing if the reporter has reported it before. Raises as `report_player`."""
        chosen = select(games.c.player).where(games.c.id == game)
        player = await self._database.fetch_value(chosen) if ids.is_valid(game) else None
        if player is None:
            raise NotFound("There is no such game.")
        await self._report(reporter, player, wanted, game=game)

    async def report_message(self, reporter: str, message: str, wanted: NewReport) -> None:
        """Report a message in a group of the reporter; its text is stored with the report.

        Raises as `report_player`.
        """
        chosen = select(messages.c.player, messages.c.text).where(messages.c.id == message)
        inside = chosen.join(members, (members.c.group == messages.c.group) & (members.c.player == reporter))
        found = await self._database.fetch_one(inside.where(messages.c.removed_at.is_(None)))
        if found is None:
            raise NotFound("There is no such message.")
        await self._report(reporter, found.player, wanted, message=message, quoted=found.text)

    async def report_player(self, reporter: str, player: str, wanted: NewReport) -> None:
        """Report a player. Does nothing if the same person (owner and bots together) has done so before.

        Raises NotFound, Forbidden for a reporter without an account, Conflict for a report about oneself, and TooMany
        beyond `MAX_PER_DAY`.
        """
        await self._report(reporter, player, wanted)

    async def own(self, reporter: str) -> list[Report]:
        """Return the reports of a player, the latest first, at most `MAX_OWN`."""
        return await self._read(reports.c.reporter == reporter, latest_first=True, offset=0, limit=MAX_OWN)

    async def waiting(self, offset: int, limit: int) -> list[Report]:
        """Return unsettled reports, the earliest first."""
        return await self._read(reports.c.settled_at.is_(None), latest_first=False, offset=offset, limit=limit)

    async def waiting_since(self, since: int) -> list[Report]:
        """Return the unsettled reports made at or after this time, the earliest first."""
        lately = reports.c.settled_at.is_(None) & (reports.c.reported_at >= since)
        return await self._read(lately, latest_first=False, offset=0, limit=MAX_RECENT_REPORTS)

    async def count_waiting(self) -> int:
        """Return the number of unsettled reports."""
        return await self._database.fetch_value(select(func.count()).where(reports.c.settled_at.is_(None))) or 0

    async def settled(self, offset: int, limit: int) -> list[Report]:
        """Return settled reports, the latest first."""
        return await self._read(reports.c.settled_at.is_not(None), latest_first=True, offset=offset, limit=limit)

    async def get(self, id: str) -> Report:
        """Return a report. Raises NotFound."""
        found = await self._read(reports.c.id == id, latest_first=True, offset=0, limit=1)
        if not found:
            raise NotFound("There is no such report.")
        return found[0]

    async def count_reporters(self, found: Collection[Report]) -> dict[tuple[str, str, str], int]:
        """Return how many persons have reported the same thing as each report, by player, game and message."""
        same = reports.c.player, reports.c.game, reports.c.message
        person = func.coalesce(players.c.owner, reports.c.reporter)
        chosen = select(*same, func.count(person.distinct()).label("count"))
        chosen = chosen.outerjoin_from(reports, players, players.c.id == reports.c.reporter)
        chosen = chosen.where(reports.c.player.in_({one.player for one in found}))
        rows = await self._database.fetch(chosen.group_by(*same))
        return {(row.player, row.game, row.message): row._mapping["count"] for row in rows}

    async def groups_of(self, found: Collection[Report]) -> dict[str, str]:
        """Return the group ids of the reported messages that still exist, by message."""
        wanted = {one.message for one in found if one.message}
        chosen = select(messages.c.id, messages.c.group).where(
            messages.c.id.in_(wanted), messages.c.removed_at.is_(None)
        )
        return {row.id: row.group for row in await self._database.fetch(chosen)}

    async def settle(self, by: str | None, id: str, wanted: Settle) -> None:
        """Settle a report. `by` is the id of the actor; None at the command line.

        Raises NotFound, Forbidden for a report by or about the actor, and Conflict if it was settled with another
        outcome.
        """
        async with self._database.writing() as connection:
            await lock_admin_log(connection)
            row = (await connection.execute(select(reports).where(reports.c.id == id))).one_or_none()
            if row is None:
                raise NotFound("There is no such report.")
            own = set(await connection.scalars(accounts_of(by))) if by is not None else set[str]()
            if own & {row.player, row.reporter}:
                raise Forbidden("Somebody else must settle a report that is yours or about you.")
            if row.settled_at is not None:
                if row.outcome == wanted.outcome:
                    return
                raise Conflict("This report is settled already.")
            now = self._now()
            settled = {"settled_at": now, "outcome": wanted.outcome}
            await connection.execute(update(reports).where(reports.c.id == id).values(settled))
            act = HouseActed("report_settled", by=by, player=row.player, game=row.game or None)
            await record_act(connection, act, now, wanted.note)

    async def _report(
        self, reporter: str, player: str, wanted: NewReport, *, game: str = "", message: str = "", quoted: str = ""
    ) -> None:
        now = self._now()
        async with self._database.writing() as connection:
            await lock_admin_log(connection)
            who, target = await find_target(connection, reporter), await find_target(connection, player)
            if who.is_guest:
                raise Forbidden("Create an account to report something.")
            own = set(await connection.scalars(accounts_of(reporter)))
            if target.id in own:
                raise Conflict("You cannot report yourself or a bot of yours.")
            mine = select(func.count()).select_from(reports).where(reports.c.reporter.in_(own))
            same = mine.where(reports.c.player == player, reports.c.game == game, reports.c.message == message)
            if await connection.scalar(same):
                return
            lately = mine.where(reports.c.reported_at > now - MILLISECONDS_PER_DAY)
            if (await connection.scalar(lately) or 0) >= MAX_PER_DAY:
                raise TooMany("At most {count} reports a day: try again tomorrow.", count=MAX_PER_DAY)
            row = {
                "id": ids.new_id(),
                "reporter": reporter,
                "player": player,
                "game": game,
                "reason": wanted.reason,
                "text": wanted.text.strip(),
                "reported_at": now,
                "message": message,
                "quoted": quoted,
            }
            await connection.execute(insert(reports).values(row))

    async def _read(
        self, condition: ColumnElement[bool], *, latest_first: bool, offset: int, limit: int
    ) -> list[Report]:
        at = reports.c.reported_at.desc() if latest_first else reports.c.reported_at
        chosen = select(reports).where(condition).order_by(at, reports.c.id).offset(offset).limit(limit)
        rows: Sequence[tuple[object, ...]] = [tuple(row) for row in await self._database.fetch(chosen)]
        return [Report(*row) for row in rows]  # type: ignore[arg-type]  # the columns are the fields


class RunStrikes:
    """The strikes in a database. `now` returns milliseconds since 1970.

    `publish` is called with the id of a struck or restored run, after the commit.
    """

    def __init__(self, database: Database, now: Callable[[], int], publish: Callable[[str], None]) -> None:
        self._database = database
        self._now = now
        self._publish = publish

    async def strike(self, by: str | None, game_id: str, disqualified: bool, why: Why) -> None:
        """Strike a run off the boards, or restore it. Does nothing if that is done already.

        `by` is the id of the actor; None at the command line. Raises NotFound for an unknown run, Conflict for an
        unfinished run, and Forbidden for a run of a host or a moderator.
        """
        async with self._database.writing() as connection:
            await lock_admin_log(connection)
            player = await _player_of(connection, game_id)
            if (
                bool(await connection.scalar(select(strikes.c.game_id).where(strikes.c.game_id == game_id)))
                == disqualified
            ):
                return
            now = self._now()
            if disqualified:
                row = StrikeRow(game_id, player, why.reason, now)
                await connection.execute(insert(strikes).values(asdict(row)))
            else:
                await connection.execute(delete(strikes).where(strikes.c.game_id == game_id))
            entry = (await connection.execute(select(entries).where(entries.c.game_id == game_id))).one_or_none()
            if entry is not None:
                await move_run(connection, EntryRow(**entry._mapping), on_boards=not disqualified)
            kind = "run_struck" if disqualified else "run_returned"
            act = HouseActed(kind, by=by, player=player, game=game_id, reason=why.reason)
            await record_act(connection, act, now, why.note)
        self._publish(game_id)


async def _player_of(connection: AsyncConnection, game_id: str) -> str:
    """Return the player of a run, after checking that it may be struck."""
    chosen = select(games.c.player, games.c.finished_at, players.c.role).where(games.c.id == game_id)
    chosen = chosen.outerjoin(players, players.c.id == games.c.player)
    row = (await connection.execute(chosen)).one_or_none() if ids.is_valid(game_id) else None
    if row is None:
        raise NotFound("There is no such game.")
    if row.finished_at is None:
        raise Conflict("Only a run that is over can be struck. Suspend the player to end what goes on.")
    if row.role is not None:
        raise Forbidden("This player is a host or a moderator: take the role away first.")
    player: str = row.player
    return player
