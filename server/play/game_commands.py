"""What players do: begin games and play them. Each command is decided by the sitting, written, and only then answered.

lock the sitting ─ decide ─ append ─(committed)─ take the new sitting, tell everybody, wake the other nodes
                      │        └─ somebody was first, or nobody knows: read the log, answer with what is there
                      └─ refused: unless this command was carried out before; then its first answer, again
"""

from collections.abc import Awaitable, Callable, Collection, Sequence
from time import perf_counter
from typing import cast

import engine
from clients.wire.codec import encode
from clients.wire.messages import Play, Resign, TakeBack
from server.cluster.bus import ENDED, PLAYER, SESSION, SESSIONS, Bus, day_topic
from server.competitions.daily.attempts import Attempts
from server.competitions.daily.challenges import DailyChallenges
from server.competitions.daily.progress import DailyProgress
from server.competitions.races import race_state
from server.competitions.races.commands import Races
from server.competitions.races.live import LiveRaces
from server.competitions.races.race_state import RaceState
from server.competitions.races.repository import RaceRepository
from server.core import ids
from server.core.errors import (
    AlreadyPlayed,
    CommandReused,
    Conflict,
    DayNotOpen,
    GameOver,
    NotFound,
    NotYourSeat,
    RefusalError,
    StaleVersion,
)
from server.core.metrics import Metrics
from server.eventlog import hash_chain
from server.eventlog.event_store import Append, AttemptConflict, DuplicateCommand, NewEvent, Store, VersionConflict
from server.eventlog.events import ChallengeSpoiled, Event, GameDealt, GameFinished, MovePlayed, MoveTakenBack
from server.eventlog.projections import Row, project
from server.fairness.sealed_deals import SealedDeal, SealedDeals
from server.games import game_state
from server.games.deal_event import make_deal_event
from server.games.game_cache import GameCache, Live
from server.games.game_index import GameIndex
from server.games.game_messages import told
from server.games.game_state import Command, GameState, Step
from server.leaderboards.live import LiveBoards
from server.leaderboards.queries import BoardQueries
from server.play.access import Access
from server.play.resync import Resync
from server.play.spectating import Spectating, frees
from server.play.view_log import ViewLog
from server.players.player_cache import PlayerCache
from server.players.session_connections import SessionConnections
from server.realtime.connection import Viewer, frame
from server.realtime.hub import Hub


