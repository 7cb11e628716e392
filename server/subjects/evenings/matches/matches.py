"""Duplicate matches: evenings of two, who challenge each other, or are paired because both wait for somebody.

A match is an evening whose announcement has a `match`. Who is challenged enters it to accept, and leaves it to decline.
"""

from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from cadogan.server.core import dates, ids
from cadogan.server.core.cluster.bus import day_topic
from cadogan.server.core.errors import BadMessage, CommandReused, Conflict, Forbidden, NotFound, TooMany
from cadogan.server.core.eventlog.background_tasks import BackgroundTasks
from cadogan.server.core.eventlog.events import CompetitionEvent
from cadogan.server.core.eventlog.projections import ContestRow
from cadogan.server.core.games.game_cache import Committed
from cadogan.server.core.games.own_streams import StreamCommitted
from cadogan.server.core.live.connection import frame
from cadogan.server.core.scoring.forms import EveningSettings
from cadogan.server.subjects.evenings.evening_events import KEY, Announced, Joined, Match, RoundShortened
from cadogan.server.subjects.evenings.evening_list import EveningList, code_of
from cadogan.server.subjects.evenings.evening_rules import read_about
from cadogan.server.subjects.evenings.evening_state import EveningState
from cadogan.server.subjects.evenings.evenings import Evenings
from cadogan.server.subjects.evenings.guest_names import under_names
from cadogan.server.subjects.evenings.leading.planning import plan_rounds, require_ahead
from cadogan.server.subjects.evenings.making import Making
from cadogan.wire import evenings as wire
from cadogan.wire import matches as bodies
from cadogan.wire.codec import encode
from cadogan.wire.messages import DayProgress
from cadogan.wire.values import Player

if TYPE_CHECKING:
    from cadogan.server.app import Server  # builds this part

TITLE = "Match"
WAIT_MILLISECONDS = 15 * 60_000
"""So long a match that is to begin at once waits for the opponent."""
PAUSE_SECONDS = 15
MAX_WAITING = 5
"""The maximum number of matches of one player that wait for an opponent."""
MAX_CURRENT = 20
"""The maximum number of matches that one player has made and that are not over."""
MAX_UNANSWERED_CHALLENGES = 3
"""After this many challenges without a match, a player cannot challenge the same opponent again."""


