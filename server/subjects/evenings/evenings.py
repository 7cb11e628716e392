"""Running evenings: their clock, entries, the runs of each round, and the scoring input."""

import asyncio
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from cadogan.server.core.cluster.bus import DISQUALIFICATION_PREFIX
from cadogan.server.core.errors import Conflict, GameOver, NotFound
from cadogan.server.core.eventlog.events import CompetitionEvent
from cadogan.server.core.games.competition import make_deal_event
from cadogan.server.core.games.competition_rules import GameOutline
from cadogan.server.core.games.game_state import GameState
from cadogan.server.core.games.own_streams import StreamedCompetition
from cadogan.server.core.scoring import forms
from cadogan.server.core.scoring.standing import Answer, qualified_by_field, score_evening
from cadogan.server.subjects.evenings.arenas.arena_runs import ArenaRuns, next_deal
from cadogan.server.subjects.evenings.cards.evening_deals import EveningDeals
from cadogan.server.subjects.evenings.entry import leave, perhaps_the_same, require_entry
from cadogan.server.subjects.evenings.evening_events import (
    KEY,
    ArenaClosed,
    ArenaOpened,
    Changed,
    Corrected,
    Ended,
    EntryOpened,
    Finalised,
    FinalistsNamed,
    Joined,
    PlannedRound,
    RoundClosed,
    RoundOpened,
    Voided,
)
from cadogan.server.subjects.evenings.evening_form import form_of, make_run, struck_of
from cadogan.server.subjects.evenings.evening_record import build_evening_record
from cadogan.server.subjects.evenings.evening_rules import EveningRules, about_of, read_about
from cadogan.server.subjects.evenings.evening_runs import RoundRun, RunReader, game_of
from cadogan.server.subjects.evenings.evening_state import EveningState
from cadogan.server.subjects.evenings.shared import RunChanges, Shared
from cadogan.server.subjects.evenings.virtual.virtual_state import virtual_game_of
from cadogan.wire.beacon import SignedRound
from cadogan.wire.evening_standings import EveningRecord
from cadogan.wire.messages import Resign
from cadogan.wire.values import Player

if TYPE_CHECKING:
    from cadogan.server.app import Server  # builds this part

MATCH_BEGINS_MILLISECONDS = 20_000
"""So long after it was accepted a match begins, unless it has an appointment."""
ENDED_AT_ONCE = 200
"""Runs that are ended at the same time when a round closes."""


class Scored(NamedTuple):
    """An evening, what it is scored from, and the answer of the scoring."""

    state: EveningState
    form: forms.Evening
    answer: Answer


