"""The orders of leaderboards, races and days; the names of leaderboards, their totals, rank buckets and digests. Pure.

Each order is one key. Of two runs, the one with the smaller key stands first; runs with equal keys share a rank. Sort
with the key, then number the result with `ranks`. The pages `docs/boards.md` and `docs/races.md` state the same orders.

    RankKey              the boards: more score (or points), then fewer moves, then less time
    race_rank_key        the results of a race: winners by less time; then more cards home, fewer moves, earlier home
    progress_rank_key    the games of a day in progress: more score, then fewer moves

>>> ranks([RankKey(-104, 98, 61_000), RankKey(-52, 80, 5_000), RankKey(-52, 80, 5_000), RankKey(0, 7, 900)])
[1, 2, 2, 4]

The names of boards: their format, which are valid, and the deal of a board.

People and bots have separate boards: the name of a bots' board is that of the people's board after `bots:`.

>>> point_boards("2026-11-20", "klondike")
('day:2026-11-20', 'week:2026-W47', 'month:2026-11', 'all', 'game:klondike')

Totals: the sum of each player on each board, and what one finished run adds to it.

A run counts on the board of its deal, and on five boards of points: of its day, week, month and game, and of all time.
A total on the board of a deal is one run; on a board of points it is the sum of a player's runs. The database table
`totals` stores them.

Rank buckets: counts of the totals in each range of a board, so that a rank is found without counting all totals.

A board is divided into buckets at six levels, each finer than the one before: by scores some thousand apart, by scores
some hundred apart, by the score, by the moves among equal scores, and twice by the time among equal moves. The rank of
a total follows from the counts of the better buckets beside its own at every level, and from the better totals in its
own bucket at the last level. That reads a few hundred counts and a few totals, however many totals there are.

The digests of a day's boards: written into the log when the day closes, and computed again from exported records.

A board's digest is the SHA-256, in hex, of a text with one line for each player on it, the line ended by a newline, its
parts separated by one space: the name of the board, the rank, the player's id, the score or points, the moves, the
milliseconds; then on the board of a deal the game's id and its result, on the board of a day the number of runs. The
lines are in the order of `ranking.RankKey`, equal keys in the order of the players' ids. The lines of the people's
board come first, then those of the bots' board. `docs/boards.md` publishes this format.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from hashlib import sha256
from operator import add, and_, neg, sub
from typing import Any, NamedTuple

from cadogan.engine import slugs
from cadogan.server.core import dates, ids
from cadogan.server.core.errors import NotFound
from cadogan.server.core.eventlog.projections import EntryRow
from cadogan.server.core.eventlog.race_events import RaceResult
from cadogan.wire.values import Meter


class RankKey(NamedTuple):
    """The order of every board, as a key. Its fields are the columns by which SQL orders a board, in the same order.

    `deficit` is the score, or the sum of points, times -1: so in every field less is better. `moves` counts moves,
    `milliseconds` the time. On a board of points all three are sums over a player's runs.
    """

    deficit: int
    moves: int
    milliseconds: int


def race_rank_key(result: RaceResult) -> tuple[int, ...]:
    """Return the key that orders the results of a race.

    Winners come first, ordered by less time. The others are ordered by more cards home, then fewer moves, then by who
    had that many cards home first: giving up early is no merit. Older results do not have this time, and are ordered by
    less time.
    """
    if result.result == "won":
        return (0, result.milliseconds)
    since = result.milliseconds if result.home_after is None else result.home_after
    return (1, -result.home, result.moves, since)


def progress_rank_key(meter: Meter) -> tuple[int, int]:
    """Return the key that orders the games of a day in progress: more score, then fewer moves."""
    return (-meter.score, meter.moves)


def ranks(sorted_keys: Sequence[object]) -> list[int]:
    """Return the rank of each of these keys, from 1. The keys must be sorted, the best first.

    Equal keys share a rank, and the next rank counts all of them ("1224", the standard competition ranking).

    >>> ranks(["a", "b", "b", "c"])
    [1, 2, 2, 4]
    """
    found: list[int] = []
    for index, key in enumerate(sorted_keys):
        is_shared = index > 0 and key == sorted_keys[index - 1]
        found.append(found[-1] if is_shared else index + 1)
    return found


BOTS_PREFIX = "bots:"


def deal_board(deal: str) -> str:
    """Return the name of the board of one deal of a day.

    >>> deal_board("2026-11-20.1")
    'deal:2026-11-20.1'
    """
    return f"deal:{deal}"


def day_board(day: str) -> str:
    """Return the name of the board of points of one day, written as ``2026-11-20``."""
    return f"day:{day}"


def week_board(day: str) -> str:
    """Return the name of the board of points of the week of a day; weeks are those of ISO 8601, from Monday to Sunday.

    >>> week_board("2026-11-20")
    'week:2026-W47'
    """
    year, week, _ = date.fromisoformat(day).isocalendar()
    return f"week:{year}-W{week:02}"


def point_boards(day: str, game: str) -> tuple[str, ...]:
    """Return the names of the boards of points on which a run counts that plays this game on a deal of this day.

    `day` is written as ``2026-11-20``, `game` is the game's slug.
    """
    return day_board(day), week_board(day), f"month:{day[:7]}", "all", f"game:{game}"


def board_for(player: str, board: str) -> str:
    """Return the name of the board that this player is listed on: the bots' board for a bot."""
    return BOTS_PREFIX + board if ids.is_bot(player) else board


