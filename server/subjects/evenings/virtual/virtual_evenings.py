"""Virtual evenings at work: who may play a final evening later, their clock, their runs, and the place they reach."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Literal

from msgspec.structs import replace
from sqlalchemy import select

from cadogan.server.core import ids
from cadogan.server.core.database.tables import contests
from cadogan.server.core.errors import Conflict, GameOver, NotFound
from cadogan.server.core.eventlog.events import CompetitionEvent, Origin
from cadogan.server.core.fairness.sealed_deals import SealedDeal
from cadogan.server.core.games.competition import make_deal_event
from cadogan.server.core.games.competition_rules import GameOutline
from cadogan.server.core.games.game_state import GameState
from cadogan.server.core.games.own_streams import StreamedCompetition
from cadogan.server.core.scoring import forms
from cadogan.server.core.scoring.virtual import score_virtual, void_deals
from cadogan.server.subjects.evenings.evening_rules import about_of, read_about
from cadogan.server.subjects.evenings.evening_runs import FoundRun, RunReader
from cadogan.server.subjects.evenings.evening_state import EveningState
from cadogan.server.subjects.evenings.virtual.virtual_state import (
    KEY,
    VirtualDealSeen,
    VirtualFinished,
    VirtualOpened,
    VirtualRound,
    VirtualRoundClosed,
    VirtualRules,
    VirtualState,
    virtual_game_of,
)
from cadogan.wire.beacon import SignedRound

if TYPE_CHECKING:
    from cadogan.server.app import Server  # builds this part

MAX_REMEMBERED = 100_000
"""Persons who have seen an evening that are kept in memory."""
WhyNot = Literal["arena", "not_final", "void", "seen", "second_time"]


class VirtualEvenings(StreamedCompetition[VirtualState]):
    """The virtual evenings of a server. An id is the evening's id, a slash, and the person's id."""

    rules = VirtualRules()
    state_class = VirtualState

    def __init__(self, server: "Server") -> None:
        super().__init__(server)
        self._server = server
        self._runs = RunReader(server.database, server.store)
        self._seen = set[str]()

    async def advance(self, state: VirtualState, at: int) -> Sequence[CompetitionEvent]:
        coming = state.rounds[state.closed]
        for game, run in (await self.runs_of(state, [coming])).values():
            if run.finished is None:
                await self._server.commands.end_on_time(game, coming.closes_at)
        closed = VirtualRoundClosed(coming.round)
        if coming is not state.rounds[-1]:
            return [closed]
        final = (await asyncio.to_thread(score_virtual, await self.make_form(state)))["final"]
        placed = VirtualFinished() if final is None else VirtualFinished(final["place"], final["of"], final["total"])
        return [closed, placed]

    async def is_public(self, game: GameOutline) -> bool:
        """Return whether the virtual evening of a game is over; before that, it has no spectators."""
        id = await self._id(read_about(game.dealt)[0], game.player)
        return not (await self.get(id)).goes_on

    async def is_public_to(self, player: str, game: GameOutline) -> bool:
        return not await self.is_playing(read_about(game.dealt)[0], player)

    async def note_view(self, player: str, game: GameOutline) -> None:
        """Record that a player has seen cards of an evening: no account of this person can play it after that."""
        evening = read_about(game.dealt)[0]
        id = await self._id(evening, player)
        if id in self._seen:
            return
        await self.begin(id, VirtualDealSeen(player, game.dealt.deal, game.id))
        if len(self._seen) >= MAX_REMEMBERED:
            self._seen.clear()
        self._seen.add(id)

    async def signed_round(self, game: GameOutline) -> SignedRound | None:
        return (await self._server.evenings.get(read_about(game.dealt)[0])).signed

    async def require_open(self, game: GameState, now: int) -> None:
        """Raise GameOver once the round of a game has closed. It takes no lock, as `Evenings.require_open`."""
        evening, number = read_about(game.dealt)
        id = await self._id(evening, game.player)
        one = (await self.read_state(id)).round(number)
        if one is None or now >= one.closes_at:
            self.schedule_settlement(id)
            raise GameOver("The round is over.", version=game.version)

    async def is_playing(self, evening: str, player: str) -> bool:
        """Return whether the person of a player is playing an evening virtually now."""
        id = await self._id(evening, player)
        if id in self._seen:
            return False
        try:
            is_known = (await self.read_state(id)).goes_on
        except NotFound:
            return False
        return is_known and (await self.get_latest(id)).goes_on

    async def find(self, evening: str, player: str) -> VirtualState | None:
        """Return the virtual evening of a player's person; None if there is none."""
        with suppress(NotFound):
            return await self.get_latest(await self._id(evening, player))
        return None

    async def why_not(self, evening: EveningState, player: str) -> WhyNot | None:
        """Return why a player may not begin an evening virtually; None if they may."""
        if evening.is_arena:
            return "arena"
        if evening.voided is not None:
            return "void"
        if evening.finalised is None:
            return "not_final"
        known = await self.find(evening.id, player)
        if known is not None:
            return "seen" if known.opened is None else "second_time"
        return "seen" if await self._has_played(evening, player) else None

    async def open(self, evening: EveningState, player: str) -> VirtualState:
        """Begin a virtual evening, or return the player's existing one. Raises Conflict."""
        known = await self.find(evening.id, player)
        if known is not None and known.goes_on and known.opened is not None and known.opened.player == player:
            return known
        _require(await self.why_not(evening, player))
        form = await self._server.evenings.make_form(evening)
        void, now = await asyncio.to_thread(void_deals, form), self._now()
        shift = now - evening.rounds[0].opens_at
        rounds = [
            VirtualRound(one.round, one.deal, one.opens_at + shift, one.closes_at + shift)
            for one in evening.first_stage
            if one.deal not in void
        ]
        begun = VirtualOpened(player, now, tuple(rounds))
        state = await self.begin(await self._id(evening.id, player), begun)
        if state.opened != begun and not state.goes_on:
            _require("seen")  # meanwhile, at another node
        return state

    async def open_deal(self, evening: EveningState, player: str) -> tuple[VirtualRound, str]:
        """Deal the round that is open for a player, or find the run; return the id of its game. Raises Conflict."""
        state = await self.find(evening.id, player)
        if state is None or state.opened is None or state.opened.player != player:
            raise Conflict("Begin this evening first.")
        now = self._now()
        one = state.open_round(now)
        if one is None:
            raise Conflict("No round is open now.")
        if one.round > evening.latest_entry and not await self.runs_of(state, state.rounds):
            raise Conflict("It is too late to begin this evening.")
        deal = await self._deal_of(evening, one)
        form = await self._server.evenings.make_form(evening)
        first = min((run.opened_at, run.run) for run in form.runs if run.deal == one.deal)[1]
        dealt = make_deal_event(deal, player, competition=KEY, about=about_of(evening.id, one.round))
        game = virtual_game_of(deal.secret, deal.id, player)
        await self._server.commands.deal(game, replace(dealt, origin=Origin(first, 1)), deal.secret, now)
        return one, game

    async def runs_of(self, state: VirtualState, rounds: Sequence[VirtualRound]) -> dict[int, tuple[str, FoundRun]]:
        """Return the runs of these rounds that have begun, with the ids of their games, by round."""
        if state.opened is None:
            return {}
        evening = await self._server.evenings.get(state.evening)
        games = {await self._game_of(evening, one, state.opened.player): one.round for one in rounds}
        return {games[game]: (game, run) for game, run in (await self._runs.get_many(games)).items()}

    async def make_form(self, state: VirtualState, at: Sequence[int] = ()) -> forms.Virtual:
        """Return the scoring input (docs/scoring.md); `at` is in milliseconds since the start.

        Unfinished runs are left out.
        """
        assert state.opened is not None
        evening = await self._server.evenings.get(state.evening)
        deals = {one.round: one.deal for one in state.rounds}
        runs = [
            forms.VirtualRun(
                run=game,
                deal=deals[number],
                opened_at=run.opened_at,
                ended_at=run.ended_at,
                result=run.finished.result,
                score=run.finished.score,
                points=run.finished.points,
                moves=run.finished.moves,
                milliseconds=run.finished.milliseconds,
            )
            for number, (game, run) in (await self.runs_of(state, state.rounds)).items()
            if run.finished is not None and run.ended_at is not None
        ]
        player, person = state.opened.player, state.id.partition("/")[2]
        return forms.Virtual(
            format="cadogan virtual 1",
            evening=await self._server.evenings.make_form(evening),
            virtual=forms.VirtualEntry(player, state.opened.starts_at, sorted({player, person})),
            runs=sorted(runs, key=lambda run: run.opened_at),
            at=[*at],
        )

    async def place(self, state: VirtualState) -> dict[str, Any]:
        """Return the place now, or the final one: `place`, `of` and `total`."""
        assert state.opened is not None
        if state.finished is not None:
            done = state.finished
            return {"place": done.place, "of": done.of, "total": done.total}
        elapsed = self._now() - state.opened.starts_at
        scored = await asyncio.to_thread(score_virtual, await self.make_form(state, [elapsed]))
        found: dict[str, Any] = scored["at"][0]
        return found

    async def _has_played(self, evening: EveningState, player: str) -> bool:
        persons = self._server.persons
        person = await persons.person_of(player)
        same = [
            one for one in evening.entrants
            if one == person or (ids.is_bot(one) and await persons.person_of(one) == person)
        ]  # fmt: skip
        return bool(same) and bool(await self._server.evenings.runs_of(evening, evening.rounds, same))

    async def _game_of(self, evening: EveningState, one: VirtualRound, player: str) -> str:
        deal = await self._deal_of(evening, one)
        return virtual_game_of(deal.secret, deal.id, player)

    async def _deal_of(self, evening: EveningState, one: VirtualRound) -> SealedDeal:
        return await self._server.evenings.deals.cards(evening, evening.rounds[one.round - 1])

    async def _id(self, evening: str, player: str) -> str:
        return f"{evening}/{await self._server.persons.person_of(player)}"

    def _is_id(self, id: str) -> bool:
        evening, _, person = id.partition("/")
        return ids.is_valid(evening) and ids.is_valid(person)

    async def _find_unpublished(self) -> set[str]:
        """Return the ids of unfinished virtual evenings; streams that only record seen cards need no clock."""
        goes_on = select(contests.c.id).where(contests.c.competition == KEY, contests.c.state == "on")
        found = {row.id for row in await self._server.database.fetch(goes_on)}
        return found - {entry.id for entry in self.entries() if entry.is_published}

    def _not_found(self) -> NotFound:
        return NotFound("There is no such evening.")


def _require(why: WhyNot | None) -> None:
    match why:
        case "arena":
            raise Conflict("An arena cannot be played later.")
        case "not_final":
            raise Conflict("An evening can be played as if you had been there when its standing is final.")
        case "void":
            raise Conflict("This evening is void: there is nobody to compare with.")
        case "seen":
            raise Conflict("You have played or seen a deal of this evening.")
        case "second_time":
            raise Conflict("You have begun this evening before: one can do so once.")
