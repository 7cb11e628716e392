"""Spectating: views of games in progress, missed steps, and a higher access level once it is allowed."""

from collections.abc import Iterable

from cadogan.server.core.clock import Clock
from cadogan.server.core.cluster.bus import PLAYER_PREFIX, WakeUpHandlers
from cadogan.server.core.errors import TooMany
from cadogan.server.core.eventlog.background_tasks import BackgroundPart
from cadogan.server.core.eventlog.streams import GAMES, id_of
from cadogan.server.core.games import game_messages
from cadogan.server.core.games.access import Access
from cadogan.server.core.games.game_cache import Committed, GameCache
from cadogan.server.core.games.game_state import GameState, Step
from cadogan.server.core.games.own_streams import StreamCommitted
from cadogan.server.core.games.visibility import AccessLevel
from cadogan.server.core.live.connection import Viewer, frame
from cadogan.server.core.live.hub import Hub, game_topic
from cadogan.server.core.live.presence import Presence
from cadogan.server.core.people import PlayerCache
from cadogan.server.core.rate_limits import TokenBucket
from cadogan.server.subjects.daily.days import DayCommitted
from cadogan.server.subjects.races.repository import RaceCommitted
from cadogan.wire import messages as wire
from cadogan.wire.codec import encode
from cadogan.wire.values import Player

MAX_OWN_VIEWERS = 5
"""Sockets and streams of one node that may follow one of the player's own games."""


