"""Work that a server has done beside it, each in a process of its own."""

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress

STOP_SECONDS = 3.0
"""Seconds in which a process has to end when its server stops."""


async def run_process(command: Sequence[str], environment: Mapping[str, str]) -> int:
    """Run a command, and return its exit code; end it if this task is cancelled.

    Its standard input is empty, and ends when this process does, however that ends.
    """
    pipe, nothing = asyncio.subprocess.PIPE, asyncio.subprocess.DEVNULL
    starting = asyncio.ensure_future(
        asyncio.create_subprocess_exec(*command, env=environment, stdin=pipe, stdout=nothing)
    )
    try:
        process = await asyncio.shield(starting)
    except asyncio.CancelledError:
        # uvloop would not wait for the end of one whose start is cancelled.
        with suppress(OSError):  # it could not be started
            await end_process(await starting, STOP_SECONDS)
        raise
    try:
        return await process.wait()
    finally:
        await end_process(process, STOP_SECONDS)


async def end_process(process: asyncio.subprocess.Process, seconds: float) -> None:
    """Tell a process to end, kill it if it does not within so many seconds, and return when it has ended."""
    with suppress(ProcessLookupError):  # it has ended, perhaps at this moment
        process.terminate()
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):  # `wait_for` loses a cancel that comes at the end of the process
                await process.wait()
        process.kill()
    await process.wait()
