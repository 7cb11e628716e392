"""Live boards: sends changed rows to the viewers of a board, at most twice a second.

The rows changed by finished runs are read from the database, for games that ended on this node and for wake-ups from
other nodes. So every viewer on every node gets a change within a second.
"""

import asyncio
from collections.abc import Collection

from msgspec.structs import replace

from cadogan.server.core.cluster.bus import DISQUALIFICATION_PREFIX, WakeUpHandlers
from cadogan.server.core.eventlog.background_tasks import BackgroundPart
from cadogan.server.core.eventlog.streams import GAMES, id_of
from cadogan.server.core.games.game_cache import Committed
from cadogan.server.core.live.connection import Viewer, frame
from cadogan.server.core.live.hub import BOARDS, Hub, board_topic
from cadogan.server.core.people import PlayerCache
from cadogan.server.core.ranking import check_board, run_totals
from cadogan.server.subjects.leaderboards.queries import BoardQueries, RankedTotal
from cadogan.wire import boards
from cadogan.wire import messages as wire
from cadogan.wire.codec import encode
from cadogan.wire.values import BoardEntry, Player

PUBLISH_INTERVAL_SECONDS = 0.5
"""Seconds for which finished runs are collected before they are published together."""
MAX_CHANGED_ROWS = 100
"""The maximum number of changed rows of a board in one message; the best are sent."""


class LiveBoards(BackgroundPart):
    """The boards that viewers watch on one node."""

    def __init__(self, boards: BoardQueries, hub: Hub, player_cache: PlayerCache) -> None:
        super().__init__()
        self._boards = boards
        self._hub = hub
        self._player_cache = player_cache
        self._watched: set[str] = set()
        self._finished: set[str] = set()
        self._disqualified: set[str] = set()
        self._timer: asyncio.TimerHandle | None = None
        hub.on_change(self._on_subscription_change)

    def subscribe(self, viewer: Viewer, message: boards.WatchBoard) -> None:
        """Send the viewer every change of a board from now on. Raises NotFound for a board that cannot exist."""
        check_board(message.board)
        self._hub.subscribe(viewer, board_topic(message.board))
        viewer.write(frame(encode(wire.Done(id=message.id))))

    def unsubscribe(self, viewer: Viewer, message: boards.UnwatchBoard) -> None:
        """Stop sending the viewer changes of a board; nothing happens if it does not watch the board."""
        self._hub.unsubscribe(viewer, board_topic(message.board))
        viewer.write(frame(encode(wire.Done(id=message.id))))

    def on_end(self, committed: Committed) -> None:
        """Publish the changes soon, because a run has ended."""
        self.schedule_publish(committed.state.id)

    def wake_up_handlers(self) -> WakeUpHandlers:
        """Return the handlers of wake-ups for changed games, and for struck or restored runs."""
        return {GAMES: self.on_wake_up, DISQUALIFICATION_PREFIX: self.on_disqualification}

    def on_wake_up(self, game_id: str, version: int) -> None:
        """Schedule publishing, if another node has ended this game."""
        self.schedule_publish(game_id)

    def schedule_publish(self, game_id: str) -> None:
        """Publish the changes of the watched boards soon, if this game is a finished ranked run.

        Call it for every game that ended here or changed on another node.
        """
        if self._watched:
            self._finished.add(game_id)
            self._start_timer()

    def on_disqualification(self, game_id: str, _: int) -> None:
        """Schedule telling viewers to reload the boards of this run, because it was struck or restored."""
        if self._watched:
            self._disqualified.add(game_id)
            self._start_timer()

    def publish_now(self) -> None:
        """Publish the collected changes at once, before the interval ends."""
        if self._timer is not None:
            self._timer.cancel()
            self._publish()

    async def refresh(self, viewer: Viewer) -> None:
        """Tell the viewer to reload the boards that it watches, because it has missed changes."""
        for board in [id_of(topic) for topic in viewer.topics if topic.startswith(BOARDS)]:
            viewer.write(frame(encode(await self._read_again(board))))

    async def resync(self, topics: Collection[str] | None) -> None:
        """Tell every viewer to reload its boards, if wake-ups of any topic (None) may have been lost."""
        if topics is not None:
            return
        for board in tuple(self._watched):
            self._hub.send(board_topic(board), await self._read_again(board))

    async def close(self) -> None:
        """Stop publishing, and wait until running publications are sent."""
        self._watched.clear()
        if self._timer is not None:
            self._timer.cancel()
        await super().close()

    def _on_subscription_change(self, topic: str) -> None:
        if topic.startswith(BOARDS):
            change = self._watched.add if self._hub.has_subscribers(topic) else self._watched.discard
            change(id_of(topic))

    def _start_timer(self) -> None:
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(PUBLISH_INTERVAL_SECONDS, self._publish)

    def _publish(self) -> None:
        self._timer = None
        if self.background.busy:
            self._start_timer()
            return
        finished, self._finished = self._finished, set()
        disqualified, self._disqualified = self._disqualified, set()
        if self._watched:
            self.background.start(self._publish_changes, finished, disqualified)

    async def _publish_changes(self, finished: set[str], disqualified: set[str]) -> None:
        reloaded = await self._watched_boards(disqualified)
        changed = await self._watched_boards(finished)
        for board in reloaded:
            self._hub.send(board_topic(board), await self._read_again(board))
        for board, players in changed.items():
            if board not in reloaded:
                self._hub.send(board_topic(board), await self._changes(board, sorted(players)))

    async def _watched_boards(self, games: set[str]) -> dict[str, set[str]]:
        """Return the watched boards that these games count on, each with the players of the games."""
        found: dict[str, set[str]] = {}
        for run in await self._boards.runs(games):
            for total in run_totals(run):
                if total.board in self._watched:
                    found.setdefault(total.board, set()).add(total.player)
        return found

    async def _read_again(self, board: str) -> boards.BoardChanged:
        return boards.BoardChanged(board=board, total=await self._boards.total(board), entries=[])

    async def _changes(self, board: str, players: list[str]) -> boards.BoardChanged:
        best = (await self._boards.ranked_among(board, players))[:MAX_CHANGED_ROWS]
        rows = await self._boards.ranked(board, [row.player for row in best])
        known = await self._player_cache.players(row.player for row in rows)
        entries = [board_entry(row, known[row.player]) for row in rows]
        return boards.BoardChanged(board=board, total=await self._boards.total(board), entries=entries)


def board_entry(row: RankedTotal, player: Player) -> BoardEntry:
    """Return a row as a wire message: on the board of a deal a run with its score, on other boards a sum of points."""
    entry = BoardEntry(rank=row.rank, player=player, moves=row.moves, milliseconds=row.milliseconds)
    if row.game_id is None:
        return replace(entry, points=-row.deficit, runs=row.runs)
    return replace(entry, score=-row.deficit, game=row.game_id, result=row.result, active=row.active)
