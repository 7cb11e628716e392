"""The slowest known inputs of 64 KiB of every kind, and the processor time that an action takes."""

import time
from collections.abc import Callable

MAX_MILLISECONDS = 5.0
"""The limit for parsing a body, a request or a frame."""
TRIES = 3
"""The minimum of this many measurements counts: the processor is shared, and caches are cold at first."""


def _list_of(one: str, size: int) -> str:
    return f"[{','.join([one] * ((size - 2) // (len(one) + 1)))}]"


def costly_json(size: int = 64_000) -> dict[str, str]:
    """Return JSON texts of about this size, by the property that makes them expensive."""
    nested = "[" * 300 + "]" * 300
    return {
        "large floats": _list_of("1e308", size),
        "small floats": _list_of("4.9e-324", size),
        "floats between two others": _list_of("2.2250738585072011e-308", size),
        "long floats": _list_of("9007199254740993.00000000000000000000000000000001e-30", size),
        "whole floats": _list_of("2.0", size),
        "a float of many digits": f"[0.{'1' * (size - 4)}]",
        "an integer of many digits": "1" * size,
        "integers of 4,000 digits": _list_of("9" * 4000, size),
        "integers of 25 digits": _list_of("9" * 25, size),
        "many keys": "{" + ",".join(f'"{number:x}":{{}}' for number in range(size // 11)) + "}",
        "one key again and again": "{" + ",".join(['"":{}'] * (size // 6)) + "}",
        "a long key": '{"' + "k" * (size - 6) + '":1}',
        "lists": _list_of("[]", size),
        "objects": _list_of('{"":0}', size),
        "texts": _list_of('""', size),
        "deep lists": _list_of(nested, size),
        "lists without an end": "[" * size,
        "objects without an end": '{"":' * (size // 4),
        "escapes": '["' + "\\ud83c\\udca1" * (size // 12 - 1) + '"]',
        "half a pair": '["' + "\\ud83c" * (size // 6 - 1) + '"]',
        "spaces": " " * (size - 2) + "[]",
    }


def milliseconds(action: Callable[[], object], most: float = MAX_MILLISECONDS) -> float:
    """Return the thread's processor time of an action; it is measured again if it exceeds `most`."""
    taken = []
    for _ in range(TRIES):
        started = time.thread_time()
        action()
        taken.append((time.thread_time() - started) * 1000)
        if taken[-1] <= most:
            break
    return min(taken)
