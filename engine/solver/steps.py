"""A search in steps: it pauses regularly, so that the caller can do other work meanwhile, or end it."""

from collections.abc import Generator
from typing import TypeVar

Result = TypeVar("Result")

Steps = Generator[None, None, Result]
"""A search that pauses wherever it yields, and returns its result."""


def run_steps(steps: Steps[Result]) -> Result:
    """Run a search without interruption, and return its result."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            result: Result = end.value
            return result
