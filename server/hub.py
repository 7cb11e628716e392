"""The hub: who follows which game, day or room on this node, and what they are told.

Of each step every class of viewers that has somebody in it is told by one message, encoded once (`server.messages`).
How many watch and how far a day's runs are is told at most once a second, whatever happened in between. A room is
whatever else many follow together, a race for one: in it everybody is told the same.
"""

import asyncio
from collections.abc import Callable, Collection, Sequence

from clients.wire import messages as wire
from clients.wire.codec import encode
from clients.wire.messages import Message
from server.broadcast import Channel, Viewer, frame
from server.messages import Progress, push
from server.sitting import Step
from server.standing import Sight

INTERVAL = 1.0
"""Seconds between two tellings of presence and progress."""


class Audience:
    """Everybody who follows one game on this node, by what they may see."""

    __slots__ = ("by_sight", "told_watchers")

    def __init__(self) -> None:
        self.by_sight = {sight: Channel() for sight in Sight}
        self.told_watchers = 0

    @property
    def watchers(self) -> int:
        """How many sockets watch; the player's own are not counted."""
        return len(self.by_sight[Sight.BOARD].viewers) + len(self.by_sight[Sight.METER].viewers)

    @property
    def empty(self) -> bool:
        """Whether nobody follows."""
        return not any(channel.viewers for channel in self.by_sight.values())

    def send(self, framed: bytes) -> None:
        """The same to everyone, whatever they may see."""
        for channel in self.by_sight.values():
            channel.send(framed)


