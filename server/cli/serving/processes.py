"""Work that a server has done beside it, each in a process of its own."""

import asyncio
from collections.abc import Mapping, Sequence

STOP_SECONDS = 3.0
"""Seconds in which a process has to end when its server stops."""


async def run_process(command: Sequence[str], environment: Mapping[str, str]) -> int:
    """Run a command, and return its exit code; end it if this task is cancelled.

    Its standard input is empty, and ends when this process does, however that ends.
    """
    pipe, nothing = asyncio.subprocess.PIPE, asyncio.subprocess.DEVNULL
    process = await asyncio.create_subprocess_exec(*command, env=environment, stdin=pipe, stdout=nothing)
    try:
        return await process.wait()
    finally:
        if process.returncode is None:
            process.terminate()
            try:
                await asyncio.wait_for(process.wait(), STOP_SECONDS)
            except TimeoutError:
                process.kill()
                await process.wait()
