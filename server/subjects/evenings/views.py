"""Evenings as each reader is shown them."""

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING

from msgspec.structs import replace

from cadogan.server.core.errors import Forbidden, NotFound
from cadogan.server.core.event_loop import Batcher
from cadogan.server.core.scoring.forms import Evening
from cadogan.server.subjects.evenings.evening_list import EveningList, code_of
from cadogan.server.subjects.evenings.evening_state import EveningState, Objection
from cadogan.server.subjects.evenings.evenings import Evenings, RoundRun
from cadogan.server.subjects.evenings.guest_names import GuestNames, under_names
from cadogan.server.subjects.evenings.leading import EveningLeading
from cadogan.server.subjects.evenings.objections import may_object
from cadogan.server.subjects.evenings.standing import make_runs, make_standing
from cadogan.server.subjects.leaderboards.disqualified_runs import shown_strike
from cadogan.server.subjects.players.groups import feed_key
from cadogan.wire import evenings as wire
from cadogan.wire.values import Player

if TYPE_CHECKING:
    from cadogan.server.app import Server  # builds this part


class EveningViews:
    """What is shown of evenings on one node."""

    def __init__(
        self, server: "Server", evenings: Evenings, leading: EveningLeading, names: GuestNames, listed: EveningList
    ) -> None:
        self._server = server
        self._evenings = evenings
        self._leading = leading
        self._names = names
        self.listed = listed
        self._standings: Batcher[str, wire.EveningStanding] = Batcher(self._make_standings)

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
        leaders = await self._server.players.players({row.leader for row in rows})
        leads = player is not None and any(group.members[0] == player.id for group in groups)
        return wire.EveningList(
            at=self._server.now(),
            calendars=calendars,
            may_make=leads or (player is not None and await self._leading.may_make(player)),
            evenings=[
                wire.EveningCard(
                    id=row.id,
                    code=code_of(row.id),
                    title=row.title,
                    leader=leaders[row.leader],
                    state=row.state,  # type: ignore[arg-type]
                    entry=row.entry,  # type: ignore[arg-type]
                    starts_at=row.starts_at,
                    ends_at=row.ends_at,
                    group=row.group,
                )
                for row in rows
            ],
        )

    async def show(self, state: EveningState, player: Player | None) -> wire.Evening:
        """Return an evening as it is now."""
        now = self._server.now()
        begun = [one for one in state.rounds if one.round <= state.opened]
        runs = await self._evenings.runs_of(state, begun)
        others = [state.opponent] if state.opponent else []
        name_of = await self._name_of(state, [state.plan.leader, *state.entrants, *others])
        coming = state.open_round
        is_over = state.is_over or state.ended_at is not None
        own = player.id if player else ""
        first: dict[str, int] = {}
        for run in sorted(runs.values(), key=lambda run: run.found.opened_at, reverse=True):
            first[run.player] = run.found.opened_at
        is_known = own in state.entrants
        has_begun = any(run.player == own for run in runs.values())
        is_late = state.closed >= state.latest_entry
        is_admitted = player is not None and (state.entry != "group" or await self._is_member(state, player))
        may_enter = not is_over and state.is_entry_open and is_admitted and (is_known or not is_late)
        if state.match is not None and not is_known:
            may_enter = may_enter and state.waits_for_opponent and state.match.opponent in (None, own)
        may_play = coming is not None and may_enter and (has_begun or coming.round <= state.latest_entry)
        if may_play and coming is not None and coming.stage == "final":
            may_play = own in (state.finalists or ())
        last = state.rounds[-1].closes_at + state.plan.objections_minutes * 60_000
        final_at = state.finalised_at or (last if state.ended_at is None else state.due_at or last)
        return wire.Evening(
            id=state.id,
            code=code_of(state.id),
            title=state.title,
            leader=name_of(state.plan.leader),
            state=state.phase,
            entry=state.entry,  # type: ignore[arg-type]
            at=now,
            version=state.version,
            entry_opens_at=state.plan.entry_opens_at,
            final_at=final_at,
            scoring=state.settings.scoring,
            latest_entry=state.latest_entry,
            rounds=[_round(state, number, runs, own) for number in range(1, len(state.rounds) + 1)],
            entrants=[
                wire.EveningEntrant(
                    player=name_of(one.player),
                    entered_at=one.entered_at,
                    left=one.left_at is not None,
                    team=one.team_at(first.get(one.player)),
                    is_team_fixed=bool(state.plan.teams) and one.player in first,
                )
                for one in state.entrants.values()
            ],
            group=state.plan.group,
            teams=_teams(state),
            match=_match(state, name_of),
            round=None if is_over else min(state.closed + 1, len(state.rounds)),
            freeze=state.settings.freeze,
            is_entered=state.is_in(own),
            may_enter=may_enter,
            may_play=may_play,
            may_lead=player is not None and await self._leading.may_lead(state, player),
            may_object=may_object(state, own),
            objections=[_objection(state, one, runs, name_of) for one in state.objections.values()],
            void=state.voided.reason if state.voided else None,
            digest=state.finalised.digest if state.finalised else None,
        )

    async def standing(self, state: EveningState) -> wire.EveningStanding:
        """Return the standing of an evening. Requests that arrive while it is being made share one."""
        found = await self._standings.get(state.id)
        assert found is not None
        return found

    async def round_runs(self, state: EveningState, number: int) -> wire.EveningRuns:
        """Return the runs of a round that has closed."""
        form = await self._evenings.make_form(state)
        return make_runs(state, form, number, await self._name_of(state, list(state.entrants)))

    async def names_of(self, state: EveningState) -> dict[str, str]:
        """Return the names of the entrants, by id."""
        name_of = await self._name_of(state, list(state.entrants))
        return {player: name_of(player).name for player in state.entrants}

    async def _make_standings(self, wanted: Collection[str]) -> dict[str, wire.EveningStanding]:
        found = {}
        for id in wanted:
            state = await self._evenings.correct(await self._evenings.get(id))
            form = await self._evenings.make_form(state)
            name_of = await self._name_of(state, list(state.entrants))
            if state.finalised is not None:
                form = replace(form, ratings=await self._server.form.before(id) or None)
            standing = make_standing(state, form, self._server.now(), name_of)
            found[id] = replace(standing, correction=await self._correction(state, form, name_of))
        return found

    async def _correction(
        self, state: EveningState, form: Evening, name_of: Callable[[str], Player]
    ) -> wire.EveningCorrection | None:
        """Return why a final standing is corrected; None if it is not."""
        corrected, final = state.corrected, state.finalised
        if corrected is None or final is None or corrected.struck == final.struck:
            return None
        reasons = await self._server.disqualified_runs.among(corrected.struck)
        rounds = {one.deal: one.round for one in state.rounds}
        changed = [
            wire.EveningStruck(
                game=run.run,
                player=name_of(run.player),
                round=rounds[run.deal],
                reason=shown_strike(reasons[run.run]).reason if run.run in reasons else None,
            )
            for run in form.runs
            if (run.run in corrected.struck) != (run.run in final.struck)
        ]
        return wire.EveningCorrection(
            at=state.corrected_at or state.changed_at,
            struck=[one for one in changed if one.game in corrected.struck],
            returned=[one for one in changed if one.game not in corrected.struck],
            digest=corrected.digest,
        )

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


def _objection(
    state: EveningState, one: Objection, runs: dict[tuple[str, int], RoundRun], name_of: Callable[[str], Player]
) -> wire.EveningObjection:
    run = next((run for run in runs.values() if run.game == one.raised.run), None)
    is_late = state.is_over and one.answered is None
    return wire.EveningObjection(
        id=one.raised.objection,
        player=name_of(one.raised.player),
        raised_at=one.raised_at,
        round=run.round.round if run else one.raised.round or 1,
        run=one.raised.run,
        run_of=name_of(run.player) if run else None,
        answer="dismissed" if is_late else one.answered.answer if one.answered else None,
    )


def _round(state: EveningState, number: int, runs: dict[tuple[str, int], RoundRun], own: str) -> wire.EveningRound:
    one = state.rounds[number - 1]
    of_round = [run for run in runs.values() if run.round.round == number]
    finished = sum(run.found.finished is not None for run in of_round)
    mine = runs.get((own, number))
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
        playing=len(of_round) - finished,
        finished=finished,
        secret=state.secrets.get(number),
        void=state.void_rounds[number][1] if number in state.void_rounds else None,
        own=mine.game if mine else None,
    )
