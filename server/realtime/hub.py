"""The hub: who follows which game, day or room on this node, and what they are told.

Of each step every class of viewers that has somebody in it is told by one message, encoded once (`game_messages`).
How many watch and how far a day's runs are is told at most once a second, whatever happened in between; how many watch
is told to the other nodes, too, and what they say of it counts here (`remote_presence`). A room is whatever else many
follow together, a race for one: in it everybody is told the same.
"""

import asyncio
from collections.abc import Callable, Collection, Sequence
from itertools import islice

from clients.wire import messages as wire
from clients.wire.codec import encode
from clients.wire.messages import Message
from server.core import ids
from server.games.game_messages import Progress, push
from server.games.game_state import Step
from server.games.visibility import Sight
from server.realtime.audience import MOST_NAMED, Audience
from server.realtime.connection import SLICE, Channel, Viewer, frame
from server.realtime.remote_presence import BEAT, LAPSE, Elsewhere, Present, text_of

INTERVAL = 1.0
"""Seconds between two tellings of presence and progress."""
MOST_TOLD = 100
"""Runs of a day that one telling tells of; the others wait for the next: else a crowd is told of all of itself."""


class Hub:
    """The viewers of one node; `now` is the time that meters show. Nothing here waits for a socket.

    What there is to say to the other nodes of a game's presence is handed to `tell_nodes`, once that is set.
    """

    def __init__(self, now: Callable[[], int], beat: float = BEAT, lapse: float = LAPSE) -> None:
        self.tell_nodes: Callable[[str, str], None] | None = None
        self._node = ids.new_id()
        self._elsewhere = Elsewhere(lapse)
        self._beat = beat
        self._beating: asyncio.Task[None] | None = None
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
        """How many sockets watch a game, on all nodes as far as they have said it."""
        audience = self._games.get(game)
        return (audience.watchers if audience else 0) + self._elsewhere.watchers(game)

    @property
    def subscriptions(self) -> int:
        """How many subscriptions to games there are on this node."""
        channels = (channel for audience in self._games.values() for channel in audience.by_sight.values())
        return sum(len(channel.viewers) for channel in channels)

    def names(self, game: str) -> list[str]:
        """The names of the first of them that have one, each once."""
        audience = self._games.get(game)
        here = audience.names if audience else []
        return list(islice(dict.fromkeys([*here, *self._elsewhere.names(game)]), MOST_NAMED))

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

    def hear(self, game: str, text: str) -> None:
        """Another node says who watches a game there; one that is new to it is answered."""
        audience = self._games.get(game)
        if audience is None:
            return
        news, first = self._elsewhere.hear(game, text, asyncio.get_running_loop().time())
        if first and audience.watchers:
            audience.said = None
        if news:
            self._stir_presence(game)

    def say_all(self) -> None:
        """Say soon again to the other nodes who watches which game here, since they may have missed it."""
        for game, audience in self._games.items():
            audience.said = None
            self._stir_presence(game)

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

    def start(self) -> None:
        """Begin to repeat to the other nodes who watches here, in the running loop."""
        self._beating = asyncio.get_running_loop().create_task(self._go_on_beating())

    def close(self) -> None:
        """Tell nothing more by itself, and the other nodes that nobody watches here any more."""
        self._end_tick()
        if self._beating is not None:
            self._beating.cancel()
        for game in {*self._games, *self._presence}:
            self._say(game, Present(self._node, 0))

    def _leave(self, viewer: Viewer, game: str) -> None:
        sight = viewer.games.pop(game, None)
        audience = self._games.get(game)
        if sight is None or audience is None:
            return
        audience.by_sight[sight].viewers.pop(viewer, None)
        if audience.empty:
            del self._games[game]
            self._elsewhere.forget(game)

    def _stir_presence(self, game: str) -> None:
        self._presence.add(game)
        self._stir()

    def _stir(self) -> None:
        if self._tick is None:
            self._tick = asyncio.get_running_loop().call_later(INTERVAL, self.tell)

    def tell(self) -> None:
        """Tell presence and progress as they are now, where they have changed since the last telling."""
        self._end_tick()
        for game in self._presence:
            self._tell_presence(game)
        self._presence.clear()
        now = self._now()
        waiting, self._progress = self._progress, {}
        for day, runs in waiting.items():
            channel = self._days.get(day)
            if channel is not None:
                told = [runs.pop(game).at(now) for game in tuple(runs)[:MOST_TOLD]]
                channel.send(frame(encode(wire.DayProgress(day=day, games=told))))
                if runs:
                    self._progress[day] = runs
                    self._stir()
        for room, message in tuple(self._soon.items()):
            self.say(room, message())

    def _end_tick(self) -> None:
        if self._tick is not None:
            self._tick.cancel()
            self._tick = None

    def _tell_presence(self, game: str) -> None:
        """Tell those here who watches on all nodes, and the other nodes who watches here, if it has changed."""
        audience = self._games.get(game)
        if audience is None:
            self._say(game, Present(self._node, 0))
            return
        if audience.told != (present := (self.watchers(game), self.names(game))):
            audience.told = present
            audience.send(frame(encode(wire.Presence(game=game, watchers=present[0], names=present[1] or None))))
        if audience.said != (here := self._here(audience)):
            audience.said = here
            self._say(game, here)

    async def _go_on_beating(self) -> None:
        while True:
            await asyncio.sleep(self._beat)
            watched = [game for game, audience in self._games.items() if audience.watchers]
            for number, game in enumerate(watched):
                if number % SLICE == SLICE - 1:
                    await asyncio.sleep(0)
                if (audience := self._games.get(game)) is not None:
                    self._say(game, self._here(audience))
            for game in self._elsewhere.lapse(asyncio.get_running_loop().time()):
                self._stir_presence(game)

    def _here(self, audience: Audience) -> Present:
        return Present(self._node, audience.watchers, tuple(audience.names))

    def _say(self, game: str, present: Present) -> None:
        if self.tell_nodes is not None:
            self.tell_nodes(game, text_of(present))
