"""Evenings as each reader is shown them."""

import asyncio
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple, Self

from msgspec import json
from msgspec.structs import replace

from cadogan.server.core.errors import Forbidden, NotFound
from cadogan.server.core.eventlog.projections import ContestRow
from cadogan.server.core.scoring.forms import Evening
from cadogan.server.subjects.evenings.arenas.arena_standing import make_arena, make_deals, make_sheet, with_own_runs
from cadogan.server.subjects.evenings.evening_list import Due, EveningList, code_of
from cadogan.server.subjects.evenings.evening_runs import RoundRun
from cadogan.server.subjects.evenings.evening_state import EveningState, Objection
from cadogan.server.subjects.evenings.evenings import Evenings
from cadogan.server.subjects.evenings.guest_names import GuestNames, under_names
from cadogan.server.subjects.evenings.leading.leading import EveningLeading
from cadogan.server.subjects.evenings.leading.objections import may_object
from cadogan.server.subjects.evenings.shared import Shared
from cadogan.server.subjects.evenings.standing import make_runs, make_standing
from cadogan.server.subjects.leaderboards.disqualified_runs import shown_strike
from cadogan.server.subjects.players.groups import feed_key
from cadogan.wire import arenas, evening_standings
from cadogan.wire import evenings as wire
from cadogan.wire.beacon import DailyBeacon
from cadogan.wire.values import Player

if TYPE_CHECKING:
    from cadogan.server.app import Server  # builds this part


class SharedStanding(NamedTuple):
    """A standing, its bytes, and the entity tag of them: it is the same as long as nothing but the time changes."""

    standing: evening_standings.EveningStanding
    body: bytes
    tag: str

    @classmethod
    def of(cls, standing: evening_standings.EveningStanding) -> Self:
        """Encode a standing."""
        return cls(standing, json.encode(standing), tag_of(json.encode(replace(standing, at=0))))


class _Shown(NamedTuple):
    """The parts of an evening that are equal for everybody, from which the others are derived.

    `runs` are by player and round; `begun` are the players of some run; `rounds` and `arena` have nobody's own run.
    """

    state: EveningState
    runs: dict[tuple[str, int], RoundRun]
    name_of: Callable[[str], Player]
    begun: frozenset[str]
    rounds: list[wire.EveningRound]
    arena: arenas.Arena | None
    entrants: list[wire.EveningEntrant]
    tag: str
    series: wire.EveningSeries | None


def tag_of(content: bytes) -> str:
    """Return a short text that differs for different contents."""
    return sha256(content).hexdigest()[:16]


