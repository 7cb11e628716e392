"""Showing games while they are played: views, what was missed, and more of a game once its viewer may see more."""

from collections.abc import Iterable

from cadogan.server.cluster.bus import PLAYER_PREFIX, WakeUpHandlers
from cadogan.server.competitions.daily.repository import DayCommitted
from cadogan.server.competitions.own_streams import StreamCommitted
from cadogan.server.competitions.races.repository import RaceCommitted
from cadogan.server.core.clock import Clock
from cadogan.server.core.errors import TooMany
from cadogan.server.core.rate_limits import TokenBucket
from cadogan.server.eventlog.background_tasks import BackgroundTasks
from cadogan.server.eventlog.streams import GAMES, id_of
from cadogan.server.games import game_messages
from cadogan.server.games.commits import Committed
from cadogan.server.games.game_cache import GameCache
from cadogan.server.games.game_state import GameState, Step
from cadogan.server.games.visibility import Sight
from cadogan.server.play.access import Access
from cadogan.server.players.player_cache import PlayerCache
from cadogan.server.realtime.connection import Viewer, frame
from cadogan.server.realtime.hub import Hub
from cadogan.server.realtime.presence import Presence
from cadogan.server.realtime.topics import game_topic
from cadogan.wire import messages as wire
from cadogan.wire.codec import encode
from cadogan.wire.values import Player

MAX_OWN_VIEWERS = 5
"""Sockets and streams of one node over which a player follows one of the own games."""