class Hub:
    """The viewers of one node; `now` is the time that meters show. Nothing here waits for a socket."""

    def __init__(self, now: Callable[[], int]) -> None:
        self._games: dict[str, Audience] = {}
        self._days: dict[str, Channel] = {}
        self._rooms: dict[str, Channel] = {}
        self._progress: dict[str, dict[str, Progress]] = {}
        self._soon: dict[str, Callable[[], Message]] = {}
        self._presence: set[str] = set()
        self._tick: asyncio.TimerHandle | None = None
        self._now = now

    def follow(self, viewer: Viewer, game: str, sight: Sight) -> None:
        """Tell the viewer of this game's steps from now on, as far as the sight goes."""
        self._leave(viewer, game)
        if viewer.gone:
            return
        viewer.games[game] = sight
        self._games.setdefault(game, Audience()).by_sight[sight].viewers[viewer] = None
        self._stir_presence(game)

    def unfollow(self, viewer: Viewer, game: str) -> None:
        """Tell it no longer."""
        self._leave(viewer, game)
        self._stir_presence(game)

    def follow_day(self, viewer: Viewer, day: str) -> None:
        """Tell the viewer of the progress of this day's runs."""
        if viewer.gone:
            return
        viewer.days.add(day)
        self._days.setdefault(day, Channel()).viewers[viewer] = None

    def unfollow_day(self, viewer: Viewer, day: str) -> None:
        """Tell it no longer."""
        viewer.days.discard(day)
        channel = self._days.get(day)
        if channel is not None:
            channel.viewers.pop(viewer, None)
            if not channel.viewers:
                del self._days[day]

    def enter(self, viewer: Viewer, room: str) -> None:
        """Tell the viewer whatever is said in a room."""
        if viewer.gone:
            return
        viewer.rooms.add(room)
        self._rooms.setdefault(room, Channel()).viewers[viewer] = None

    def go_out(self, viewer: Viewer, room: str) -> None:
        """Tell it no longer."""
        viewer.rooms.discard(room)
        channel = self._rooms.get(room)
        if channel is not None:
            channel.viewers.pop(viewer, None)
            if not channel.viewers:
                del self._rooms[room]

    def forget(self, viewer: Viewer) -> None:
        """The viewer's socket is gone."""
        viewer.forget()
        for game in tuple(viewer.games):
            self.unfollow(viewer, game)
        for day in tuple(viewer.days):
            self.unfollow_day(viewer, day)
        for room in tuple(viewer.rooms):
            self.go_out(viewer, room)

    def watchers(self, game: str) -> int:
        """How many sockets on this node watch a game."""
        audience = self._games.get(game)
        return audience.watchers if audience else 0

    def followed(self, game: str) -> bool:
        """Whether anybody here follows a game."""
        return game in self._games

    def day_followed(self, day: str | None) -> bool:
        """Whether anybody here follows a day's progress."""
        return day in self._days

    def entered(self, room: str) -> bool:
        """Whether anybody here is in a room."""
        return room in self._rooms

    def embargoed(self, player: str) -> list[Viewer]:
        """The player's own sockets among those who follow some game by its meter only."""
        meters = (audience.by_sight[Sight.METER].viewers for audience in self._games.values())
        return list({viewer: None for viewers in meters for viewer in viewers if viewer.player == player})

    def kept_from(self, games: Collection[str]) -> list[Viewer]:
        """Everybody who follows one of these games by its meter only."""
        meters = (self._games[game].by_sight[Sight.METER].viewers for game in games if game in self._games)
        return list({viewer: None for viewers in meters for viewer in viewers})

    def publish(self, steps: Sequence[Step], asker: Viewer | None = None) -> None:
        """Tell everybody of these steps, each class in its own words; `asker` hears what the player hears anyway."""
        audience = self._games.get(steps[0].after.id)
        if audience is None and asker is None:
            return
        for step in steps:
            if step.before is None:
                continue
            seats = audience.by_sight[Sight.SEAT] if audience else None
            if asker is not None or (seats and seats.viewers):
                framed = frame(encode(push(step, Sight.SEAT)))
                if seats and seats.viewers:
                    seats.send(framed)
                if asker is not None and (seats is None or asker not in seats.viewers):
                    asker.write(framed)
            for sight in (Sight.BOARD, Sight.METER):
                if audience and audience.by_sight[sight].viewers:
                    audience.by_sight[sight].send(frame(encode(push(step, sight))))

    def progress(self, day: str, progress: Progress) -> None:
        """A run of this day got on."""
        if day in self._days:
            self._progress.setdefault(day, {})[progress.meter.game] = progress
            self._stir()

    def say(self, room: str, message: Message) -> None:
        """Tell everybody in a room, and not again what was to be said there soon."""
        self._soon.pop(room, None)
        if room in self._rooms:
            self._rooms[room].send(frame(encode(message)))

    def say_soon(self, room: str, message: Callable[[], Message]) -> None:
        """Tell everybody in a room at the next telling, as things are by then."""
        if room in self._rooms:
            self._soon[room] = message
            self._stir()

    def close(self) -> None:
        """Tell nothing more by itself."""
        if self._tick is not None:
            self._tick.cancel()
            self._tick = None

    def _leave(self, viewer: Viewer, game: str) -> None:
        sight = viewer.games.pop(game, None)
        audience = self._games.get(game)
        if sight is None or audience is None:
            return
        audience.by_sight[sight].viewers.pop(viewer, None)
        if audience.empty:
            del self._games[game]

    def _stir_presence(self, game: str) -> None:
        self._presence.add(game)
        self._stir()

    def _stir(self) -> None:
        if self._tick is None:
            self._tick = asyncio.get_running_loop().call_later(INTERVAL, self.tell)

    def tell(self) -> None:
        """Tell presence and progress as they are now, where they have changed since the last telling."""
        self.close()
        for game in self._presence:
            audience = self._games.get(game)
            if audience is not None and audience.watchers != audience.told_watchers:
                audience.told_watchers = audience.watchers
                audience.send(frame(encode(wire.Presence(game=game, watchers=audience.watchers))))
        self._presence.clear()
        now = self._now()
        for day, runs in self._progress.items():
            channel = self._days.get(day)
            if channel is not None:
                games = [progress.at(now) for progress in runs.values()]
                channel.send(frame(encode(wire.DayProgress(day=day, games=games))))
        self._progress.clear()
        for room, message in tuple(self._soon.items()):
            self.say(room, message())