def deal_of(board: str) -> str:
    """Return the id of the deal that a people's or bots' board is about; empty for a board of points.

    >>> deal_of("bots:deal:2026-11-20.1"), deal_of("all")
    ('2026-11-20.1', '')
    """
    kind, _, deal = board.removeprefix(BOTS_PREFIX).partition(":")
    return deal if kind == "deal" else ""


def check_board(board: str) -> str:
    """Return the board's name if it is valid, even if the board is empty.

    >>> check_board("bots:week:2026-W47")
    'bots:week:2026-W47'

    Raises NotFound.
    """
    kind, _, subject = board.removeprefix(BOTS_PREFIX).partition(":")
    match kind:
        case "all":
            exists = not subject and not board.endswith(":")
        case "day":
            exists = dates.is_valid(subject)
        case "deal":
            day, _, slot = subject.partition(".")
            exists = dates.is_valid(day) and re.fullmatch("[1-9][0-9]?", slot) is not None
        case "week":
            exists = re.fullmatch("[0-9]{4}-W[0-9]{2}", subject) is not None and _is_week(subject)
        case "month":
            exists = re.fullmatch("[0-9]{4}-[0-9]{2}", subject) is not None and dates.is_valid(f"{subject}-01")
        case "game":
            exists = subject in slugs()
        case _:
            exists = False
    if not exists:
        raise NotFound("There is no such board.")
    return board


def _is_week(week: str) -> bool:
    try:
        date.fromisocalendar(int(week[:4]), int(week[6:]), 1)
    except ValueError:
        return False
    return True


class BoardTotal(NamedTuple):
    """A player's total on a board after `runs` runs, or what one run adds to it.

    `board` is the board's name and `player` the player's id. `deficit`, `moves` and `milliseconds` are the fields of
    `RankKey`. The fields are the columns of the table `totals`; from the third on they are sums (`SUMS`).
    """

    board: str
    player: str
    deficit: int
    moves: int
    milliseconds: int
    runs: int

    @property
    def rank_key(self) -> RankKey:
        """The key that orders the totals of one board."""
        return RankKey(self.deficit, self.moves, self.milliseconds)

    def plus(self, added: "BoardTotal") -> "BoardTotal":
        """Return the total after `added` was added to it."""
        return BoardTotal(*self[:2], *map(add, self[2:], added[2:]))

    def minus(self, added: "BoardTotal") -> "BoardTotal":
        """Return the total as it was before `added` was added to it."""
        return BoardTotal(*self[:2], *map(sub, self[2:], added[2:]))


SUMS = BoardTotal._fields[2:]
"""The fields of a total that a run adds to."""


def run_totals(entry: EntryRow) -> list[BoardTotal]:
    """Return the contribution of a finished ranked run to each of its six boards."""
    values = [(deal_board(entry.deal), entry.score)]
    values += [(board, entry.points) for board in point_boards(entry.day, entry.rules)]
    return [
        BoardTotal(board_for(entry.player, board), entry.player, -value, entry.moves, entry.milliseconds, 1)
        for board, value in values
    ]


def negative(total: BoardTotal) -> BoardTotal:
    """Return the negated total: adding it subtracts this one."""
    return BoardTotal(*total[:2], *map(neg, total[2:]))


def sum_totals(added: Iterable[BoardTotal]) -> list[BoardTotal]:
    """Return one total for each board and player, sorted by board and player.

    Every writer writes totals in this order, so that two transactions cannot deadlock.
    """
    sums: dict[tuple[str, str], BoardTotal] = {}
    for total in added:
        before = sums.get(total[:2])
        sums[total[:2]] = total if before is None else before.plus(total)
    return [sums[key] for key in sorted(sums)]