class Spectating:
    """The games that are watched on one node. A player of None is somebody who is not signed in."""

    def __init__(
        self, cache: GameCache, access: Access, hub: Hub, presence: Presence, players: PlayerCache, now: Clock
    ) -> None:
        self._cache = cache
        self._access = access
        self._hub = hub
        self._presence = presence
        self._players = players
        self._now = now
        self.background = BackgroundTasks()

    async def view(self, player: str | None, game_id: str, reader: TokenBucket | None = None) -> wire.View:
        """Return the game as the player may see it now. Raises as `GameCache.get`."""
        game = await self._cache.get(game_id, reader)
        sight = await self._access.grant(player, game)
        owner = await self._players.player(game.player)
        may_ask = await self._access.may_ask_if_winnable(player or "", game)
        return self._view(self._cache.cached(game_id) or game, sight, owner, may_ask)

    async def subscribe(self, viewer: Viewer, asked: wire.Subscribe) -> None:
        """Send a game, or what was missed of it, and every step from then on. Raises as `resume`."""
        if await self.resume(viewer, asked.game, asked.since, asked.sight, asked.id):
            viewer.write(frame(encode(wire.Done(id=asked.id))))

    async def resume(
        self, viewer: Viewer, game_id: str, since: int | None, seen: str | None = None, id: str | None = None
    ) -> bool:
        """Send what the viewer missed of a game after version `since`, or a fresh view, and every step from then on.

        What was missed is sent if the game was `seen` so far with the sight that the viewer has now. Who does not say
        how it was seen gets what was missed only of an own game, or of one whose deal is not shared. A fresh view
        answers the request of this `id`.

        Return whether it was what was missed, and no fresh view. Raises as `GameCache.get`, and TooMany beyond
        `MAX_OWN_VIEWERS`.
        """
        await self._cache.get(game_id, viewer.reader)
        missed = None if since is None else await self._missed(viewer.player, game_id, since, seen)
        if missed is None:
            await self._send_view(viewer, game_id, id)
            return False
        sight, steps = missed
        self._subscribe(viewer, game_id, sight)
        for step in steps:
            viewer.write(frame(encode(game_messages.message_for(step, sight))))
        return True

    async def refresh(self, viewer: Viewer) -> None:
        """Send fresh views of all games that the viewer watches, in place of what it missed.

        A game sends nothing until its fresh view, so that no message comes before the view that it belongs to.
        """
        games = [id_of(topic) for topic in viewer.topics if topic.startswith(GAMES)]
        for game_id in games:
            self._hub.unsubscribe(viewer, game_topic(game_id))
        for game_id in games:
            await self._send_view(viewer, game_id, None)

    def on_end(self, committed: Committed) -> None:
        """Show the player more of others' games, if this was the run that kept them from the player."""
        if committed.lifts_embargo:
            self.lift_embargo(committed.state.player)

    def wake_up_handlers(self) -> WakeUpHandlers:
        """Return what to call for players who may see more than before."""
        return {PLAYER_PREFIX: lambda player, _: self.lift_embargo(player)}

    def lift_embargo(self, player: str) -> None:
        """Show the boards to the person's connections that have seen meters only, as far as that may be now.

        Those are the player's own, and those of the owner and the owner's other bots: they had the run together.
        """
        if self._hub.viewers_of_meters():
            self.background.start(self._lift_embargo, player)

    def on_day_change(self, committed: DayCommitted) -> None:
        """Show the boards of the runs of a day to everybody who has seen their meters only, once it has closed."""
        if committed.state.closed:
            self._show_boards_to(self._hub.viewers_of_meters())

    def on_race_change(self, committed: RaceCommitted) -> None:
        """Show the boards of the games of a race to everybody who has seen their meters only, once it is over."""
        if committed.state.finished is not None:
            games = [result.game for result in committed.state.finished.results]
            self._show_boards_to(self._hub.viewers_of_meters(map(game_topic, games)))

    def on_stream_change(self, committed: StreamCommitted) -> None:
        """Show boards to everybody who has seen meters only, once a competition has revealed something."""
        if committed.is_end:
            self._show_boards_to(self._hub.viewers_of_meters())

    async def wait_until_idle(self) -> None:
        """Wait until nothing is being shown in the background."""
        await self.background.wait_until_idle()

    async def close(self) -> None:
        """Let what is under way end."""
        await self.background.close()

    def _show_boards_to(self, viewers: Iterable[Viewer]) -> None:
        """Show boards to viewers who have seen meters only, as far as that may be now."""
        for viewer in viewers:
            self.background.start(self._show_boards, viewer)

    async def _lift_embargo(self, player: str) -> None:
        person = await self._access.person_of(player)
        for viewer in self._hub.viewers_of_meters():
            if viewer.player and await self._access.person_of(viewer.player) == person:
                self.background.start(self._show_boards, viewer)

    async def _show_boards(self, viewer: Viewer) -> None:
        meters = [topic for topic, sight in viewer.topics.items() if sight is Sight.METER]
        for game_id in map(id_of, meters):
            game = await self._cache.get(game_id)
            if await self._access.grant(viewer.player, game) is not Sight.METER:
                await self._send_view(viewer, game_id, None)

    async def _send_view(self, viewer: Viewer, game_id: str, id: str | None) -> None:
        game = await self._cache.get(game_id)
        sight = await self._access.grant(viewer.player, game)
        owner = await self._players.player(game.player)
        may_ask = await self._access.may_ask_if_winnable(viewer.player, game)
        # From here to the end nothing waits, so that no step falls between the view and the first message after it.
        self._subscribe(viewer, game_id, sight)
        view = self._view(self._cache.cached(game_id) or game, sight, owner, may_ask, id)
        framed = frame(encode(view))
        viewer.write(framed)
        viewer.charge_view(game_id, view.version, len(framed))

    def _subscribe(self, viewer: Viewer, game_id: str, sight: Sight) -> None:
        """Raises TooMany: what a player may see of the own game is long, so that few get all of it."""
        own = self._hub.subscribers(game_topic(game_id)).by_sight[Sight.SEAT].viewers
        if sight is Sight.SEAT and viewer not in own and len(own) >= MAX_OWN_VIEWERS:
            raise TooMany("This game is open in {count} places already: close one of them.", count=MAX_OWN_VIEWERS)
        self._hub.subscribe(viewer, game_topic(game_id), sight)

    async def _missed(self, player: str, game_id: str, since: int, seen: str | None) -> tuple[Sight, list[Step]] | None:
        """Return what happened after `since`; None where a fresh view is better: too much, or another sight now."""
        game = await self._cache.get(game_id)
        sight = await self._access.grant(player, game)
        if sight != seen and (seen is not None or (game.competition.is_shared and sight is not Sight.SEAT)):
            return None
        steps = await self._cache.steps_after(game_id, since)
        return None if steps is None else (sight, steps)

    def _view(self, game: GameState, sight: Sight, owner: Player, may_ask: bool, id: str | None = None) -> wire.View:
        return game_messages.view(
            game,
            sight,
            owner,
            watchers=self._presence.watchers(game.id),
            names=self._presence.names(game.id),
            now=self._now(),
            id=id,
            may_ask_if_winnable=may_ask,
        )