class Service:
    """The games of one node. `now` gives the time in milliseconds since 1970.

    `since` asks when an account was made; one younger than `fresh` milliseconds is a newcomer's.
    """

    def __init__(
        self,
        *,
        store: Store,
        deals: SealedDeals,
        dailies: DailyChallenges,
        index: GameIndex,
        boards: BoardQueries,
        hub: Hub,
        roster: PlayerCache,
        bus: Bus,
        metrics: Metrics,
        since: Callable[[str], Awaitable[int | None]],
        fresh: int,
        now: Callable[[], int],
        sessions: SessionConnections,
    ) -> None:
        self._store = store
        self._deals = deals
        self._roster = roster
        self._hub = hub
        self.bus = bus
        self.now = now
        self.sessions = sessions
        self._append_seconds = metrics.append_seconds
        self._moves = {slug: metrics.moves.labels(slug) for slug in engine.slugs()}
        self._games = {slug: metrics.games.labels(slug) for slug in engine.slugs()}
        self.dailies = dailies
        self.sittings = GameCache(store, deals, now, self._is_followed, self._show, bus)
        self.race_keeper = RaceRepository(
            store, deals, index, self, now, hub.entered, self._race_changed, self._wake, bus
        )
        self.races = Races(self.race_keeper, index)
        self.live_boards = LiveBoards(boards, hub, roster)
        self.race_views = LiveRaces(self.race_keeper, hub, roster)
        self.admission = Access(
            dailies=dailies,
            races=self.race_keeper,
            index=index,
            views=ViewLog(store, now),
            since=since,
            fresh=fresh,
            now=now,
        )
        self.attempts = Attempts(self, self.sittings, dailies, self.admission, roster, now)
        wall = DailyProgress(self.sittings, dailies, index, hub, roster, bus, now)
        self.watching = Spectating(self.sittings, self.admission, wall, index, hub, roster, self.on_gap, now)
        self._healing = Resync(store, self.sittings, self.race_keeper, wall, self.live_boards, self.watching)
        hub.tell_nodes = self._say
        bus.subscribe(ENDED)
        bus.subscribe(SESSIONS)
        bus.add_listener(self)

    async def seal(self, game: str) -> SealedDeal:
        """A sealed deal for a casual game; its commitment may be told."""
        return await self._deals.seal(game, self.now())

    async def begin(self, player: str, deal_id: str, nonce: str) -> GameState:
        """Begin a casual game with a sealed deal; asked again with the same nonce, the game that was begun.

        Raises NotFound for an unknown deal, Conflict for one that has been used.
        """
        deal = await self._deals.get(deal_id) if ids.is_valid(deal_id) else None
        if deal is None:
            raise NotFound("There is no such deal.")
        # A deal is used once: the game bears its name, so a second one would be the same stream.
        game = await self.deal(deal.id, make_deal_event(deal, player, nonce=nonce), deal.secret, self.now())
        if (game.player, game.dealt.nonce) != (player, nonce):
            raise Conflict("This deal has been used.")
        return game

    async def deal(self, game_id: str, dealt: GameDealt, secret: bytes, at: int) -> GameState:
        """A game dealt at that moment, or found. Raises NotFound where its stream has begun otherwise."""
        live = self.sittings.at(game_id)
        async with live.lock:
            if live.sitting is not None:
                return await self.sittings.current(live)
            steps = game_state.deal(game_id, dealt, secret, at)
            try:
                await self._append(steps, None)
            except VersionConflict:
                return await self.sittings.current(live)
            except AttemptConflict:
                raise AlreadyPlayed("You have played this deal.") from None
            live.take(steps)
            self._games[dealt.game].inc()
            self._tell(steps, None)
            return steps[-1].after

    async def spoil(self, game_id: str, player: str, deal: str) -> None:
        """The attempt of this id counts no more, whether it has been begun or not; one that is over stays as it is."""
        live = self.sittings.at(game_id)
        async with live.lock:
            while not await self._spoil(live, ChallengeSpoiled(player, deal)):
                pass  # somebody else wrote first: look again

    async def deal_race(self, match: RaceState, deal: SealedDeal, player: str) -> GameState:
        """The player's game in a race that has been started: dealt, as of its start, or found."""
        if match.started is None:
            raise Conflict("The race has not been started.")
        first = make_deal_event(deal, player, nonce=match.started.nonce, race=match.id)
        return await self.deal(match.game_of(player, deal.secret), first, deal.secret, match.started.starts_at)

    async def run_out(self, game_id: str, at: int) -> GameState:
        """A game of a race whose time was up at that moment, ended if it still went on."""
        live = self.sittings.at(game_id)
        async with live.lock:
            game = await self.sittings.bring_up_to_date(live)
            while steps := game_state.run_out(game, at):
                try:
                    await self._take(live, steps)
                except VersionConflict:
                    game = await self.sittings.bring_up_to_date(live)
                    continue
                game = steps[-1].after
            return game

    async def game(self, game_id: str) -> GameState:
        """A game as this node has it. Raises NotFound."""
        return await self.sittings.get(game_id)

    async def fresh_game(self, game_id: str) -> GameState:
        """A game as the log has it now. Raises NotFound."""
        live = self.sittings.at(game_id)
        async with live.lock:
            game = await self.sittings.current(live)
            return game if game.over else await self.sittings.bring_up_to_date(live)

    async def command(self, player: str, command: Command, asker: Viewer | None = None) -> None:
        """Carry a command out and tell everybody, the asker included; sent again, tell the asker what it was told.

        Raises NotFound, NotYourSeat, DayNotOpen, CommandReused or what `game_state.decide` raises; StoreUnavailable
        when nobody knows whether it was written: the same command sent again then gets the truth.
        """
        live = self.sittings.at(command.game)
        async with live.lock:
            before = live.sitting
            if before is None or live.doubtful:
                before = await self.sittings.current(live)
            if before.dealt.player != player:
                raise NotYourSeat("This is somebody else's game.")
            if command.version > before.version:
                before = await self.sittings.bring_up_to_date(live)
            try:
                steps = await self._carry_out(live, before, command)
            except RefusalError:
                first = await self._first_answer(command)
                if first is None:
                    raise
                if asker is not None:
                    asker.write(frame(encode(told(first, seat=True))))
                return
            self._tell(steps, asker)

    async def refresh(self, viewer: Viewer) -> None:
        """Show a viewer afresh all that it follows, in place of what it missed."""
        await self.watching.refresh(viewer)
        await self.race_views.refresh(viewer)
        await self.live_boards.resync(viewer)

    def end_session(self, session: str) -> None:
        """A session is over: close what stands open in its name, on every node."""
        self.sessions.end_session(session)
        self._wake(SESSION + session, 1, (SESSIONS,))

    def on_wake_up(self, name: str, version: int) -> None:
        """Another node has brought a game or a race to this version, let a player see more or ended a session."""
        if name.startswith(race_state.STREAM):
            self.race_keeper.woken(name, version)
        elif name.startswith(PLAYER):
            self.watching.lift(name.removeprefix(PLAYER))
        elif name.startswith(SESSION):
            self.sessions.check_sessions(name.removeprefix(SESSION))
        else:
            self.watching.wake(name, version)
            self.live_boards.schedule_publish(name)

    def on_presence(self, name: str, text: str) -> None:
        """Another node says who watches a game there."""
        self._hub.hear(name, text)

    def on_gap(self, topics: Collection[str] | None) -> None:
        """Wake-ups of these topics, or of any if None, may have been lost, and so may what was said of presence."""
        self._healing.missed(topics)
        if topics is None or SESSIONS in topics:
            self.sessions.check_sessions()
        if topics is None:
            self._hub.say_all()

    async def close(self) -> None:
        """Hear of other nodes no more, and let what is under way end."""
        self.bus.remove_listener(self)
        await self._healing.close()
        await self.sessions.close()
        await self.race_keeper.close()
        await self.race_views.close()
        await self.live_boards.close()
        await self.watching.close()

    async def _carry_out(self, live: Live, before: GameState, command: Command) -> list[Step]:
        now = self.now()
        day = before.dealt.day
        if day is not None and before.ranked and await self.dailies.closed(day, now):
            raise DayNotOpen("The day of this game has closed.", version=before.version)
        match = before.dealt.race
        if match is not None and now >= await self.race_keeper.ends_at(match):
            self.race_keeper.look(match)
            raise GameOver("The time of this race is up.", version=before.version)
        steps = game_state.decide(before, command, now)
        try:
            await self._append(steps, command.id)
        except (VersionConflict, DuplicateCommand):
            after = await self.sittings.bring_up_to_date(live)
            raise StaleVersion("The game has moved on.", version=after.version) from None
        except BaseException:
            live.doubtful = True
            raise
        live.take(steps)
        return steps

    async def _spoil(self, live: Live, event: ChallengeSpoiled) -> bool:
        """Write that an attempt is spoiled unless it is, or is over; false when nothing is decided yet."""
        stream = game_state.stream(live.id)
        before = await self._store.read(stream) if live.sitting is None else ()
        try:
            if live.sitting is not None or (before and before[0].type == "game_dealt"):
                game = await self.sittings.bring_up_to_date(live)
                if not (game.over or game.spoiled):
                    await self._take(live, [game_state.spoil(game, self.now())])
            elif not before:
                await self._store.append(
                    Append(stream, None, (hash_chain.chain_event(hash_chain.START_HASH, stream, 1, event, self.now()),))
                )
                self.watching.lift(event.player)
                self._wake(PLAYER + event.player, 1, (ENDED,))
        except VersionConflict:
            return False
        return True

    async def _take(self, live: Live, steps: Sequence[Step]) -> None:
        """Write steps that nobody commanded, take the sitting after them and tell everybody. Raises VersionConflict."""
        try:
            await self._append(steps, None)
        except VersionConflict:
            raise
        except BaseException:
            live.doubtful = True
            raise
        live.take(steps)
        self._tell(steps, None)

    async def _append(self, steps: Sequence[Step], command_id: str | None) -> None:
        after = steps[-1].after
        events = cast(tuple[NewEvent, ...], tuple([step.sealed for step in steps]))
        started = perf_counter()
        await self._store.append(Append(game_state.stream(after.id), command_id, events, _rows(steps)))
        self._append_seconds.observe(perf_counter() - started)

    async def _first_answer(self, command: Command) -> Step | None:
        """The step that this command was before; None if it never was carried out. Raises CommandReused."""
        stored = await self._store.find_command(game_state.stream(command.game), command.id)
        if stored is None:
            return None
        first = (await self.sittings.history(command.game))[stored.version - 1]
        if stored.version != command.version + 1 or not _does(command, first.event):
            raise CommandReused("This id was another command's.")
        return first

    def _tell(self, steps: Sequence[Step], asker: Viewer | None) -> None:
        after = steps[-1].after
        if isinstance(steps[0].event, MovePlayed):
            self._moves[after.dealt.game].inc()
        self._show(steps, asker)
        self._wake(after.id, after.version, _topics(after))
        if frees(steps):
            self._wake(PLAYER + after.player, 1, (ENDED,))

    def _show(self, steps: Sequence[Step], asker: Viewer | None = None) -> None:
        self.watching.tell(steps, asker)
        self.race_views.told(steps)
        if steps[-1].after.over:
            self.live_boards.schedule_publish(steps[-1].after.id)
        self.race_keeper.told(steps[-1])

    def _race_changed(self, match: RaceState) -> None:
        self.race_views.changed(match)
        if match.over:
            self.watching.race_over(match)

    def _wake(self, name: str, version: int, topics: Collection[str] = ()) -> None:
        self.bus.publish_wake_up(name, version, topics, sender=self)

    def _say(self, name: str, text: str) -> None:
        self.bus.publish_presence(name, text, sender=self)

    def _is_followed(self, game_id: str) -> bool:
        return self._hub.followed(game_id) or self.race_views.shows(game_id)


def _topics(game: GameState) -> list[str]:
    """What else a game's moving on is of interest to, besides who follows the game."""
    topics = [ENDED] if game.over or game.spoiled else []
    if game.dealt.day is not None and game.dealt.ranked:
        topics.append(day_topic(game.dealt.day))
    return topics


def _rows(steps: Sequence[Step]) -> tuple[Row, ...]:
    """The rows that follow from these steps; of a game only the deal, its spoiling and the end change any."""
    before, after = steps[0].before, steps[-1].after
    if before is not None and not after.over and before.spoiled == after.spoiled:
        return ()
    facts: list[tuple[Event, int]] = [(step.event, step.sealed.recorded_at) for step in steps]
    if before is not None and before.spoiled:
        facts.insert(0, (ChallengeSpoiled(after.player, after.dealt.deal), before.changed_at))
    if before is not None:
        facts.insert(0, (after.dealt, after.dealt_at))
    return project(game_state.stream(after.id), facts)


def _does(command: Command, event: Event) -> bool:
    match command:
        case Play(move=move):
            return isinstance(event, MovePlayed) and event.move == move
        case TakeBack():
            return isinstance(event, MoveTakenBack)
        case Resign():
            return isinstance(event, GameFinished) and event.result == "resigned"
