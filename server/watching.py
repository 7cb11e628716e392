"""Showing games: views, what was missed, replays, records, a day's progress; each as far as one's standing goes."""

import asyncio
from collections.abc import Callable, Collection, Coroutine, Sequence
from typing import Any

import structlog

from clients.wire import messages as wire
from clients.wire.bodies import LiveGame, Record, Replay
from clients.wire.codec import encode
from clients.wire.races import Pace
from clients.wire.values import Player
from server import messages, pace, record
from server.admission import Admission
from server.broadcast import Viewer, frame
from server.events import ChallengeSpoiled, GameFinished
from server.hub import Hub
from server.index import Index
from server.matches import Match
from server.refusals import Conflict, NotFound, SpoilerEmbargo
from server.roster import Roster
from server.sitting import Sitting, Step
from server.sittings import Sittings
from server.standing import Sight
from server.wall import Wall

LONGEST_CATCH_UP = 100
"""Messages missed beyond which a fresh view is shorter."""
LATELY = 15 * 60 * 1000
"""A game counts as live when something happened in it in so many milliseconds."""
RECENT = 24 * 60 * 60 * 1000
MOST_LIVE = 50

log = structlog.stdlib.get_logger("cadogan.watching")


class Watching:
    """What one node shows. A player of None is somebody who is not signed in."""

    def __init__(
        self,
        sittings: Sittings,
        admission: Admission,
        wall: Wall,
        index: Index,
        hub: Hub,
        roster: Roster,
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
        self._under_way: set[asyncio.Task[None]] = set()

    async def view(self, player: str | None, game_id: str) -> wire.View:
        """The game as the player may see it now. Raises NotFound."""
        game = await self._sittings.get(game_id)
        sight = await self._admission.admit(player, game)
        owner = await self._roster.player(game.player)
        return self._view(self._sittings.here(game_id) or game, sight, owner)

    async def subscribe(self, viewer: Viewer, asked: wire.Subscribe) -> None:
        """Show the viewer a game, or what was missed of it, and everything from then on. Raises NotFound."""
        missed = None
        if asked.since is not None:
            missed = await self._missed(viewer.player, asked.game, asked.since)
        if missed is None:
            await self._show(viewer, asked.game, asked.id)
            return
        sight, steps = missed
        self._hub.follow(viewer, asked.game, sight)
        for step in steps:
            viewer.write(frame(encode(messages.push(step, sight))))
        viewer.write(frame(encode(wire.Done(id=asked.id))))

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
        dealt = messages.view(steps[0].after, Sight.BOARD, owner, now=steps[0].after.dealt_at)
        return Replay(dealt=dealt, messages=[messages.told(step, seat=False) for step in steps[1:]])

    async def pace(self, player: str | None, game_id: str) -> Pace:
        """How a finished game went. Raises NotFound, SpoilerEmbargo as `replay` does, or Conflict before its end."""
        await self._admission.admit_to_cards(player, await self._sittings.get(game_id))
        steps = await self._sittings.history(game_id)
        game = steps[-1].after
        if not game.over:
            raise Conflict("Its pace can be had when the game is over.")
        return Pace(game=messages.card(game, await self._roster.player(game.player)), points=pace.points(steps))

    async def record(self, player: str | None, game_id: str) -> Record:
        """The record that proves the game. Raises NotFound, SpoilerEmbargo, or Conflict before secrets may be told."""
        game = await self._sittings.get(game_id)
        if not await self._admission.may_have_record(game):
            if game.dealt.day is not None or game.dealt.match is not None:
                raise SpoilerEmbargo("The record can be had when the day has closed, or the race is over.")
            raise Conflict("The record can be had when the game is over.")
        return record.build(game_id, game.secret, [step.sealed for step in await self._sittings.history(game_id)])

    async def live(self) -> list[LiveGame]:
        """The games in which something happened lately, the latest first."""
        now = self._now()
        games = []
        for game_id in await self._index.playing(now - RECENT, MOST_LIVE):
            game = await self._sittings.get(game_id)
            if not game.over and now - game.changed_at < LATELY:
                games.append(game)
        games.sort(key=lambda game: game.changed_at, reverse=True)
        owners = await self._roster.players(game.player for game in games)
        return [messages.live(game, owners[game.player], now) for game in games]

    def tell(self, steps: Sequence[Step], asker: Viewer | None = None) -> None:
        """Tell everybody here of these steps of one game, after their commit."""
        self._hub.publish(steps, asker)
        after = steps[-1].after
        self._wall.count(after)
        shared = after.dealt.ranked or after.dealt.match is not None
        if shared and any(isinstance(step.event, GameFinished | ChallengeSpoiled) for step in steps):
            self.lift(after.player)

    def lift(self, player: str) -> None:
        """The player may see more than before: show it to those of the player's sockets that followed meters only."""
        for viewer in self._hub.embargoed(player):
            self._later(self._lift_embargo(viewer))

    def wake(self, game_id: str, version: int) -> None:
        """Another node has brought a game to this version: follow the log, if anybody here is interested."""
        if not self._wall.empty or self._sittings.keeps(game_id):
            self._later(self._follow(game_id, version))

    async def follow(self, game_id: str, version: int) -> None:
        """Bring what is kept here of a game up to that version, and tell of it. Raises what the database raises."""
        if self._sittings.keeps(game_id):
            await self._sittings.woken(game_id, version)
        kept = self._sittings.here(game_id)
        game = kept or await self._sittings.peek(game_id)
        if self._wall.keeps(game.dealt.day):
            await self._roster.player(game.player)
            self._wall.count(self._sittings.here(game_id) or game)
        if kept is None and (game.over or game.spoiled):
            self.lift(game.player)

    def race_over(self, match: Match) -> None:
        """A race is over: show its games to those who have followed their meters."""
        games = {result.game for result in match.finished.results} if match.finished else set()
        for viewer in self._hub.kept_from(games):
            self._later(self._lift_embargo(viewer))

    async def close(self) -> None:
        """Let what is under way end."""
        await asyncio.gather(*self._under_way, return_exceptions=True)

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

    async def _show(self, viewer: Viewer, game_id: str, id: str | None) -> None:
        game = await self._sittings.get(game_id)
        sight = await self._admission.admit(viewer.player, game)
        owner = await self._roster.player(game.player)
        # From here to the end nothing waits, so that no step falls between the view and the first message after it.
        self._hub.follow(viewer, game_id, sight)
        viewer.write(frame(encode(self._view(self._sittings.here(game_id) or game, sight, owner, id))))

    async def _missed(self, player: str, game_id: str, since: int) -> tuple[Sight, list[Step]] | None:
        """What happened after `since`; None where a fresh view is better: too much, or cards hidden before."""
        game = await self._sittings.get(game_id)
        sight = await self._admission.admit(player, game)
        may_follow = sight is Sight.SEAT or (game.dealt.day is None and game.dealt.match is None)
        if not may_follow or not 0 < since <= game.version or game.version - since > LONGEST_CATCH_UP:
            return None
        steps = await self._sittings.history(game_id) if since < game.version else []
        now = self._sittings.here(game_id) or game
        last = steps[-1].after.version if steps else since
        return (sight, [step for step in steps if step.after.version > since]) if last == now.version else None

    def _view(self, game: Sitting, sight: Sight, owner: Player, id: str | None = None) -> wire.View:
        return messages.view(game, sight, owner, watchers=self._hub.watchers(game.id), now=self._now(), id=id)

    def _later(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.ensure_future(work)
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)
