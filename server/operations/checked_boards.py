"""The expected leaderboards of a monitored server, derived from the records that the monitor has verified.

A closed day's runs are added once its record is checked. Runs that hosts strike or put back later are subtracted or
added when the log says so. The boards of the last days follow from the runs alone. The boards of longer periods also
have the runs of days that are not closed: these are taken from the boards of these days, as the server shows them.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import msgspec

from cadogan.server.core.eventlog.projections import EntryRow
from cadogan.server.core.ranking import (
    BOTS_PREFIX,
    BoardTotal,
    day_board,
    deal_board,
    negative,
    ranks,
    run_totals,
    sum_totals,
)
from cadogan.wire.boards import Board

DAYS_CHECKED = 7
"""For this many closed days every row of their boards is compared."""
PERIODS_KEPT = 3
"""The number of weeks, and of months, that are kept."""
Sums = tuple[int, int, int, int]
"""The fields of a `BoardTotal` from the third on: score or points times -1, moves, milliseconds, number of runs."""


class Row(NamedTuple):
    """A row of a board as it is compared: rank, player, score or points, moves, milliseconds, and the run or the runs.

    `run` is the game's id, the result and the active milliseconds on the board of a deal, else the number of runs.
    """

    rank: int
    player: str
    value: int
    moves: int
    milliseconds: int
    run: tuple[str, str, int] | int


class CheckedBoards(msgspec.Struct):
    """The runs and totals that follow from verified records.

    `runs` are the ranked runs of the last closed days, by day, struck ones included. `totals` has the sums of all runs
    that count, by board of points and player. `days` are the closed days in `totals`, and `struck` the runs that are
    not, since they were struck. `first_seen` has the differences that may be due to a host's act whose entry is not in
    the log yet, and when each was seen first, in milliseconds since 1970.
    """

    runs: dict[str, list[EntryRow]] = msgspec.field(default_factory=dict)
    totals: dict[str, dict[str, Sums]] = msgspec.field(default_factory=dict)
    days: list[str] = msgspec.field(default_factory=list)
    struck: list[str] = msgspec.field(default_factory=list)
    first_seen: dict[str, int] = msgspec.field(default_factory=dict)

    def add_day(self, day: str, runs: Sequence[EntryRow], struck: Sequence[EntryRow]) -> None:
        """Add the runs of a closed day; `struck` are those that its close left out."""
        self.days.append(day)
        self.runs[day] = [*runs, *struck]
        self.struck += [run.game_id for run in struck]
        for old in sorted(self.runs)[:-DAYS_CHECKED]:
            del self.runs[old]
        self._add(total for run in runs for total in run_totals(run))
        for kind in ("week:", "month:"):
            for prefix in ("", BOTS_PREFIX):
                for old in sorted(board for board in self.totals if board.startswith(prefix + kind))[:-PERIODS_KEPT]:
                    del self.totals[old]

    def find(self, game: str) -> EntryRow | None:
        """Return a run of the last closed days by its game's id."""
        return next((run for runs in self.runs.values() for run in runs if run.game_id == game), None)

    def move(self, run: EntryRow, *, is_struck: bool) -> None:
        """Subtract a run that was struck, or add one that was put back. Its day must be one of `days`."""
        if is_struck == (run.game_id in self.struck):
            return
        changes = run_totals(run)
        if is_struck:
            self.struck.append(run.game_id)
            self._add(map(negative, changes))
        else:
            self.struck.remove(run.game_id)
            self._add(changes)

    def boards_of(self, day: str) -> list[str]:
        """Return the names of the boards of a closed day: of its deals and of the day, for people and for bots."""
        deals = sorted({run.deal for run in self.runs[day]})
        return [prefix + name for name in (*map(deal_board, deals), day_board(day)) for prefix in ("", BOTS_PREFIX)]

    def rows_of(self, day: str, board: str, left_out: Collection[str]) -> list[Row]:
        """Return the rows of a board of a closed day; the runs `left_out` are not on it."""
        runs = [run for run in self.runs[day] if run.game_id not in left_out]
        by_player = {run.player: run for run in runs if deal_board(run.deal) == board.removeprefix(BOTS_PREFIX)}
        totals = sum_totals(total for run in runs for total in run_totals(run) if total.board == board)
        return list(_ranked(totals, by_player))

    def rows_of_period(self, board: str, later: Mapping[str, Sums], changes: Iterable[BoardTotal]) -> list[Row]:
        """Return the rows of a board of a longer period.

        `later` are the sums, by player, of runs of days that are not in `days`. `changes` are added: those of acts of
        hosts that are not in the log yet.
        """
        own = self.totals.get(board, {})
        added = [BoardTotal(board, player, *sums) for each in (own, later) for player, sums in each.items()]
        totals = sum_totals([*added, *(change for change in changes if change.board == board)])
        return list(_ranked([total for total in totals if total.runs], {}))

    def is_due(self, difference: str, now: int, lag_milliseconds: int) -> bool:
        """Return whether a difference has been seen for longer than an entry of the log may take."""
        return now - self.first_seen.setdefault(difference, now) > lag_milliseconds

    def _add(self, changes: Iterable[BoardTotal]) -> None:
        for change in sum_totals(changes):
            players = self.totals.setdefault(change.board, {})
            before = BoardTotal(*change[:2], *players.get(change.player, (0, 0, 0, 0)))
            players[change.player] = before.plus(change)[2:]
            if not players[change.player][3]:
                del players[change.player]


def shown_rows(board: Board) -> list[Row]:
    """Return the rows of a page of a board as the server shows them."""
    return [
        Row(
            row.rank,
            row.player.id,
            (row.score if row.points is None else row.points) or 0,
            row.moves,
            row.milliseconds,
            (row.game or "", row.result or "", row.active or 0) if row.runs is None else row.runs,
        )
        for row in board.entries
    ]


def sums_of(rows: Iterable[Row]) -> dict[str, Sums]:
    """Return the sums of the rows of a board of points, by player."""
    return {
        row.player: (-row.value, row.moves, row.milliseconds, int(row.run)) for row in rows if isinstance(row.run, int)
    }


def compare_rows(board: str, page: Board, expected: Sequence[Row]) -> str | None:
    """Return what is wrong with a page of a board, or None; `expected` are all its rows in order."""
    if page.total != len(expected):
        return f"the board {board} has {page.total} rows, and {len(expected)} follow from the records"
    shown = shown_rows(page)
    wanted = expected[page.offset : page.offset + len(shown)]
    for one, other in zip(shown, wanted, strict=False):
        if one != other:
            return f"the board {board} shows {_words(one)}, and from the records follows {_words(other)}"
    return None


def _words(row: Row) -> str:
    run = f"{row.run} runs" if isinstance(row.run, int) else f"the run {row.run[0]} ({row.run[1]})"
    return f"{row.player} at place {row.rank} with {row.value}, {row.moves} moves, {row.milliseconds} ms, {run}"


def _ranked(totals: Iterable[BoardTotal], runs: Mapping[str, EntryRow]) -> Iterator[Row]:
    in_order = sorted(totals, key=lambda total: (total.rank_key, total.player))
    for rank, total in zip(ranks([total.rank_key for total in in_order]), in_order, strict=True):
        run = runs.get(total.player)
        last = total.runs if run is None else (run.game_id, run.result, run.active)
        yield Row(rank, total.player, -total.deficit, total.moves, total.milliseconds, last)