class Spectating(BackgroundPart):
    """The watched games on one node. A player of None stands for a client that is not signed in."""

    def __init__(
        self, cache: GameCache, access: Access, hub: Hub, presence: Presence, players: PlayerCache, now: Clock
    ) -> None:
        super().__init__()
        self._cache = cache
        self._access = access
        self._hub = hub
        self._presence = presence
        self._players = players
        self._now = now

    async def view(self, player: str | None, game_id: str, reader: TokenBucket | None = None) -> wire.View:
        """Return the view of the game for the player's access level. Raises the same as `GameCache.get`."""
        game = await self._cache.get(game_id, reader)
        access_level = await self._access.grant(player, game)
        owner = await self._players.player(game.player)
        may_ask = await self._access.may_ask_if_winnable(player or "", game)
        return self._view(self._cache.cached(game_id) or game, access_level, owner, may_ask)

    async def subscribe(self, viewer: Viewer, asked: wire.Subscribe) -> None:
        """Send a game, or its missed steps, and subscribe to further steps. Raises the same as `resume`."""
        if await self.resume(viewer, asked.game, asked.since, asked.sight, asked.id):
            viewer.write(frame(encode(wire.Done(id=asked.id))))

    async def resume(
        self, viewer: Viewer, game_id: str, since: int | None, seen: str | None = None, id: str | None = None
    ) -> bool:
        """Send the steps after version `since`, or a full view, and subscribe the viewer to further steps.

        Missed steps are sent if the client's access level `seen` is still the present one. If `seen` is None, they are
        sent only for the viewer's own game, or if the deal is not shared. A full view answers the request with this
        `id`.

        Return True for missed steps, False for a full view. Raises the same as `GameCache.get`, and TooMany beyond
        `MAX_OWN_VIEWERS`.
        """
        await self._cache.get(game_id, viewer.reader)
        missed = None if since is None else await self._missed(viewer.player, game_id, since, seen)
        if missed is None:
            await self._send_view(viewer, game_id, id)
            return False
        access_level, steps = missed
        self._subscribe(viewer, game_id, access_level)
        for step in steps:
            viewer.write(frame(encode(game_messages.message_for(step, access_level))))
        return True

    async def refresh(self, viewer: Viewer) -> None:
        """Send full views of all games that the viewer watches, instead of the steps that it missed.

        No step of a game is sent before its full view, so that no message precedes the view to which it applies.
        """
        games = [id_of(topic) for topic in viewer.topics if topic.startswith(GAMES)]
        for game_id in games:
            self._hub.unsubscribe(viewer, game_topic(game_id))
        for game_id in games:
            await self._send_view(viewer, game_id, None)

    def on_end(self, committed: Committed) -> None:
        """Raise the player's access level for others' games, if the end of this run allows it."""
        if committed.lifts_embargo:
            self.lift_embargo(committed.state.player)

    def wake_up_handlers(self) -> WakeUpHandlers:
        """Return the handlers for players whose access level may have risen."""
        return {PLAYER_PREFIX: lambda player, _: self.lift_embargo(player)}

    def lift_embargo(self, player: str) -> None:
        """Send full views to the person's connections that have seen only progress, where this is allowed now.

        This includes the connections of the owner and of the owner's other bots, because they share one run.
        """
        if self._hub.progress_viewers():
            self.background.start(self._lift_embargo, player)

    def on_day_change(self, committed: DayCommitted) -> None:
        """Send views of a day's runs to viewers who have seen only progress, once the day has closed."""
        if committed.state.closed:
            self._show_boards_to(self._hub.progress_viewers())

    def on_race_change(self, committed: RaceCommitted) -> None:
        """Send views of a race's games to viewers who have seen only progress, once the race is over."""
        if committed.state.finished is not None:
            games = [result.game for result in committed.state.finished.results]
            self._show_boards_to(self._hub.progress_viewers(map(game_topic, games)))

    def on_stream_change(self, committed: StreamCommitted) -> None:
        """Show boards to everybody who has seen meters only, once a competition has revealed something."""
        if committed.is_end:
            self._show_boards_to(self._hub.progress_viewers())

    def _show_boards_to(self, viewers: Iterable[Viewer]) -> None:
        """Send views to viewers who have seen only progress, where this is allowed now."""
        for viewer in viewers:
            self.background.start(self._show_boards, viewer)

    async def _lift_embargo(self, player: str) -> None:
        person = await self._access.person_of(player)
        for viewer in self._hub.progress_viewers():
            if viewer.player and await self._access.person_of(viewer.player) == person:
                self.background.start(self._show_boards, viewer)

    async def _show_boards(self, viewer: Viewer) -> None:
        meters = [topic for topic, access_level in viewer.topics.items() if access_level is AccessLevel.PROGRESS]
        for game_id in map(id_of, meters):
            game = await self._cache.get(game_id)
            if await self._access.grant(viewer.player, game) is not AccessLevel.PROGRESS:
                await self._send_view(viewer, game_id, None)

    async def _send_view(self, viewer: Viewer, game_id: str, id: str | None) -> None:
        game = await self._cache.get(game_id)
        access_level = await self._access.grant(viewer.player, game)
        owner = await self._players.player(game.player)
        may_ask = await self._access.may_ask_if_winnable(viewer.player, game)
        # No await from here on, so that no step is lost between the view and the first message after it.
        self._subscribe(viewer, game_id, access_level)
        view = self._view(self._cache.cached(game_id) or game, access_level, owner, may_ask, id)
        framed = frame(encode(view))
        viewer.write(framed)
        viewer.charge_view(game_id, view.version, len(framed))

    def _subscribe(self, viewer: Viewer, game_id: str, access_level: AccessLevel) -> None:
        """Subscribe. Raises TooMany: messages about a player's own game are large, so its subscriptions are limited."""
        own = self._hub.subscribers(game_topic(game_id)).by_access_level[AccessLevel.SEAT].viewers
        if access_level is AccessLevel.SEAT and viewer not in own and len(own) >= MAX_OWN_VIEWERS:
            raise TooMany("This game is open in {count} places already: close one of them.", count=MAX_OWN_VIEWERS)
        self._hub.subscribe(viewer, game_topic(game_id), access_level)

    async def _missed(
        self, player: str, game_id: str, since: int, seen: str | None
    ) -> tuple[AccessLevel, list[Step]] | None:
        """Return the steps after `since`; None if a full view is needed: too many steps, or another access level."""
        game = await self._cache.get(game_id)
        access_level = await self._access.grant(player, game)
        if access_level != seen and (
            seen is not None or (game.competition.is_shared and access_level is not AccessLevel.SEAT)
        ):
            return None
        steps = await self._cache.steps_after(game_id, since)
        return None if steps is None else (access_level, steps)

    def _view(
        self, game: GameState, access_level: AccessLevel, owner: Player, may_ask: bool, id: str | None = None
    ) -> wire.View:
        return game_messages.view(
            game,
            access_level,
            owner,
            watchers=self._presence.watchers(game.id),
            names=self._presence.names(game.id),
            now=self._now(),
            id=id,
            may_ask_if_winnable=may_ask,
        )
