"""How many cores of the machine this program may use."""

import math
import os
import sys
from contextlib import suppress
from pathlib import Path

_CPU_LIMIT = Path("/sys/fs/cgroup/cpu.max")
"""The CPU limit of a container, if any (cgroup v2): microseconds of CPU time per period in microseconds."""


def count_cores(limit: Path = _CPU_LIMIT) -> int:
    """Return the number of cores that this process may use: those of the machine, or fewer where it is limited."""
    cores = len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1
    with suppress(OSError, ValueError):  # no limit, or the word `max`
        allowed, period = map(int, limit.read_text().split())
        cores = min(cores, math.ceil(allowed / period))
    return max(cores, 1)
