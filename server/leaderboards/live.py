"""Boards that change under their viewers' eyes: at most twice a second each is told which places a finish has moved.

What has finished is asked of the database, for the games that ended here and those that other nodes have woken us for:
whichever node a run was finished on, it reaches every viewer within the second.
"""

import asyncio

from msgspec.structs import replace

from clients.wire import messages as wire
from clients.wire.codec import encode
from clients.wire.values import BoardEntry, Player
from server.eventlog.background_tasks import BackgroundTasks
from server.leaderboards.names import named
from server.leaderboards.queries import BoardQueries, Ranked
from server.leaderboards.ranking import places
from server.players.player_cache import PlayerCache
from server.realtime.connection import Viewer, frame
from server.realtime.hub import Hub

INTERVAL = 0.5
"""Seconds in which finishes are gathered."""
MOST = 100
"""How many places of a board are told at once, the best."""
ROOM = "board/"


class LiveBoards:
    """The boards that are watched on one node."""

    def __init__(self, boards: BoardQueries, hub: Hub, roster: PlayerCache) -> None:
        self._boards = boards
        self._hub = hub
        self._roster = roster
        self._watched: set[str] = set()
        self._finished: set[str] = set()
        self._timer: asyncio.TimerHandle | None = None
        self.background = BackgroundTasks()

    def watch(self, viewer: Viewer, asked: wire.WatchBoard) -> None:
        """Tell the viewer how the board changes from now on. Raises NotFound for a board that there cannot be."""
        self._watched.add(named(asked.board))
        self._hub.enter(viewer, ROOM + asked.board)
        viewer.write(frame(encode(wire.Done(id=asked.id))))

    def unwatch(self, viewer: Viewer, asked: wire.UnwatchBoard) -> None:
        """Tell it no longer."""
        self._hub.go_out(viewer, ROOM + asked.board)
        if not self._hub.entered(ROOM + asked.board):
            self._watched.discard(asked.board)
        viewer.write(frame(encode(wire.Done(id=asked.id))))

    def moved(self, game_id: str) -> None:
        """A game has ended here, or moved on elsewhere: if it is a run that counts, tell the boards soon."""
        if self._watched:
            self._finished.add(game_id)
            if self._timer is None:
                self._timer = asyncio.get_running_loop().call_later(INTERVAL, self._tell)

    async def refresh(self, viewer: Viewer) -> None:
        """Have the viewer ask anew for the boards that it watches, in place of the changes it missed."""
        for board in [room.removeprefix(ROOM) for room in viewer.rooms if room.startswith(ROOM)]:
            viewer.write(frame(encode(await self._anew(board))))

    async def missed(self) -> None:
        """Have everybody ask anew, because a finish on another node may have been missed."""
        for board in tuple(self._watched):
            self._hub.say(ROOM + board, await self._anew(board))

    async def close(self) -> None:
        """Tell nothing more by itself, and let what is under way end."""
        self._watched.clear()
        if self._timer is not None:
            self._timer.cancel()
        await self.background.close()

    def _tell(self) -> None:
        if self.background.busy:
            self._timer = asyncio.get_running_loop().call_later(INTERVAL, self._tell)
            return
        self._timer = None
        finished, self._finished = self._finished, set()
        self._watched = {board for board in self._watched if self._hub.entered(ROOM + board)}
        if self._watched:
            self.background.start(self._tell_of, finished)

    async def _tell_of(self, games: set[str]) -> None:
        changed: dict[str, set[str]] = {}
        for run in await self._boards.runs(games):
            for place in places(run):
                if place.board in self._watched:
                    changed.setdefault(place.board, set()).add(place.player)
        for board, players in changed.items():
            self._hub.say(ROOM + board, await self._change(board, sorted(players)))

    async def _anew(self, board: str) -> wire.BoardChanged:
        return wire.BoardChanged(board=board, total=await self._boards.total(board), entries=[])

    async def _change(self, board: str, players: list[str]) -> wire.BoardChanged:
        best = (await self._boards.among(board, players))[:MOST]
        moved = await self._boards.ranked(board, [place.player for place in best])
        known = await self._roster.players(place.player for place in moved)
        entries = [entry(place, known[place.player]) for place in moved]
        return wire.BoardChanged(board=board, total=await self._boards.total(board), entries=entries)


def entry(place: Ranked, player: Player) -> BoardEntry:
    """A place as it is told: on the board of a deal it is a run, else a sum."""
    shown = BoardEntry(rank=place.rank, player=player, moves=place.moves, milliseconds=place.milliseconds)
    if place.game is None:
        return replace(shown, points=-place.deficit, runs=place.runs)
    return replace(shown, score=-place.deficit, game=place.game, result=place.result)
