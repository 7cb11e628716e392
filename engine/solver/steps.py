"""A search in steps: it pauses again and again, and whoever runs it can do something else meanwhile, or end it."""

from collections.abc import Generator
from typing import TypeVar

Result = TypeVar("Result")

Steps = Generator[None, None, Result]
"""A search that pauses wherever it yields, and returns what it has found."""


def run_steps(steps: Steps[Result]) -> Result:
    """Return what a search finds that nothing is to interrupt."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            result: Result = end.value
            return result
