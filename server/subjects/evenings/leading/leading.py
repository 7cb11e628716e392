"""Actions of the leader of an evening: create it, change it, and make decisions while it runs."""

from typing import TYPE_CHECKING

from cadogan.server.core import ids, username_rules
from cadogan.server.core.errors import BadMessage, CommandReused, Conflict, Forbidden, NotFound, TooMany
from cadogan.server.core.eventlog.events import Certificate, CompetitionEvent
from cadogan.server.core.fairness.commit_reveal import signed_at
from cadogan.server.core.games.competition_rules import GameOutline
from cadogan.server.subjects.evenings.evening_events import (
    KEY,
    Announced,
    Changed,
    Extended,
    ObjectionAnswered,
    OutageNoted,
    RoundVoided,
    Series,
    Thawed,
    Voided,
)
from cadogan.server.subjects.evenings.evening_list import EveningList, code_of
from cadogan.server.subjects.evenings.evening_rules import read_about
from cadogan.server.subjects.evenings.evening_state import MAX_PROVISIONAL_MILLISECONDS, EveningState
from cadogan.server.subjects.evenings.evenings import Evenings
from cadogan.server.subjects.evenings.leading.planning import (
    change_times,
    not_in_arena,
    plan_rounds,
    read_settings,
    require_ahead,
)
from cadogan.server.subjects.evenings.leading.series import begin_series
from cadogan.server.subjects.evenings.making import Making
from cadogan.server.subjects.evenings.teams import read_team_names
from cadogan.wire import evenings as wire
from cadogan.wire.values import Player

if TYPE_CHECKING:
    from cadogan.server.app import Server  # builds this part

MAX_WAITING = 10
"""The maximum number of evenings of one leader that have not ended."""


class EveningLeading:
    """The decisions of leaders on one node."""

    def __init__(self, server: "Server", evenings: Evenings, listed: EveningList) -> None:
        self._server = server
        self._evenings = evenings
        self._making = Making(evenings)
        self._listed = listed

    async def may_make(self, player: Player) -> bool:
        """Return whether a player may make evenings for the server: hosts and moderators with accounts may."""
        if player.guest or player.bot:
            return False
        return (await self._server.admin.roles.standing(player.id)).role != "player"

    async def may_lead(self, state: EveningState, player: Player) -> bool:
        """Return whether a player may make decisions in an evening: its leader, hosts and moderators.

        In a match, its two players never may.
        """
        if state.is_player_of_match(player.id):
            return False
        return player.id == state.plan.leader or await self.may_make(player)

    async def require_impartial(self, game: GameOutline, by: str) -> None:
        """Raise Forbidden if a run belongs to a match of this host or moderator."""
        if game.dealt.competition == KEY:
            _require_impartial(await self._evenings.get(read_about(game.dealt)[0]), by)

    async def make(self, player: Player, wanted: wire.NewEvening, id: str) -> EveningState:
        """Seal the deals of an evening and announce it, or return the one with this id.

        Raises Forbidden, NotFound for an unknown group or game, BadMessage, Conflict for a time that has passed,
        CommandReused if the evening with this id has another title, or another evening has its code, and TooMany beyond
        `MAX_WAITING`. The id follows from a key that the maker may choose, and so does the code.
        """
        await self.require_maker(player, wanted)
        now, series = self._server.now(), begin_series(id, wanted)
        known = id if self._evenings.cached(id) is not None else await self._listed.find(code_of(id), id)
        if known is None:
            require_ahead(wanted.starts_at, now)

            async def plan() -> tuple[Announced]:
                return (await self.plan(player, wanted, id, now, series),)

            state = await self._making.begin(player.id, id, lambda: self._require_place(player, id), plan)
        elif known == id:
            state = await self._evenings.get_latest(id)  # another node may have gone on with it
        else:
            raise CommandReused("This Idempotency-Key has been used for another request.")
        if (state.plan.title, state.plan.leader) != (username_rules.normalize_group(wanted.title), player.id):
            raise CommandReused("This Idempotency-Key has been used for another request.")
        return state

    async def change(self, id: str, player: Player, wanted: wire.ChangeEvening) -> EveningState:
        """Change an evening before its first round opens. Raises NotFound, Forbidden, Conflict or BadMessage."""
        before = await self._require_leader(id, player)
        if wanted.entry == "all" and before.entry != "all":
            await self._require_staff(player)
        title = None if wanted.title is None else username_rules.normalize_group(wanted.title)
        if wanted.starts_at is not None:
            require_ahead(wanted.starts_at, self._server.now())

        def decide(state: EveningState) -> list[CompetitionEvent]:
            if state.opened or state.is_over:
                raise Conflict("This evening has begun.")
            if wanted.entry == "group" and state.plan.group is None:
                raise Conflict("This evening has no group.")
            times = change_times(state, wanted)
            if times is not None and times[0][0] < state.plan.entry_opens_at:
                raise Conflict("An evening cannot begin before its entry opens.")
            beacon = state.plan.beacon
            if times is not None and beacon is not None and times[0][0] < signed_at(beacon):
                raise Conflict("An evening cannot begin before its cards are drawn.")
            return [Changed(title, wanted.entry, times)]

        return await self._evenings.write(id, decide)

    async def rule(self, id: str, player: Player, wanted: wire.Ruling) -> EveningState:
        """Carry out a decision. Raises NotFound, Forbidden, Conflict, or BadMessage if something is missing in it."""
        state = await self._require_leader(id, player)
        if wanted.reason is not None and not wanted.reason.isprintable():
            raise BadMessage("A reason has no characters that cannot be seen.")
        if wanted.kind == "end_series":
            await self._server.evening_series.end(state, player.id)
            return await self._evenings.get_latest(id)
        secrets: dict[str, str] = {}
        certificates: tuple[Certificate, ...] = ()
        if wanted.kind == "void" and not state.is_over:
            ended = await self._server.evening_series.follow(state)  # an evening that is called off ends no series
            state = await self._evenings.write(id, lambda now: ended if now.repeats and not now.is_over else [])
            hidden = [one for one in state.rounds if one.round not in state.secrets]
            deals = self._evenings.deals
            secrets = await deals.read_secrets(id, hidden)
            found = [await deals.certificate(state, one) for one in hidden]
            certificates = tuple([one for one in found if one is not None])

        def decide(now: EveningState) -> list[CompetitionEvent]:
            is_known = wanted.kind != "void" or now.seals == state.seals  # no round has opened meanwhile
            return [_decide(now, player.id, wanted, secrets, certificates)] if is_known or now.is_over else []

        after = await self._evenings.write(id, decide)
        if wanted.kind == "void" and not after.is_over:
            return await self.rule(id, player, wanted)
        if after.voided is not None:
            await self._evenings.end_runs(after, after.rounds[: after.opened])
        return after

    async def require_maker(self, player: Player, wanted: wire.NewEvening) -> None:
        """Raise Forbidden or NotFound if a player may not make an evening like this one, and BadMessage."""
        if wanted.entry == "group" and wanted.group is None:
            raise BadMessage("Say which group the evening is for.")
        if wanted.group is not None:
            if not ids.is_valid(wanted.group):
                raise NotFound("You are not in such a group.")
            group = await self._server.groups.group(player.id, wanted.group)
            if group.members[0] == player.id and wanted.entry != "all":
                return
        await self._require_staff(player)

    async def _require_staff(self, player: Player) -> None:
        if not await self.may_make(player):
            raise Forbidden("Hosts and moderators make evenings, and who leads a group for this group.")

    async def _require_place(self, player: Player, id: str) -> None:
        if await self._listed.count_waiting(player.id, id) >= MAX_WAITING:
            raise TooMany("You have {count} evenings that are not over.", count=MAX_WAITING)

    async def _require_leader(self, id: str, player: Player) -> EveningState:
        state = await self._evenings.get(id)
        if await self.may_make(player):
            _require_impartial(state, player.id)
        if not await self.may_lead(state, player):
            raise Forbidden("Only the leader of the evening may do this, or a host or moderator.")
        return state

    async def plan(
        self, player: Player, wanted: wire.NewEvening, id: str, now: int, series: Series | None
    ) -> Announced:
        """Seal the deals of a wanted evening, and return its announcement. `series` is set if it repeats."""
        return Announced(
            title=username_rules.normalize_group(wanted.title),
            leader=player.id,
            entry=wanted.entry,
            settings=read_settings(wanted),
            rounds=await plan_rounds(self._evenings.deals, wanted, id),
            entry_opens_at=now,
            objections_minutes=wanted.objections_minutes,
            group=wanted.group,
            rated=wanted.rated,
            beacon=self._evenings.deals.announce_beacon(now, wanted.starts_at),
            teams=read_team_names(wanted),
            series=series,
        )