ALL_BITS = -1
"""The mask that keeps all bits of a number. The mask 0 clears all."""
LEVEL_MASKS = (
    RankKey(-(1 << 14), 0, 0),
    RankKey(-(1 << 7), 0, 0),
    RankKey(ALL_BITS, 0, 0),
    RankKey(ALL_BITS, ALL_BITS, 0),
    RankKey(ALL_BITS, ALL_BITS, -(1 << 16)),
    RankKey(ALL_BITS, ALL_BITS, -(1 << 10)),
)
"""One bit mask for each level, the coarsest first. A rank key with the mask applied is the least key of its bucket."""


class RankBucket(NamedTuple):
    """One bucket of a board. `level` counts from 1; the other numbers are the least rank key of the bucket.

    The fields are the columns of the primary key of the table `buckets`, in the same order.
    """

    board: str
    level: int
    deficit: int
    moves: int
    milliseconds: int


BucketChange = tuple[str, int, int, int, int, int]
"""The fields of a `RankBucket`, and by how much its count changes."""


def buckets_of(total: BoardTotal) -> list[RankBucket]:
    """Return the bucket of each level in which this total lies, the coarsest first."""
    key = total.rank_key
    return [RankBucket(total.board, level, *map(and_, key, mask)) for level, mask in enumerate(LEVEL_MASKS, 1)]


def bucket_changes(
    added: Iterable[BoardTotal], now: Iterable[Sequence[Any]]
) -> tuple[list[BucketChange], list[RankBucket]]:
    """Return the change of each bucket's count, and the buckets that may become empty; both sorted.

    `now` are the values of the totals after `added` was added to them; a total of no runs lies in no bucket. The
    previous totals are `now` minus `added`, so nothing is read from the database. Buckets are written in this order.
    """
    by_key = {total[:2]: total for total in added}
    counts: Counter[RankBucket] = Counter()
    for total in map(BoardTotal._make, now):
        if total.runs:
            counts.update(buckets_of(total))
        before = total.minus(by_key[total[:2]])
        if before.runs:
            counts.subtract(buckets_of(before))
    changes = sorted((bucket, count) for bucket, count in counts.items() if count)
    return [(*bucket, count) for bucket, count in changes], [bucket for bucket, count in changes if count < 0]


RunsByKey = dict[tuple[str, str], EntryRow]
"""Each run by the ids of its deal and its player."""


class DayDigests(NamedTuple):
    """The digests of a day's boards, and the struck runs of the day, which no digest counts, with their reasons.

    `boards` has the digests by deal id, `day` that of the whole day.
    """

    boards: dict[str, str]
    disqualified: dict[str, str]


def day_digests(day: str, deals: Sequence[str], runs: Iterable[EntryRow]) -> dict[str, str]:
    """Return the digests of a day's boards: by deal id, and under the key `day` for the whole day.

    `runs` are all finished ranked runs of the day that are not struck, in any order.

    >>> ann = EntryRow("g1", "2026-11-20.1", "2026-11-20", 1, "olga", "ann", "won", 104, 1250, 98, 61000, 60000, 0)
    >>> for name, digest in day_digests("2026-11-20", ["2026-11-20.1"], [ann]).items():
    ...     print(name, digest[:8])
    2026-11-20.1 553198f9
    day 9776bd90
    """
    by_key = {(run.deal, run.player): run for run in runs}
    totals = sum_totals(total for run in by_key.values() for total in run_totals(run))
    boards = {deal: deal_board(deal) for deal in deals} | {"day": day_board(day)}
    return {name: _digest(board, totals, by_key) for name, board in boards.items()}


def _digest(board: str, totals: Sequence[BoardTotal], runs: RunsByKey) -> str:
    lines = [line for name in (board, BOTS_PREFIX + board) for line in _lines(name, totals, runs)]
    return sha256("".join(lines).encode()).hexdigest()


def _lines(board: str, totals: Sequence[BoardTotal], runs: RunsByKey) -> Iterator[str]:
    on_board = sorted((total for total in totals if total.board == board), key=_rank_key_then_player)
    for rank, total in zip(ranks([total.rank_key for total in on_board]), on_board, strict=True):
        run = runs.get((deal_of(board), total.player))
        last = total.runs if run is None else f"{run.game_id} {run.result}"
        yield f"{board} {rank} {total.player} {-total.deficit} {total.moves} {total.milliseconds} {last}\n"


def _rank_key_then_player(total: BoardTotal) -> tuple[RankKey, str]:
    return total.rank_key, total.player
