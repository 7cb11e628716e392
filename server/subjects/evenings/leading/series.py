"""Evenings that repeat every week: each one announces the next one when its first round opens.

The next evening is made like the one before, with all changes of it. Its id follows from the series and its number, so
that two nodes make the same one, and one that was missed in an outage is not made up for: the next one lies ahead.
What cannot be announced then, because the beacon does not answer, is tried again every minute, also after the end.
"""

from typing import TYPE_CHECKING

import structlog
from msgspec import structs
from sqlalchemy import select

from cadogan.server.core import ids
from cadogan.server.core.database.tables import players
from cadogan.server.core.dates import read_zone, weeks_later
from cadogan.server.core.errors import BadMessage, Conflict, Forbidden, NotFound
from cadogan.server.core.eventlog.events import CompetitionEvent
from cadogan.server.subjects.accounts.account_rows import is_not_suspended
from cadogan.server.subjects.evenings.evening_events import Series, SeriesEnded
from cadogan.server.subjects.evenings.evening_list import EveningList
from cadogan.server.subjects.evenings.evening_state import EveningState
from cadogan.wire import evenings as wire
from cadogan.wire.evenings import FinalWanted, NewEvening, TeamsWanted
from cadogan.wire.values import Player

if TYPE_CHECKING:
    from cadogan.server.app import Server  # builds this part

NOTICE_MILLISECONDS = 3600 * 1000
"""The next evening of a series is announced so long before it begins, or longer."""
MAX_DELAY_MILLISECONDS = 30 * 24 * 3600 * 1000
"""So long after an evening has ended the next one is still announced."""
RETRY_SECONDS = 60.0
"""Seconds between two attempts to announce what could not be announced in time."""
log = structlog.stdlib.get_logger("cadogan.evenings")


class EveningSeries:
    """The series of evenings on one node."""

    def __init__(self, server: "Server", listed: EveningList) -> None:
        self._server = server
        self._listed = listed

    async def follow(self, state: EveningState) -> list[CompetitionEvent]:
        """Announce the next evening of a series, unless it is there; return the event by which the series ends instead.

        What hinders the announcement for a while is logged, and `run_due` tries again.
        """
        series = state.plan.series
        if series is None or not state.repeats or await self.next_of(state) is not None:
            return []
        evenings, leading, now = self._server.evenings, self._server.evening_leading, self._server.now()
        next_id = id_of_number(series, series.number + 1)
        try:
            zone = read_zone(series.time_zone)
            wanted = ask_again(state, series, weeks_later(state.rounds[0].opens_at, zone, now + NOTICE_MILLISECONDS))
            leader = await self._find_leader(state, wanted)
            if leader is None:
                return [SeriesEnded()]
            await evenings.begin(
                next_id,
                await leading.plan(leader, wanted, next_id, now, structs.replace(series, number=series.number + 1)),
            )
        except (Conflict, NotFound, ValueError) as error:
            log.warning("next_evening_delayed", evening=state.id, reason=str(error))
            return []
        ended = (await evenings.read_state(state.id, fresh=True)).series_ended  # it has ended meanwhile on another node
        if ended is not None:
            await self._write_end(next_id, ended)
        return []

    async def end(self, state: EveningState, by: str) -> None:
        """Let no evening follow the last one of a series.

        Raises BadMessage for an evening that is in no series, and Conflict if the last one is over.
        """
        if state.plan.series is None:
            raise BadMessage("This evening does not repeat.")
        last, latest = None, await self._listed.latest_of(state.plan.series.id)
        while latest is not None and latest != last:  # the clock may have announced another one
            if (await self._write_end(latest, SeriesEnded(by))).repeats:  # it is over, and the next one is due
                raise Conflict("The standing of this evening is final.")
            last, latest = latest, await self._listed.latest_of(state.plan.series.id)

    async def next_of(self, state: EveningState) -> str | None:
        """Return the id of the evening that follows in a series; None if none is announced."""
        series = state.plan.series
        if series is None:
            return None
        next_id = id_of_number(series, series.number + 1)
        try:
            return (await self._server.evenings.read_state(next_id)).id
        except NotFound:
            return None

    async def show(self, state: EveningState) -> wire.EveningSeries | None:
        """Return the public view of the series of an evening; None for an evening without one."""
        series, ended = state.plan.series, state.series_ended
        if series is None:
            return None
        shown = wire.EveningSeries(number=series.number, time_zone=series.time_zone, next=await self.next_of(state))
        if ended is not None:
            return structs.replace(shown, ended="no_leader" if ended.by is None else "by_leader")
        is_due = state.opened or state.is_over
        if (
            shown.next is not None
            or not is_due
            or state.rounds[-1].closes_at <= self._server.now() - MAX_DELAY_MILLISECONDS
        ):
            return shown
        if state.is_over and await self._find_leader(state, ask_again(state, series, self._server.now())) is None:
            return structs.replace(shown, ended="no_leader")  # nothing can be written into a stream that is over
        return structs.replace(shown, is_delayed=True)

    async def run_due(self) -> float:
        """Announce the evenings that should have been announced; return the seconds until the next attempt."""
        if await self._server.clocks.agree():
            for id in await self._listed.last_of_series(self._server.now() - MAX_DELAY_MILLISECONDS):
                await self.follow(await self._server.evenings.get(id))
        return RETRY_SECONDS

    async def _write_end(self, id: str, ended: SeriesEnded) -> EveningState:
        return await self._server.evenings.write(id, lambda now: [ended] if now.repeats and not now.is_over else [])

    async def _find_leader(self, state: EveningState, wanted: NewEvening) -> Player | None:
        """Return who leads the next evening: who led this one, or else the owner of its group; None if neither may."""
        group = state.plan.group
        owners = [] if group is None else (await self._server.groups.members_of(group))[:1]
        for id in (state.plan.leader, *owners):
            leader = await self._server.players.player(id)
            if await self._may_lead(leader, wanted):
                return leader
        return None

    async def _may_lead(self, leader: Player, wanted: NewEvening) -> bool:
        """Return whether somebody may make the next evening: they are there, are not suspended, and have the right."""
        active = select(players.c.id).where(players.c.id == leader.id, is_not_suspended(self._server.now()))
        if await self._server.database.fetch_value(active) is None:
            return False
        try:
            await self._server.evening_leading.require_maker(leader, wanted)
        except (Forbidden, NotFound):
            return False
        return True


