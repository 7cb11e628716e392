"""Distributes a command's jobs over processes, one for each core."""

import multiprocessing
import signal
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import TypeVar

from cadogan.server.cli.output import Failure

Job = TypeVar("Job")
Result = TypeVar("Result")


@contextmanager
def run_jobs(work: Callable[[Job], Result], jobs: Sequence[Job], processes: int) -> Iterator[Iterable[Result]]:
    """Yield the results of the jobs, in order, from this many processes.

    Raises Failure if one of the processes is killed.
    """
    count = min(processes, len(jobs))
    if count < 2:
        yield map(work, jobs)
        return
    pool = ProcessPoolExecutor(count, multiprocessing.get_context("spawn"), _end_when_interrupted)
    try:
        yield pool.map(work, jobs)
    except BrokenProcessPool:
        raise Failure(
            "a process was ended from outside, perhaps because memory ran out: try fewer --processes"
        ) from None
    finally:
        pool.shutdown(cancel_futures=True)


def _end_when_interrupted() -> None:
    """Let Ctrl-C end this process at once and without a traceback."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