class EveningViews:
    """The views of evenings on one node."""

    def __init__(
        self, server: "Server", evenings: Evenings, leading: EveningLeading, names: GuestNames, listed: EveningList
    ) -> None:
        self._server = server
        self._evenings = evenings
        self._leading = leading
        self._names = names
        self.listed = listed
        changes = evenings.run_changes
        self._shown = Shared(changes, evenings.get, self._make_shown)
        self._standings = Shared(changes, evenings.get, self._make_standing)

    async def require_admission(self, state: EveningState, player: Player) -> None:
        """Raise Forbidden if an evening is for a group in which the player is not."""
        if state.entry == "group" and not await self._is_member(state, player):
            raise Forbidden("This evening is for the members of a group.")

    async def find(self, code: str) -> str | None:
        """Return the id of the evening with this short code; None if there is none."""
        return await self.listed.find(code)

    async def list(self, player: Player | None) -> wire.EveningList:
        """Return the evenings that a player may enter or see."""
        groups = await self._server.groups.groups_of(player.id) if player else []
        calendars = [wire.EveningCalendar(path="/feeds/evenings")]
        calendars += [
            wire.EveningCalendar(path=f"/feeds/groups/{one.id}/{feed_key(one)}/evenings", group=one.id, name=one.name)
            for one in groups
        ]
        rows = await self.listed.read([group.id for group in groups], player.id if player else None)
        leads = player is not None and any(group.members[0] == player.id for group in groups)
        is_maker = player is not None and await self._leading.may_make(player)
        return wire.EveningList(
            at=self._server.now(),
            calendars=calendars,
            may_make=leads or is_maker,
            may_make_for_all=is_maker,
            evenings=[*await self.cards(rows)],
        )

    async def due(self, player: Player | None) -> Due:
        """Return what the first page of a player shows; of the evenings by link only those that they lead or are in."""
        due = await self.listed.due(player.id if player else None)
        if player is None:
            return due
        own = [
            row for row in due.by_link if row.leader == player.id or (await self._evenings.get(row.id)).is_in(player.id)
        ]
        return Due(due.matches, sorted([*due.evenings, *own], key=lambda row: (row.starts_at, row.id)))

    async def show(self, state: EveningState, player: Player | None, known_entrants: str | None = None) -> wire.Evening:
        """Return an evening as it is now; without the entrants if `known_entrants` is still their tag."""
        shown = await self._shown.get(state)
        state, now, own = shown.state, self._server.now(), player.id if player else ""
        coming = state.open_round
        is_over = state.is_over or state.ended_at is not None
        is_late = state.closed >= state.latest_entry
        is_admitted = player is not None and (state.entry != "group" or await self._is_member(state, player))
        may_enter = not is_over and state.is_entry_open and is_admitted and (own in state.entrants or not is_late)
        if state.match is not None and own not in state.entrants:
            may_enter = may_enter and state.waits_for_opponent and state.match.opponent in (None, own)
        may_play = coming is not None and may_enter and (own in shown.begun or coming.round <= state.latest_entry)
        arena = None if shown.arena is None else with_own_runs(shown.arena, shown.runs, own)
        if arena is not None:
            may_play = coming is not None and may_enter and arena.next is not None
        elif may_play and coming is not None and coming.stage == "final":
            may_play = own in (state.finalists or ())
        last = state.rounds[-1].closes_at + state.plan.objections_minutes * 60_000
        final_at = state.finalised_at or (last if state.ended_at is None else state.due_at or last)
        return wire.Evening(
            id=state.id,
            code=code_of(state.code_id),
            title=state.title,
            leader=shown.name_of(state.plan.leader),
            state=state.phase,
            entry=state.entry,  # type: ignore[arg-type]
            at=now,
            version=state.version,
            entry_opens_at=state.plan.entry_opens_at,
            final_at=final_at,
            scoring=state.settings.scoring,
            latest_entry=state.latest_entry,
            rounds=[_with_own(one, shown.runs.get((own, one.round))) for one in shown.rounds],
            entrants=[] if known_entrants == shown.tag else shown.entrants,
            entrants_tag=shown.tag,
            group=state.plan.group,
            teams=_teams(state),
            round=None if is_over or arena else min(state.closed + 1, len(state.rounds)),
            match=_match(state, shown.name_of),
            series=shown.series,
            freeze=state.settings.freeze,
            is_entered=state.is_in(own),
            may_enter=may_enter,
            may_play=may_play,
            may_lead=player is not None and await self._leading.may_lead(state, player),
            may_object=may_object(state, own),
            objections=[_objection(shown, one) for one in state.objections.values()],
            void=state.voided.reason if state.voided else None,
            digest=state.finalised.digest if state.finalised else None,
            beacon=_beacon(state),
            arena=arena,
        )

    async def arena_deals(self, state: EveningState, player: Player | None) -> arenas.ArenaDeals:
        """Return the deals of an arena, with the runs of this player."""
        own = await self._evenings.runs_of(state, state.rounds, [player.id] if player else [])
        return make_deals(state, {number: run.game for (_, number), run in own.items()})

    async def arena_sheet(self, state: EveningState, player: str) -> arenas.ArenaSheet:
        """Return the runs of a player in an arena that are over. Raises NotFound for who has not entered."""
        if player not in state.entrants:
            raise NotFound("There is no such player.")
        form = await self._evenings.make_form(state, players=[player])
        return make_sheet(state, form, (await self._name_of(state, [player]))(player))

    async def standing(self, state: EveningState) -> SharedStanding:
        """Return the standing of an evening, which is the same for everybody."""
        return await self._standings.get(state)

    async def round_runs(self, state: EveningState, number: int) -> evening_standings.EveningRuns:
        """Return the runs of a round that has closed."""
        form = await self._evenings.make_form(state)
        name_of = await self._name_of(state, list(state.entrants))
        return await asyncio.to_thread(make_runs, state, form, number, name_of)

    async def names_of(self, state: EveningState) -> dict[str, str]:
        """Return the names of the entrants, by id."""
        name_of = await self._name_of(state, list(state.entrants))
        return {player: name_of(player).name for player in state.entrants}

    async def _make_shown(self, state: EveningState) -> _Shown:
        runs = await self._evenings.begun_runs(state)
        others = [state.opponent] if state.opponent else []
        name_of = await self._name_of(state, [state.plan.leader, *state.entrants, *others])
        first: dict[str, int] = {}
        for run in sorted(runs.values(), key=lambda run: run.found.opened_at, reverse=True):
            first[run.player] = run.found.opened_at
        entrants = [
            wire.EveningEntrant(
                player=name_of(one.player),
                entered_at=one.entered_at,
                left=one.left_at is not None,
                team=one.team_at(first.get(one.player)),
                is_team_fixed=bool(state.plan.teams) and one.player in first,
            )
            for one in state.entrants.values()
        ]
        counts = Counter((number, run.found.finished is not None) for (_, number), run in runs.items())
        rounds = [] if state.is_arena else [_round(state, one.round, counts) for one in state.rounds]
        arena = make_arena(state, runs) if state.is_arena else None
        begun = frozenset([player for player, _ in runs])
        tag, series = tag_of(json.encode(entrants)), await self._server.evening_series.show(state)
        return _Shown(state, runs, name_of, begun, rounds, arena, entrants, tag, series)

    async def _make_standing(self, state: EveningState) -> SharedStanding:
        state = await self._evenings.correct(state)
        shown = await self._shown.get(state)
        form = await self._evenings.form_from(state, shown.runs)
        if state.finalised is not None:
            form = replace(form, ratings=await self._server.form.before(state.id) or None)
        correction = await self._correction(state, form, shown.name_of)
        now = self._server.now()
        return await asyncio.to_thread(
            lambda: SharedStanding.of(replace(make_standing(state, form, now, shown.name_of), correction=correction))
        )

    async def _correction(
        self, state: EveningState, form: Evening, name_of: Callable[[str], Player]
    ) -> evening_standings.EveningCorrection | None:
        """Return why a final standing is corrected; None if it is not."""
        corrected, final = state.corrected, state.finalised
        if corrected is None or final is None or corrected.struck == final.struck:
            return None
        reasons = await self._server.disqualified_runs.among(corrected.struck)
        rounds = {one.deal: one.round for one in state.rounds}
        changed = [
            evening_standings.EveningStruck(
                game=run.run,
                player=name_of(run.player),
                round=rounds[run.deal],
                reason=shown_strike(reasons[run.run]).reason if run.run in reasons else None,
            )
            for run in form.runs
            if (run.run in corrected.struck) != (run.run in final.struck)
        ]
        return evening_standings.EveningCorrection(
            at=state.corrected_at or state.changed_at,
            struck=[one for one in changed if one.game in corrected.struck],
            returned=[one for one in changed if one.game not in corrected.struck],
            digest=corrected.digest,
        )

    async def cards(self, rows: Sequence[ContestRow]) -> Sequence[wire.EveningCard]:
        """Return evenings as lists show them."""
        leaders = await self._server.players.players({row.leader for row in rows}) if rows else {}
        return [
            wire.EveningCard(
                id=row.id,
                code=code_of(row.series or row.id),
                title=row.title,
                leader=leaders[row.leader],
                state=row.state,  # type: ignore[arg-type]
                entry=row.entry,  # type: ignore[arg-type]
                starts_at=row.starts_at,
                ends_at=row.ends_at,
                group=row.group,
                is_weekly=row.series is not None,
            )
            for row in rows
        ]

    async def _name_of(self, state: EveningState, wanted: Collection[str]) -> Callable[[str], Player]:
        players = await self._server.players.players(wanted)
        named = under_names([*players.values()], await self._names.of(state.id))
        by_id = {one.id: one for one in named}
        return lambda player: by_id[player]

    async def _is_member(self, state: EveningState, player: Player) -> bool:
        try:
            await self._server.groups.group(player.id, state.plan.group or "")
        except NotFound:
            return False
        return True