class Matches:
    """The matches on one node."""

    def __init__(self, server: "Server", evenings: Evenings, listed: EveningList) -> None:
        self._server = server
        self._evenings = evenings
        self._making = Making(evenings)
        self._listed = listed
        self._background = BackgroundTasks()

    async def make(self, player: Player, wanted: bodies.NewMatch, id: str) -> EveningState:
        """Challenge a player, create a match for anybody with its link, or join or create an open match.

        `id` is the id of a new match. Raises NotFound for an unknown opponent, Forbidden for bots and for guests who
        challenge somebody by name, BadMessage, Conflict, TooMany, and CommandReused for another match with this id.
        """
        if player.bot:
            raise Forbidden("Matches are for people.")
        opponent = await self._find_opponent(player, wanted)
        if wanted.against == "anyone" and (found := await self._find_pairing(player)) is not None:
            return found
        known = id if self._evenings.cached(id) is not None else await self._listed.find(code_of(id), id)
        if known is None:
            await self._making.begin(
                player.id,
                id,
                lambda: self._require_place(player, opponent, id),
                lambda: self._plan(player, wanted, opponent, id),
            )
        elif known != id:
            raise CommandReused("This Idempotency-Key has been used for another request.")
        state = await self._evenings.get_latest(id)
        match = Match(opponent, wanted.against == "anyone", wanted.starts_at is None)
        if (state.plan.leader, state.match) != (player.id, match):
            raise CommandReused("This Idempotency-Key has been used for another request.")
        return await self._join_other(state, player) if match.is_open else state

    async def list(self, player: Player) -> bodies.MatchList:
        """Return the matches of a player, and those that wait for anybody."""
        own, waiting = await self._listed.matches_of(player.id), await self._listed.waiting_matches(player.id)
        cards = await self.cards([*own, *waiting])
        return bodies.MatchList(at=self._server.now(), matches=[*cards[: len(own)]], waiting=[*cards[len(own) :]])

    async def cards(self, rows: Sequence[ContestRow]) -> Sequence[bodies.MatchCard]:
        """Return matches as lists show them."""
        people = {one for row in rows for one in (row.leader, row.opponent) if one is not None}
        known = await self._server.players.players(people) if rows else {}
        chosen = await self._server.guest_names.of_many([row.id for row in rows])
        return [_card(row, known, chosen.get(row.id, {})) for row in rows]

    def on_end(self, committed: Committed) -> None:
        """Close the round of a match in the background once both have ended their run of it."""
        dealt = committed.state.dealt
        if dealt.competition == KEY and committed.written_here:
            self._background.start(self.close_round, read_about(dealt)[0])

    def on_stream_change(self, committed: StreamCommitted) -> None:
        """Tell both players that their match has changed, on the connections of theirs that watch the day of today."""
        state = committed.state
        if isinstance(state, EveningState) and state.match is not None:
            day, players = dates.day_of(self._server.now()), {state.plan.leader, state.opponent}
            framed = frame(encode(DayProgress(day=day, games=[], matches_changed=True)))
            for viewer in self._server.hub.subscribers(day_topic(day)).spectators:
                if viewer.player in players:
                    viewer.write(framed)

    async def close_round(self, id: str) -> None:
        """Close the open round of a match now, if everybody who has not left has ended their run of it."""
        with suppress(NotFound):
            state = await self._evenings.get(id)
            if state.match is None or (coming := state.open_round) is None:
                return
            present = {one.player for one in state.entrants.values() if one.left_at is None}
            runs = await self._evenings.runs_of(state, [coming])
            ended = {run.player for run in runs.values() if run.found.finished is not None}
            if ended >= present:
                await self._evenings.write(id, lambda now: _shorten(now, coming.round, present))
                await self._evenings.get_latest(id)

    async def wait_until_idle(self) -> None:
        """Wait until no round is being closed."""
        await self._background.wait_until_idle()

    async def close(self) -> None:
        """Wait for running work to end."""
        await self._background.close()

    async def _find_opponent(self, player: Player, wanted: bodies.NewMatch) -> str | None:
        if (wanted.opponent is None) == (wanted.against == "player"):
            raise BadMessage("Name an opponent to challenge a player, and none otherwise.")
        if wanted.against == "anyone" and wanted.starts_at is not None:
            raise BadMessage("A match against whoever waits begins at once.")
        if wanted.opponent is None:
            return None
        if player.guest:
            raise Forbidden("Create an account to challenge somebody by name; a link works without one.")
        found = await self._server.groups.find_player(wanted.opponent)
        if found is None or ids.is_bot(found) or found == player.id:
            raise NotFound("No other player has this name.")
        return found

    async def _require_place(self, player: Player, opponent: str | None, id: str) -> None:
        own = await self._listed.current_matches(player.id, id)
        if len(own) >= MAX_CURRENT:
            raise TooMany("You have {count} matches that are not over.", count=MAX_CURRENT)
        waiting = [row for row in own if row.state == "waiting"]
        if len(waiting) >= MAX_WAITING:
            raise TooMany("You have {count} matches that wait for an opponent: withdraw one first.", count=MAX_WAITING)
        if opponent is not None:
            if any(row.opponent == opponent for row in waiting):
                raise Conflict("You have challenged this player already.")
            if (
                await self._listed.count_unanswered(player.id, opponent, MAX_UNANSWERED_CHALLENGES, id)
                >= MAX_UNANSWERED_CHALLENGES
            ):
                raise TooMany("This player took none of your last {count} challenges.", count=MAX_UNANSWERED_CHALLENGES)

    async def _find_pairing(self, player: Player) -> EveningState | None:
        """Return the open match of a player; without one, join a waiting match and return it."""
        for row in await self._listed.matches_of(player.id):
            if row.entry == "anyone" and row.state != "over":
                return await self._evenings.get(row.id)
        for row in await self._listed.waiting_matches(player.id):
            with suppress(Conflict):
                return await self._evenings.enter(row.id, player)
        return None

    async def _join_other(self, state: EveningState, player: Player) -> EveningState:
        """Cancel a waiting match in favour of another waiting one: two players began to wait at the same time.

        Each of them may have looked before the other one was in the log, so both act on what they see now. Whoever has
        the later match gives it up first; whoever has the earlier one enters first: the later stream decides.
        """
        own = (state.rounds[0].opens_at, state.id)
        others = await self._listed.waiting_matches(player.id)
        for row in others:
            if (row.starts_at, row.id) < own:
                state = await self._evenings.withdraw(state.id, player.id)
                return state if state.voided is None else await self._evenings.enter(row.id, player)
        for row in others:
            with suppress(Conflict):
                entered = await self._evenings.enter(row.id, player)
                await self._evenings.withdraw(state.id, player.id)
                return entered
        return state

    async def _plan(
        self, player: Player, wanted: bodies.NewMatch, opponent: str | None, id: str
    ) -> tuple[Announced, Joined]:
        now = self._server.now()
        if wanted.starts_at is not None:
            require_ahead(wanted.starts_at, now)
        evening = wire.NewEvening(
            title=TITLE,
            starts_at=now + WAIT_MILLISECONDS if wanted.starts_at is None else wanted.starts_at,
            level=wanted.level,
            rounds=wanted.deals,
            seconds=wanted.seconds,
            pause=PAUSE_SECONDS,
            entry="link",
            certified=False,
        )
        announced = Announced(
            title=TITLE,
            leader=player.id,
            entry="link",
            settings=EveningSettings(bots="none"),
            rounds=await plan_rounds(self._evenings.deals, evening, id),
            entry_opens_at=now,
            objections_minutes=0,
            rated=False,
            match=Match(opponent, wanted.against == "anyone", wanted.starts_at is None),
        )
        return announced, Joined(player.id)


def _shorten(state: EveningState, number: int, present: set[str]) -> list[CompetitionEvent]:
    is_open = state.open_round is not None and state.open_round.round == number
    is_same = present == {one.player for one in state.entrants.values() if one.left_at is None}
    return [RoundShortened(number)] if is_open and is_same else []


def _card(row: ContestRow, known: dict[str, Player], chosen: dict[str, str]) -> bodies.MatchCard:
    challenger, *opponents = under_names([known[one] for one in (row.leader, row.opponent) if one is not None], chosen)
    return bodies.MatchCard(
        id=row.id,
        challenger=challenger,
        opponent=next(iter(opponents), None),
        state=row.state,  # type: ignore[arg-type]
        starts_at=row.starts_at,
        ends_at=row.ends_at,
    )
