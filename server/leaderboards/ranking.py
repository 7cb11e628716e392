"""All sort orders of the server: of boards, of races, and of a day's games in progress.

Each order is one key. Of two runs, the one with the smaller key stands first; runs with equal keys share a rank. Sort
with the key, then number the result with `ranks`. The pages `docs/boards.md` and `docs/races.md` state the same orders.

    RankKey              the boards: more score (or points), then fewer moves, then less time
    race_rank_key        the results of a race: winners by less time; then more cards home, fewer moves, less time
    progress_rank_key    the games of a day in progress: more score, then fewer moves

>>> ranks([RankKey(-104, 98, 61_000), RankKey(-52, 80, 5_000), RankKey(-52, 80, 5_000), RankKey(0, 7, 900)])
[1, 2, 2, 4]
"""

from collections.abc import Sequence
from typing import NamedTuple

from cadogan.server.eventlog.events import RaceResult
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

    Winners come first, ordered by less time. The others are ordered by more cards home, then fewer moves, then less
    time.
    """
    if result.result == "won":
        return (0, result.milliseconds)
    return (1, -result.home, result.moves, result.milliseconds)


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