def _match(state: EveningState, name_of: Callable[[str], Player]) -> wire.EveningMatch | None:
    if state.match is None:
        return None
    opponent = name_of(state.opponent) if state.opponent else None
    return wire.EveningMatch(waits=state.waits_for_opponent, at_once=state.match.at_once, opponent=opponent)


def _teams(state: EveningState) -> wire.EveningTeams | None:
    best = state.settings.teams
    if best is None:
        return None
    return wire.EveningTeams(
        best=best.best, teams=[wire.EveningTeam(id=id, name=name) for id, name in state.team_names.items()]
    )


def _objection(shown: _Shown, one: Objection) -> wire.EveningObjection:
    run = next((run for run in shown.runs.values() if run.game == one.raised.run), None)
    is_late = shown.state.is_over and one.answered is None
    return wire.EveningObjection(
        id=one.raised.objection,
        player=shown.name_of(one.raised.player),
        raised_at=one.raised_at,
        round=run.round.round if run else one.raised.round or 1,
        run=one.raised.run,
        run_of=shown.name_of(run.player) if run else None,
        answer="dismissed" if is_late else one.answered.answer if one.answered else None,
    )


def _beacon(state: EveningState) -> DailyBeacon | None:
    promised = state.plan.beacon
    if promised is None:
        return None
    signature = None if state.drawn is None else state.drawn.signature
    is_away = state.drawn is not None and signature is None
    return DailyBeacon(chain=promised.chain, round=promised.round, signature=signature, away=is_away)


def _with_own(one: wire.EveningRound, run: RoundRun | None) -> wire.EveningRound:
    """Return a round with the reader's own run, if there is one."""
    if run is None:
        return one
    return replace(one, own=run.game, own_result=run.found.finished and run.found.finished.result)


def _round(state: EveningState, number: int, counts: Counter[tuple[int, bool]]) -> wire.EveningRound:
    """Return a round; `counts` has how many runs of each round have ended, and have not."""
    one = state.rounds[number - 1]
    return wire.EveningRound(
        round=number,
        stage=one.stage,
        game=one.game,
        level=one.level,
        opens_at=one.opens_at,
        closes_at=one.closes_at,
        state="closed" if state.closed >= number else "open" if state.opened >= number else "coming",
        deal=one.deal,
        commitment=one.commitment,
        playing=counts[number, False],
        finished=counts[number, True],
        secret=state.secrets.get(number),
        seal=state.seals.get(number),
        void=state.void_rounds[number][1] if number in state.void_rounds else None,
    )