def _require_impartial(state: EveningState, by: str) -> None:
    if state.is_player_of_match(by):
        raise Forbidden("You play in this match: another host or moderator decides.")


def _decide(
    state: EveningState, by: str, wanted: wire.Ruling, secrets: dict[str, str], certificates: tuple[Certificate, ...]
) -> CompetitionEvent:
    if state.is_over:
        raise Conflict("The standing of this evening is final.")
    match wanted:
        case wire.Ruling(kind="extend", seconds=int(seconds)):
            coming = state.open_round
            if coming is None or wanted.round not in (None, coming.round):
                raise Conflict("Only the round that is open can be extended.")
            return Extended(coming.round, seconds, by)
        case wire.Ruling(kind="void_round" | "outage") if state.is_arena:
            raise not_in_arena()
        case wire.Ruling(kind="void_round", round=int(number), reason=str(reason)):
            if state.round(number) is None or number > state.opened:
                raise Conflict("This round has not begun.")
            if number in state.void_rounds:
                raise Conflict("This round is void already.")
            return RoundVoided(number, reason, by)
        case wire.Ruling(kind="outage", since=int(since), until=int(until)) if _is_within(state, since, until):
            return OutageNoted(since, until, None if wanted.players is None else tuple(wanted.players), by)
        case wire.Ruling(kind="answer", objection=str(objection), answer=answer) if answer is not None:
            known = state.objections.get(objection)
            if known is None:
                raise NotFound("There is no such objection.")
            if known.answered is not None:
                raise Conflict("This objection has its answer already.")
            return ObjectionAnswered(objection, answer, by)
        case wire.Ruling(kind="thaw"):
            if state.ended_at is None or not state.is_frozen:
                raise Conflict("Only the frozen standing of an evening that has ended can be shown.")
            return Thawed(by)
        case wire.Ruling(kind="void", reason=str(reason)):
            return Voided(reason, by, secrets, certificates)
    raise BadMessage("Something is missing in this decision, or does not fit together.")


def _is_within(state: EveningState, since: int, until: int) -> bool:
    """Return whether an outage lies between the opening of the entry and the time at which a standing is final."""
    return state.plan.entry_opens_at <= since < until <= state.rounds[-1].closes_at + MAX_PROVISIONAL_MILLISECONDS
