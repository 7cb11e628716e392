"""Time slices: long computations on the event loop take turns, and everything else goes on in between."""

import asyncio
from collections.abc import Iterable
from time import perf_counter

SLICE_SECONDS = 0.001
"""Seconds for which one computation holds the event loop at most, plus the time of one piece."""


class TimeSlices:
    """Runs computations in slices. All that run through one object share one slice for each turn of the event loop.

    However many there are, whoever waits for the event loop waits for one slice, and short ones are done soon.
    """

    def __init__(self) -> None:
        self._turn = asyncio.Lock()

    async def run(self, pieces: Iterable[object]) -> None:
        """Go through an iterator whose every item is one small piece of work. Raises what a piece raises."""
        work = iter(pieces)
        while True:
            async with self._turn:
                ends_at = perf_counter() + SLICE_SECONDS
                for _ in work:
                    if perf_counter() >= ends_at:
                        break
                else:
                    return
                await asyncio.sleep(0)  # with the turn in hand, so that no other slice runs before everything else has
