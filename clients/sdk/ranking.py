"""The sort orders of live games. They are the same as the server's; `tests/orders` tests both.

Each order is a key: sort the games with it, and the best one stands first.

>>> from cadogan.wire.game_examples import METER
>>> race_rank_key(METER)  # four cards home, 31 moves, 90.5 seconds, not won
(1, -4, 31, 90500)
"""

from collections.abc import Iterable

from cadogan.wire.values import Meter, Racer


def race_rank_key(meter: Meter) -> tuple[int, ...]:
    """Return the key that orders the games of a race, while it runs and at its end.

    Games that are won stand first, ordered by less time. The others are ordered by more cards home, then fewer moves,
    then less time.
    """
    if meter.status == "won":
        return (0, meter.milliseconds)
    return (1, -meter.home, meter.moves, meter.milliseconds)


def progress_rank_key(meter: Meter) -> tuple[int, int]:
    """Return the key that orders the games of a day in progress: more score, then fewer moves."""
    return (-meter.score, meter.moves)


def sort_racers(racers: Iterable[Racer]) -> list[Racer]:
    """Return the racers of a race, the best one first. Before the deal they keep the order of joining.

    When the race is over they have ranks, which decide.
    """
    racers = list(racers)
    if racers and all(racer.rank is not None or racer.struck for racer in racers):
        return sorted(racers, key=lambda racer: (racer.rank is None, racer.rank))
    return sorted(racers, key=lambda racer: () if racer.meter is None else race_rank_key(racer.meter))
