"""Compares the runs of a day in a separate process, so that the server is not blocked.

As a program, it reads the runs of each deal from standard input as JSON, and writes the findings.
"""

import asyncio
import os
import sys
from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from cadogan.server.house.fair_play.copying import CopyFinding, PaceFinding, Run, find_copies, find_paces

NICENESS = 10
"""The niceness of the process."""


class Compared(NamedTuple):
    """The findings about the runs of one deal."""

    copies: list[CopyFinding]
    paces: list[PaceFinding]


async def compare_runs(deals: Sequence[Sequence[Run]]) -> list[Compared]:
    """Return the findings about each deal, in the order of the deals. Raises RuntimeError if the process fails."""
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(sys.executable, "-m", __name__, stdin=pipe, stdout=pipe)
    try:
        written, _ = await process.communicate(msgspec.json.encode(deals))
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    if process.returncode:
        raise RuntimeError(f"the process that compares runs has ended with {process.returncode}")
    return msgspec.json.decode(written, type=list[Compared])


def _main() -> None:
    os.nice(NICENESS)
    deals = msgspec.json.decode(sys.stdin.buffer.read(), type=list[list[Run]])
    found = [Compared(find_copies(runs), find_paces(runs)) for runs in deals]
    sys.stdout.buffer.write(msgspec.json.encode(found))


if __name__ == "__main__":
    _main()
