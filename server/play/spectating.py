"""Showing games: views, what was missed, replays, records, a day's progress; each as far as one's standing goes."""

import asyncio
from collections.abc import Callable, Collection, Sequence

import structlog

from clients.wire import messages as wire
from clients.wire.bodies import LiveGame, Record, Replay
from clients.wire.codec import encode
from clients.wire.races import Pace
from clients.wire.values import Player
from server.competitions.daily.progress import DailyProgress
from server.competitions.races.race_state import RaceState
from server.core.errors import Conflict, NotFound, SpoilerEmbargo
from server.eventlog.background_tasks import BackgroundTasks
from server.eventlog.events import ChallengeSpoiled, GameFinished
from server.games import game_messages, game_record, pace
from server.games.game_cache import GameCache
from server.games.game_index import GameIndex
from server.games.game_state import GameState, Step
from server.games.visibility import Sight
from server.play.access import Access
from server.players.player_cache import PlayerCache
from server.realtime.connection import Viewer, frame
from server.realtime.hub import Hub

LATELY = 15 * 60 * 1000
"""A game counts as live when something happened in it in so many milliseconds."""
MOST_READ = 100
"""Runs that other nodes' players have got on with, read each second for the walls of this one."""
RECENT = 24 * 60 * 60 * 1000
MOST_LIVE = 50

log = structlog.stdlib.get_logger("cadogan.watching")


