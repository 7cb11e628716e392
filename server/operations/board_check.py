"""Comparing the leaderboards that a monitored server shows with those that follow from verified records."""

from collections.abc import AsyncIterator, Collection, Sequence
from random import SystemRandom

from cadogan.server.core import ids
from cadogan.server.core.ranking import BOTS_PREFIX, BoardTotal, day_board, negative, point_boards, run_totals
from cadogan.server.operations.checked_boards import CheckedBoards, Row, Sums, compare_rows, shown_rows, sums_of
from cadogan.server.operations.watched_server import WatchedServer
from cadogan.server.subjects.transparency.leaves import Strike
from cadogan.wire.boards import Board

PAGE = 100
"""The rows that are asked for at once."""
MAX_PAGES = 5
"""So many pages of one board are compared at each look; of a longer board they are drawn at random."""
MAX_OPEN_ROWS = 2_000
"""With more rows on the board of a day that is not closed, the boards of longer periods are not compared."""
LAG_MILLISECONDS = 10 * 60 * 1000
"""An act of a host is in the log this long after it is seen on a board."""
MAX_STRUCK_SHOWN = 100


class BoardCheck:
    """One comparison of all boards. `now` is the time in milliseconds since 1970."""

    def __init__(self, server: WatchedServer, boards: CheckedBoards, now: int) -> None:
        self._server = server
        self._boards = boards
        self._now = now
        self._random = SystemRandom()

    async def apply(self, strikes: Sequence[Strike]) -> None:
        """Remove the struck runs of the log from the derived boards, and restore the others."""
        latest = {strike.run: strike.struck for strike in strikes}
        for game, is_struck in latest.items():
            if is_struck != (game in self._boards.struck):
                run = self._boards.find(game) or await self._server.ranked_run(game)
                if run is not None and run.day in self._boards.days:
                    self._boards.move(run, is_struck=is_struck)

    async def compare_days(self) -> AsyncIterator[str]:
        """Yield what is wrong with the boards of the last closed days."""
        for day in sorted(self._boards.runs):
            for board in self._boards.boards_of(day):
                if (wrong := await self._compare_board(day, board)) is not None:
                    yield wrong

    async def compare_periods(self, open_days: Collection[str]) -> AsyncIterator[str]:
        """Yield what is wrong with the boards of longer periods; a look compares those of one run, drawn at random.

        `open_days` are the days whose runs are not in the records yet, as far as the server shows such days.
        """
        runs = [run for runs in self._boards.runs.values() for run in runs]
        if not runs:
            return
        run = self._random.choice(runs)
        for board in (one for one in point_boards(run.day, run.rules) if one != day_board(run.day)):
            if board.startswith("game:") and open_days:
                continue  # the boards of open days do not say how many points come from one game
            for prefix in ("", BOTS_PREFIX):
                wrong = None
                for _ in range(2):  # a run that ends between two requests makes a difference once
                    wrong = await self._compare_period(prefix, board, open_days)
                    if wrong is None:
                        break
                if wrong is not None:
                    yield wrong

    async def _compare_board(self, day: str, board: str) -> str | None:
        pages = await self._pages(board)
        shown_struck = {struck.game for struck in pages[0].struck}
        logged = {*self._boards.struck}
        wrong = _compare(board, pages, self._boards.rows_of(day, board, logged | shown_struck))
        if wrong is None:
            return self._missing_strike(day, board, pages[0], logged - shown_struck)
        if _compare(board, pages, self._boards.rows_of(day, board, shown_struck)) is None:
            put_back = min(logged.intersection(run.game_id for run in self._boards.runs[day]) - shown_struck)
            if not self._boards.is_due(f"put back {put_back}", self._now, LAG_MILLISECONDS):
                return None
            return f"the board {board} shows the run {put_back}, which the log says is struck"
        return wrong

    def _missing_strike(self, day: str, board: str, page: Board, not_shown: Collection[str]) -> str | None:
        """Return what is wrong if the board of a day does not say that a run was struck, or None."""
        if not board.endswith(day_board(day)) or len(page.struck) >= MAX_STRUCK_SHOWN:
            return None
        on_board = [run.game_id for run in self._boards.runs[day] if run.game_id in not_shown]
        bots = board.startswith(BOTS_PREFIX)
        for game in on_board:
            run = self._boards.find(game)
            if run is not None and ids.is_bot(run.player) == bots and self._is_due(game):
                return f"the log says that the run {game} is struck, and the board {board} does not say so"
        return None

    def _is_due(self, game: str) -> bool:
        return self._boards.is_due(f"not shown as struck {game}", self._now, LAG_MILLISECONDS)

    async def _compare_period(self, prefix: str, board: str, open_days: Collection[str]) -> str | None:
        later: dict[str, Sums] = {}
        for day in open_days:
            if not _is_in(day, board):
                continue
            pages = await self._pages(prefix + day_board(day), MAX_OPEN_ROWS // PAGE)
            if pages[0].total > MAX_OPEN_ROWS:
                return None
            for player, sums in sums_of(row for page in pages for row in shown_rows(page)).items():
                before = later.get(player, (0, 0, 0, 0))
                later[player] = (before[0] + sums[0], before[1] + sums[1], before[2] + sums[2], before[3] + sums[3])
        name, pages = prefix + board, await self._pages(prefix + board)
        struck, put_back = await self._acts_without_entry()
        wrong = _compare(name, pages, self._boards.rows_of_period(name, later, struck))
        if wrong is not None and put_back:
            return _compare(name, pages, self._boards.rows_of_period(name, later, [*struck, *put_back]))
        return wrong

    async def _acts_without_entry(self) -> tuple[list[BoardTotal], list[BoardTotal]]:
        """Return the changes by runs that were struck or restored and have no entry in the log yet."""
        logged, struck, put_back = {*self._boards.struck}, list[BoardTotal](), list[BoardTotal]()
        for day, runs in self._boards.runs.items():
            shown = {*await self._server.struck(day)}
            for run in runs:
                if run.game_id in shown - logged:
                    struck += map(negative, run_totals(run))
                elif run.game_id in logged - shown:
                    put_back += run_totals(run)
        return struck, put_back

    async def _pages(self, board: str, most: int = MAX_PAGES) -> list[Board]:
        first = await self._server.board(board, 0, PAGE)
        offsets = [*range(PAGE, first.total, PAGE)]
        if len(offsets) >= most:
            offsets = sorted(self._random.sample(offsets, most - 1))
        return [first, *[await self._server.board(board, offset, PAGE) for offset in offsets]]


def _compare(board: str, pages: Sequence[Board], expected: Sequence[Row]) -> str | None:
    return next((wrong for page in pages if (wrong := compare_rows(board, page, expected)) is not None), None)


def _is_in(day: str, board: str) -> bool:
    """Return whether the runs of a day count on a board of points."""
    return board in point_boards(day, board.removeprefix("game:"))
