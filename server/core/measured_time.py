"""Measures the CPU time that a coroutine uses on the event loop, step by step.

A step runs between two awaits and blocks all other tasks. Threads, other processes such as the database, and the time
in which the machine runs other programs are not included.
"""

import time
from collections.abc import Callable, Coroutine, Generator
from types import coroutine
from typing import Any, TypeVar

Result = TypeVar("Result")
Spent = Callable[[float], None]
"""Called with the CPU time of a step in milliseconds."""


@coroutine
def measured(steps: Coroutine[Any, Any, Result], spent: Spent) -> Generator[Any, Any, Result]:
    """Run a coroutine and return its result; `spent` is called after each of its steps."""
    resume: Callable[[Any], Any] = steps.send
    value: Any = None
    while True:
        started = time.thread_time()
        try:
            awaited = resume(value)
        except StopIteration as end:
            result: Result = end.value
            return result
        finally:
            spent((time.thread_time() - started) * 1000)
        try:
            value = yield awaited
            resume = steps.send
        except BaseException as error:
            resume, value = steps.throw, error


def measured_call(call: Callable[[bytes], None], data: bytes, spent: Spent) -> None:
    """Call a function with these bytes; `spent` is called afterwards."""
    started = time.thread_time()
    try:
        call(data)
    finally:
        spent((time.thread_time() - started) * 1000)