def id_of_number(series: Series, number: int) -> str:
    """Return the id of the evening of a series with this number, from the second one on."""
    return ids.derive_id(series.id.encode(), "evening", str(number))


def begin_series(id: str, wanted: NewEvening) -> Series | None:
    """Return the series that begins with a wanted evening; None if it is to take place once. Raises BadMessage."""
    if wanted.weekly is None:
        return None
    try:
        read_zone(wanted.weekly)
    except ValueError:
        raise BadMessage("The server knows no time zone {name}.", name=wanted.weekly) from None
    games = None if wanted.games is None else tuple(wanted.games)
    return Series(id, 1, wanted.weekly, wanted.level, games, wanted.certified)


def ask_again(state: EveningState, series: Series, starts_at: int) -> NewEvening:
    """Return the settings of an evening like this one that begins at another time."""
    plan, settings, first = state.plan, state.settings, state.rounds[0]
    seconds = (first.closes_at - first.opens_at) // 1000
    return NewEvening(
        title=state.title,
        starts_at=starts_at,
        level=series.level,
        rounds=1 if state.is_arena else len(state.first_stage),
        games=None if series.games is None else [*series.games],
        seconds=seconds,
        pause=(state.rounds[1].opens_at - first.closes_at) // 1000 if len(state.first_stage) > 1 else 60,
        entry=state.entry,  # type: ignore[arg-type]
        group=plan.group,
        scoring=settings.scoring,
        time_counts=settings.time_counts,
        bots=settings.bots,
        trophy=settings.trophy,
        freeze=settings.freeze,
        teams=TeamsWanted(best=settings.teams.best, names=[*plan.teams]) if settings.teams else None,
        final=_final_again(state),
        objections_minutes=plan.objections_minutes,
        rated=plan.rated,
        certified=series.certified,
        arena_minutes=seconds // 60 if state.is_arena else None,
    )


def _final_again(state: EveningState) -> FinalWanted | None:
    final = state.settings.final
    if final is None:
        return None
    rounds = len(state.rounds) - len(state.first_stage)
    return FinalWanted(rounds=rounds, best=final.best, share=final.share, carry=final.carry)