class Spectating:
    """What one node shows. A player of None is somebody who is not signed in."""

    def __init__(
        self,
        sittings: GameCache,
        admission: Access,
        wall: DailyProgress,
        index: GameIndex,
        hub: Hub,
        roster: PlayerCache,
        missed: Callable[[Collection[str]], None],
        now: Callable[[], int],
    ) -> None:
        self._sittings = sittings
        self._admission = admission
        self._wall = wall
        self._index = index
        self._hub = hub
        self._roster = roster
        self._missed_wake_ups = missed
        self._now = now
        self._elsewhere: dict[str, int] = {}
        self._reading = False
        self.background = BackgroundTasks()

    async def view(self, player: str | None, game_id: str) -> wire.View:
        """The game as the player may see it now. Raises NotFound."""
        game = await self._sittings.get(game_id)
        sight = await self._admission.admit(player, game)
        owner = await self._roster.player(game.player)
        return self._view(self._sittings.here(game_id) or game, sight, owner)

    async def subscribe(self, viewer: Viewer, asked: wire.Subscribe) -> None:
        """Show the viewer a game, or what was missed of it, and everything from then on. Raises NotFound."""
        if await self.pick_up(viewer, asked.game, asked.since, asked.sight, asked.id):
            viewer.write(frame(encode(wire.Done(id=asked.id))))

    async def pick_up(
        self, viewer: Viewer, game_id: str, since: int | None, seen: str | None = None, id: str | None = None
    ) -> bool:
        """The same; whether it was what was missed, and not a fresh view, which has this `id`. Raises NotFound.

        What was missed is told if the game was `seen` so far with the sight that there is now. Who does not say how is
        told it only of a game of their own, or of one whose deal is not shared.
        """
        missed = None if since is None else await self._missed(viewer.player, game_id, since, seen)
        if missed is None:
            await self._show(viewer, game_id, id)
            return False
        sight, steps = missed
        self._hub.follow(viewer, game_id, sight)
        for step in steps:
            viewer.write(frame(encode(game_messages.push(step, sight))))
        return True

    async def refresh(self, viewer: Viewer) -> None:
        """Fresh views of everything the viewer follows, in place of what it missed.

        Until its fresh view a game tells nothing, so that no message comes before the view that it belongs to.
        """
        games, days = tuple(viewer.games), tuple(viewer.days)
        for game_id in games:
            self._hub.unfollow(viewer, game_id)
        for game_id in games:
            await self._show(viewer, game_id, None)
        for day in days:
            await self._wall.show(viewer, day, None)

    async def watch_day(self, viewer: Viewer, asked: wire.WatchDay) -> None:
        """Show how far everybody is in a day's deals, now and from then on. Raises NotFound."""
        await self._wall.show(viewer, asked.day, asked.id)

    async def replay(self, player: str | None, game_id: str) -> Replay:
        """The game from its deal to where it is. Raises NotFound, or SpoilerEmbargo while its cards are not for all."""
        await self._admission.admit_to_cards(player, await self._sittings.get(game_id))
        steps = await self._sittings.history(game_id)
        owner = await self._roster.player(steps[0].after.player)
        dealt = game_messages.view(steps[0].after, Sight.BOARD, owner, now=steps[0].after.dealt_at)
        return Replay(dealt=dealt, messages=[game_messages.told(step, seat=False) for step in steps[1:]])

    async def pace(self, player: str | None, game_id: str) -> Pace:
        """How a finished game went. Raises NotFound, SpoilerEmbargo as `replay` does, or Conflict before its end."""
        await self._admission.admit_to_cards(player, await self._sittings.get(game_id))
        steps = await self._sittings.history(game_id)
        game = steps[-1].after
        if not game.over:
            raise Conflict("Its pace can be had when the game is over.")
        return Pace(
            game=game_messages.card(game, await self._roster.player(game.player)), points=pace.pace_points(steps)
        )

    async def record(self, player: str | None, game_id: str) -> Record:
        """The record that proves the game. Raises NotFound, SpoilerEmbargo, or Conflict before secrets may be told."""
        game = await self._sittings.get(game_id)
        if not await self._admission.may_have_record(game):
            if game.dealt.day is not None or game.dealt.race is not None:
                raise SpoilerEmbargo("The record can be had when the day has closed, or the race is over.")
            raise Conflict("The record can be had when the game is over.")
        return game_record.build_record(
            game_id, game.secret, [step.sealed for step in await self._sittings.history(game_id)]
        )

    async def live(self) -> list[LiveGame]:
        """The games in which something happened lately, the latest first."""
        now = self._now()
        games = []
        for game_id in await self._index.games_in_progress(now - RECENT, MOST_LIVE):
            game = await self._sittings.get(game_id)
            if not game.over and now - game.changed_at < LATELY:
                games.append(game)
        games.sort(key=lambda game: game.changed_at, reverse=True)
        owners = await self._roster.players(game.player for game in games)
        return [game_messages.live(game, owners[game.player], now) for game in games]

    def tell(self, steps: Sequence[Step], asker: Viewer | None = None) -> None:
        """Tell everybody here of these steps of one game, after their commit."""
        self._hub.publish(steps, asker)
        self._wall.count(steps[-1].after)
        if frees(steps):
            self.lift(steps[-1].after.player)

    def lift(self, player: str) -> None:
        """The player may see more than before: show it to those of the player's sockets that followed meters only."""
        for viewer in self._hub.embargoed(player):
            self.background.start(self._lift_embargo, viewer)

    def wake(self, game_id: str, version: int) -> None:
        """Another node has brought a game to this version: follow the log, if anybody here is interested.

        Runs that are wanted for the wall alone are read one after another, each once however often it has moved on.
        """
        if self._sittings.keeps(game_id):
            self.background.start(self._follow, game_id, version)
        elif not self._wall.empty:
            self._elsewhere[game_id] = version
            if not self._reading:
                self._reading = True
                self.background.start(self._follow_elsewhere)

    async def follow(self, game_id: str, version: int) -> None:
        """Bring what is kept here of a game up to that version, and tell of it. Raises what the database raises."""
        if self._sittings.keeps(game_id):
            await self._sittings.woken(game_id, version)
        game = self._sittings.here(game_id) or await self._sittings.peek(game_id)
        if self._wall.keeps(game.dealt.day):
            await self._roster.player(game.player)
            self._wall.count(self._sittings.here(game_id) or game)

    def race_over(self, match: RaceState) -> None:
        """A race is over: show its games to those who have followed their meters."""
        games = {result.game for result in match.finished.results} if match.finished else set()
        for viewer in self._hub.kept_from(games):
            self.background.start(self._lift_embargo, viewer)

    async def close(self) -> None:
        """Let what is under way end."""
        self._elsewhere.clear()
        await self.background.close()

    async def _lift_embargo(self, viewer: Viewer) -> None:
        """Show the boards of which the viewer has followed the meters only, as far as that may be by now."""
        for game_id in [game_id for game_id, sight in viewer.games.items() if sight is Sight.METER]:
            game = await self._sittings.get(game_id)
            if await self._admission.admit(viewer.player, game) is not Sight.METER:
                await self._show(viewer, game_id, None)

    async def _follow(self, game_id: str, version: int) -> None:
        try:
            await self.follow(game_id, version)
        except NotFound:
            pass  # a deal that was spoiled before it was begun
        except Exception:
            log.exception("wake_up_not_followed")
            self._missed_wake_ups((game_id, *self._wall.topics()))

    async def _follow_elsewhere(self) -> None:
        try:
            while self._elsewhere:
                game_id = next(iter(self._elsewhere))
                await self._follow(game_id, self._elsewhere.pop(game_id))
                await asyncio.sleep(1 / MOST_READ)
        finally:
            self._reading = False

    async def _show(self, viewer: Viewer, game_id: str, id: str | None) -> None:
        game = await self._sittings.get(game_id)
        sight = await self._admission.admit(viewer.player, game)
        owner = await self._roster.player(game.player)
        # From here to the end nothing waits, so that no step falls between the view and the first message after it.
        self._hub.follow(viewer, game_id, sight)
        viewer.write(frame(encode(self._view(self._sittings.here(game_id) or game, sight, owner, id))))

    async def _missed(self, player: str, game_id: str, since: int, seen: str | None) -> tuple[Sight, list[Step]] | None:
        """What happened after `since`; None where a fresh view is better: too much, or another sight than before."""
        game = await self._sittings.get(game_id)
        sight = await self._admission.admit(player, game)
        shared = game.dealt.day is not None or game.dealt.race is not None
        if sight != seen and (seen is not None or (shared and sight is not Sight.SEAT)):
            return None
        steps = await self._sittings.missed(game_id, since)
        return None if steps is None else (sight, steps)

    def _view(self, game: GameState, sight: Sight, owner: Player, id: str | None = None) -> wire.View:
        watchers, names = self._hub.watchers(game.id), self._hub.names(game.id)
        return game_messages.view(game, sight, owner, watchers=watchers, names=names, now=self._now(), id=id)


def frees(steps: Sequence[Step]) -> bool:
    """Whether the player may see others' games of the deal after these steps, and could not before."""
    dealt = steps[-1].after.dealt
    ends = any(isinstance(step.event, GameFinished | ChallengeSpoiled) for step in steps)
    return ends and (dealt.ranked or dealt.race is not None)
