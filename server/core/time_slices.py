"""Time slices: long computations on the event loop take turns, and other tasks run in between."""

import asyncio
from collections.abc import Iterable
from time import perf_counter

SLICE_SECONDS = 0.001
"""Maximum seconds for which one computation blocks the event loop, plus the time of one piece."""


class TimeSlices:
    """Runs computations in slices. All that run through one object share one slice for each turn of the event loop.

    With any number of computations, other tasks wait for at most one slice, and short ones finish soon.
    """

    def __init__(self) -> None:
        self._turn = asyncio.Lock()

    async def run(self, pieces: Iterable[object]) -> None:
        """Run an iterator in which each item is one small piece of work. Raises what a piece raises."""
        work = iter(pieces)
        while True:
            async with self._turn:
                ends_at = perf_counter() + SLICE_SECONDS
                for _ in work:
                    if perf_counter() >= ends_at:
                        break
                else:
                    return
                await asyncio.sleep(0)  # while holding the turn, so that all other tasks run before the next slice