class Evenings(StreamedCompetition[EveningState]):
    """The evenings of a server."""

    rules = EveningRules()
    state_class = EveningState

    def __init__(self, server: "Server") -> None:
        super().__init__(server)
        self._server = server
        self._runs = RunReader(server.database, server.store)
        self.deals = EveningDeals(server)
        self.run_changes = RunChanges()
        self._scored = Shared(self.run_changes, self.get, self._score)
        self._arena_runs = ArenaRuns(self._runs, self.deals.sealed_many, self.run_changes.note_games)

    async def advance(self, state: EveningState, at: int) -> Sequence[CompetitionEvent]:
        if not state.is_entry_open:
            return [EntryOpened()]
        if state.waits_for_opponent and at >= state.rounds[0].opens_at:
            return [Voided("no_opponent", None, await self.deals.hidden_secrets(state))]
        if state.ended_at is not None:
            return [await self._finish(state, at)]
        if state.plan.beacon is not None and state.drawn is None:
            return self.deals.draw(state)
        coming, followed = state.rounds[state.closed], await self._server.evening_series.follow(state)
        if state.opened == state.closed:
            if state.is_arena:
                return [*followed, ArenaOpened()]
            is_final = coming.stage == "final" and state.finalists is None
            opened = RoundOpened(coming.round, await self.deals.find_seal(state, coming))
            return [*followed, *([await self._name_finalists(state, at)] if is_final else ()), opened]
        await self.end_runs(state, [coming])
        if state.is_arena:
            return [*followed, ArenaClosed(await self.deals.read_secrets(state.id, state.rounds)), Ended()]
        secret = (await self.deals.sealed(state.id, coming)).secret.hex()
        closed = RoundClosed(coming.round, secret, await self.deals.certificate(state, coming))
        return [*followed, closed, *([Ended()] if coming is state.rounds[-1] else ())]

    async def is_public(self, game: GameOutline) -> bool:
        """Return whether the round of a game has closed and is not frozen, or the evening is void."""
        id, number = read_about(game.dealt)
        return (await self.get(id)).shows_runs(number)

    async def is_public_to(self, player: str, game: GameOutline) -> bool:
        """Return whether a player may see it: not while they play this evening virtually."""
        return not await self._server.virtual_evenings.is_playing(read_about(game.dealt)[0], player)

    async def note_view(self, player: str, game: GameOutline) -> None:
        if not (await self.get(read_about(game.dealt)[0])).is_arena:
            await self._server.virtual_evenings.note_view(player, game)

    async def require_open(self, game: GameState, now: int) -> None:
        """Raise GameOver once the round of a game has closed.

        It takes no lock: the clock, which has the lock of the evening, waits for that of the game to end it.
        """
        id, number = read_about(game.dealt)
        if _has_closed(await self.read_state(id), number, now) and _has_closed(
            await self.read_state(id, fresh=True), number, now
        ):
            self.schedule_settlement(id)
            raise GameOver("The round is over.", version=game.version)

    async def enter(self, id: str, player: Player, team: str | None = None) -> EveningState:
        """Enter a player into an evening, or enter them again, in this team or their earlier one.

        Raises NotFound, and Conflict if the evening is full.
        """
        state, others = await self.get(id), set[str]()
        person = await self._server.persons.person_of(player.id)

        def decide(now: EveningState) -> list[CompetitionEvent]:
            if now.is_in(player.id) or not perhaps_the_same(now, player.id, person) <= others:
                return []
            require_entry(now, player)
            return [Joined(player.id, "bot" if player.bot else "person", team), *self._begin_match(now)]

        while not state.is_in(player.id):
            unknown = perhaps_the_same(state, player.id, person) - others
            if any([await self._server.persons.person_of(one) == person for one in unknown]):
                raise Conflict("A player and their bots have one place in an evening together.")
            others |= unknown
            state = await self.write(id, decide)
        return state

    async def withdraw(self, id: str, maker: str) -> EveningState:
        """Void an evening that has not begun and has no entrants except its creator. Raises NotFound."""
        voided = Voided("withdrawn", maker, await self.deals.hidden_secrets(await self.get_latest(id)))

        def decide(now: EveningState) -> list[CompetitionEvent]:
            return [] if now.opened or now.is_over or now.entrants.keys() - {maker} else [voided]

        return await self.write(id, decide)

    async def leave(self, id: str, player: Player) -> EveningState:
        """Remove a player from an evening; an unfinished run is resigned. Raises NotFound."""
        state = await self.get(id)
        if (coming := state.open_round) is not None and state.is_in(player.id):
            runs = (await self.runs_of(state, [coming], [player.id])).values()
            for run in [one for one in runs if one.found.finished is None]:
                game = await self._server.cache.get_latest(run.game)
                resign = Resign(id=f"leave-{run.game}", game=run.game, version=game.version)
                await self._server.commands.carry_out(player.id, resign)
        secrets = await self.deals.hidden_secrets(state) if state.match is not None else {}
        return await self.write(id, lambda now: leave(now, player.id, secrets))

    def _begin_match(self, state: EveningState) -> list[CompetitionEvent]:
        """Return the new times of a match that begins as soon as it is accepted, which it is now."""
        if not state.waits_for_opponent or state.match is None or not state.match.at_once:
            return []
        by = self._now() + MATCH_BEGINS_MILLISECONDS - state.rounds[0].opens_at
        return [Changed(times=tuple([(one.opens_at + by, one.closes_at + by) for one in state.rounds]))]

    async def open_deal(self, id: str, player: Player) -> tuple[EveningState, PlannedRound, str]:
        """Deal the open round to a player, or find the run that was dealt; return the id of its game.

        In an arena it is the player's next deal. Who has not entered enters. Raises NotFound, or Conflict if no round
        is open, or not for this player.
        """
        state = await self.get(id)
        if state.open_round is None:
            raise Conflict("No round is open now.")
        state = await self.enter(id, player)
        coming = state.open_round
        if coming is None:
            raise Conflict("No round is open now.")
        earliest = 0
        if state.is_arena:
            runs = await self.runs_of(state, state.rounds, [player.id])
            coming = next_deal(state, runs)
            earliest = max([run.found.ended_at or 0 for run in runs.values()], default=0)  # clocks of nodes differ
        elif coming.stage == "final" and player.id not in (state.finalists or ()):
            raise Conflict("The final is for those who have reached it.")
        elif coming.stage == "first" and coming.round > state.latest_entry:
            earlier = [one for one in state.rounds if one.round <= coming.round]
            if not await self.runs_of(state, earlier, [player.id]):
                raise Conflict("It is too late to begin this evening.")
        deal = await self.deals.cards(state, coming)
        game, now = game_of(deal, player.id), max(self._now(), earliest)
        if now >= coming.closes_at:
            raise Conflict("No round is open now.")
        dealt = make_deal_event(deal, player.id, competition=KEY, about=about_of(id, coming.round))
        await self._server.commands.deal(game, dealt, deal.secret, now)
        return state, coming, game

    async def runs_of(
        self, state: EveningState, rounds: Iterable[PlannedRound], players: Iterable[str] | None = None
    ) -> dict[tuple[str, int], RoundRun]:
        """Return the runs of these rounds by player and round, of these players or of all entrants.

        Of an arena, whose deals are open at the same time, all runs are returned.
        """
        wanted: dict[str, tuple[str, PlannedRound]] = {}
        names = [*(state.entrants if players is None else players)]
        if state.is_arena:
            return await self._arena_runs.read(state, names)
        for one in rounds:
            deal = await self.deals.sealed(state.id, one)
            wanted |= {game_of(deal, player): (player, one) for player in names}
        self.run_changes.note_games(state.id, wanted)
        found = await self._runs.get_many(wanted)
        runs = [RoundRun(game, *wanted[game], run) for game, run in found.items()]
        return {(run.player, run.round.round): run for run in runs}

    async def end_runs(self, state: EveningState, rounds: Iterable[PlannedRound]) -> None:
        """End every unfinished run of these rounds, at the closing time of its round."""
        runs = await self.runs_of(state, rounds)
        going_on = [run for run in runs.values() if run.found.finished is None]
        for start in range(0, len(going_on), ENDED_AT_ONCE):
            some = going_on[start : start + ENDED_AT_ONCE]
            await asyncio.gather(*(self._server.commands.end_on_time(run.game, run.round.closes_at) for run in some))

    async def make_form(
        self, state: EveningState, at: int | None = None, players: Iterable[str] | None = None
    ) -> forms.Evening:
        """Return the scoring input of an evening (docs/scoring.md). With `at`, it is the final input as of that time.

        Unfinished runs are left out, and with `players` the runs of others.
        """
        return await self.form_from(state, await self.begun_runs(state, players), at)

    async def begun_runs(
        self, state: EveningState, players: Iterable[str] | None = None
    ) -> dict[tuple[str, int], RoundRun]:
        """Return the runs of all rounds that have opened, by player and round, of these players or of everybody."""
        return await self.runs_of(state, [one for one in state.rounds if one.round <= state.opened], players)

    async def form_from(
        self, state: EveningState, runs: Mapping[tuple[str, int], RoundRun], at: int | None = None
    ) -> forms.Evening:
        """Return the scoring input of an evening with these runs, like `make_form`."""
        over = [_scored(run) for run in runs.values() if run.found.finished is not None]
        is_final = state.finalised is not None
        struck = struck_of(state) if is_final else await self._struck([run.run for run in over], at)
        return form_of(state, over, struck, state.finalised_at if at is None else at)

    async def runs_elsewhere(self, deal: str, players: Mapping[str, str]) -> Collection[str]:
        """Return the virtual runs: their players knew which results they had to beat."""
        secret = await self._server.deals.get_secret(deal)
        if secret is None:
            return ()
        return [game for game, player in players.items() if game == virtual_game_of(secret, deal, player)]

    async def withheld_runs(self, player: str) -> Collection[str]:
        """Return the player's runs of the last rounds of evenings whose standing is frozen."""
        states = [entry.state for entry in self.entries() if entry.state is not None]
        frozen = [one for one in states if one.is_frozen and player in one.entrants]
        return [game_of(await self.deals.sealed(one.id, one.deciding_round), player) for one in frozen]

    async def signed_round(self, game: GameOutline) -> SignedRound | None:
        return (await self.get(read_about(game.dealt)[0])).signed

    async def scored(self, state: EveningState) -> Scored:
        """Return an evening with its form and its standing as they are now: made once for all who wait for it."""
        return await self._scored.get(state)

    async def _score(self, state: EveningState) -> Scored:
        state = await self.correct(state)
        form = await self.make_form(state)
        return Scored(state, form, await asyncio.to_thread(score_evening, form))

    async def record(self, state: EveningState) -> EveningRecord | None:
        """Return the record of an evening, from which its standing can be derived again; None if it is not over."""
        if not state.is_over:
            return None
        state, form, answer = await self.scored(state)
        events = await self._store.read(state.stream)
        proofs = await self._server.transparency.prove_both(state.stream, events[0].type)
        return build_evening_record(state.id, events, form, answer, *proofs)

    async def find_run(self, state: EveningState, game: str) -> RoundRun | None:
        """Return the run with this id; None if the evening has no such run that has begun."""
        return next((run for run in (await self.begun_runs(state)).values() if run.game == game), None)

    async def correct(self, state: EveningState) -> EveningState:
        """Write a correction if runs were struck or returned since the standing was final, or last corrected."""
        if state.finalised is None:
            return state
        runs = [run.game for run in (await self.runs_of(state, state.rounds)).values()]
        struck = tuple(sorted(await self._server.disqualified_runs.among(runs)))
        if struck == state.struck:
            return state
        as_of_now = [forms.Struck(run, state.finalised_at or 0) for run in struck]
        answer = await asyncio.to_thread(score_evening, replace(await self.make_form(state), struck=as_of_now))
        event = Corrected(answer["version"], answer.get("digest"), struck)
        return await self.write(state.id, lambda now: [] if now.struck == struck else [event])

    def on_disqualification(self, game: str, _: int) -> None:
        """Correct the standing of the evening of a run that was struck or returned, if it is final."""
        self.background.start(self._correct_after, game)

    def wake_up_handlers(self) -> Mapping[str, Callable[[str, int], object]]:
        """Return the handlers of wake-ups for struck and returned runs, and for streams that other nodes wrote."""
        return {**super().wake_up_handlers(), DISQUALIFICATION_PREFIX: self.on_disqualification}

    async def _correct_after(self, game: str) -> None:
        with suppress(NotFound):
            dealt = (await self._server.outlines.get(game)).dealt
            if dealt.competition == KEY:
                await self.correct(await self.get(read_about(dealt)[0]))

    async def _struck(self, runs: Sequence[str], at: int | None) -> list[forms.Struck]:
        rows = await self._server.disqualified_runs.among(runs)
        struck = [forms.Struck(row.game_id, row.struck_at, row.reason) for row in rows.values()]
        return struck if at is None else [one for one in struck if one.at <= at]

    async def _finish(self, state: EveningState, at: int) -> CompetitionEvent:
        await self.end_runs(state, state.rounds)  # one may have been dealt while its round was closed elsewhere
        form = await self.make_form(state, at)
        answer = await asyncio.to_thread(score_evening, form)
        if answer["state"] == "void":
            return Voided("rules")
        return Finalised(answer["version"], answer["digest"], tuple(sorted([one.run for one in form.struck])))

    async def _name_finalists(self, state: EveningState, at: int) -> CompetitionEvent:
        form = replace(await self.make_form(state, at), finalised_at=None)
        named = await asyncio.to_thread(qualified_by_field, form, at)
        return FinalistsNamed({field: tuple(sorted(players)) for field, players in named.items()})

    def _not_found(self) -> NotFound:
        return NotFound("There is no such evening.")


def _has_closed(state: EveningState, number: int, now: int) -> bool:
    one = state.round(number)
    return one is None or state.is_over or state.closed >= number or now >= one.closes_at


def _scored(run: RoundRun) -> forms.Run:
    finished, ended_at = run.found.finished, run.found.ended_at
    assert finished is not None
    assert ended_at is not None
    return make_run(run.game, run.round, run.player, run.found.opened_at, finished, ended_at)
