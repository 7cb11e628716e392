"""Child processes of a server, such as analysts and the certifier."""

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress

STOP_SECONDS = 3.0
"""Grace period of a child process when its server stops."""


async def run_process(command: Sequence[str], environment: Mapping[str, str]) -> int:
    """Run a command and return its exit code; end it if this task is cancelled.

    Its standard input is empty and closes when this process ends, for whatever reason.
    """
    pipe, nothing = asyncio.subprocess.PIPE, asyncio.subprocess.DEVNULL
    starting = asyncio.ensure_future(
        asyncio.create_subprocess_exec(*command, env=environment, stdin=pipe, stdout=nothing)
    )
    try:
        process = await asyncio.shield(starting)
    except asyncio.CancelledError:
        # uvloop would not wait for the end of a process whose start is cancelled
        with suppress(OSError):  # it could not be started
            await end_process(await starting, STOP_SECONDS)
        raise
    try:
        return await process.wait()
    finally:
        await end_process(process, STOP_SECONDS)


async def end_process(process: asyncio.subprocess.Process, seconds: float) -> None:
    """Terminate a process, kill it after the grace period in seconds, and return when it has ended."""
    with suppress(ProcessLookupError):  # it may have just ended
        process.terminate()
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):  # `wait_for` can lose a cancellation at the end of the process
                await process.wait()
        process.kill()
    await process.wait()
